import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo undo`
  struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take back the last change, whoever made it; again, the one before.")

    @OptionGroup var store: StoreLocation

    mutating func run() async throws {
      try await Session.change(store, orThrow: CommandError(UndoError.nothingToUndo)) { store in
        var narrator = Narrator()
        narrator.learn(store.state)
        let undone = try await store.undo()
        narrator.learn(store.state)
        try Console.print(undone.records.prefix(1).map { "Undid \($0.revision): \(narrator.tell($0))" })
      }
    }
  }
#endif
