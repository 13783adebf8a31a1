import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo redo`
  struct Redo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Bring back what the last undo took, unless something new has followed it.")

    @OptionGroup var store: StoreLocation

    mutating func run() async throws {
      try await Session.change(store, orThrow: CommandError(UndoError.nothingToRedo)) { store in
        var narrator = Narrator()
        narrator.learn(store.state)
        let redone = try await store.redo()
        narrator.learn(store.state)
        try Console.print(redone.records.prefix(1).map { "Redid \($0.revision): \(narrator.tell($0))" })
      }
    }
  }
#endif
