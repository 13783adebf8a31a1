import Alter
import Foundation
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!

@Suite("The history's screen") struct HistoryScreenTests {
  private let store = Store(AppState())

  /// Adds 'Pay rent' (revision 2), renames it (3) and completes it (4).
  private func change() throws {
    try store.change(.add(.item(TodoItem(id: id(1), text: "Pay rent"))))
    try store.change(.item(id(1), .text("Pay the rent")))
    try store.change(.item(id(1), .completed(true)))
  }

  @Test("has the entries in words, newest first") func entries() async throws {
    try change()
    let screen = try await HistoryScreen(of: store)
    #expect(
      screen.entries.map(\.text) == [
        "completed ‘Pay the rent’", "renamed ‘Pay rent’ to ‘Pay the rent’", "added ‘Pay rent’", "began with an empty list",
      ])
    #expect(screen.entries.map(\.id) == [4, 3, 2, 1])
    #expect(screen.undo == "Undo: completed ‘Pay the rent’")
    #expect(screen.redo == nil)
  }

  @Test("marks what is undone, and offers to redo it") func undone() async throws {
    try change()
    _ = try await store.undo()
    var screen = try await HistoryScreen(of: store)
    #expect(screen.entries.map(\.text).first == "undid 4: completed ‘Pay the rent’")
    #expect(screen.entries.map(\.isUndone) == [false, true, false, false, false])
    #expect(screen.undo == "Undo: renamed ‘Pay rent’ to ‘Pay the rent’")
    #expect(screen.redo == "Redo: completed ‘Pay the rent’")
    _ = try await store.redo()
    screen = try await HistoryScreen(of: store)
    #expect(screen.entries.map(\.isUndone) == [false, false, false, false, false, false])
    #expect(screen.redo == nil)
  }

  @Test("of a part of the entries knows the texts of the items before") func part() async throws {
    try change()
    let screen = try await HistoryScreen(of: store, limit: 1)
    #expect(screen.entries.map(\.text) == ["completed ‘Pay the rent’"])
  }

  @Test("of a new list offers no undo") func empty() async throws {
    let screen = try await HistoryScreen(of: store)
    #expect(screen.entries.count == 1 && screen.undo == nil && screen.redo == nil)
  }

  @Test("undoes and redoes the entry that it shows, and no other one") func outdated() async throws {
    try change()
    let screen = try await HistoryScreen(of: store)
    // Another process changes the list, and the screen has not noticed yet.
    try store.change(.item(id(1), .priority(Priority("A"))))
    let before = store.state
    await #expect(throws: HistoryScreen.Outdated.self) { try await screen.performUndo(in: store) }
    #expect(store.state == before)
    try await HistoryScreen(of: store).performUndo(in: store)
    #expect(store.state.items[id: id(1)]?.priority == nil)
    let undone = try await HistoryScreen(of: store)
    try await undone.performRedo(in: store)
    #expect(store.state.items[id: id(1)]?.priority == Priority("A"))
    await #expect(throws: UndoError.nothingToRedo) { try await undone.performRedo(in: store) }
  }

  @Test("shows an earlier list without changing the present one") func past() async throws {
    try change()
    let past = try await PastScreen(of: store, at: 2, today: today)
    #expect(past.list.rows.map(\.text) == ["Pay rent"] && past.list.rows.map(\.isDone) == [false])
    #expect(past.differs)
    #expect(store.revision == 4 && store.state.items[id: id(1)]?.completed == true)
    #expect(try await PastScreen(of: store, at: 4, today: today).differs == false)
  }

  @Test("restores an earlier list as one step, which one undo reverts") func restore() async throws {
    try change()
    let now = store.state
    try await PastScreen(of: store, at: 2, today: today).restore(in: store)
    #expect(store.state.items.map(\.text) == ["Pay rent"] && store.revision == 5)
    #expect(try await HistoryScreen(of: store).undo == "Undo: replaced the whole list by 1 item")
    _ = try await store.undo()
    #expect(store.state == now)
  }

  @Test("has no list beyond the newest revision") func beyond() async throws {
    await #expect(throws: JournalError.self) { try await PastScreen(of: store, at: 9, today: today) }
  }
}
