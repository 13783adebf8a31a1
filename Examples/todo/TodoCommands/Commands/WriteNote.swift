import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `todo note`
struct WriteNote: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Write a note into the list's journal; 'todo notes' shows them.",
    discussion: Help.text(examples: "todo note The plumber comes on Friday"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  @Argument(help: "The text of the note.")
  var text: [String]

  mutating func run() async throws {
    let words = text.joined(separator: " ")
    guard words.contains(where: { !$0.isWhitespace }) else {
      throw CommandError(.usage, "can't note \(words.printable): it is empty")
    }
    let note = Note(id: UUID(), text: words)
    try await Session.change(store) { store in
      try await store.change(.add(.entry(note))).durable()
      let state = store.state
      guard let place = state.entries.index(of: note.id) else { return }
      if output.json { return try Console.printJSON([NoteOutput(place + 1, state.entries[place])]) }
      try Console.print("Noted \(place + 1): \(words.printable)")
    }
  }
}
