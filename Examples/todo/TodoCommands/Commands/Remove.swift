import Alter
import ArgumentParser
import TodoCore

/// `todo remove`
struct Remove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove items from the list and from every tag.",
    discussion: Help.text("Nothing is lost: 'todo undo' brings them back.", examples: "todo remove 3", "todo remove 1 2"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var items: ItemNames

  mutating func run() async throws {
    try await ItemEdit(location: store, output: output, action: "remove")(items.names) { item, number, _ in
      .make([.remove(.item(item.id))], saying: "Removed \(number)")
    }
  }
}
