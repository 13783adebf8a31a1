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
    for limit in [0, .min] { #expect(try await HistoryScreen(of: store, limit: limit) == screen) }
    #expect(try await HistoryScreen(of: store, limit: .max).entries.count == 4)
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

  @Test("undoes no other entry with the same revision, as after an outage in which another process was first") func otherEntry()
    async throws
  {
    try change()
    let screen = try await HistoryScreen(of: store)
    let other = Store(AppState())
    for text in ["One", "Two", "Three"] { try other.change(.add(.item(TodoItem(id: UUID(), text: text)))) }
    #expect(other.revision == store.revision)
    await #expect(throws: HistoryScreen.Outdated.self) { try await screen.performUndo(in: other) }
    #expect(other.state.items.count == 3)
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
    #expect(try await PastScreen(of: store, at: 2, today: today).differs == false)
    _ = try await store.undo()
    #expect(store.state == now)
    #expect(try await PastScreen(of: store, at: 2, today: today).differs, "An undo of the restoration offers it again.")
  }

  @Test("restores an earlier list without its request for a copy in the cloud, and once") func restoreWithCloud() async throws {
    try store.change(.cloud(.save(to: "https://example.org/list")))
    try change()
    try store.change(.cloud(.saved(items: 1)))
    let past = try await PastScreen(of: store, at: 3, today: today)
    try await past.restore(in: store)
    #expect(store.state.items.map(\.text) == ["Pay rent"])
    #expect(store.state.cloud == .saved(to: "https://example.org/list", items: 1))
    #expect(try await PastScreen(of: store, at: 3, today: today).differs == false)
    let revision = store.revision
    try await past.restore(in: store)
    #expect(store.revision == revision)
  }

  @Test("has no list beyond the newest revision") func beyond() async throws {
    await #expect(throws: JournalError.self) { try await PastScreen(of: store, at: 9, today: today) }
  }
}
