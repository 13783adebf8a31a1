import Alter
import AlterSQLite
import AlterTesting
import Foundation
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!  // a Friday

@Suite("The screen of the list") struct ListScreenTests {
  private let state: AppState

  init() throws {
    state = try list(
      "(B) Call mum due:2026-12-04", "Pay rent due:2026-12-01", "Buy bread @shop due:2026-12-05", "x 2026-12-02 Read", "Paint +flat")
  }

  private func texts(_ filter: ListFilter, _ search: String = "", order: ItemQuery.Order = .list) -> [String] {
    ListScreen(state, filter: filter, search: search, order: order, today: today).rows.map(\.text)
  }

  @Test("has the items of its filter") func filters() {
    #expect(texts(.open) == ["Call mum", "Pay rent", "Buy bread @shop", "Paint +flat"])
    #expect(texts(.today) == ["Call mum", "Pay rent"])
    #expect(texts(.overdue) == ["Pay rent"])
    #expect(texts(.done) == ["Read"])
    #expect(texts(.all).count == 5)
  }

  @Test("finds all words of the search text, also the beginning of a tag, within the filter") func search() {
    #expect(texts(.open, "BREAD  buy") == ["Buy bread @shop"])
    #expect(texts(.open, "@sh") == ["Buy bread @shop"])
    #expect(texts(.open, "read") == ["Buy bread @shop"])
    #expect(texts(.all, "read") == ["Buy bread @shop", "Read"])
  }

  @Test("has the order of the settings") func order() {
    #expect(texts(.open, order: .due) == ["Pay rent", "Call mum", "Buy bread @shop", "Paint +flat"])
    #expect(texts(.open, order: .text) == ["Buy bread @shop", "Call mum", "Paint +flat", "Pay rent"])
  }

  @Test("allows to move rows in the manual order only, and says so in every other one", arguments: ItemQuery.Order.allCases)
  func moving(_ order: ItemQuery.Order) {
    let screen = ListScreen(state, order: order, today: today)
    #expect(screen.canMove == (order == .list))
    #expect((screen.orderNote == nil) == (order == .list))
    #expect(screen.orderNote?.contains("‘\(order.title)’") != false && screen.orderNote?.contains("‘Manual’") != false)
    #expect(ListScreen(AppState(), order: order, today: today).orderNote == nil)
  }

  @Test("has the items of a tag, in their text or not") func tag() throws {
    let tagged = try state.alter(.tag("@shop", .add(id(1))), .tag("@shop", .add(id(4))))
    #expect(ListScreen(tagged, tag: "@shop", today: today).rows.map(\.id) == [id(1), id(3)])
    #expect(ListScreen(tagged, filter: .all, tag: "@shop", today: today).rows.map(\.id) == [id(1), id(3), id(4)])
    #expect(ListScreen(tagged, tag: "+shop", today: today).hint == "Nothing with this tag is to do.")
    #expect(ListScreen(tagged, filter: .all, tag: "+shop", today: today).hint == "No item has this tag.")
  }

  @Test("shows each item's priority, due day and urgency") func rows() {
    let rows = ListScreen(state, today: today).rows
    #expect(rows.map(\.priority) == ["B", nil, nil, nil])
    #expect(rows.map(\.due) == ["today", "2026-12-01", "tomorrow", nil])
    #expect(rows.map(\.urgency) == [.today, .overdue, nil, nil])
    #expect(rows.map(\.id) == [id(1), id(2), id(3), id(5)])
  }

  @Test("counts the open items of the whole list in its title, whatever the filter") func title() throws {
    #expect(ListScreen(state, filter: .done, search: "x", today: today).title == "4 to do")
    #expect(ListScreen(try list("x Read"), today: today).title == "All done")
  }

  @Test("explains why it is empty, and only then") func hint() throws {
    func hint(_ state: AppState, _ filter: ListFilter, _ search: String = "") -> String? {
      ListScreen(state, filter: filter, search: search, today: today).hint
    }
    #expect(hint(state, .open) == nil)
    #expect(hint(AppState(), .open) == "Add your first item.")
    #expect(hint(try list("x Read"), .open) == "Everything is done.")
    #expect(hint(try list("Read"), .today) == "Nothing is due today.")
    #expect(hint(try list("Read"), .overdue) == "Nothing is overdue.")
    #expect(hint(try list("Read"), .done) == "Nothing is done yet.")
    #expect(hint(state, .open, " tea  milk ") == "Nothing contains ‘tea milk’.")
  }

  @Test(
    "words days by their distance",
    arguments: [
      ("2026-12-02", "2026-12-02"), ("2026-12-03", "yesterday"), ("2026-12-04", "today"), ("2026-12-05", "tomorrow"),
      ("2026-12-06", "Sunday"),
      ("2026-12-10", "Thursday"), ("2026-12-11", "2026-12-11"),
    ]) func words(_ day: String, _ words: String) throws
  {
    #expect(try #require(Day(day)).words(today: today) == words)
  }

  @Test(
    "A day and a date of a picker are the same day in every time zone",
    arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Rome"])
  func dates(_ zone: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    for day in [today, Day("2024-02-29")!, Day("2026-03-29")!] { #expect(Day(day.noon(in: zone), in: zone) == day) }
    // Midnight in Rome is still the day before in Pago Pago.
    #expect(
      Day(Date(timeIntervalSince1970: 1_796_338_800), in: try #require(TimeZone(identifier: "Pacific/Pago_Pago"))) == Day("2026-12-03"))
    #expect(Day(Date(timeIntervalSince1970: 1_796_338_800), in: try #require(TimeZone(identifier: "Europe/Rome"))) == Day("2026-12-04"))
  }
}

@Suite("The screen of an item, of the settings, and the widget") struct OtherScreenTests {
  @Test("An item's screen has its fields and tags; it is nil once the item is removed") func item() throws {
    let state = try list("x (A) 2026-12-02 2026-11-20 Pay rent @home due:2026-12-01").alter(.tag("+flat", .add(id(1))))
    let screen = try #require(ItemScreen(state, id: id(1)))
    #expect(screen.text == "Pay rent @home" && screen.isDone && screen.priority == Priority("A") && screen.due == Day("2026-12-01"))
    #expect(screen.tags.map(\.id) == ["@home", "+flat"] && screen.tags.allSatisfy(\.canRemove))
    #expect(screen.days == ["Created on 2026-11-20", "Done on 2026-12-02"])
    #expect(ItemScreen(try state.alter(.remove(.item(id(1)))), id: id(1)) == nil)
  }

  @Test("The tags' screen has each tag once, with its open items") func tags() throws {
    let state = try list("Pay @home", "Paint +flat @home @home", "x Read @sofa").alter(
      .tag("@sofa", .add(id(3))), .tag("@shop", .add(id(1))))
    let screen = TagsScreen(state)
    #expect(screen.rows.map(\.id) == ["+flat", "@home", "@shop", "@sofa"])
    #expect(screen.rows.map(\.summary) == ["1 to do", "2 to do", "1 to do", "all done"])
    #expect(screen.hint == nil)
    #expect(TagsScreen(try list("Read")).hint?.contains("@home") == true)
    // A tag without items is not of interest.
    #expect(TagsScreen(try list("x").alter(.tag("@a", .add(id(1))), .tag("@a", .remove(id(1))))).rows.isEmpty)
  }

  @Test("The notes' screen has the notes, oldest first, and a hint if there are none") func notes() throws {
    let state = try AppState().alter(.add(.entry(Note(id: id(1), text: "One"))), .add(.entry(Note(id: id(2), text: "Two"))))
    #expect(NotesScreen(state).rows.map(\.text) == ["One", "Two"] && NotesScreen(state).hint == nil)
    #expect(NotesScreen(AppState()).hint == "Write your first note.")
  }

  @Test("The settings' screen offers to remove the completed items if there are any") func settings() throws {
    #expect(SettingsScreen(try list("One")).clearDone == nil)
    #expect(SettingsScreen(try list("One", "x Two")).clearDone == "Remove 1 item that is done")
    let screen = SettingsScreen(try list("One", "x Two", "x Three"))
    #expect(screen.clearDone == "Remove 2 items that are done")
    #expect(screen.summary == "3 items, 2 of them done")
  }

  @Test("The widget shows the most urgent open items and counts the others") func widget() throws {
    let state = try list("One", "Two due:2026-12-09", "x Three due:2026-12-01", "Four due:2026-12-02")
    let widget = WidgetScreen(state, today: today, limit: 2)
    #expect(widget.title == "3 to do")
    #expect(widget.rows.map(\.text) == ["Four", "Two"])
    #expect(widget.more == "1 more")
    #expect(WidgetScreen(state, today: today).more == nil)
    let due = try list("Pay rent due:2026-12-03", "Call mum due:2026-12-04")
    #expect(WidgetScreen(due, today: today).rows.map(\.due) == ["yesterday", "today"])
  }

  @Test(
    "The widget is read again at midnight, and soon only if it may recover by itself", arguments: ["Europe/Rome", "Pacific/Kiritimati"]
  ) func expiry(_ zone: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let midnight = try #require(calendar.date(from: DateComponents(year: 2026, month: 12, day: 5)))
    func expiry(_ widget: WidgetScreen, minutesBefore: Double) -> Date {
      widget.expiry(readAt: midnight.addingTimeInterval(-60 * minutesBefore), in: calendar)
    }
    func problem(_ code: JournalError.Code) -> WidgetScreen { WidgetScreen(JournalError(code, journal: "todo", message: "can't be read.")) }
    #expect(expiry(WidgetScreen(AppState(), today: today), minutesBefore: 600) == midnight)
    #expect(expiry(problem(.newerSchema), minutesBefore: 600) == midnight)
    for code in [JournalError.Code.unreachable, .unavailable] {
      #expect(expiry(problem(code), minutesBefore: 600) == midnight.addingTimeInterval(-60 * 585))
      #expect(expiry(problem(code), minutesBefore: 10) == midnight)
      #expect(problem(code).rows.isEmpty && problem(code).advice?.hasSuffix("to see your list.") == true)
    }
  }

  @Test("The widget reads a list that the app has open, and changes nothing") func reading() async throws {
    let file = try ListFile()
    try await file.write(["One"])
    let store = try await Store.open(AppState(), in: file.place)
    try await store.change(.item(id(1), .text("Two"))).durable()
    let revision = store.revision
    let widget = try await WidgetScreen(reading: try await SQLiteJournal(at: file.path, isReadOnly: true), today: today)
    #expect(widget.rows.map(\.text) == ["Two"])
    #expect(store.revision == revision)
    _ = await store.close()
  }

  @Test("The widget of a journal without entries is that of an empty list") func new() async throws {
    // A process that was killed right after it created the journal leaves such a one.
    #expect(try await WidgetScreen(reading: MemoryJournal(name: "new"), today: today).title == "All done")
  }

  @Test("The widget is reloaded when its content changes, and not for other changes") @MainActor func reload() async throws {
    let store = Store(try list("One"))
    let (reloads, reload) = AsyncStream.makeStream(of: Void.self)
    var count = 0
    let following = Task { @MainActor in
      await WidgetScreen.follow(store, today: { today }) {
        count += 1
        reload.yield()
      }
    }
    var next = reloads.makeAsyncIterator()
    await next.next()
    try store.change(.add(.item(TodoItem(id: id(2), text: "Two"))))
    await next.next()
    // A completed item is not in the widget.
    try store.change(.add(.item(TodoItem(id: id(3), try line("x Three")))))
    _ = await store.close()
    await following.value
    #expect(count == 2)
  }

  @Test("The widget is reloaded when a change is in the journal, from which it reads, and not before") @MainActor func reloadAfterWriting()
    async throws
  {
    // The first append creates the list.
    let journal = SimulatedJournal(MemoryJournal(name: "todo"), appends: [.pass, .hold])
    let store = try await Store.open(AppState(), in: journal)
    let (reloads, reload) = AsyncStream.makeStream(of: Int.self)
    let following = Task { @MainActor in
      await WidgetScreen.follow(store, today: { today }) { reload.yield(store.confirmed.state.items.count) }
    }
    var next = reloads.makeAsyncIterator()
    #expect(await next.next() == 0)
    try store.change(.add(.item(TodoItem(id: id(1), text: "One"))))
    await journal.waitUntilHeld()
    // A task that follows the visible state has it by now, and would have reloaded the widget too early.
    for await items in store.values(of: \.items) where items.count == 1 { break }
    for _ in 0..<100 { await Task.yield() }
    journal.release()
    #expect(await next.next() == 1)
    await store.close()
    await following.value
  }
}
