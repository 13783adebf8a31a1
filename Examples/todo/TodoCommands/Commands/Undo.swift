import Alter
import ArgumentParser
import TodoCore

/// `todo undo`
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change, whichever process made it; again, the one before.",
    discussion: Help.text(examples: "todo undo"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  mutating func run() async throws {
    try await Session.change(store, orThrow: CommandError(UndoError.nothingToUndo)) { store in
      var narrator = Narrator()
      narrator.learn(store.state)
      let undone = try await store.takeBack(redo: false)
      narrator.learn(store.state)
      try Undo.report(undone, "undo", "Undid", &narrator, output)
    }
  }

  /// Reports the entry that was undone or redone.
  static func report(
    _ undone: (records: [Record<AppState>], revision: Revision?), _ action: String, _ word: String, _ narrator: inout Narrator,
    _ output: OutputOptions
  ) throws {
    guard let record = undone.records.first else { return }
    let what = narrator.tell(record)
    if output.json {
      try Console.printJSON([UndoOutput(action, of: record.revision, revision: undone.revision ?? .zero, what: what)])
    } else {
      try Console.print("\(word) \(record.revision): \(what)\(undone.revision == nil ? " (not yet confirmed)" : "")")
    }
  }
}
