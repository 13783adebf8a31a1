import Alter
import ArgumentParser
import TodoCore

/// `todo reopen`
struct Reopen: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Mark items that are done as open again.", discussion: Help.text(examples: "todo reopen 1"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var items: ItemNames

  mutating func run() async throws {
    try await ItemEdit(location: store, output: output, action: "reopen")(items.names) { item, number, _ in
      item.completed
        ? .make([.item(item.id, .completed(false))], saying: "Reopened \(number)") : .leave(why: "is open already")
    }
  }
}
