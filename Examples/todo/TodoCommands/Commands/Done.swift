import Alter
import ArgumentParser
import TodoCore

/// `todo done`
struct Done: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark items as done.", discussion: Help.text(examples: "todo done 1", "todo done 2 3 8e1f"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var items: ItemNames

  mutating func run() async throws {
    let today = Clock.today()
    try await ItemEdit(location: store, output: output, action: "done")(items.names) { item, number, _ in
      item.completed ? .leave(why: "is done already") : .make(item.changes(completedOn: today), saying: "Done \(number)")
    }
  }
}
