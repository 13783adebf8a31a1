import Alter
import Foundation
import Testing
import TodoCore

@Suite("An item") struct TodoItemTests {
  let item = TodoItem(id: id(1), text: "Pay rent")

  @Test("changes by its own vocabulary, and keeps its identity") func changes() throws {
    let changed = try item.alter(.text("Pay the rent"), .priority(Priority("A")), .due(Day("2026-12-01")), .created(Day("2026-11-01")))
    #expect(changed.fields.rendered == "(A) 2026-11-01 Pay the rent due:2026-12-01")
    #expect(isTheSameIdentity(item, changed))
    #expect(try item.alter(.completed(true), .finished(Day("2026-11-21"))).alter(.completed(false)) == item)
    #expect(try changed.alter(.text("Pay rent"), .priority(nil), .due(nil), .created(nil)) == item)
  }

  @Test("has no day of completion while it is open") func openUnfinished() {
    #expect(throws: Refusal.illegal(from: "open", change: "finished")) { try item.alter(.finished(Day("2026-11-21"))) }
    var odd = TodoLine(text: "Odd")
    odd.finished = Day("2026-11-21")
    #expect(throws: Refusal.illegal(from: "open", change: "finished")) { try AppState(.add(.item(TodoItem(id: id(1), odd)))) }
  }

  @Test("is a single line", arguments: ["two\nlines", "two\r\nlines", "\n"]) func singleLine(text: String) {
    #expect(throws: Refusal.self) { try item.alter(.text(text)) }
    #expect(throws: Refusal.self) { try AppState(.add(.item(TodoItem(id: id(1), text: text)))) }
  }

  @Test("is altered when the stamp says, by every change; outside a store it stays as it is") func altered() throws {
    #expect(try item.alter(.completed(true)).altered == nil)
    let changes: [TodoItem.Change] = [.text("x"), .completed(true), .priority(nil), .due(nil), .created(nil), .finished(nil)]
    for change in changes {
      #expect(try item.alter(change, at: .seconds(60)).altered == Date(timeIntervalSince1970: 60))
      #expect(try item.alter(change, at: .seconds(60)).alter(.completed(false)).altered == Date(timeIntervalSince1970: 60))
    }
    let state = try AppState().alter(.add(.item(item)), at: .seconds(60))
    #expect(state.items.map(\.altered) == [Date(timeIntervalSince1970: 60)])
    #expect(try state.alter(.update(.item(item)), at: .seconds(90)).items.map(\.altered) == [Date(timeIntervalSince1970: 90)])
  }
}
