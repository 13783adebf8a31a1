import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `todo add`
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.",
    discussion: Help.text(
      """
      The text may be a line of todo.txt; options are applied after it. With - for a text, each line of the standard input becomes an item, \
      and is acknowledged as soon as it is on the disk.
      """, examples: "todo add Pay rent --due 2026-12-01 --tag home", "todo add Buy bread --due tomorrow",
      #"todo add "(A) Call the plumber +flat @phone due:2026-12-01""#, "grep TODO notes.txt | todo add -"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  @Option(
    help: "The due day: 2026-12-01, today, tomorrow, fri, +3d, next week.",
    transform: Words.day)
  var due: Day?

  @Option(help: "The priority: a letter from A to Z.", transform: Words.priority)
  var priority: Priority?

  @Option(
    name: .customLong("tag"), help: "A tag: home or @home for a context, +garage for a project. May be repeated.", transform: Words.tag)
  var tags: [String] = []

  @Argument(help: "The text of the item, or - to read items from the standard input.")
  var text: [String]

  /// Creates the command from words alone, without the parser: its reflection takes longer than the rest of a `todo add Buy milk`.
  ///
  /// - Parameter words: The arguments after `add`.
  /// - Returns: nil if there is none, or if one begins with a hyphen, so that it may be an option.
  static func plain(_ words: ArraySlice<String>) -> Add? {
    guard !words.isEmpty, words.allSatisfy({ $0.utf8.first != UInt8(ascii: "-") }) else { return nil }
    // Not in an initializer: there an assignment would create the property's wrapper again, without a value.
    var command = Add()
    command.store = .standard
    command.output = .standard
    command.due = nil
    command.priority = nil
    command.tags = []
    command.text = Array(words)
    return command
  }

  mutating func run() async throws {
    if text == ["-"] {
      try await addLines()
    } else {
      let words = text.joined(separator: " ")
      let changes: [AppState.Change]
      let id = UUID()
      do { changes = try self.changes(adding: Array(words.utf8)[...], as: id) } catch {
        throw CommandError(.usage, "can't add \(words.printable): \(error)")
      }
      try await Session.change(store) { store in
        try await add(changes, id: id, to: store)
      }
    }
  }

  /// Adds an item for each line of the standard input, in order.
  private func addLines() async throws {
    var problems = 0
    try await Session.change(store) { store in
      var lines = LineReader(try InputFile("-"))
      while let line = try lines.next() {
        let id = UUID()
        let changes: [AppState.Change]
        do { changes = try self.changes(adding: line, as: id) } catch {
          // Blank lines in a file are ignored without a message.
          if !line.allSatisfy(LineReader.isBlank) {
            Console.complain("standard input: line \(lines.count): \(error)")
            problems += 1
          }
          continue
        }
        try await add(changes, id: id, to: store)
      }
    }
    if problems > 0 { throw CommandError(.badData, "\(problems == 1 ? "1 line was" : "\(problems) lines were") not added") }
  }

  /// Adds one item and reports it only after it is on disk.
  private func add(_ changes: [AppState.Change], id: UUID, to store: Store<AppState>) async throws {
    let revision = try await store.settle(store.change(changes))
    let state = store.state
    guard let place = state.items.index(of: id) else { return }
    if output.json {
      let row = TodoList(state, today: Clock.today()).rows[place]
      return try Console.printJSON([ActionOutput("add", row, revision: revision)])
    }
    try Console.print(
      "Added \(place + 1) (\(ItemName.likely(id))): \(state.items[place].text.printable)\(revision == nil ? " (not yet confirmed)" : "")")
  }

  /// The reason why a line can't become an item.
  private enum Problem: Error, CustomStringConvertible {
    case empty, lineBreak
    case malformed(TodoLine.Malformed)

    var description: String {
      switch self {
      case .empty: "there is nothing in it"
      case .lineBreak: "an item is a single line"
      case .malformed(let reason): reason.description
      }
    }
  }

  /// The changes that add a line as an item, including the values of the options.
  private func changes(adding line: ArraySlice<UInt8>, as id: UUID) throws(Problem) -> [AppState.Change] {
    guard !line.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { throw .lineBreak }
    var fields: TodoLine
    do throws(TodoLine.Malformed) { fields = try TodoItem(id: id, adding: line, today: Clock.today()).fields } catch {
      throw .malformed(error)
    }
    guard !fields.text.isEmpty else { throw .empty }
    fields.due = due ?? fields.due
    fields.priority = priority ?? fields.priority
    let named = Set(fields.tags)
    return [.add(.item(TodoItem(id: id, fields)))] + tags.filter { !named.contains($0) }.map { .tag($0, .add(id)) }
  }
}
