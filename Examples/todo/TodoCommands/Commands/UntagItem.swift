import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo untag`
struct UntagItem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "untag", abstract: "Remove tags from an item, also from its text.",
    discussion: Help.text(
      "home means @home and +home; with its sign, a tag means only itself.", examples: "todo untag 1 home", "todo untag 8e1f +flat"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var item: OneItem

  @Argument(help: "home, @home or +garage.", transform: Words.tagToFind)
  var tags: [String]

  mutating func run() async throws {
    let tags = tags
    try await ItemEdit(location: store, output: output, action: "untag")([item.name]) { item, number, state in
      let meant = Tag.meant(by: tags, among: state.tags(of: item))
      let changes = try item.changes(untagging: meant, in: state)
      guard !changes.isEmpty else { return .leave(why: "isn't tagged \(tags.joined(separator: " ").printable)") }
      return .make(changes, saying: "Untagged \(number) \(meant.sorted().joined(separator: " ").printable)")
    }
  }
}
