import Alter
import ArgumentParser
import TodoCore

/// `todo redo`
struct Redo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the change that the last undo undid, unless a new change has followed.",
    discussion: Help.text(examples: "todo redo"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  mutating func run() async throws {
    try await Session.change(store, orThrow: CommandError(UndoError.nothingToRedo)) { store in
      var narrator = Narrator()
      // The description uses the texts from before the redo.
      narrator.learn(store.state)
      let redone = try await store.takeBack(redo: true)
      try Undo.report(redone, "redo", "Redid", &narrator, output)
    }
  }
}
