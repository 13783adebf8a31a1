import AlterCore
import AlterJournal
import AlterStore
import Testing

@testable import AlterSwiftUI

@MainActor
@Suite("The undo manager of a window") struct UndoMirrorTests {
  private let manager = EventUndoManager()

  @Test("each entry is one step of the menu, also if one event has made several") func steps() async throws {
    let store = Store(Shelf())
    let window = Window(of: store, in: manager)
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
    window.close()
  }

  @Test("a new entry clears the redo, and comes on top") func newEntry() async throws {
    let store = Store(Shelf())
    let window = Window(of: store, in: manager)
    try await added(1...2, to: store)
    manager.undo()
    try store.change(.add(Book(id: 3, title: "3")))
    while manager.canRedo { await Task.yield() }
    #expect(manager.undoDepth == 2)
    manager.undo()
    manager.undo()
    #expect(ids(store) == [] && !manager.canUndo)
    window.close()
  }

  @Test("entries from before the view appeared can be undone") func earlier() async throws {
    let store = Store<Shelf>.preview(Shelf(), .add(Book(id: 1, title: "1")), .add(Book(id: 2, title: "2")))
    let window = Window(of: store, in: manager)
    while !manager.canUndo { await Task.yield() }
    #expect(manager.undoDepth == 2)
    manager.undo()
    #expect(ids(store) == [1])
    window.close()
  }

  @Test("an undo that is made elsewhere leaves the menu") func elsewhere() async throws {
    let store = Store(Shelf())
    let window = Window(of: store, in: manager)
    try await added(1...3, to: store)
    try await store.undo()
    while manager.undoDepth == 3 { await Task.yield() }
    #expect(manager.undoDepth == 2)
    manager.undo()
    #expect(ids(store) == [1])
    window.close()
  }

  @Test("redo stays possible when older steps have left the undo window") func smallWindow() async throws {
    var options = StoreOptions()
    options.undoWindow = 4
    let store = Store(Shelf(), options: options)
    let window = Window(of: store, in: manager)
    try await added(1...6, to: store, steps: 4)
    manager.undo()
    #expect(ids(store) == [1, 2, 3, 4, 5])
    // Each turn of the view's loop that the undo has caused, and more.
    for _ in 0..<100 { await Task.yield() }
    #expect(manager.canRedo)
    manager.redo()
    #expect(ids(store) == [1, 2, 3, 4, 5, 6])
    window.close()
  }

  @Test("a failure says why an entry can't be undone, and the menu shows the steps of the store again") func failure() async throws {
    var options = StoreOptions()
    options.undoWindow = 2
    let store = Store(Shelf(), options: options)
    let window = Window(of: store, in: manager)
    try await added(1...3, to: store, steps: 2)
    manager.undo()
    manager.undo()
    #expect(window.failures == [.outsideWindow(2)])
    #expect(ids(store) == [1, 2])
    while manager.canUndo { await Task.yield() }
    window.close()
  }

  @Test("an entry that later work of others depends on keeps its step") func suppressed() async throws {
    let journal = MemoryJournal()
    let mine = try await names(in: journal, as: "mine")
    let theirs = try await names(in: journal, as: "theirs")
    let window = Window(of: mine, in: manager)
    try await mine.change(.add("a")).durable()
    while theirs.state.all.isEmpty { await Task.yield() }
    let later = try theirs.change(.rename("a", "b"))
    let revision = try await later.confirmed()
    while mine.revision < revision || !manager.canUndo { await Task.yield() }
    manager.undo()
    #expect(window.failures == [.wouldSuppress([revision])])
    // The manager has removed the action, and gets it again.
    while !manager.canUndo { await Task.yield() }
    try await theirs.undo()
    while mine.state.all != ["a"] { await Task.yield() }
    manager.undo()
    #expect(mine.state.all == [])
    window.close()
    await mine.close()
    await theirs.close()
  }

  @Test("the actions of others in the same manager stay") func others() async throws {
    let store = Store(Shelf())
    let typing = Lock(0)
    manager.register(typing) { $0.withLock { $0 += 1 } }
    manager.endEvent()
    let window = Window(of: store, in: manager)
    try await added(1...1, to: store)
    window.close()
    while manager.undoDepth == 2 { await Task.yield() }
    manager.undo()
    #expect(typing.withLock({ $0 }) == 1 && ids(store) == [1])
  }

  @Test("two windows show the same steps, and an undo in one leaves the menu of the other") func windows() async throws {
    let store = Store(Shelf())
    let one = Window(of: store, in: manager)
    let other = EventUndoManager()
    let two = Window(of: store, in: other)
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

  @Test("two stores share a manager, and each keeps its own steps") func stores() async throws {
    let (left, right) = (Store(Shelf()), Store(Shelf()))
    let (one, two) = (Window(of: left, in: manager), Window(of: right, in: manager))
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

  @Test("a store that closes leaves the menu") func closing() async throws {
    let store = Store(Shelf())
    let window = Window(of: store, in: manager)
    try await added(1...2, to: store)
    await store.close()
    while manager.canUndo { await Task.yield() }
    #expect(ids(store) == [1, 2] && window.failures.isEmpty)
    window.close()
  }

  @Test("a refused change is no step") func refused() async throws {
    let store = Store(Shelf())
    let window = Window(of: store, in: manager)
    try await added(1...1, to: store)
    #expect(throws: (any Error).self) { try store.change(.add(Book(id: 1, title: "1"))) }
    store.observed(\.books).delete([5], of: [1], in: \.books) { .remove($0) }
    for _ in 0..<100 { await Task.yield() }
    #expect(manager.undoDepth == 1)
    window.close()
  }

  @Test("an entry is a step of its own, also if a field has registered its typing in the same event") func typing() async throws {
    let store = Store(Shelf())
    let typing = Lock(0)
    let window = Window(of: store, in: manager)
    try await added(1...1, to: store)
    manager.register(typing) { $0.withLock { $0 += 1 } }
    try store.change(.add(Book(id: 2, title: "2")))
    for _ in 0..<100 { await Task.yield() }
    manager.endEvent()
    #expect(manager.undoDepth == 3)
    manager.undo()
    #expect(ids(store) == [1] && typing.withLock({ $0 }) == 0)
    manager.undo()
    #expect(ids(store) == [1] && typing.withLock({ $0 }) == 1)
    manager.redo()
    manager.redo()
    window.close()
  }

  @Test("a closed window keeps no store alive") func lifetime() async throws {
    weak var released: Store<Shelf>?
    do {
      let store = Store(Shelf())
      released = store
      let window = Window(of: store, in: manager)
      try await added(1...2, to: store)
      window.close()
    }
    while released != nil || manager.canUndo { await Task.yield() }
  }

  @Test("another store takes the place of the first") func replaced() async throws {
    let first = Store(Shelf())
    let window = Window(of: first, in: manager)
    try await added(1...2, to: first)
    // SwiftUI ends the task of the view, and begins another one.
    window.close()
    let second = Store<Shelf>.preview(Shelf(), .add(Book(id: 7, title: "7")))
    let other = Window(of: second, in: manager)
    while manager.undoDepth != 1 { await Task.yield() }
    manager.undo()
    #expect(ids(first) == [1, 2] && ids(second) == [])
    other.close()
  }

  // The parts of these tests

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

/// The task of a view with `undo(by:failure:)`.
@MainActor
private final class Window {
  private(set) var failures: [UndoError] = []
  private var task: Task<Void, Never>?

  init<Model>(of store: Store<Model>, in manager: EventUndoManager) {
    task = Task { [weak self] in await UndoMirror(of: store, in: manager) { self?.failures.append($0) }.follow() }
  }

  func close() { task?.cancel() }
}

private struct Names: Journaled, Equatable {
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
