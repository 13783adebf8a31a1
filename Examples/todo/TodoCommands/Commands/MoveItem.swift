import Alter
import ArgumentParser
import TodoCore

/// `todo move`
struct MoveItem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move an item to another place in the list's own order.",
    discussion: Help.text(
      "The items in between get other numbers. A list that is shown with --sort has another order, and the move does not change it.",
      examples: "todo move 3 --before 1", "todo move 8e1f --after 2", "todo move 3 --first", "todo move 1 --last"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var item: OneItem

  @Option(help: ArgumentHelp("Move it immediately before this item.", valueName: "item"))
  var before: String?

  @Option(help: ArgumentHelp("Move it immediately after this item.", valueName: "item"))
  var after: String?

  @Flag(help: "Move it to the beginning of the list.")
  var first = false

  @Flag(help: "Move it to the end of the list.")
  var last = false

  func validate() throws {
    let places = [before != nil, after != nil, first, last].count { $0 }
    guard places == 1 else { throw ValidationError("give one place: --before ITEM, --after ITEM, --first or --last") }
  }

  mutating func run() async throws {
    let (before, after, first) = (before, after, first)
    try await ItemEdit(location: store, output: output, action: "move")([item.name]) { item, number, state in
      let place: ItemPlace =
        if let before { .before(try ItemName.find(before, in: state)) } else if let after {
          .after(try ItemName.find(after, in: state))
        } else { first ? .first : .last }
      let changes = try state.changes(moving: item.id, to: place)
      guard case .move(_, let position)? = changes.first else { return .leave(why: "is there already") }
      return .make(changes, saying: "Moved \(number) to \(position + 1)")
    }
  }
}
