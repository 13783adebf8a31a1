import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@testable import AlterStore

@Suite("The end of a store", .timeLimit(.minutes(20)))
struct ClosingTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing

  @Test("values: a value that is not equal to itself makes the sequence of a closed store endless")
  func nan() async throws {
    let store = Store(Board())
    let values = store.values(of: { Double($0.notes.count) / Double($0.notes.count) })
    var iterator = values.makeAsyncIterator()
    _ = await iterator.next()
    await store.close()
    var count = 0
    while await iterator.next() != nil, count < 1_000 { count += 1 }
    #expect(count < 1_000)
  }

  @Test("nothing: an empty list that requires a commit is durable although the commit is dropped")
  func nothingRequires() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: deaf)
    simulated.nextAppends(.hold)
    let lost = try store.change(.put("a", 1))
    await simulated.waitUntilHeld()
    let nothing = try store.change([], requires: lost)
    try await Store.open(Board(), in: journal, options: deaf).change(.put("a", 2)).durable()
    simulated.release()
    await #expect(throws: CommitError<Refusal>.self) { try await lost.durable() }
    let result = await nothing.result()
    if case .success = result { Issue.record("durable at \(result)") }
  }

  @Test("close: twice at once, with and without a deadline: every commit is resolved once, both return")
  func closeTwice() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await heldStore(simulated, clock)
    simulated.nextAppends(.hold)
    let commits = [try store.change(.note("1")), try store.change(.note("2"))]
    await simulated.waitUntilHeld()
    async let patient = store.close()
    async let short = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let leftOver = await short
    let other = await patient
    #expect(leftOver.map(\.record.id) == other.map(\.record.id))
    for commit in commits { if case .success = await commit.result() { Issue.record("written?") } }
    simulated.release()
    #expect(await store.close(deadline: .seconds(1)).count <= 2)
  }

  @Test("close: the store is freed afterwards")
  func freed() async throws {
    weak var weakly: Store<Board>?
    do {
      let store = try await Store.open(Board(), in: journal, options: shared)
      weakly = store
      _ = store.values(of: \.notes)
      let entries = Task { for try await _ in store.entries() {} }
      try await store.change(.note("x")).durable()
      await store.close(deadline: .seconds(60))
      _ = await entries.result
    }
    while weakly != nil, !Task.isCancelled { await Task.yield() }
    #expect(weakly == nil)
  }

  @Test("close: a failed store hands back what may be written")
  func closeFailed() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: deaf)
    simulated.nextAppends(.fail(JournalError(.failed, journal: "memory", message: "lost its disk.")))
    let commit = try store.change(.note("x"))
    _ = await commit.result()
    let leftOver = await store.close()
    #expect(leftOver.map(\.mayBeWritten) == [true])
  }
}
