import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo rename`
struct Rename: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Change the text of an item.",
    discussion: Help.text(
      "A due:2026-12-01 in the text becomes its day; without one, the item keeps its day.", examples: "todo rename 1 Pay the rent",
      #"todo rename 8e1f "Call the landlord +flat""#))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var item: OneItem

  @Argument(help: "The new text.")
  var text: [String]

  mutating func run() async throws {
    let words = text.joined(separator: " ")
    guard !words.contains(where: \.isNewline) else {
      throw CommandError(.usage, "can't rename to \(words.printable): an item is a single line")
    }
    guard words.contains(where: { !$0.isWhitespace }) else {
      throw CommandError(.usage, "can't rename to nothing: give it a text, or remove it")
    }
    try await ItemEdit(location: store, output: output, action: "rename")([item.name]) { item, number, _ in
      do throws(TodoLine.Malformed) {
        return .make(try item.changes(text: words).map { .item(item.id, $0) }, saying: "Renamed \(number) to ‘\(words.printable)’, from")
      } catch {
        throw CommandError(.usage, "can't rename to \(words.printable): \(error)")
      }
    }
  }
}
