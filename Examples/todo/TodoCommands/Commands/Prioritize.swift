import Alter
import ArgumentParser
import TodoCore

/// `todo priority`
struct Prioritize: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "priority", abstract: "Set the priority of an item: A to Z, or none.",
    discussion: Help.text(examples: "todo priority 1 A", "todo priority 1 none"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var item: OneItem

  @Argument(
    help: "A letter from A to Z, or none.", completion: .list(["A", "B", "C", "none"]),
    transform: { OptionalArgument(value: try Words.orNone($0, Words.priority)) })
  var priority: OptionalArgument<Priority>

  mutating func run() async throws {
    let priority = priority.value
    try await ItemEdit(location: store, output: output, action: "priority")([item.name]) { item, number, _ in
      guard priority != item.priority else {
        return .leave(why: priority.map { "has priority \($0) already" } ?? "has no priority already")
      }
      return .make([.item(item.id, .priority(priority))], saying: "\(number) has \(priority.map { "priority \($0)" } ?? "no priority")")
    }
  }
}
