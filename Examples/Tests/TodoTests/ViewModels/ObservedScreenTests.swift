import Alter
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!

/// The screens as their views make them: a view model that is observed, and actions made from it.
@MainActor
@Suite("A screen of the app") struct ObservedScreenTests {
  @Test("shows the change of an action at once") func atOnce() throws {
    let store = Store(try list("(A) Pay rent due:2026-12-01", "x Read"))
    let screen = store.observed { ListScreen($0, today: today) }
    #expect(screen.title == "1 to do" && screen.rows.map(\.text) == ["Pay rent"])
    item(1, in: store, of: screen).setDone(true)
    #expect(screen.title == "All done" && screen.rows.isEmpty && screen.hint == "Everything is done.")
  }

  @Test("shows why an action was refused, and that the item was removed by another process") func refused() throws {
    let store = Store(try list("Pay rent", "Read"))
    let (list, screen) = (store.observed { ListScreen($0, today: today) }, store.observed { ItemScreen($0, id: id(1)) })
    // The screens have not noticed yet.
    try store.change(.remove(.item(id(1))))
    item(1, in: store, of: list).setDone(true)
    item(1, in: store, of: screen).setDone(true)
    #expect(list.refusal.map { text(of: $0) } == "The list does not contain this item any more." && list.rows.map(\.text) == ["Read"])
    #expect(screen.refusal.map { text(of: $0) } == "The list does not contain this item any more." && screen.value == nil)
  }

  @Test("of a closed list shows why an action was refused, and the item as it was") func closed() async throws {
    let store = Store(try list("Pay rent"))
    let screen = store.observed { ListScreen($0, today: today) }
    await store.close()
    item(1, in: store, of: screen).setDone(true)
    #expect(screen.refusal.map { text(of: $0) }?.contains("closed") == true && screen.rows.map(\.isDone) == [false])
  }

  @Test("changes one row of a thousand for a change of one item") func oneRow() throws {
    let store = Store(try AppState().alter((1...1_000).map { .add(.item(TodoItem(id: id($0), text: "Item \($0)"))) }))
    let screen = store.observed { ListScreen($0, filter: .all, today: today) }
    let before = screen.rows
    item(500, in: store, of: screen).setDone(true)
    // SwiftUI evaluates a row again if its properties differ.
    #expect(zip(before, screen.rows).filter { $0 != $1 }.map(\.0.id) == [id(500)])
  }

  @Test("reports a change that it has shown, and that was lost because another process was first") func lost() async throws {
    let journal = MemoryJournal(name: "todo")
    let other = try await Store.open(AppState(), in: journal)
    try await other.change(.add(.item(TodoItem(id: id(1), text: "Pay rent")))).durable()
    var options = StoreOptions()
    options.followsOthers = false
    let store = try await Store.open(AppState(), in: journal, options: options)
    let problems = store.problems
    let screen = store.observed { ListScreen($0, filter: .all, today: today) }
    try await other.change(.remove(.item(id(1)))).durable()
    item(1, in: store, of: screen).setDone(true)
    #expect(screen.rows.map(\.isDone) == [true] && screen.refusal == nil)
    for await problem in problems {
      guard let text = text(of: problem) else { continue }
      #expect(text.contains("Check the list."))
      break
    }
    #expect(store.state.items.isEmpty)
  }

  @Test("shows why its last task has failed, until one succeeds") func task() async {
    let store = Store(AppState())
    #expect(await failure(of: { _ = try await PastScreen(of: store, at: 9, today: today) }) == "The history has no such entry.")
    #expect(await failure(of: { _ = try await HistoryScreen(of: store) }) == nil)
    await store.close()
    #expect(await failure(of: { _ = try await store.undo() })?.contains("closed") == true)
  }

  private func item<Value>(_ number: Int, in store: Store<AppState>, of screen: Observed<AppState, Value>) -> ItemActions {
    ItemActions(store, id: id(number), through: UserAction(screen, changes: { $0 }), today: { today })
  }
}
