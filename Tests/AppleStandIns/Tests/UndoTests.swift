import AlterCore
import AlterJournal
import AlterStore
import AlterSwiftUI
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct UndoTests {
  private let manager = UndoManager()

  @Test func `each entry is one step of the menu, also if one event has made several`() async throws {
    let store = Store(Shelf())
    let screen = screen(of: store)
    try await added(1...3, to: store)
    #expect(manager.undoDepth == 3)
    manager.undo()
    #expect(ids(store) == [1, 2])
    manager.undo()
    #expect(ids(store) == [1] && manager.canUndo && manager.canRedo)
    manager.redo()
    manager.redo()
    #expect(ids(store) == [1, 2, 3] && !manager.canRedo)
    manager.undo()
    #expect(ids(store) == [1, 2])
    screen.close()
  }

  @Test func `a new entry clears the redo, and comes on top`() async throws {
    let store = Store(Shelf())
    let screen = screen(of: store)
    try await added(1...2, to: store)
    manager.undo()
    try store.change(.add(Book(id: 3, title: "3")))
    while manager.canRedo { await Task.yield() }
    #expect(manager.undoDepth == 2)
    manager.undo()
    manager.undo()
    #expect(ids(store) == [] && !manager.canUndo)
    screen.close()
  }

  @Test func `entries from before the view appeared can be undone`() async throws {
    let store = Store<Shelf>.preview(Shelf(), .add(Book(id: 1, title: "1")), .add(Book(id: 2, title: "2")))
    let screen = screen(of: store)
    while !manager.canUndo { await Task.yield() }
    #expect(manager.undoDepth == 2)
    manager.undo()
    #expect(ids(store) == [1])
    screen.close()
  }

  @Test func `an undo that is made elsewhere leaves the menu`() async throws {
    let store = Store(Shelf())
    let screen = screen(of: store)
    try await added(1...3, to: store)
    try await store.undo()
    while manager.undoDepth == 3 { await Task.yield() }
    #expect(manager.undoDepth == 2)
    manager.undo()
    #expect(ids(store) == [1])
    screen.close()
  }

  @Test func `redo stays possible when older steps have left the undo window`() async throws {
    var options = StoreOptions()
    options.undoWindow = 4
    let store = Store(Shelf(), options: options)
    let screen = screen(of: store)
    try await added(1...6, to: store, steps: 4)
    manager.undo()
    #expect(ids(store) == [1, 2, 3, 4, 5])
    // Each turn of the view's loop that the undo has caused, and more.
    for _ in 0..<100 { await Task.yield() }
    #expect(manager.canRedo)
    manager.redo()
    #expect(ids(store) == [1, 2, 3, 4, 5, 6])
    screen.close()
  }

  @Test func `an alert says why an entry can't be undone, and the menu shows the steps of the store again`() async throws {
    var options = StoreOptions()
    options.undoWindow = 2
    let store = Store(Shelf(), options: options)
    let screen = screen(of: store)
    try await added(1...3, to: store, steps: 2)
    manager.undo()
    manager.undo()
    #expect(screen.alert == ShownAlert(title: "Can't undo", message: UndoError.outsideWindow(2).description, buttons: ["OK"]))
    #expect(ids(store) == [1, 2])
    screen.pressInAlert("OK")
    #expect(screen.alert == nil)
    while manager.canUndo { await Task.yield() }
    screen.close()
  }

  @Test func `an entry that later work of others depends on keeps its step`() async throws {
    let journal = MemoryJournal()
    let mine = try await names(in: journal, as: "mine")
    let theirs = try await names(in: journal, as: "theirs")
    let screen = screen(of: mine)
    try await mine.change(.add("a")).durable()
    while theirs.state.all.isEmpty { await Task.yield() }
    let later = try theirs.change(.rename("a", "b"))
    let revision = try await later.confirmed()
    while mine.revision < revision || !manager.canUndo { await Task.yield() }
    manager.undo()
    #expect(screen.alert?.message == UndoError.wouldSuppress([revision]).description)
    screen.pressInAlert("OK")
    // The manager has removed the action, and gets it again.
    while !manager.canUndo { await Task.yield() }
    try await theirs.undo()
    while mine.state.all != ["a"] { await Task.yield() }
    manager.undo()
    #expect(mine.state.all == [])
    screen.close()
    await mine.close()
    await theirs.close()
  }

  @Test func `the actions of others in the same manager stay`() async throws {
    let store = Store(Shelf())
    let typing = Calls()
    manager.registerUndo(withTarget: typing) { $0.count() }
    manager.endEvent()
    let screen = screen(of: store)
    try await added(1...1, to: store)
    screen.close()
    while manager.undoDepth == 2 { await Task.yield() }
    manager.undo()
    #expect(typing.value == 1 && ids(store) == [1])
  }

  @Test func `two windows show the same steps, and an undo in one leaves the menu of the other`() async throws {
    let store = Store(Shelf())
    let one = screen(of: store)
    let other = UndoManager()
    var environment = EnvironmentValues()
    environment.undo = other
    let two = Screen(environment: environment) { UndoableShelfView(store: store) }
    try await added(1...3, to: store)
    while other.undoDepth < 3 { await Task.yield() }
    manager.undo()
    #expect(ids(store) == [1, 2])
    while other.undoDepth == 3 { await Task.yield() }
    other.undo()
    #expect(ids(store) == [1])
    while manager.undoDepth == 2 { await Task.yield() }
    #expect(manager.undoDepth == 1 && other.undoDepth == 1)
    one.close()
    while manager.canUndo { await Task.yield() }
    try store.change(.add(Book(id: 4, title: "4")))
    while other.undoDepth < 2 { await Task.yield() }
    other.undo()
    #expect(ids(store) == [1] && !manager.canUndo)
    two.close()
  }

  @Test func `two stores share a manager, and each keeps its own steps`() async throws {
    let (left, right) = (Store(Shelf()), Store(Shelf()))
    let (one, two) = (screen(of: left), screen(of: right))
    try await added(1...1, to: left)
    try await added(2...2, to: right)
    try await added(3...3, to: left)
    manager.undo()
    #expect(ids(left) == [1] && ids(right) == [2])
    manager.undo()
    #expect(ids(left) == [1] && ids(right) == [])
    manager.redo()
    #expect(ids(right) == [2])
    two.close()
    while manager.undoDepth == 2 { await Task.yield() }
    manager.undo()
    #expect(ids(left) == [] && ids(right) == [2])
    one.close()
  }

  @Test func `a store that closes leaves the menu`() async throws {
    let store = Store(Shelf())
    let screen = screen(of: store)
    try await added(1...2, to: store)
    await store.close()
    while manager.canUndo { await Task.yield() }
    #expect(ids(store) == [1, 2] && screen.alert == nil)
    screen.close()
  }

  @Test func `a refused change is no step`() async throws {
    let store = Store(Shelf())
    let screen = screen(of: store)
    try await added(1...1, to: store)
    #expect(throws: (any Error).self) { try store.change(.add(Book(id: 1, title: "1"))) }
    screen.delete([5])
    for _ in 0..<100 { await Task.yield() }
    #expect(manager.undoDepth == 1)
    screen.close()
  }

  @Test func `an entry is a step of its own, also if a field has registered its typing in the same event`() async throws {
    let store = Store(Shelf())
    let typing = Calls()
    let screen = screen(of: store)
    try await added(1...1, to: store)
    manager.registerUndo(withTarget: typing) { $0.count() }
    try store.change(.add(Book(id: 2, title: "2")))
    for _ in 0..<100 { await Task.yield() }
    manager.endEvent()
    #expect(manager.undoDepth == 3)
    manager.undo()
    #expect(ids(store) == [1] && typing.value == 0)
    manager.undo()
    #expect(ids(store) == [1] && typing.value == 1)
    manager.redo()
    manager.redo()
    screen.close()
  }

  @Test func `a closed window keeps no store alive`() async throws {
    weak var released: Store<Shelf>?
    do {
      let store = Store(Shelf())
      released = store
      let screen = screen(of: store)
      try await added(1...2, to: store)
      screen.close()
    }
    while released != nil || manager.canUndo { await Task.yield() }
  }

  @Test func `another store takes the place of the first`() async throws {
    let selection = Selected(Store(Shelf()))
    var environment = EnvironmentValues()
    environment.undo = manager
    let screen = Screen(environment: environment) { UndoableShelfView(store: selection.store) }
    try await added(1...2, to: selection.store)
    selection.store = Store<Shelf>.preview(Shelf(), .add(Book(id: 7, title: "7")))
    screen.render()
    while manager.undoDepth != 1 { await Task.yield() }
    manager.undo()
    #expect(ids(selection.store) == [])
    screen.close()
  }

  // The parts of these tests

  private func screen(of store: Store<Shelf>) -> Screen {
    var environment = EnvironmentValues()
    environment.undo = manager
    return Screen(environment: environment) { UndoableShelfView(store: store) }
  }

  private func screen(of store: Store<Names>) -> Screen {
    var environment = EnvironmentValues()
    environment.undo = manager
    return Screen(environment: environment) { Text("").undo(by: store, failure: "Can't undo") }
  }

  private func names(in journal: MemoryJournal, as scope: String) async throws -> Store<Names> {
    var options = StoreOptions()
    options.scope = UndoScope(rawValue: scope)
    options.keepsJournalOpen = true
    return try await Store.open(Names(), in: journal, options: options)
  }

  /// Adds books in one event, and waits until the menu has as many steps more.
  private func added(_ range: ClosedRange<Int>, to store: Store<Shelf>, steps: Int? = nil) async throws {
    let depth = manager.undoDepth + (steps ?? range.count)
    for id in range { try store.change(.add(Book(id: id, title: "\(id)"))) }
    while manager.undoDepth < depth { await Task.yield() }
  }

  private func ids(_ store: Store<Shelf>) -> [Int] { store.state.books.map(\.id) }
}

@MainActor private final class Selected {
  var store: Store<Shelf>
  init(_ store: Store<Shelf>) { self.store = store }
}

private nonisolated struct Names: Journaled, Equatable {
  enum Change: Codable, Sendable { case add(String), rename(String, String) }

  var all: Set<String> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let name): all.insert(name)
    case .rename(let old, let new):
      guard all.remove(old) != nil else { throw .missing("name", old) }
      all.insert(new)
    }
  }
}
