import Alter
import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import Testing

@testable import AlterStore

@Suite("A store of a journal that is compacted meanwhile", .timeLimit(.minutes(20)))
struct CompactedJournalTests {
  private struct Counter: Journaled, Hashable {
    enum Change: Hashable, Codable { case add(Int) }
    private(set) var count = 0
    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .add(let number): count += number
      }
    }
  }

  private let journal = MemoryJournal()
  private let deaf = StoreOptions.notFollowing

  /// Another writer adds entries, each of which adds 1, and compacts the journal up to the first of them.
  private func growAndCompact(by count: Int64) async throws {
    let start = try await journal.head()
    let state = try await Store.open(Counter(), in: journal, options: deaf)
    let known = state.state.count
    await state.close()
    let origin = Origin.random()
    let drafts = (1...count).map { number in
      Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: number), time: number, payload: Data(#"[{"add":{"_0":1}}]"#.utf8))
    }
    _ = try await journal.append(drafts, after: start)
    let base = try await journal.head(at: start.revision.next, of: start.journal)
    try await journal.keep(
      Snapshot(
        head: #require(base), base: #require(base), schema: 1, written: 0, payload: Data(#"{"count":\#(known + 1)}"#.utf8)))
    try await journal.compact(journal.compactionPlan(keeping: .last(Int(count) - 1)))
    #expect(try await journal.floor()?.revision == start.revision.next)
  }

  @Test("begins again at the floor, and its observers learn of it; its own change follows")
  func laggard() async throws {
    let store = try await Store.open(Counter(), in: journal, options: deaf)
    try await store.change(.add(10)).durable()
    let transitions = store.transitions
    try await growAndCompact(by: 50)
    #expect(try await store.change(.add(100)).result().get() == 53)
    #expect(store.state.count == 160)
    await store.close()
    var skipped: [Revision] = []
    var confirmed: [Revision] = []
    for await transition in transitions {
      switch transition {
      case .skipped(let revision, let state):
        skipped.append(revision)
        #expect(state.count == 11)
      case .confirmed(let record): confirmed.append(record.revision)
      default: break
      }
    }
    #expect(skipped == [3])
    #expect(confirmed == (4...53).map { Revision($0) })
  }

  @Test("finds a change below the floor whose answer was lost, and does not make it twice")
  func lostAnswer() async throws {
    let simulated = SimulatedJournal(journal)
    let sleeps = Lock(0)
    var options = deaf
    options.outageTimeout = .seconds(600)
    options.sleep = { [self] duration in
      // The timer of `durable()` ends with the call; only the pauses between retries matter.
      if duration >= .seconds(600) { return try await Task.sleep(for: duration) }
      let isFirst = sleeps.withLock {
        $0 += 1
        return $0 == 1
      }
      if isFirst { try? await growAndCompact(by: 50) }
    }
    let store = try await Store.open(Counter(), in: simulated, options: options)
    simulated.nextAppends(.loseAnswer)
    #expect(try await store.change(.add(10)).result().get() == 2)
    #expect(try await store.change(.add(100)).result().get() == 53)
    #expect(store.state.count == 160)
    await store.close()
    let again = try await Store.open(Counter(), in: journal, options: deaf)
    #expect(again.state.count == 160)
    await again.close()
  }

  @Test("is refused an undo of an entry that is not there any more, and continues")
  func undoBelow() async throws {
    let store = try await Store.open(Counter(), in: journal, options: StoreOptions.sharedJournal)
    try await store.change(.add(10)).durable()
    let head = try await journal.head()
    try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 0, payload: Data(#"{"count":10}"#.utf8)))
    try await journal.compact(journal.compactionPlan(keeping: .last(0)))
    await #expect(throws: (any Error).self) { try await store.undo() }
    #expect(try await store.change(.add(100)).result().get() == 3)
    #expect(store.state.count == 110)
    await store.close()
    #expect(try await journal.verify().revision == 3)
  }
}
