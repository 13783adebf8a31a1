import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Resuming what a store left over", .timeLimit(.minutes(20)))
struct ResumingTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing

  @Test("resuming: what was on its way arrives between the look-up and the append")
  func resumeRace() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await heldStore(simulated, clock)
    simulated.nextAppends(.hold)
    try store.change(.note("sent"))
    await simulated.waitUntilHeld()
    try store.change(.note("behind"))
    let leftOver = await closeAtDeadline(store, clock)
    #expect(leftOver.map(\.mayBeWritten) == [true, false])
    let hooked = ScriptedJournal(journal)
    hooked.onNext(.append) { [journal] _ in
      simulated.release()
      while try await journal.head().revision < 2 { await Task.yield() }
    }
    let again = try await Store.open(Board(), in: hooked, resuming: leftOver, options: deaf)
    #expect(again.state.notes == ["sent", "behind"])
  }

  @Test("resuming: an undo that was made anew at the first resuming is made a second time at the second")
  func resumeUndoTwice() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await heldStore(simulated, clock)
    for text in ["1", "2", "3", "4"] { try await store.change(.note(text)).durable() }
    simulated.nextAppends(.hold)
    let undone = Task { try? await store.undo() }
    await simulated.waitUntilHeld()
    let other = try await Store.open(Board(), in: journal, options: deaf)
    try await other.undo()
    let leftOver = await closeAtDeadline(store, clock)
    _ = await undone.value
    #expect(leftOver.count == 1)
    let first = try await Store.open(Board(), in: journal, resuming: leftOver, options: deaf)
    #expect(first.state.notes == ["1", "2"])
    await first.close()
    let second = try await Store.open(Board(), in: journal, resuming: leftOver, options: deaf)
    #expect(second.state.notes == ["1", "2"])
    simulated.release()
  }

  @Test("resuming: an undo of one scope, resumed by a store of another, takes back the other scope's work")
  func resumeScope() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let alice = try await heldStore(simulated, clock, scope: "alice")
    try await alice.change(.note("alice")).durable()
    var bobs = deaf
    bobs.scope = "bob"
    let bob = try await Store.open(Board(), in: journal, options: bobs)
    try await bob.change(.note("bob")).durable()
    simulated.nextAppends(.hold)
    let undone = Task { try? await alice.undo() }
    await simulated.waitUntilHeld()
    let leftOver = await closeAtDeadline(alice, clock)
    _ = await undone.value
    let again = try await Store.open(Board(), in: journal, resuming: leftOver, options: bobs)
    #expect(again.state.notes == ["bob"])
    simulated.release()
  }

  @Test("resuming: in another order, what is lost is reported")
  func resumeReversed() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await heldStore(simulated, clock)
    simulated.nextAppends(.hold)
    try store.change(.put("a", 1))
    try store.change(.note("x"))
    await simulated.waitUntilHeld()
    let leftOver = await closeAtDeadline(store, clock)
    #expect(leftOver.count == 2)
    let other = try await Store.open(Board(), in: journal, options: deaf)
    try await other.change(.put("a", 2)).durable()
    let again = try await Store.open(Board(), in: journal, resuming: leftOver.reversed(), options: deaf)
    await again.close()
    var lost: [EntryID] = []
    for await problem in again.problems { if case .lost(let id, _) = problem { lost.append(id) } }
    #expect(again.state.notes == ["x"])
    #expect(lost == [leftOver[0].record.id])
    simulated.release()
  }

  @Test("resuming: more than several appends carry, with undos among them")
  func resumeMany() async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await heldStore(simulated, clock)
    simulated.nextAppends(.hold)
    var undos: [Task<Void, Never>] = []
    for number in 0..<7_000 {
      try store.change(.note("\(number)"))
      if number % 3_000 == 2_999 {
        let version = store.core.withLock { $0.version }
        undos.append(Task { _ = try? await store.undo() })
        while store.core.withLock({ $0.version }) == version { await Task.yield() }
      }
    }
    await simulated.waitUntilHeld()
    let shown = store.state
    let leftOver = await closeAtDeadline(store, clock)
    let again = try await Store.open(Board(), in: journal, resuming: leftOver, options: deaf)
    #expect(again.state == shown)
    #expect(again.revision == Revision(Int64(leftOver.count) + 1))
    simulated.release()
    let third = try await Store.open(Board(), in: journal, resuming: leftOver, options: deaf)
    #expect(third.state == shown && third.revision == again.revision)
    for undo in undos { await undo.value }
  }

  /// A journal with random delays, outages and lost answers.
  private func faultyJournal(seed: UInt64) -> ScriptedJournal {
    let generator = Lock(SeededGenerator(seed: seed))
    @Sendable func roll(_ count: Int) -> Int { generator.withLock { Int.random(in: 0..<count, using: &$0) } }
    @Sendable func dawdle() async { for _ in 0..<(roll(3) == 0 ? roll(200) : 0) { await Task.yield() } }
    let faulty = ScriptedJournal(journal)
    faulty.onEach([.entry, .append]) { call in
      await dawdle()
      if call.kind == .append, roll(6) == 0 { throw JournalError(.unavailable, journal: "memory", message: "is away.") }
    }
    faulty.afterEach([.entry, .append]) { call in
      await dawdle()
      if call.kind == .append, roll(6) == 0 { throw JournalError(.unknownOutcome, journal: "memory", message: "gave no answer.") }
    }
    return faulty
  }

  @Test(
    "writes everything once, in random schedules with outages, lost answers and deadlines",
    arguments: 0..<24 as Range<UInt64>)
  func resumeRandom(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let faulty = faultyJournal(seed: seed)
    var options = deaf
    options.followsOthers = seed % 2 == 0
    options.outageTimeout = .seconds(seed % 3 == 0 ? 1 : 30)
    options.environment.sleep = { _ in for _ in 0..<3 { await Task.yield() } }
    let other = try await Store.open(Board(), in: journal, options: deaf)
    var made: [String] = []
    var leftOver: [Unwritten<Board>] = []
    for round in 0..<8 {
      var opened: Store<Board>?
      while opened == nil {
        do throws(JournalError) { opened = try await Store.open(Board(), in: faulty, resuming: leftOver, options: options) } catch {
          guard error.isTransient else { throw error }
        }
      }
      let store = try #require(opened)
      for number in 0..<Int.random(in: 1...5, using: &generator) {
        let text = "\(round).\(number)"
        guard let commit = try? store.change(.note(text)) else { break }
        made.append(text)
        if Int.random(in: 0..<3, using: &generator) == 0 { _ = try? await commit.durable() }
        if Int.random(in: 0..<5, using: &generator) == 0 { try await other.change(.note("other \(text)")).durable() }
      }
      let deadline: Duration? = Int.random(in: 0..<4, using: &generator) == 0 ? nil : .zero
      leftOver = await store.close(deadline: deadline)
    }
    let last = try await Store.open(Board(), in: journal, resuming: leftOver, options: deaf)
    while faulty.running(.append) > 0 { await Task.yield() }
    await last.close()
    let notes = try await Store.open(Board(), in: journal, options: deaf).state.notes.filter { !$0.hasPrefix("other") }
    let counts = Dictionary(notes.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(counts.filter { $0.value > 1 }.isEmpty, "doubled")
    #expect(made.filter { counts[$0] == nil }.isEmpty, "lost")
  }
}
