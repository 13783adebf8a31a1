import Alter
import Foundation
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!  // a Friday

/// The screens as their views make them: a value that is observed, and actions made from it.
@MainActor
@Suite("The screen of the list, and of an item") struct ListScreenTests {
  @Test("The list has the items of its filter, counts the open ones, and says why it is empty") func filters() throws {
    let state = try list("(B) Call mum due:2026-12-04", "Pay rent due:2026-12-01", "x 2026-12-02 Read", "Paint +flat due:2026-12-05")
    func screen(_ filter: ListFilter, of state: AppState) -> ListScreen { ListScreen(state, filter: filter, today: today) }
    #expect(screen(.open, of: state).rows.map(\.text) == ["Call mum", "Pay rent", "Paint +flat"])
    #expect(screen(.today, of: state).rows.map(\.text) == ["Call mum", "Pay rent"])
    #expect(screen(.done, of: state).rows.map(\.text) == ["Read"])
    #expect(screen(.all, of: state).rows.map(\.due) == ["today", "2026-12-01", nil, "tomorrow"])
    #expect(screen(.all, of: state).rows.map(\.isOverdue) == [false, true, false, false])
    #expect(ListFilter.allCases.allSatisfy { screen($0, of: state).title == "3 to do" && screen($0, of: state).hint == nil })
    #expect(ListFilter.allCases.allSatisfy { screen($0, of: AppState()).hint == "Add your first item." })
    let done = screen(.open, of: try list("x Read"))
    #expect(done.title == "All done" && done.hint == "Everything is done.")
  }

  @Test("A typed line becomes an item of today; a text that is none stays in its field") func typed() throws {
    let item = try #require(TodoItem(typed: "  (A) Call mum @phone due:2026-12-24 ", id: id(9), today: today))
    #expect(item.text == "Call mum @phone" && item.priority == Priority("A") && item.due == Day("2026-12-24") && item.created == today)
    for text in ["  ", "due:2026-12-01", "Pay due:2026-02-30"] { #expect(TodoItem(typed: text, today: today) == nil, "\(text)") }
  }

  @Test("An action shows its change at once, and evaluates no other row") func actions() throws {
    let store = Store(try AppState().alter((1...1_000).map { .add(.item(TodoItem(id: id($0), text: "Item \($0)"))) }))
    let screen = store.observed { ListScreen($0, filter: .all, today: today) }
    let before = screen.rows
    ItemActions(before[499].item, on: screen, today: { today }).setDone(true)
    #expect(screen.title == "999 to do" && screen.rows[499].item.finished == today)
    // SwiftUI evaluates a row again if its properties differ.
    #expect(zip(before, screen.rows).filter { $0 != $1 }.map(\.0.id) == [id(500)])
  }

  @Test("An item's screen renames it, and sets and removes its due day") func item() throws {
    let store = Store(try list("Pay rent due:2026-12-01"))
    let screen = store.observed { $0.items[id: id(1)] }
    func actions() throws -> ItemActions { ItemActions(try #require(screen.value), on: screen) }
    try actions().rename("Pay the rent")
    #expect(screen.value?.text == "Pay the rent" && screen.value?.due == Day("2026-12-01"))
    for text in ["", " ", "Pay due:2026-02-30"] { try actions().rename(text) }
    #expect(screen.value?.text == "Pay the rent" && screen.refusal == nil)
    try actions().rename("Pay due:2026-12-31")
    #expect(screen.value?.text == "Pay" && screen.value?.due == Day("2026-12-31"))
    try actions().setDue(nil)
    #expect(screen.value?.due == nil)
  }

  @Test("A refused action has a text for the alert, and the screen shows that another process has removed the item") func refused() throws {
    let store = Store(try list("Pay rent", "Read"))
    let (list, screen) = (store.observed { ListScreen($0, today: today) }, store.observed { $0.items[id: id(1)] })
    let (row, item) = (try #require(list.rows.first), try #require(screen.value))
    // The screens have not noticed yet.
    try store.change(.remove(.item(id(1))))
    ItemActions(row.item, on: list).setDone(true)
    ItemActions(item, on: screen).remove()
    #expect(list.refusal.map { text(of: $0) } == "The list does not contain this item any more." && list.rows.map(\.text) == ["Read"])
    #expect(screen.refusal.map { text(of: $0) } == "The list does not contain this item any more." && screen.value == nil)
  }

  @Test("A list whose changes are not saved says so") func status() {
    let full = JournalError(.full, journal: "todo", message: "is full.")
    #expect(text(of: StoreStatus.open) == nil)
    #expect(text(of: StoreStatus.waiting(StoreWait(reason: full, since: 0)))?.hasPrefix("Your changes are not saved yet.") == true)
    #expect(text(of: StoreStatus.failed(full))?.hasPrefix("Changes are no longer saved.") == true)
  }

  @Test(
    "A day has words, and is the same day as the date of a picker in every time zone",
    arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Rome"])
  func dates(_ zone: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    for day in [today, Day("2024-02-29")!, Day("2026-03-29")!] { #expect(Day(day.noon(in: zone), in: zone) == day) }
    #expect(
      [-2, -1, 2, 6, 7].map { today.adding(days: $0)?.words(today: today) } == [
        "2026-12-02", "yesterday", "Sunday", "Thursday", "2026-12-11",
      ])
  }
}
