import Alter
import Foundation
import Testing
import TodoCore

@Suite("What the web page shows")
struct ListPageTests {
  private let today = Day("2026-11-21")

  private func store() throws -> Store<AppState> {
    let store = Store(AppState())
    for (number, line) in [
      "(A) Call the landlord +flat @phone due:2026-11-18", "Pay rent @home due:2026-11-21", "x 2026-11-20 Buy bread @home",
    ].enumerated() {
      let id = try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)"))
      try store.change(.add(.item(try TodoItem(id: id, adding: Array(line.utf8)[...], today: today))))
    }
    return store
  }

  private func page(_ store: Store<AppState>, _ parameters: [(String, String)] = []) throws -> ListPage {
    let moment = ListMoment(
      revision: store.revision, state: store.state, undo: Result { () throws(UndoError) in try store.previewUndo() },
      redo: Result { () throws(UndoError) in try store.previewRedo() })
    return ListPage(moment, try ListRequest(parameters.map { (name: $0.0, value: $0.1) }), today: today)
  }

  @Test("is what is open, with counts, days and tags in words")
  func page() throws {
    let page = try page(store())
    #expect(page.items.map(\.text) == ["Call the landlord +flat @phone", "Pay rent @home"])
    let counts = page.counts
    #expect(counts.all == 3 && counts.open == 2 && counts.done == 1 && counts.overdue == 1)
    #expect(page.items.map { $0.due?.text } == ["3 days ago", "today"])
    #expect(page.items.map { $0.due?.urgency } == ["overdue", "today"])
    #expect(page.items[0].parts.map(\.text) == ["Call the landlord ", "+flat", " ", "@phone"])
    #expect(page.items[0].parts.map(\.tag) == [nil, "+flat", nil, "@phone"])
    #expect(page.tags.map(\.name) == ["+flat", "@home", "@phone"] && page.tags.map(\.open) == [1, 1, 1])
  }

  @Test("shows what is asked for, and no more than that")
  func asked() throws {
    let store = try store()
    #expect(try page(store, [("show", "done")]).items.map(\.text) == ["Buy bread @home"])
    #expect(try page(store, [("show", "all")]).items.count == 3)
    #expect(try page(store, [("show", "overdue")]).items.count == 1)
    #expect(try page(store, [("search", "RENT pay")]).items.map(\.number) == [2])
    #expect(try page(store, [("show", "all"), ("tag", "@home"), ("sort", "text")]).items.map(\.number) == [3, 2])
    let first = try page(store, [("show", "all"), ("limit", "1")])
    #expect(first.items.count == 1 && first.matching == 3)
  }

  @Test("tells what undo and redo would do, by the names that things have before")
  func steps() async throws {
    let store = try store()
    let id = store.state.items[1].id
    try store.change(.item(id, .text("Pay the rent")))
    #expect(try page(store).undo == .init(of: 5, what: "renamed ‘Pay rent @home’ to ‘Pay the rent’"))
    #expect(try page(store).redo == .init(of: nil, what: "There is nothing to redo."))
    try await store.undo()
    #expect(try page(store).redo == .init(of: 5, what: "renamed ‘Pay rent @home’ to ‘Pay the rent’"))
    try store.change(.remove(.item(id)))
    #expect(try page(store).undo.what == "removed ‘Pay rent @home’")
  }

  @Test("holds nothing that could turn the text around or break the line")
  func hostile() throws {
    let store = Store(AppState())
    try store.change(.add(.item(TodoItem(id: UUID(), text: "a\u{202E}b\u{7} @x\u{2066}"))))
    let parts = try page(store).items[0].parts
    #expect(!parts.contains { $0.text.unicodeScalars.contains { [0x202E, 7, 0x2066].contains($0.value) } })
  }

  @Test("refuses what it doesn't understand")
  func malformed() throws {
    for (parameters, words) in [
      ([("show", "some")], "is open, done"), ([("sort", "size")], "is one of"), ([("limit", "0")], "from 1"),
      ([("limit", "many")], "a number"),
      ([("tag", "two words")], "single word"), ([("colour", "red")], "no parameter"), ([("show", "all"), ("show", "open")], "twice"),
      ([("search", String(repeating: "a", count: 1_001))], "too long"),
    ] as [([(String, String)], String)] {
      do {
        _ = try page(store(), parameters)
        Issue.record("\(parameters) was understood")
      } catch let error as MalformedRequest {
        #expect(error.description.contains(words), "\(error)")
      }
    }
  }

  @Test(
    "says a day as a person does",
    arguments: [
      ("2026-11-21", "today"), ("2026-11-22", "tomorrow"), ("2026-11-20", "yesterday"), ("2026-11-27", "Friday"), ("2026-11-28", "28 Nov"),
      ("2026-11-19", "2 days ago"), ("2026-11-08", "13 days ago"), ("2026-11-07", "7 Nov"), ("2027-01-01", "1 Jan 2027"),
    ])
  func day(day: String, words: String) throws { #expect(DayLabel.text(try #require(Day(day)), today: today) == words) }
}
