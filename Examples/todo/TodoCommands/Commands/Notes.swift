import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo notes`
struct Notes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes", abstract: "Show the notes: number, when it was written, text.",
    discussion: Help.text(examples: "todo notes", "todo notes --json"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  mutating func run() async throws {
    let notes = try await Session.state(store).entries.enumerated().map { ($0 + 1, $1) }
    if output.json { return try Console.printJSON(notes.map { NoteOutput($0, $1) }) }
    let width = "\(notes.count)".count
    try Console.print(
      notes.isEmpty
        ? ["No notes."]
        : notes.map { number, note in
          let left = String(repeating: " ", count: width - "\(number)".count)
          return "\(left)\(number)  \(note.written.map(Clock.text) ?? "at some time     ")  \(note.text.printable)"
        })
  }
}
