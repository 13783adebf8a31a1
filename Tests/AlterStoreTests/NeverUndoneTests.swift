import Alter
import AlterTesting
import Foundation
import StoreTesting
import SyncModel
import Testing

@testable import AlterStore

@Suite("A change that is no step to undo", .timeLimit(.minutes(10)))
struct NeverUndoneTests {
  enum Place: CaseIterable { case memory, journal, synced }

  private func open(_ place: Place) async throws -> Store<Board> {
    switch place {
    case .memory: Store(Board())
    case .journal: try await Store.open(Board(), in: MemoryJournal())
    case .synced: try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(MemorySync()))
    }
  }

  @Test("is passed over by undo and redo, clears no redo, and stays", arguments: Place.allCases)
  func passedOver(place: Place) async throws {
    let store = try await open(place)
    let first = try store.change(.put("a", 1))
    let payment = try store.change(.note("7"), scope: .never)
    #expect(store.undoSteps.steps.undoable == [first.id])
    #expect(try await store.undo().records.map(\.id) == [first.id])
    #expect(store.state.values.isEmpty && store.state.notes.last == "7")
    #expect(throws: UndoError.nothingToUndo) { try store.previewUndo() }
    _ = try store.change([.note("7"), .note("8")], scope: .never)
    #expect(try await store.redo().records.map(\.id) == [first.id])
    #expect(store.state.values == ["a": 1] && store.state.notes.suffix(3) == ["7", "7", "8"])
    _ = try await payment.confirmed()
    await store.close()
  }

  @Test("is none in any store of the journal, after it is opened again, and in a store whose scope is 'never'")
  func otherStores() async throws {
    let journal = MemoryJournal()
    let first = try await Store.open(Board(), in: journal, options: .sharedJournal)
    try await first.change(.put("a", 1)).durable()
    try await first.change(.add("a", 2), scope: .never).durable()
    let second = try await Store.open(Board(), in: journal, options: .sharedJournal)
    // It depends on the change that the undo would take back.
    await #expect(throws: UndoError.wouldSuppress([3])) { try await second.undo() }
    await first.close()
    try await second.change(.put("b", 1)).durable()
    try await second.undo()
    #expect(second.state.values == ["a": 3])
    await second.close()
    var options = StoreOptions.sharedJournal
    options.scope = .never
    let third = try await Store.open(Board(), in: journal, options: options)
    try await third.change(.put("c", 1)).durable()
    await #expect(throws: UndoError.nothingToUndo) { try await third.undo() }
    #expect(third.state.values == ["a": 3, "c": 1])
    await third.close()
  }

  @Test("belongs to another scope if the change names one, and that scope's undo reverts it")
  func otherScope() async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Board(), in: journal, options: .sharedJournal)
    try await store.change(.put("a", 1)).durable()
    try await store.change(.put("b", 2), .note("x"), scope: "bob").durable()
    #expect(try await store.entries(in: 2...3).map(\.scope) == [.journal, "bob"])
    var options = StoreOptions.sharedJournal
    options.scope = "bob"
    let bob = try await Store.open(Board(), in: journal, options: options)
    try await bob.undo()
    #expect(bob.state.values == ["a": 1] && bob.state.notes.isEmpty)
    await #expect(throws: UndoError.nothingToUndo) { try await bob.undo() }
    for store in [store, bob] { await store.close() }
  }
}
