import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo tag`
struct TagItem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Give an item tags.", discussion: Help.text(examples: "todo tag 1 home", "todo tag 8e1f @phone +flat"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var item: OneItem

  @Argument(help: "home or @home for a context, +garage for a project.", transform: Words.tag)
  var tags: [String]

  mutating func run() async throws {
    var tags: [String] = []
    for tag in self.tags where !tags.contains(tag) { tags.append(tag) }
    try await ItemEdit(location: store, output: output, action: "tag")([item.name]) { item, number, state in
      let present = state.tags(of: item)
      let missing = tags.filter { !present.contains($0) }
      guard !missing.isEmpty else { return .leave(why: "is tagged \(tags.joined(separator: " ").printable) already") }
      return .make(missing.map { .tag($0, .add(item.id)) }, saying: "Tagged \(number) \(missing.joined(separator: " ").printable)")
    }
  }
}
