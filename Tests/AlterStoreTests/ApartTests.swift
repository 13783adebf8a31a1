import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Work apart from the lock")
struct ApartTests {
  private let journal = MemoryJournal()
  private let clock = TestClock(microseconds: 1_000_000)
  private let away = JournalError(.unavailable, journal: "memory", message: "is away.")
  private let shared = StoreOptions.notFollowing

  @Test("a store that was opened resuming keeps its own origin, and what is made in it at once, though its writer still reads")
  func resumedWhileCatchingUp() async throws {
    // One change is left over. Another writer makes it impossible.
    let simulated = SimulatedJournal(journal)
    let first = try await Store.open(Board(), in: simulated, options: clock.options(shared))
    simulated.nextAppends(.hold)
    try first.change(.put("a", 1))
    await simulated.waitUntilHeld()
    async let closing = first.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let leftOver = await closing
    #expect(leftOver.count == 1)

    let interrupted = ScriptedJournal(journal)
    let isOpen = Lock(false)
    let isMade = Lock(false)
    interrupted.onNext(.append) { [journal, shared] _ in
      // Another writer appends more than a page. Its first change conflicts with the resumed one.
      guard let other = try? await Store.open(Board(), in: journal, options: shared) else { return }
      _ = try? other.change(.put("a", 2))
      for number in 0..<1_500 { _ = try? other.change(.note("\(number)")) }
      await other.close()
      interrupted.onEach(.entries) { call in
        guard let revision = call.revision, revision > 1 else { return }
        // Reading the second page takes a long time. The opening must not return before, so the wait is limited.
        for _ in 0..<20_000 where !isMade.withLock({ $0 }) { await Task.yield() }
      }
    }
    let store = try await Store.open(Board(), in: interrupted, resuming: leftOver, options: shared)
    isOpen.withLock { $0 = true }
    let origin = store.origin
    #expect(origin != leftOver[0].record.id.origin)
    let commit = try store.change(.note("mine"))
    isMade.withLock { $0 = true }
    while !store.isAtRest { await Task.yield() }
    #expect(store.origin == origin, "the store has the origin of what it has resumed")
    #expect(store.state.notes.last == "mine", "a change was lost")
    try #require(try await journal.entry(commit.id) != nil, "a change was lost, and its commit waits for ever")
    try await commit.durable()
    await store.close()
    simulated.release()
  }

  @Test("an outage is over when the journal answers, even if the answer is that a lease was taken over")
  func staleLeaseAfterOutage() async throws {
    let simulated = SimulatedJournal(journal)
    var options = clock.options(shared)
    options.outageTimeout = .seconds(2)
    let store = try await Store.open(Board(), in: simulated, options: options)
    let lease = Lease(name: "sync", holder: store.origin, epoch: 1, expires: .max)
    // This lease was never granted, so that it is stale.
    simulated.nextAppends(.fail(away))
    let commit = try store.change([.note("under")], under: lease)
    await clock.sleepers(2)
    clock.advance(by: .seconds(1))
    await #expect(throws: CommitError<Refusal>.staleLease(lease)) { try await commit.durable() }
    while !store.isAtRest { await Task.yield() }
    #expect(store.status == .open, "nothing is pending, and the journal has answered")
    // The timeout passes, but no commit waits any more.
    clock.advance(by: .seconds(2))
    #expect(store.delay == nil)
    await store.close(deadline: .zero)
  }

  @Test("the reader's outage is over when the journal can be reached again, even if nobody has written meanwhile")
  func readerOutageWithoutEntries() async throws {
    let interrupted = ScriptedJournal(journal)
    interrupted.onNext(.wait) { [away] _ in throw away }
    var options = clock.options(shared)
    options.followsOthers = true
    let store = try await Store.open(Board(), in: interrupted, options: options)
    await clock.sleepers(1)
    #expect(store.status == .waiting(StoreWait(reason: away, since: 1_000_000)))
    clock.advance(by: .seconds(1))
    while interrupted.count(.wait) < 2 { await Task.yield() }
    #expect(store.status == .open)
    await store.close()
  }
}
