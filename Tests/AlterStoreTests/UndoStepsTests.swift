import Alter
import AlterStore
import AlterTesting
import Testing

@Suite struct UndoStepsTests {
  @Test("the last step is the entry that an undo would revert, in memory and with a journal", arguments: [4, 1_000], [false, true])
  func lastStep(window: Int, isJournaled: Bool) async throws {
    var options = StoreOptions()
    options.undoWindow = window
    let store = isJournaled ? try await Store.open(Board(), in: MemoryJournal(), options: options) : Store(Board(), options: options)
    var random = SeededGenerator(seed: UInt64(window))
    for round in 0..<300 {
      let before = store.undoSteps.steps
      let (isUndo, isRedo) = (Int.random(in: 0..<3, using: &random) == 0, Int.random(in: 0..<3, using: &random) == 0)
      if isUndo || isRedo {
        guard (try? store.takeBackAtOnce(redo: !isUndo)) != nil else { continue }
        #expect(store.undoSteps.steps.areOneStep(after: before, redo: !isUndo))
      } else {
        try store.change(.put("\(round)", round))
        // In a small window, undos may push the last step out of the window.
        if window > 300 { #expect(store.undoSteps.steps.news(since: before) == 1) }
      }
      #expect((try? store.previewUndo().records.first?.id) == store.undoSteps.steps.undoable.last)
    }
    await store.close()
  }

  @Test("an undo in the scope of a process reverts no change of another process, and after a restart none of its own")
  func perProcess() async throws {
    let journal = MemoryJournal()
    func open(_ scope: UndoScope) async throws -> Store<Board> {
      var options = StoreOptions()
      (options.scope, options.keepsJournalOpen) = (scope, true)
      return try await Store.open(Board(), in: journal, options: options)
    }
    let (own, other) = (try await open(.perProcess), try await open("process of another"))
    try await own.change(.put("own", 1)).durable()
    try await other.change(.put("other", 2)).durable()
    try await own.undo()
    #expect(own.state.values == ["other": 2])
    await #expect(throws: UndoError.nothingToUndo) { try await own.undo() }
    try await own.redo()
    for store in [own, other] { await store.close() }
    let restarted = try await open("process of the next start")
    await #expect(throws: UndoError.nothingToUndo) { try await restarted.undo() }
    #expect(UndoScope.perProcess == .perProcess && UndoScope.perProcess != .journal)
    await restarted.close()
  }

  @Test("only new entries count as news") func news() {
    let ids = (1...6).map { EntryID(origin: .none, sequence: $0) }
    let known = UndoSteps(undoable: [ids[0], ids[1]])
    #expect(UndoSteps(undoable: [ids[0], ids[1]]).news(since: known) == 0)
    #expect(UndoSteps(undoable: [ids[0], ids[1], ids[2]]).news(since: known) == 1)
    // The oldest step has left the window.
    #expect(UndoSteps(undoable: [ids[1], ids[2], ids[3]]).news(since: known) == 2)
    #expect(UndoSteps(undoable: [ids[0]], redoable: [ids[2]]).news(since: known) == nil)
    #expect(UndoSteps(undoable: [ids[0], ids[3]]).news(since: known) == nil)
    #expect(UndoSteps(undoable: [ids[0], ids[1]], redoable: [ids[2]]).news(since: known) == nil)
    // One of two undos was redone elsewhere.
    let undone = UndoSteps(undoable: [ids[0]], redoable: [ids[4], ids[5]])
    #expect(UndoSteps(undoable: [ids[0], ids[1]], redoable: [ids[4]]).news(since: undone) == nil)
    #expect(UndoSteps(undoable: [ids[0], ids[3]]).news(since: undone) == 1)
  }
}
