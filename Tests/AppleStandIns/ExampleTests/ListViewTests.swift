import Alter
import AlterSwiftUI
import SwiftUI
import Testing
import TodoCore
import TodoViewModels
import ViewEvaluator

@testable import TodoApp

private let today = Day("2026-12-04")!

@MainActor
@Suite struct ListViewTests {
  private func screen(_ store: Store<AppState>) -> Screen { Screen { ListView(store: store, today: today) } }

  /// The texts of the rows, which are below the field for a new item and above the toolbar.
  private func rows(_ screen: Screen) -> [String] {
    Array(screen.texts.drop { $0 != "New item" }.dropFirst().prefix { $0 != "Filter" && $0 != "Search" })
  }

  @Test func `the list shows the open items, and a toggle completes one`() throws {
    let store = try store("(A) Pay rent due:2026-12-01", "x Read")
    let screen = screen(store)
    #expect(screen.title == "1 to do")
    #expect(rows(screen) == ["Pay rent", "Pay rent", "2026-12-01", "A"])
    #expect(!screen.isOn("Pay rent"))
    screen.turn("Pay rent", on: true)
    #expect(store.state.items[id: id(1)]?.completed == true)
    #expect(screen.title == "All done")
    #expect(rows(screen) == ["Everything is done."])
  }

  @Test func `a synced list has a link to its sync, and another list has none`() throws {
    let store = try store("Pay rent")
    #expect(!screen(store).texts.contains("Sync"))
    #expect(Screen { ListView(store: store, today: today, isSynced: true) }.texts.contains("Sync"))
  }

  @Test func `the filter and the search select the items`() throws {
    let screen = screen(try store("Pay rent", "Buy bread @shop", "x Read"))
    screen.choose(ListFilter.done, in: "Filter")
    #expect(rows(screen) == ["Read", "Read"])
    screen.choose(ListFilter.all, in: "Filter")
    screen.enter("rea", into: "Search")
    #expect(rows(screen) == ["Buy bread @shop", "Buy bread @shop", "Read", "Read"])
    screen.enter("tea", into: "Search")
    #expect(rows(screen) == ["Nothing contains ‘tea’."])
  }

  @Test func `Return adds the typed item and empties the field`() throws {
    let store = try store()
    let screen = screen(store)
    #expect(rows(screen) == ["Add your first item."])
    screen.enter("(B) Call mum due:2026-12-05", into: "New item")
    screen.submit("New item")
    #expect(rows(screen) == ["Call mum", "Call mum", "tomorrow", "B"])
    #expect(screen.field("New item") == "")
  }

  @Test func `a text that can't become an item stays in the field with the reason`() throws {
    let store = try store()
    let screen = screen(store)
    screen.enter("Pay due:2026-02-30", into: "New item")
    screen.submit("New item")
    #expect(screen.texts.contains("there is no such day as in ‘due:2026-02-30’"))
    #expect(screen.field("New item") == "Pay due:2026-02-30")
    #expect(store.state.items.isEmpty)
    screen.enter("Pay", into: "New item")
    screen.submit("New item")
    #expect(rows(screen) == ["Pay", "Pay"])
  }

  @Test func `deleting visible rows removes their items, wherever those are in the whole list`() throws {
    let store = try store("x Read", "Pay rent", "x Write", "Call mum")
    let screen = screen(store)
    screen.delete([1])
    #expect(store.state.items.map(\.text) == ["Read", "Pay rent", "Write"])
  }

  @Test func `rows that are deleted together are one step to undo, without those that another process has removed`() async throws {
    let store = try store("Pay rent", "Read", "Call mum")
    let screen = screen(store)
    // The screen has not noticed yet.
    try store.change(.remove(.item(id(2))))
    screen.delete([0, 1])
    #expect(store.state.items.map(\.text) == ["Call mum"] && screen.alert == nil)
    _ = try await store.undo()
    #expect(store.state.items.map(\.text) == ["Pay rent", "Call mum"])
  }

  @Test func `a toggle of an item that another process has removed is an alert, and its row disappears`() throws {
    let store = try store("Pay rent", "Read")
    let screen = screen(store)
    try store.change(.remove(.item(id(1))))
    screen.turn("Pay rent", on: true)
    #expect(screen.alert?.message == "The list does not contain this item any more.")
    #expect(rows(screen) == ["Read", "Read"])
  }

  @Test func `rows of a filtered list move to where they are dropped, as one step to undo`() async throws {
    let store = try store("x Read", "Pay rent", "x Write", "Call mum", "Buy bread")
    let screen = screen(store)
    screen.move([2], to: 0)
    #expect(rows(screen).filter { $0 != "Search" }.contains("Buy bread"))
    #expect(store.state.items.map(\.text) == ["Read", "Buy bread", "Pay rent", "Write", "Call mum"])
    screen.move([0, 1], to: 3)
    #expect(store.state.items.map(\.text) == ["Read", "Write", "Call mum", "Buy bread", "Pay rent"])
    _ = try await store.undo()
    #expect(store.state.items.map(\.text) == ["Read", "Buy bread", "Pay rent", "Write", "Call mum"])
  }

  @Test func `a list in another order says that its rows can't be moved, and they can't`() throws {
    let store = try store("One due:2026-12-09", "Two due:2026-12-05")
    let screen = Screen {
      FilteredListView(store: store, selection: Selection(order: .due, today: today))
    }
    #expect(screen.texts.contains { $0.hasPrefix("Sorted by ‘Due day’.") })
    #expect(!screen.canMove)
    let manual = Screen { FilteredListView(store: store, selection: Selection(today: today)) }
    #expect(!manual.texts.contains { $0.hasPrefix("Sorted by") })
    #expect(manual.canMove)
  }

  @Test func `a list whose changes can't be saved says so and what to do, without the name of the file`() {
    let error = JournalError(.full, journal: "/secret/todo.alter", message: "is full.")
    let waiting = Store.preview(AppState(), status: .waiting(StoreWait(reason: error, since: 0)))
    #expect(rows(screen(waiting)).last == "Your changes are not saved yet. The disk is full. Delete something, and try again.")
    let failed = Store.preview(AppState(), status: .failed(error))
    #expect(rows(screen(failed)).last == "Changes are no longer saved. The disk is full. Delete something, and try again.")
    #expect(!screen(Store(AppState())).texts.contains { $0.contains("saved") })
  }

  @Test func `a change of one row in 1000 evaluates one row`() throws {
    let store = Store(AppState())
    try store.change((1...1_000).map { .add(.item(TodoItem(id: id($0), text: "Item \($0)"))) })
    let screen = screen(store)
    #expect(screen.bodies(of: RowView.self) == 1_000)
    screen.choose(ListFilter.all, in: "Filter")
    screen.resetCounts()
    screen.turn("Item 500", on: true)
    #expect(screen.isOn("Item 500"))
    // The toggle also sends the change; the list is evaluated once for it.
    #expect(screen.bodies(of: RowView.self) == 1)
  }

  @Test func `the order of the settings applies to the list`() throws {
    let store = try store("One due:2026-12-09", "Two due:2026-12-05")
    let (list, settings) = (screen(store), Screen { SettingsView(store: store) })
    #expect(rows(list).first == "One")
    settings.choose(ItemQuery.Order.due, in: "Order")
    #expect(rows(list).first == "Two")
    settings.choose(ItemQuery.Order.list, in: "Order")
    #expect(rows(list).first == "One")
  }

  @Test func `the settings remove the completed items`() throws {
    let store = try store("One", "x Two", "x Three")
    let screen = Screen { SettingsView(store: store) }
    screen.press("Remove 2 items that are done")
    #expect(screen.texts.contains("1 item, 0 of them done"))
    #expect(!screen.texts.contains { $0.hasPrefix("Remove") })
  }
}

@MainActor
@Suite struct ItemViewTests {
  @Test func `each control changes its field`() throws {
    let store = try store("Pay rent @home")
    let screen = Screen { ItemView(store: store, id: id(1)) }
    var item: TodoItem? { store.state.items[id: id(1)] }
    screen.enter("Pay the rent", into: "Text")
    screen.submit("Text")
    #expect(item?.text == "Pay the rent" && screen.title == "Pay the rent")
    screen.choose(Priority("B"), in: "Priority")
    #expect(item?.priority == Priority("B"))
    screen.turn("Has a due day", on: true)
    #expect(item?.due == .today())
    screen.choose(today.noon(in: .current), in: "Day")
    #expect(item?.due == today)
    screen.turn("Has a due day", on: false)
    #expect(item?.due == nil)
    screen.turn("Done", on: true)
    #expect(item?.completed == true && screen.texts.contains("Done on \(Day.today())"))
  }

  @Test func `tags are added and removed`() throws {
    let store = try store("Pay rent @home")
    let screen = Screen { ItemView(store: store, id: id(1)) }
    screen.enter("two words", into: "New tag")
    screen.submit("New tag")
    #expect(screen.texts.contains { $0.hasPrefix("A tag is a single word") } && screen.field("New tag") == "two words")
    screen.enter("+flat", into: "New tag")
    screen.submit("New tag")
    #expect(screen.texts.contains("+flat") && screen.field("New tag") == "")
    screen.press("Remove @home")
    #expect(store.state.items[id: id(1)]?.text == "Pay rent" && !screen.texts.contains("@home"))
  }

  @Test func `an item that was removed is no longer shown`() async throws {
    let store = try store("Pay rent")
    let screen = Screen { ItemView(store: store, id: id(1)) }
    try store.change(.remove(.item(id(1))))
    while !screen.texts.contains("Removed") { await screen.nextChange() }
    #expect(!screen.texts.contains("Text"))
  }

  @Test func `a text that can't be parsed changes nothing and shows the reason, until another one can`() throws {
    let store = try store("Pay rent")
    let screen = Screen { ItemView(store: store, id: id(1)) }
    screen.enter(" ", into: "Text")
    screen.submit("Text")
    #expect(screen.texts.contains("Type a text."))
    #expect(store.state.items[id: id(1)]?.text == "Pay rent")
    screen.enter("Pay the rent", into: "Text")
    screen.submit("Text")
    #expect(!screen.texts.contains("Type a text."))
    #expect(store.state.items[id: id(1)]?.text == "Pay the rent")
  }

  @Test func `an action on an item that another process removed is an alert, and the item is no longer shown`() throws {
    let store = try store("Pay rent")
    let screen = Screen { ItemView(store: store, id: id(1)) }
    // The screen has not noticed yet.
    try store.change(.remove(.item(id(1))))
    screen.turn("Done", on: true)
    #expect(screen.alert?.title == "Not possible" && screen.alert?.message == "The list does not contain this item any more.")
    #expect(screen.texts.contains("Removed"))
    screen.pressInAlert("OK")
    #expect(screen.alert == nil)
  }

  @Test func `a text that was being typed when another process removed the item is not lost silently`() async throws {
    let store = try store("Pay rent")
    let screen = Screen { ItemView(store: store, id: id(1)) }
    screen.enter("Pay the landlord", into: "Text")
    try store.change(.remove(.item(id(1))))
    while !screen.texts.contains("Removed") { await screen.nextChange() }
    screen.settle()
    #expect(screen.alert?.title == "Not possible")
    #expect(store.state.items.isEmpty)
  }
}

@MainActor
@Suite struct TagsAndNotesTests {
  @Test func `the tags have links, and the screen of a tag has its items`() throws {
    let store = try store("Pay @home", "Call +flat", "x Read @home")
    #expect(Screen { TagsView(store: store) }.texts == ["+flat", "1 to do", "@home", "1 to do"])
    let screen = Screen { TagView(store: store, tag: "@home", today: today) }
    #expect(screen.texts.contains("Pay @home") && !screen.texts.contains("Call +flat") && !screen.texts.contains("Read @home"))
    screen.choose(ListFilter.all, in: "Filter")
    #expect(screen.texts.contains("Read @home"))
  }

  @Test func `notes are written, rewritten and deleted`() throws {
    let store = try store()
    let screen = Screen { NotesView(store: store) }
    #expect(screen.texts.contains("Write your first note."))
    screen.enter("Began", into: "New note")
    screen.submit("New note")
    #expect(store.state.entries.map(\.text) == ["Began"] && screen.field("New note") == "")
    #expect(screen.field("Note") == "Began")
    screen.enter("Begun", into: "Note")
    screen.submit("Note")
    #expect(store.state.entries.map(\.text) == ["Begun"])
    screen.delete([0])
    #expect(store.state.entries.isEmpty && screen.texts.contains("Write your first note."))
  }

  @Test func `a note that is not written, because the store is closed, stays in its field`() async throws {
    let store = try store()
    let screen = Screen { NotesView(store: store) }
    await store.close()
    screen.enter("Began", into: "New note")
    screen.submit("New note")
    #expect(screen.alert?.message.contains("closed") == true && screen.field("New note") == "Began")
  }
}

@MainActor
@Suite struct RootViewTests {
  @Test func `a refused action is an alert that a person can dismiss`() async throws {
    let store = try store("Pay rent")
    let screen = Screen { RootView(store: store) }
    defer { screen.close() }
    #expect(screen.alert == nil && screen.title == "1 to do")
    await store.close()
    screen.turn("Pay rent", on: true)
    #expect(screen.alert?.title == "Not possible" && screen.alert?.message.contains("closed") == true)
    #expect(!screen.isOn("Pay rent"))
    screen.pressInAlert("OK")
    #expect(screen.alert == nil)
  }

  @Test func `a change that was shown, and lost because another process was first, is an alert`() async throws {
    let journal = MemoryJournal(name: "todo")
    let other = try await Store.open(AppState(), in: journal)
    try await other.change(.add(.item(TodoItem(id: id(1), text: "Pay rent")))).durable()
    var options = StoreOptions()
    options.followsOthers = false
    let store = try await Store.open(AppState(), in: journal, options: options)
    let screen = Screen { RootView(store: store) }
    defer { screen.close() }
    try await other.change(.remove(.item(id(1)))).durable()
    screen.turn("Pay rent", on: true)
    while screen.alert == nil { await screen.nextChange() }
    #expect(screen.alert?.title == "Not saved" && screen.alert?.message.contains("Check the list.") == true)
    screen.pressInAlert("OK")
    #expect(screen.alert == nil && store.state.items.isEmpty)
  }

  @Test func `a list that can't be opened shows the reason, and another attempt opens it`() async throws {
    let attempts = Attempts()
    let place = JournalPlace { () async throws(JournalError) in
      if attempts.next() == 1 { throw JournalError(.unreachable, journal: "todo", message: "is not there.") }
      return MemoryJournal(name: "todo")
    }
    let screen = Screen { OpeningListView(place: place) }
    while screen.texts == ["Opening the list"] { await screen.nextChange() }
    #expect(screen.texts.first == "Can’t open the list" && screen.texts.contains { $0.contains("is not there.") })
    screen.press("Try Again")
    while screen.title == nil { await screen.nextChange() }
    #expect(screen.title == "All done")
    screen.close()
  }

  @Test func `a list of a newer version says so, and offers no other attempt`() async throws {
    let screen = Screen {
      OpeningListView(
        place: JournalPlace { () async throws(JournalError) in
          throw JournalError(.newerSchema, journal: "todo", message: "has the schema 3.")
        })
    }
    defer { screen.close() }
    while screen.texts == ["Opening the list"] { await screen.nextChange() }
    #expect(screen.texts.contains { $0.contains("Update this app") } && !screen.texts.contains("Try Again"))
  }

  @Test func `the environment's undo manager undoes and redoes`() async throws {
    let store = try store("Pay rent")
    let manager = UndoManager()
    var environment = EnvironmentValues()
    environment.undo = manager
    let screen = Screen(environment: environment) { RootView(store: store) }
    defer { screen.close() }
    screen.turn("Pay rent", on: true)
    // One for the item, and one for its completion.
    while manager.undoDepth < 2 { await Task.yield() }
    manager.undo()
    #expect(store.state.items[id: id(1)]?.completed == false)
    manager.redo()
    #expect(store.state.items[id: id(1)]?.completed == true)
  }
}

/// Counts calls from any thread.
final class Attempts: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}
