import Foundation
import ProcessTesting
import Testing
import _AlterTerminal

/// Runs the built commands with hostile values for every option and argument in their own tables.
@Suite("Hostile command lines", .timeLimit(.minutes(20)))
struct CommandCaseTests {
  /// One command line.
  struct Case: Sendable, CustomStringConvertible {
    let command: CommandTable.Command
    let label: String
    let value: String
    let words: [String]
    var description: String { "\(command) with \(label) = \(value.prefix(200).debugDescription)" }
  }

  /// The kind of an option; nil if the suite doesn't know it.
  static func kind(of argument: CommandTable.Argument, in command: CommandTable.Command) -> HostileKind? {
    HostileKind.ofOneCommand["\(command) \(argument.label)"] ?? HostileKind.ofArguments[argument.label]
  }

  /// The command line with one tested value, and usual values for all other required arguments.
  private static func words(
    _ command: CommandTable.Command, _ hostile: (argument: CommandTable.Argument, value: String)?, in folder: HostileFolder
  ) -> [String] {
    var (options, places): ([String], [String]) = ([], [])
    for argument in command.arguments {
      guard let kind = kind(of: argument, in: command) else { continue }
      let isHostile = hostile?.argument.label == argument.label
      let isLocation = ["--store", "--journal", "<journal>"].contains(argument.label)
      // A server gets any free port. The hostile journal is also used for `inspect`.
      let isNeeded = !argument.isOptional || isLocation || (argument.label == "--port" && command.path.last == "serve")
      // The location as an argument takes the place of the option; both together are refused.
      let isReplaced = argument.label == "--journal" && hostile?.argument.label == "<location>"
      guard isHostile || isNeeded && !isReplaced else { continue }
      var value = isHostile ? hostile?.value ?? "" : argument.label == "--port" ? "0" : kind.usualValue
      value = value.replacingOccurrences(of: "FOLDER", with: folder.path)
      // A tail of the list receives the items that `todo` adds.
      let isJournal = command.path[0] == "alter" && command.path.last != "tail"
      value = value.replacingOccurrences(of: "JOURNAL", with: isJournal ? folder.journal : folder.list)
      switch argument.kind {
      case .flag: if isHostile { options.append(argument.label) }
      case .option: options.append("\(argument.label)=\(value)")
      case .positional: places.append(value)
      }
    }
    return command.path + options + ["--"] + places
  }

  static func cases(of name: String, in folder: HostileFolder) throws -> [Case] {
    let commands = try CommandTable(of: name).commands
    var uses: [String: Int] = [:]
    for command in commands { for argument in command.arguments { uses[argument.label, default: 0] += 1 } }
    return commands.enumerated().flatMap { place, command in
      command.arguments.flatMap { argument -> [Case] in
        guard let kind = kind(of: argument, in: command) else { return [] }
        let values = kind == .flag ? ["on"] : kind.hostileValues
        // Arguments that many commands share are parsed by the same code. Each of those commands gets two of the values, in turn.
        let chosen =
          uses[argument.label, default: 0] > 8 && values.count > 2 ? [0, 1].map { values[(place * 2 + $0) % values.count] } : values
        return chosen.map { Case(command: command, label: argument.label, value: $0, words: words(command, (argument, $0), in: folder)) }
      }
    }
  }

  @Test("every option and argument of the commands has a kind of hostile values", arguments: ["alter", "todo"])
  func complete(_ name: String) throws {
    let commands = try CommandTable(of: name).commands
    #expect(commands.count >= 9)
    for command in commands {
      for argument in command.arguments {
        #expect(
          Self.kind(of: argument, in: command) != nil,
          "'\(command)' takes \(argument.label), which HostileKind doesn't know: add it there, so that hostile values of it are tried.")
      }
    }
    let table = try CommandTable(of: "alter").commands + CommandTable(of: "todo").commands
    let labels = Set(table.flatMap(\.arguments).map(\.label))
    for label in HostileKind.ofArguments.keys { #expect(labels.contains(label), "no command takes \(label) any more") }
  }

  @Test(
    "a hostile value ends a command with a documented status, and prints nothing that a terminal obeys", arguments: ["alter", "todo"])
  func each(_ name: String) async throws {
    let folder = try await HostileFolder()
    let statuses = try documentedStatuses()
    try #require(statuses.isSuperset(of: [0, 64, 66, 70]))
    let cases = try Self.cases(of: name, in: folder)
    #expect(cases.count > 100)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, one) in cases.enumerated() {
        if place >= 4 { try await group.next() }
        group.addTask { try await Self.check(one, statuses, in: folder) }
      }
      try await group.waitForAll()
    }
    // The journal and the list are still intact.
    #expect(try await folder.run(["alter", "verify", folder.journal]).status == 0)
    #expect(try await folder.run(["alter", "verify", folder.list]).status == 0)
  }

  private static func check(_ one: Case, _ statuses: Set<Int32>, in folder: HostileFolder) async throws {
    if ["serve", "tail", "watch"].contains(one.command.path.last) { return try await checkRunning(one, statuses, in: folder) }
    let outcome = try await folder.run(one.words)
    #expect(outcome.status < 128 && statuses.contains(outcome.status), "\(one): \(outcome)")
    // A hostile value must never cause an internal error.
    #expect(outcome.status != 70, "\(one): \(outcome)")
    // An export into a pipe is not escaped.
    if one.command.path.last != "export" { expectPrintable(outcome.output, "\(one)") }
    expectPrintable(outcome.errors, "\(one)")
  }

  /// Checks a command that runs until a signal ends it. It may also end by itself.
  private static func checkRunning(_ one: Case, _ statuses: Set<Int32>, in folder: HostileFolder) async throws {
    let command = try [Product.path(one.words[0])] + one.words.dropFirst()
    let process = try LineProcess(command, environment: folder.environment(), mergesErrors: true)
    // The first line shows that the command has started, or why it failed. A tail without entries prints nothing, so the test adds one.
    if one.command.path.last == "tail" {
      // The hostile name may be that of a list that another case has created.
      let isLocation = ["--store", "--journal", "<journal>", "<location>"].contains(one.label)
      let store = isLocation ? one.value.replacingOccurrences(of: "FOLDER", with: folder.path) : folder.list
      let more = Task { while !Task.isCancelled { _ = try? await folder.run(["todo", "add", "more", "--store=\(store)"]) } }
      _ = await process.line()
      more.cancel()
    } else {
      _ = await process.line()
    }
    let status = process.child.end(SIGTERM)
    #expect(status == 128 + SIGTERM || (status < 128 && statuses.contains(status)), "\(one): \(status)")
    _ = await onThread { process.readLines() }
    expectPrintable(process.lines.joined(separator: "\n"), "\(one)")
  }
}

/// Expects a text that contains nothing that a terminal interprets.
func expectPrintable(_ text: String, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let found = text.unicodeScalars.first { $0.actsOnTerminal && $0 != "\n" }
  #expect(
    found == nil, "\(comment) prints U+\(String(found?.value ?? 0, radix: 16)): \(text.prefix(2_000).debugDescription)",
    sourceLocation: sourceLocation)
}
