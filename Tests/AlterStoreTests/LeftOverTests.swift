import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Work that a store could not show to be written")
struct LeftOverTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let away = JournalError(.unavailable, journal: "memory", message: "is away.")

  private func notes() async throws -> [String] { try await Store.open(Board(), in: journal, options: shared).state.notes }

  /// A store that was closed at its deadline with one append in flight and one pending change behind it.
  private func closedAtDeadline(
    _ simulated: SimulatedJournal
  ) async throws -> (commits: [Commit<Board>], leftOver: [Unwritten<Board>]) {
    let clock = TestClock()
    let store = try await Store.open(Board(), in: simulated, options: clock.options(shared))
    simulated.nextAppends(.hold)
    var commits = [try store.change(.note("sent"))]
    await simulated.waitUntilHeld()
    commits.append(try store.change(.note("behind")))
    async let closing = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    return (commits, await closing)
  }

  @Test("is reported as unknown when it was on its way at the deadline, and as unwritten when it was not")
  func deadline() async throws {
    let simulated = SimulatedJournal(journal)
    let (commits, leftOver) = try await closedAtDeadline(simulated)
    #expect(leftOver.map(\.mayBeWritten) == [true, false])
    #expect(leftOver.map(\.record.id) == commits.map(\.id))
    await #expect(throws: CommitError<Refusal>.unknown(.closed("memory"))) { try await commits[0].durable() }
    await #expect(throws: CommitError<Refusal>.failed(.closed("memory"))) { try await commits[1].durable() }
    // The append in flight succeeds after all.
    simulated.release()
    while try await journal.head().revision < 2 { await Task.yield() }
    #expect(try await notes() == ["sent"])
  }

  @Test("is in the journal exactly once after a store has resumed it, whether it arrives before, later or never", arguments: 0..<3)
  func resumed(moment: Int) async throws {
    let simulated = SimulatedJournal(journal)
    let (_, leftOver) = try await closedAtDeadline(simulated)
    if moment == 0 {
      simulated.release()
      while try await journal.head().revision < 2 { await Task.yield() }
    }
    let store = try await Store.open(Board(), in: journal, resuming: leftOver, options: shared)
    try await store.change(.note("new")).durable()
    if moment == 1 { simulated.release() }
    #expect(store.state.notes == ["sent", "behind", "new"])
    await store.close()
    #expect(try await notes() == ["sent", "behind", "new"])
    for work in leftOver { #expect(try await journal.entry(work.record.id) != nil) }
    // The caller resumes once more, as one may do that is not sure.
    let again = try await Store.open(Board(), in: journal, resuming: leftOver, options: shared)
    #expect(again.state.notes == ["sent", "behind", "new"])
    if moment == 2 { simulated.release() }
  }

  @Test("is reported as lost when others' work has made it impossible meanwhile, with what requires it")
  func dropped() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await Store.open(Board(), in: simulated, options: clock.options(shared))
    simulated.nextAppends(.hold)
    try store.change(.note("first"))
    await simulated.waitUntilHeld()
    let lost = try store.change(.put("a", 1))
    try store.change(.note("on a"), requires: lost)
    async let closing = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let leftOver = await closing
    try await Store.open(Board(), in: journal, options: shared).change(.put("a", 2)).durable()
    let again = try await Store.open(Board(), in: journal, resuming: leftOver, options: shared)
    #expect(again.state.values == ["a": 2] && again.state.notes == ["first"])
    await again.close()
    var lostIDs: [EntryID] = []
    for await problem in again.problems { if case .lost(let id, _) = problem { lostIDs.append(id) } }
    #expect(lostIDs == leftOver.dropFirst().map(\.record.id))
    simulated.release()
  }

  @Test("an opening that can't write it now throws, and may be tried again with the same work")
  func resumedLater() async throws {
    let simulated = SimulatedJournal(journal)
    let (_, leftOver) = try await closedAtDeadline(simulated)
    let broken = SimulatedJournal(journal, appends: [.fail(JournalError(.readOnly, journal: "memory", message: "can't be written."))])
    let error = await #expect(throws: JournalError.self) {
      try await Store.open(Board(), in: broken, resuming: leftOver, options: shared)
    }
    #expect(error?.code == .readOnly)
    let store = try await Store.open(Board(), in: journal, resuming: leftOver, options: shared)
    #expect(store.state.notes == ["sent", "behind"])
    simulated.release()
  }

  @Test("is unknown when the journal fails after an answer was lost, and unwritten when every try was refused", arguments: [true, false])
  func failed(isLost: Bool) async throws {
    let clock = TestClock()
    let readOnly = JournalError(.readOnly, journal: "memory", message: "can't be written.")
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: clock.options(shared))
    simulated.nextAppends(isLost ? .loseAnswer : .fail(away), .fail(readOnly))
    let commit = try store.change(.note("x"))
    await clock.sleepers(2)
    clock.advance(by: .seconds(1))
    await #expect(throws: isLost ? CommitError<Refusal>.unknown(readOnly) : .failed(readOnly)) { try await commit.durable() }
    let leftOver = await store.close()
    #expect(leftOver.map(\.mayBeWritten) == [isLost])
    let again = try await Store.open(Board(), in: journal, resuming: leftOver, options: shared)
    #expect(again.state.notes == ["x"])
    #expect(try await journal.head().revision == 2)
  }

  @Test("stays as it is after the reader has failed: what others have made impossible meanwhile is handed back, not dropped in silence")
  func rebasedAfterFailure() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: shared)
    simulated.nextAppends(.hold)
    let commit = try store.change(.put("a", 1))
    await simulated.waitUntilHeld()
    let broken = JournalError(.damaged, journal: "memory", message: "is damaged.")
    store.fail(broken)
    try await Store.open(Board(), in: journal, options: shared).change(.put("a", 2)).durable()
    simulated.release()
    await #expect(throws: CommitError<Refusal>.unknown(broken)) { try await commit.durable() }
    while !store.isAtRest { await Task.yield() }
    #expect(await store.close().map(\.record.id) == [commit.id])
  }

  @Test("is unknown when the reader fails while it is on its way, and no longer left over when it has arrived")
  func reader() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: shared)
    simulated.nextAppends(.hold)
    let commit = try store.change(.note("x"))
    await simulated.waitUntilHeld()
    let broken = JournalError(.damaged, journal: "memory", message: "is damaged.")
    store.fail(broken)
    await #expect(throws: CommitError<Refusal>.unknown(broken)) { try await commit.durable() }
    simulated.release()
    while try await journal.head().revision < 2 { await Task.yield() }
    while store.revision < 2 { await Task.yield() }
    #expect(await store.close().isEmpty)
  }

  @Test("is unknown while a reading must show whether the journal has it, after an append has found one of its ids there")
  func collided() async throws {
    let clock = TestClock()
    let scripted = ScriptedJournal(journal)
    var options = clock.options(shared)
    options.followsOthers = false
    let store = try await Store.open(Board(), in: scripted, options: options)
    scripted.onNext(.append) { [journal] _ in
      throw JournalError.originCollision("memory", EntryID(origin: .random(), sequence: 2), at: try await journal.head().revision.next)
    }
    scripted.fail([.head, .entries], with: away)
    try store.change(.note("x"))
    await clock.sleepers(1)
    async let closing = store.close(deadline: .seconds(5))
    // The pause of the writer, the time limit of its outage, and that of the closing.
    await clock.sleepers(3)
    clock.advance(by: .seconds(5))
    #expect(await closing.map(\.mayBeWritten) == [true])
  }
}
