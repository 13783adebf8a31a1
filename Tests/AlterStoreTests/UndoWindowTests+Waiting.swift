import Alter
import AlterCore
import AlterTesting
import Testing

@testable import AlterStore

// An undo that waits for its window: the entry that it is about, and the end of the wait.
extension UndoWindowTests {
  /// Begins an undo or a redo, which waits for the reading.
  ///
  /// - Returns: The task, with the error.
  private static func begin(_ work: @escaping @Sendable () async throws(UndoError) -> Void) -> Task<UndoError?, Never> {
    Task {
      do throws(UndoError) { try await work() } catch { return error }
      return nil
    }
  }

  @Test("an undo that waits for the reading is never about a change that was made meanwhile")
  func undoesNoLaterChange() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    simulated.nextReads(.hold)
    let undoing = Self.begin { () throws(UndoError) in _ = try await store.undo() }
    await simulated.waitUntilHeld()
    try store.change(.note("new"))
    simulated.release()
    let error = await undoing.value
    #expect(error == .windowNotLoaded(nil))
    #expect(store.state.notes.last == "new" && store.state.notes.count == 151)
    try await store.undo()
    #expect(store.state.notes.count == 150)
    await store.close()
  }

  /// The work of another replica while an undo waits for the reading.
  enum OthersWork: CaseIterable { case change, undo, otherScope }

  @Test("an undo that waits for the reading is never about another replica's entry that arrived meanwhile", arguments: OthersWork.allCases)
  func undoesNoOthersEntry(work: OthersWork) async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    simulated.nextReads(.pass, .hold)
    let undoing = Self.begin { () throws(UndoError) in _ = try await store.undo() }
    await simulated.waitUntilHeld()
    var others = options(.atOpening)
    if work == .otherScope { others.scope = "other" }
    let other = try await Store.open(Board(), in: journal, options: others)
    if work == .undo { try await other.undo() } else { try await other.change(.note("other")).durable() }
    try await store.readOthers()
    let seen = store.state
    simulated.release()
    let error = await undoing.value
    if work == .otherScope {
      #expect(error == nil)
      #expect(store.state.notes.suffix(2) == ["148", "other"])
    } else {
      #expect(error == .windowNotLoaded(nil))
      #expect(store.state == seen && !store.lacksUndoWindow)
      try await store.undo()
      #expect(store.state.notes.count == (work == .undo ? 148 : 150))
    }
    await store.close()
    await other.close()
    try await compareWithDefinition(store.state)
  }

  @Test("an undo that waits for the reading is not about an older entry, if the newest one was dropped meanwhile")
  func undoesNoOlderEntry() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    // The writer waits for the gate.
    let turn = try await store.gate.take()
    let commit = try store.change(.put("a", 1))
    simulated.nextReads(.pass, .hold)
    let undoing = Self.begin { () throws(UndoError) in _ = try await store.undo() }
    await simulated.waitUntilHeld()
    var others = options(.atOpening)
    others.scope = "other"
    let other = try await Store.open(Board(), in: journal, options: others)
    try await other.change(.put("a", 2)).durable()
    turn.end()
    guard case .failure(.dropped) = await commit.result() else { return #expect(Bool(false), "The change was not dropped.") }
    simulated.release()
    #expect(await undoing.value == .windowNotLoaded(nil))
    #expect(store.state.notes.count == 150 && store.state.values == ["a": 2])
    try await store.undo()
    #expect(store.state.notes.count == 149)
    await store.close()
    await other.close()
  }

  @Test("a redo that waits for the reading throws if an entry has followed the undo meanwhile")
  func redoesNothingElse() async throws {
    try await fill(150)
    let other = try await Store.open(Board(), in: journal, options: options(.atOpening))
    try await other.undo()
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    simulated.nextReads(.pass, .hold)
    let redoing = Self.begin { () throws(UndoError) in _ = try await store.redo() }
    await simulated.waitUntilHeld()
    try await other.change(.note("other")).durable()
    try await store.readOthers()
    simulated.release()
    #expect(await redoing.value == .windowNotLoaded(nil))
    await #expect(throws: UndoError.nothingToRedo) { try await store.redo() }
    await store.close()
    await other.close()
  }

  @Test("ends with the store that is closed while it is read")
  func closing() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    simulated.nextReads(.pass, .hold)
    let undoing = Self.begin { () throws(UndoError) in _ = try await store.undo() }
    await simulated.waitUntilHeld()
    let closing = Task { await store.close() }
    // The callers do not wait for the journal.
    #expect(await undoing.value == .closed)
    simulated.release()
    #expect(await closing.value.isEmpty)
    #expect(store.core.withLock { $0.undoWindowLoading == nil })
    await #expect(throws: UndoError.closed) { try await store.loadUndoWindow() }
    #expect(try await journal.head().revision == 151)
  }

  @Test("ends when the store begins to close, although pending work is still being written")
  func beginningToClose() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    simulated.nextReads(.pass, .hold)
    simulated.nextAppends(.hold)
    try store.change(.note("last"))
    let undoing = Self.begin { () throws(UndoError) in _ = try await store.undo() }
    await simulated.waitUntilHeld(2)
    let closing = Task { await store.close() }
    #expect(await undoing.value == .closed)
    #expect(store.isOpen)
    simulated.release()
    #expect(await closing.value.isEmpty)
    #expect(try await journal.head().revision == 152)
  }

  @Test("ends with the store whose journal fails while it is read")
  func failing() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let error = JournalError(.failed, journal: "memory", message: "has failed.")
    simulated.nextReads(.pass, .hold)
    simulated.nextAppends(.fail(error))
    let undoing = Task { try await store.undo() }
    await simulated.waitUntilHeld()
    try store.change(.note("lost"))
    // The callers do not wait for the journal.
    await #expect(throws: UndoError.failed(error)) { try await undoing.value }
    await #expect(throws: UndoError.failed(error)) { try await store.undo() }
    simulated.release()
    #expect(await store.close().count == 1)
  }
}
