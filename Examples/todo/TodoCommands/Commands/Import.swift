import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `todo import`
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Append a todo.txt file to the list, or an app's old JSON, as one change.",
    discussion: Help.text(
      """
      Almost any text is a todo.txt file. A line that is not valid UTF-8, or due on a day that the calendar doesn't have, is reported and \
      left out; the exit status is then \(ExitStatus.badData.rawValue).

      A file has at most \(limit >> 20) MiB and \(itemLimit) lines or objects: it becomes one change, which is made as a whole or not at all.

      JSON is an object with "items", each with a "text" and perhaps "id", "completed", "due", "priority", "tags"; malformed JSON is not \
      imported at all. A list that has not begun yet begins with it; otherwise it is appended, without the items that are there already.
      """, examples: "todo import todo.txt", "todo import --strict todo.txt", "todo import state.json", "curl … | todo import -"))

  /// The format of a file.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case auto, todotxt, json
  }

  /// The maximum size of an import, in bytes. The import is one change, so that memory holds all of it several times.
  static let limit = 32 << 20
  /// The maximum number of lines or JSON objects. Many short lines need the most memory for each byte.
  static let itemLimit = 600_000

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  @Flag(help: "Import nothing if any line is malformed.")
  var strict = false

  @Option(help: "The format of the file: auto examines its name and beginning.")
  var format = Format.auto

  @Argument(help: "The file, or - for the standard input.", completion: .file())
  var file: String

  mutating func run() async throws {
    let input = try InputFile(file, limit: Self.limit)
    // Read before the list is opened, so that an unreadable file leaves no empty list behind.
    let first = try input.read()
    if let encoding = Self.otherEncoding(of: first ?? []) {
      let name = input.name == "standard input" ? "-" : "'\(input.name.printable)'"
      throw CommandError(
        .badData,
        "\(input.name.printable) is text in \(encoding), not in UTF-8: convert it by: iconv -f \(encoding) -t UTF-8 \(name) | todo import -"
      )
    }
    if let (old, rest) = try oldState(input, first) {
      if let old { return try await importOldState(old, from: input.name) }
      try await importTodoTxt(input, rest, atEnd: true)
    } else {
      try await importTodoTxt(input, first, atEnd: false)
    }
  }

  /// The encoding of a text that is not in UTF-8, by its byte order mark, or by the zero bytes of its first two letters; nil for others.
  private static func otherEncoding(of bytes: [UInt8]) -> String? {
    switch Array((bytes.prefix(4) + [1, 1, 1, 1]).prefix(4)) {
    case [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]: "UTF-32"
    case let first where first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]): "UTF-16"
    case let first where first[0] != 0 && first[1] == 0 && first[2] != 0 && first[3] == 0: "UTF-16LE"
    case let first where first[0] == 0 && first[1] != 0 && first[2] == 0 && first[3] != 0: "UTF-16BE"
    default: nil
    }
  }

  // MARK: - todo.txt

  private func importTodoTxt(_ input: InputFile, _ first: [UInt8]?, atEnd: Bool) async throws {
    try await Session.change(store) { store in
      switch try answer(reading: input, from: first, atEnd: atEnd, into: store.state) {
      case .imported(let changes, let items, let skipped):
        for problem in skipped { Console.complain("\(input.name.printable): \(problem)") }
        let revision = changes.isEmpty ? nil : try await store.settle(store.change(changes, cause: cause(input.name)))
        try report(ImportOutput(items: items, leftOut: skipped.count, revision: revision))
        guard skipped.isEmpty else { throw CommandError(.badData, "\(lines(skipped.count)) left out") }
      case .refused(let problems):
        for problem in problems { Console.complain("\(input.name.printable): \(problem)") }
        throw CommandError(.badData, "\(lines(problems.count)) malformed, so nothing was imported")
      case .progress, nil: throw CommandError(.internalError, "the import ended without an answer")
      }
    }
  }

  /// Passes the file to the use case piece by piece, and returns its last response.
  private func answer(reading input: InputFile, from first: [UInt8]?, atEnd: Bool, into state: AppState) throws -> ImportUseCase.Response? {
    var answer: ImportUseCase.Response?
    var useCase = ImportUseCase(into: state, strict: strict) { response in
      answer = response
    }
    var piece = first
    while let bytes = piece {
      useCase.request(.read(bytes))
      if case .progress(let lines) = answer, lines > Self.itemLimit { throw tooMany("lines", in: input) }
      piece = atEnd ? nil : try input.read()
    }
    useCase.request(.finish)
    return answer
  }

  private func tooMany(_ what: String, in input: InputFile) -> CommandError {
    return CommandError(
      .badData,
      "'\(input.name.printable)' has more than \(Self.itemLimit) \(what), which is the most that one import takes: split it. Nothing was imported."
    )
  }

  private func lines(_ count: Int) -> String { count == 1 ? "1 line was" : "\(count) lines were" }

  // MARK: - JSON

  /// The old list, if the file may be JSON.
  ///
  /// - Returns: nil if the format, the name or the first bytes rule out JSON. Otherwise all bytes of the file were read, and `old` is nil
  ///   if they are a todo.txt file after all.
  private func oldState(_ input: InputFile, _ first: [UInt8]?) throws -> (old: OldState?, bytes: [UInt8])? {
    let isSure = format == .json || (format == .auto && input.name.lowercased().hasSuffix(".json"))
    guard format != .todotxt, isSure || OldState.mayBegin(with: first ?? []) else { return nil }
    var bytes = first ?? []
    while let more = try input.read() { bytes += more }
    if bytes.count(where: { $0 == UInt8(ascii: "{") }) > Self.itemLimit { throw tooMany("objects", in: input) }
    do throws(OldState.Problem) { return (try OldState(json: Data(bytes)), bytes) } catch {
      // A line of todo.txt may begin with a brace, too.
      if !isSure, case .notJSON = error { return (nil, bytes) }
      throw CommandError(.badData, "\(input.name.printable): \(error); nothing was imported")
    }
  }

  private func importOldState(_ old: OldState, from name: String) async throws {
    var begun: ImportOutput?
    try await Session.change(
      store, importing: source(name),
      { () throws(Refusal) in
        let all = old.changes(into: AppState())
        begun = ImportOutput(items: all.items, revision: 1)
        return try AppState().alter(all.changes)
      }
    ) { store in
      if let begun { return try report(begun) }
      let missing = old.changes(into: store.state)
      let revision = missing.changes.isEmpty ? nil : try await store.settle(store.change(missing.changes, cause: cause(name)))
      try report(ImportOutput(items: missing.items, present: missing.present, revision: revision))
    }
  }

  // MARK: - Both

  private func report(_ result: ImportOutput) throws {
    if output.json { return try Console.printJSON([result]) }
    func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }
    let present = result.present == 0 ? "" : " \(items(result.present)) \(result.present == 1 ? "was" : "were") there already."
    try Console.print("Imported \(items(result.items)).\(present)")
  }

  /// The file's name without its folders, which readers of the log on other machines need not see.
  private func source(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }

  private func cause(_ name: String) -> Cause { Cause(metadata: ["imported": source(name)]) }
}
