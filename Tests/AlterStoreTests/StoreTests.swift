import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@Suite("A store")
struct StoreTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal

  private func open(_ journal: any Journal, options: StoreOptions? = nil) async throws -> Store<Board> {
    try await Store.open(Board(), in: journal, options: options ?? shared)
  }

  @Test("shows a change at once, and has it in the journal when its commit is durable")
  func change() async throws {
    let store = try await open(journal)
    let commit = try store.change(.put("a", 1), .add("a", 2))
    #expect(store.state.values == ["a": 3])
    #expect(try await commit.confirmed() == 2)
    #expect(try await journal.head().revision == 2)
    #expect(store.confirmed.state == store.state && store.revision == 2)
    await store.close()
  }

  @Test("gives the state back when it is opened again, and ignores what a later opener would begin with")
  func reopened() async throws {
    let first = try await open(journal)
    for number in 0..<100 { try first.change(.note("\(number)")) }
    #expect(await first.close().isEmpty)
    let again = try await Store.open(Board().alter(.put("other default", 1)), in: journal, options: shared)
    #expect(again.state == first.state && again.revision == 101)
  }

  @Test("refuses a batch whole: nothing is changed or journaled, and the error reaches the caller")
  func refused() async throws {
    let store = try await open(journal)
    #expect(throws: ChangeError.refused(Refusal.missing("value", "b"))) { try store.change(.put("a", 1), .add("b", 1)) }
    #expect(store.state == Board())
    await store.close()
    #expect(try await journal.head().revision == 1)
  }

  @Test("journals a change that alters nothing")
  func nothingAltered() async throws {
    let store = try await open(journal)
    try store.change(.put("a", 1))
    #expect(try await store.change(.add("a", 0)).confirmed() == 3)
  }

  @Test("keeps a reset in the journal like any change, and undoes it like one")
  func reset() async throws {
    let store = try await open(journal)
    try store.change(.put("a", 1))
    try await store.reset(to: Board()).durable()
    #expect(store.state == Board())
    try await store.undo()
    #expect(store.state.values == ["a": 1])
    #expect(try await open(journal).state.values == ["a": 1])
  }

  @Test("takes in what another store writes, and both come to the same state")
  func twoStores() async throws {
    let first = try await open(journal)
    let second = try await open(journal)
    try await first.change(.put("a", 1)).durable()
    for await values in second.values(of: \.values) where values["a"] != nil { break }
    try await second.change(.add("a", 1)).durable()
    for await values in first.values(of: \.values) where values == ["a": 2] { break }
    #expect(first.confirmed.state == second.confirmed.state)
  }

  @Test("fails, and says what to do, when its journal is closed beneath it: by another store that shares the object")
  func closedBeneath() async throws {
    let first = try await open(journal)
    let second = try await open(journal, options: StoreOptions())
    await second.close()
    for await status in first.statuses { if case .failed = status { break } }
    guard case .failed(let error) = first.status else {
      Issue.record("\(first.status)")
      return
    }
    #expect(error.code == .closed && error.description.contains("set `StoreOptions.keepsJournalOpen` in each"), "\(error)")
    #expect(throws: ChangeError<Refusal>.self) { try first.change(.put("a", 1)) }
    for await _ in first.values(of: \.values) {}
    #expect(await first.close().isEmpty)
  }

  @Test("makes its change again on top of what another store wrote first, or drops it and says why")
  func rebase() async throws {
    var deaf = shared
    deaf.followsOthers = false
    let first = try await open(journal, options: deaf)
    // Its first append comes when all three changes are made.
    let simulated = SimulatedJournal(journal)
    let second = try await open(simulated, options: deaf)
    try await first.change(.put("a", 1)).durable()
    simulated.nextAppends(.hold)
    let kept = try second.change(.put("b", 2))
    let lost = try second.change(.put("a", 9))
    let building = try second.change(.note("on a"), requires: lost)
    #expect(second.state.values == ["a": 9, "b": 2])
    await simulated.waitUntilHeld()
    simulated.release()
    #expect(try await kept.confirmed() == 3)
    await #expect(throws: CommitError.dropped(Refusal.duplicate("value", "a"))) { try await lost.durable() }
    await #expect(throws: CommitError<Refusal>.self) { try await building.durable() }
    #expect(second.state.values == ["a": 1, "b": 2] && second.state.notes.isEmpty)
    #expect(throws: ChangeError<Refusal>.requirementDropped) { try second.change(.note("x"), requires: lost) }
  }

  @Test("N threads times M changes: all there, once, and the state is their serial fold")
  func manyThreads() async throws {
    let stores = [try await open(journal), try await open(journal)]
    await withTaskGroup { group in
      for worker in 0..<8 {
        let store = stores[worker % 2]
        group.addTask {
          for number in 0..<100 { _ = try? store.change(.note("\(worker).\(number)")) }
        }
      }
    }
    for store in stores { #expect(await store.close().isEmpty) }
    let end = try await open(journal)
    #expect(end.revision == 801)
    #expect(Set(end.state.notes) == Set((0..<8).flatMap { worker in (0..<100).map { "\(worker).\($0)" } }))
    #expect(end.state.notes.count == 800)
    for worker in 0..<8 {
      let own = end.state.notes.filter { $0.hasPrefix("\(worker).") }
      #expect(own == (0..<100).map { "\(worker).\($0)" }, "one writer's changes keep their order")
    }
    try await journal.verify()
  }

  @Test("group-commits: what waits while an append is under way becomes one append")
  func groupCommit() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let before = simulated.appendCount
    simulated.nextAppends(.hold)
    try store.change(.note("first"))
    await simulated.waitUntilHeld()
    var last: Commit<Board>?
    for number in 0..<500 { last = try store.change(.note("\(number)")) }
    simulated.release()
    try await last?.durable()
    #expect(simulated.appendCount - before == 2)
    #expect(try await journal.head().revision == 502)
  }

  @Test("carries no more than a few thousand changes at a time, so that snapshots are never long overdue")
  func largeBacklog() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let before = simulated.appendCount
    simulated.nextAppends(.hold)
    try store.change(.note("first"))
    await simulated.waitUntilHeld()
    for number in 0..<6_000 { try store.change(.note("\(number)")) }
    let last = try store.change(.put("a", 1))
    simulated.release()
    try await last.durable()
    #expect(simulated.appendCount - before == 4)
    #expect(store.confirmed.state == store.state && store.state.notes.count == 6_001)
    #expect(try await journal.head().revision == 6_003)
  }

  @Test("rides out passing failures and lost answers: nothing is lost or doubled, the caller sees only latency")
  func transient() async throws {
    let clock = TestClock()
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated, options: clock.options(shared))
    let passing = JournalError(.unavailable, journal: "memory", message: "is away for a moment.")
    simulated.nextAppends(.fail(passing), .loseAnswer, .fail(passing), .loseAnswer)
    let commit = try store.change(.note("x"))
    for _ in 0..<4 {
      // The pause, and the timeout of waiting commits.
      await clock.sleepers(2)
      clock.advance(by: .seconds(1))
    }
    #expect(try await commit.confirmed() == 2)
    #expect(store.state.notes == ["x"] && store.status == .open)
    #expect(try await open(journal).state.notes == ["x"])
  }

  @Test("says so when the journal has failed for good: nothing is acknowledged, memory keeps what was not written")
  func permanent() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let broken = JournalError(.failed, journal: "memory", message: "lost its disk.")
    simulated.nextAppends(.fail(broken))
    let commit = try store.change(.note("x"))
    // A failing disk may have stored the change all the same.
    await #expect(throws: CommitError<Refusal>.unknown(broken)) { try await commit.durable() }
    #expect(store.status == .failed(broken))
    #expect(store.state.notes == ["x"] && store.confirmed.state.notes == [])
    #expect(throws: ChangeError<Refusal>.failed(broken)) { try store.change(.note("y")) }
    await #expect(throws: UndoError.failed(broken)) { try await store.undo() }
    var problems = store.problems.makeAsyncIterator()
    #expect(await problems.next()?.description.contains("lost its disk") == true)
    let unwritten = await store.close()
    #expect(unwritten.count == 1)
    #expect(try await journal.head().revision == 1)
  }

  @Test("takes a new origin when its own turns out to be taken")
  func originCollision() async throws {
    var options = shared
    let origins = Lock([Origin.test(1), Origin.test(2), Origin.test(3)])
    options.environment.origin = { origins.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    let store = try await open(journal, options: options)  // origin 1
    // A copy of the process writes with the same origin and sequence number.
    let copied = Entry.Draft(
      kind: .changes, id: EntryID(origin: .test(1), sequence: 2), time: 0, payload: Data(#"[{"note":{"_0":"copy"}}]"#.utf8))
    _ = try await journal.append([copied], after: journal.head())
    let commit = try store.change(.note("mine"))
    #expect(try await commit.confirmed() == 3)
    #expect(store.state.notes == ["copy", "mine"])
    #expect(try await journal.entry(EntryID(origin: .test(2), sequence: 2))?.revision == 3)
  }

  @Test("drops what was made under a lease that another replica has taken over, and nothing else")
  func staleLease() async throws {
    let store = try await open(journal)
    let lease = try await journal.lease("sync", for: .random(), lasting: .zero)
    try await store.change(.note("in time"), under: lease).durable()
    _ = try await journal.lease("sync", for: .random(), lasting: .seconds(60))
    let late = try store.change(.note("late"), under: lease)
    let other = try store.change(.note("other"))
    await #expect(throws: CommitError<Refusal>.staleLease(lease)) { try await late.durable() }
    try await other.durable()
    #expect(store.state.notes == ["in time", "other"])
  }

  @Test("state(at:) is confirmed history by the undos of its time, and an error beyond the head")
  func past() async throws {
    let store = try await open(journal)
    for number in 0..<5 { try store.change(.note("\(number)")) }
    try await store.undo()
    try await store.undo()
    #expect(try await store.state(at: 1) == Board())
    #expect(try await store.state(at: 4).notes == ["0", "1", "2"])
    #expect(try await store.state(at: 6).notes == ["0", "1", "2", "3", "4"])
    #expect(try await store.state(at: 7).notes == ["0", "1", "2", "3"])
    #expect(try await store.state(at: 8).notes == ["0", "1", "2"])
    #expect(try await Store<Board>.state(at: 7, in: journal).notes == ["0", "1", "2", "3"])
    for revision in [0, 9, -1] as [Revision] {
      let error = await #expect(throws: JournalError.self) { try await store.state(at: revision) }
      #expect(error?.code == .noSuchRevision)
    }
  }

  @Test("undo and redo work across restarts, and two stores that undo at once take back two changes")
  func undo() async throws {
    let first = try await open(journal)
    for number in 0..<4 { try first.change(.note("\(number)")) }
    let undone = try await first.undo()
    #expect(undone.records.map(\.revision) == [5] && undone.revision == 6)
    await first.close()
    let second = try await open(journal)
    let third = try await open(journal)
    #expect(second.state.notes == ["0", "1", "2"])
    async let one = second.undo()
    async let two = third.undo()
    let revisions = try await Set([one, two].flatMap { $0.records.map(\.revision) })
    #expect(revisions == [3, 4])
    await second.close()
    let fourth = try await open(journal)
    #expect(fourth.state.notes == ["0"])
    for _ in 0..<3 { try await fourth.redo() }
    #expect(fourth.state.notes == ["0", "1", "2", "3"])
    await #expect(throws: UndoError.nothingToRedo) { try await fourth.redo() }
  }

  @Test("an undo outside the window is an error; a far undo by somebody else is folded all the same")
  func window() async throws {
    var narrow = shared
    narrow.undoWindow = 3
    let store = try await open(journal, options: narrow)
    let wide = try await open(journal)
    for number in 0..<200 { try await store.change(.note("\(number)")).durable() }
    // Undos are entries, too: after two of them the next note is five entries back.
    for _ in 0..<2 { try await store.undo() }
    await #expect(throws: UndoError.outsideWindow(3)) { try await store.undo() }
    for await count in wide.values(of: \.notes.count) where count == 198 { break }
    for _ in 0..<198 { try await wide.undo() }
    for await count in store.values(of: \.notes.count) where count == 0 { break }
    #expect(store.state == Board())
  }

  @Test("in memory does everything but last")
  func memory() async throws {
    let store = Store(Board())
    #expect(try await store.change(.put("a", 1)).confirmed() == 2)
    #expect(throws: ChangeError<Refusal>.self) { try store.change(.add("a", 1), .add("b", 1)) }
    #expect(store.state.values == ["a": 1])
    try await store.undo()
    #expect(store.state == Board())
    try await store.redo()
    #expect(store.state.values == ["a": 1] && store.revision == 4)
    #expect(try await store.state(at: 3) == Board())
    await #expect(throws: JournalError.self) { try await store.state(at: 9) }
    await store.close()
    #expect(throws: ChangeError<Refusal>.closed) { try store.change(.note("x")) }
  }

  @Test("opens while its thread waits, for an app's init")
  func blocking() async throws {
    try await open(journal).change(.note("x")).durable()
    let journal = journal
    let result = await withCheckedContinuation { continuation in
      Thread {
        let result: Result<Store<Board>, any Error> = Result { try Store.openBlocking(Board(), in: { journal }) }
        continuation.resume(returning: result)
      }.start()
    }
    #expect(try result.get().state.notes == ["x"])
    await journal.close()
    let failure = await withCheckedContinuation { continuation in
      Thread {
        let result: Result<Store<Board>, any Error> = Result { try Store.openBlocking(Board(), in: { journal }) }
        continuation.resume(returning: result)
      }.start()
    }
    #expect(throws: JournalError.self) { try failure.get() }
  }

  @Test("close writes what is pending, refuses what comes later, and returns what its deadline left unwritten")
  func close() async throws {
    let clock = TestClock()
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated, options: clock.options(shared))
    simulated.nextAppends(.hold)
    let commit = try store.change(.note("x"))
    await simulated.waitUntilHeld()
    async let unwritten = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    #expect(await unwritten.count == 1)
    await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
    #expect(throws: ChangeError<Refusal>.closed) { try store.change(.note("y")) }
    simulated.release()
  }

  @Test("brakes who makes too many changes, and lets them go on when there is room")
  func ready() async throws {
    var options = shared
    options.pendingLimit = 3
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated, options: options)
    simulated.nextAppends(.hold)
    for number in 0..<3 { try store.change(.note("\(number)")) }
    #expect(throws: ChangeError<Refusal>.full(limit: .changes(3))) { try store.change(.note("x")) }
    await simulated.waitUntilHeld()
    simulated.release()
    try await store.ready()
    try await store.change(.note("3")).durable()
    #expect(store.state.notes == ["0", "1", "2", "3"])
  }

  @Test("stamps never run backwards, and fresh ids are the same after a replay")
  func stamps() async throws {
    let clock = TestClock(microseconds: 1_000_000)
    let store = try await open(journal, options: clock.options(shared))
    try store.change(.mark, .mark)
    clock.set(microseconds: 5)
    try store.change(.mark)
    await store.close()
    let replayed = try await open(journal).state
    #expect(replayed == store.state)
    #expect(Set(replayed.notes.map { $0.prefix(36) }).count == 3)
    #expect(replayed.notes.allSatisfy { $0.hasSuffix(" 1000000") })
  }
}
