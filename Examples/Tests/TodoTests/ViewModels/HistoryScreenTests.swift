import Alter
import Testing
import TodoCore
import TodoViewModels

@Suite("The history's screen") struct HistoryScreenTests {
  private let store = Store(AppState())

  /// Adds 'Pay rent' (revision 2), renames it (3) and completes it (4).
  init() throws {
    try store.change(.add(.item(TodoItem(id: id(1), text: "Pay rent"))))
    try store.change(.item(id(1), .text("Pay the rent")))
    try store.change(.item(id(1), .completed(true)))
  }

  @Test("has the entries in words, newest first, and offers to undo the last one") func entries() async throws {
    let screen = try await HistoryScreen(of: store)
    #expect(
      screen.entries.map(\.text) == [
        "completed ‘Pay the rent’", "renamed ‘Pay rent’ to ‘Pay the rent’", "added ‘Pay rent’", "began with an empty list",
      ])
    #expect(screen.undo == "Undo: completed ‘Pay the rent’" && screen.redo == nil)
    // A part of the entries has the texts of the items from the state before it.
    #expect(try await HistoryScreen(of: store, limit: 1).entries == [screen.entries[0]])
  }

  @Test("marks what is undone, and offers to redo it") func undone() async throws {
    _ = try await store.undo()
    let screen = try await HistoryScreen(of: store)
    #expect(screen.entries.map(\.text).first == "undid 4: completed ‘Pay the rent’")
    #expect(screen.entries.map(\.isUndone) == [false, true, false, false, false])
    #expect(screen.undo == "Undo: renamed ‘Pay rent’ to ‘Pay the rent’" && screen.redo == "Redo: completed ‘Pay the rent’")
    _ = try await store.redo()
    let redone = try await HistoryScreen(of: store)
    #expect(redone.entries.allSatisfy { !$0.isUndone } && redone.redo == nil)
  }
}
