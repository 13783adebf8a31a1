import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import StoreTesting
import SyncModel
import Testing

@testable import AlterStore

/// The store's part of the laws of undo and feedbacks; the answers are made here as a run makes them.
@Suite("Undo and the answers of feedbacks")
struct AnswerUndoTests {
  private static let places = ["in memory", "in a journal", "in a synced journal"]

  /// Performs the test in a store in memory, in one with a journal, and in one of a device.
  private func with(_ place: String, _ test: (Store<Board>) async throws -> Void) async throws {
    let store =
      switch place {
      case "in memory": Store(Board())
      case "in a journal": try await Store.open(Board(), in: MemoryJournal())
      default: try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(MemorySync()))
      }
    try await test(store)
    await store.close()
  }

  @discardableResult
  private func make(_ change: Board.Change, _ cause: Cause? = nil, in store: Store<Board>) async throws -> Commit<Board> {
    let commit = try store.change(change, cause: cause)
    _ = try await commit.confirmed()
    return commit
  }

  @Test("the answer to a request that is older than the run is no step to undo, and clears no redo", arguments: places)
  func olderThanTheRun(place: String) async throws {
    try await with(place) { store in
      let first = try await make(.put("a", 1), in: store)
      try await make(.note("1"), Cause(feedback: "store", depth: 1), in: store)
      #expect(try await store.undo().records.map(\.id) == [first.id])
      #expect(store.state.values.isEmpty && store.state.notes.last == "1")
      try await make(.note("2"), Cause(feedback: "store", depth: 1), in: store)
      #expect(try await store.redo().records.map(\.id) == [first.id])
      #expect(store.state.values == ["a": 1] && store.state.notes.last == "2")
      #expect(store.undoSteps.steps.undoable == [first.id])
    }
  }

  @Test(
    "an entry is not undone once its acting request was performed; before that it is, and a redo asks again", arguments: places.prefix(2))
  func performed(place: String) async throws {
    try await with(place) { store in
      try await make(.put("b", 0), in: store)
      let request = try await make(.put("p", 1), in: store)
      _ = try await store.undo().commit.confirmed()
      _ = try await store.redo().commit.confirmed()
      #expect(store.state.values["p"] == 1)
      let answer = try await make(.note("3"), Cause(feedback: "charge", request: request.id.requestText, depth: 1), in: store)
      let revision = try await answer.confirmed()
      let error = UndoError.performed(feedback: "charge", revision: revision)
      for _ in 0..<2 { await #expect(throws: error) { try await store.undo() } }
      #expect(throws: error) { try store.previewUndo() }
      #expect(store.state.values["p"] == 1 && store.state.notes.last == "3")
      // Later work is undone as before.
      try await make(.put("l", 2), in: store)
      try await store.undo()
      #expect(store.state.values["l"] == nil && store.state.values["p"] == 1)
      #expect(error.description.contains("'charge'") && error.description.contains("(revision \(revision))"))
      #expect(error.description.contains("Make a change that asks for the opposite act"))
    }
  }

  @Test("an undo that another writer's answer overtakes is dropped as performed")
  func overtaken() async throws {
    let journal = MemoryJournal()
    let scripted = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: scripted, options: .sharedJournal)
    let other = try await Store.open(Board(), in: journal, options: .sharedJournal)
    let request = try await make(.put("p", 1), in: store)
    scripted.onNext(.append) { _ in
      _ = try await other.change(.note("3"), cause: Cause(feedback: "charge", request: request.id.requestText)).confirmed()
    }
    await #expect(throws: UndoError.performed(feedback: "charge", revision: 3)) { try await store.undo() }
    #expect(store.state.values == ["p": 1] && store.state.notes == ["3"])
    for store in [store, other] { await store.close() }
  }

  @Test("a device's undo is refused as performed if the answer has reached the server first")
  func device() async throws {
    let sync = MemorySync()
    let store = try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(sync))
    let request = try await make(.put("p", 1), in: store)
    sync.setOnline(false)
    let undo = try await store.undo().commit
    #expect(store.state.values.isEmpty)
    // Only the server answers a request that acts; the device does not know it yet.
    sync.answer(
      SyncDraft(
        id: EntryID(origin: .test(200), sequence: 2), time: 0, content: .changes(SyncedBoard.payload([.note("3")])),
        cause: Cause(feedback: "charge", request: request.id.requestText)))
    sync.setOnline(true)
    await #expect(throws: CommitError<Refusal>.refused(code: "performed")) { try await undo.confirmed() }
    for await values in store.values(of: { $0.values }) where values["p"] == 1 { break }
    await #expect(throws: UndoError.performed(feedback: "charge", revision: 3)) { try await store.undo() }
    await store.close()
  }
}
