import Alter
import ArgumentParser
import TodoCore

/// `todo list`
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the list: number, beginning of the id, whether it is done, priority, due day, text.",
    discussion: Help.text(
      "Filters add up: an item is shown if it passes all of them. Its number is its position in the whole list.",
      examples: "todo list --open --sort due",
      "todo list --overdue", "todo list --tag home --due-before +7d", "todo list --done --text rent --json"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: Filters

  /// Creates the command of a command line without options, without the parser, for the reason of ``Add/plain(_:)``.
  static func plain() -> List {
    var command = List()
    command.store = .standard
    command.output = .standard
    command.filters = .standard
    return command
  }

  mutating func run() async throws {
    let (state, marks) = try await Session.view(store)
    try List.show(state, filters.query(), output, marks)
  }

  /// Prints the items of a state that match a query.
  ///
  /// - Parameter marks: The marks of a synced list.
  static func show(_ state: AppState, _ query: ItemQuery = ItemQuery(), _ output: OutputOptions, _ marks: SyncMarks = SyncMarks())
    throws
  {
    try show(TodoList(state, query, today: Clock.today()), of: state.items.count, output, marks)
  }

  /// Prints the visible part of a list.
  ///
  /// - Parameter count: The number of all items, for the case that none is visible.
  static func show(_ list: TodoList, of count: Int, _ output: OutputOptions, _ marks: SyncMarks) throws {
    defer { if !output.json, marks.refusals > 0 { Console.complain("\(Sync.changes(marks.refusals)) refused: see 'todo refused'") } }
    if output.json { return try Console.printJSON(list.rows.map(ItemOutput.init)) }
    guard list.rows.isEmpty else { return try Console.print(shown: list.lines(Console.style, marks)) }
    try Console.print(
      count == 0 ? "Nothing to do." : "Nothing found among \(count == 1 ? "1 item" : "\(count) items").")
  }
}
