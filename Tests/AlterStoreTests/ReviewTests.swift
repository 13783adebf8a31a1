import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@testable import AlterStore

// A review of the store asked how it can lose, double, stall or mislead. Each test shows a fault that it found and that is mended, or refutes a suspicion. In 'undoneEntry' the parts
// 0 to 2 fail; part 3 shows that the same records, read from a snapshot, are no fault.

private struct Paid1: Journaled, Hashable {
  enum Change: Hashable, Codable { case pay(Int), note(String) }
  private(set) var total = 0
  private(set) var notes: [String] = []
  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .pay(let amount): total += amount
    case .note(let text): notes.append(text)
    }
  }
}

private struct Paid2: Journaled, Hashable {
  enum Change: Hashable, Codable { case pay(Int), note(String) }
  typealias Failure = Refusal
  private(set) var total = 0
  private(set) var notes: [String] = []
  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .pay(let amount):
      guard amount <= 100 else { throw .custom("too much") }
      total += amount
    case .note(let text): notes.append(text)
    }
  }
}

/// Not comparable, and with a set: its stored form has no order.
private struct Bag: Journaled {
  enum Change: Hashable, Codable { case put(String), take(String) }
  private(set) var items: Set<String> = []
  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .put(let item): items.insert(item)
    case .take(let item): items.remove(item)
    }
  }
}

private final class HookJournal: ForwardingJournal {
  let base: any Journal
  let beforeAppend = Lock<(@Sendable () async -> Void)?>(nil)
  let readFailure = Lock<JournalError?>(nil)
  let stray = Lock<Entry.Draft?>(nil)
  let isTransient = Lock(false)
  let lookUps = Lock(0)
  init(_ base: any Journal) { self.base = base }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    if let error = readFailure.withLock({ $0 }) { throw error }
    return try await base.entries(after: revision, limit: limit)
  }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    if lookUps.withLock({
      $0 += 1; return $0
    }) > 100 {
      throw JournalError(.damaged, journal: name, message: "was asked 100 times.")
    }
    return try await base.entry(id)
  }
  func head() async throws(JournalError) -> Head {
    if let error = readFailure.withLock({ $0 }) { throw error }
    return try await base.head()
  }
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    let hook = beforeAppend.withLock { hook in
      defer { hook = nil }
      return hook
    }
    if let hook { await hook() }
    if let draft = stray.withLock({ draft in
      defer { draft = nil }; return draft
    }) {
      let between = try await base.append([draft], after: head)
      let code: JournalError.Code = isTransient.withLock { $0 } ? .unavailable : .damaged
      defer { readFailure.withLock { $0 = JournalError(code, journal: "memory", message: "can't be read.") } }
      return try await base.append(drafts, after: between.head, in: turn, under: leases)
    }
    return try await base.append(drafts, after: head, in: turn, under: leases)
  }
}

/// A journal with random delays, outages and lost answers.
private final class FaultyJournal: ForwardingJournal {
  let base: any Journal
  private let generator: Lock<SeededGenerator>
  let busy = Lock(0)
  init(_ base: any Journal, seed: UInt64) {
    self.base = base
    generator = Lock(SeededGenerator(seed: seed))
  }
  private func roll(_ count: Int) -> Int { generator.withLock { Int.random(in: 0..<count, using: &$0) } }
  private func dawdle() async { for _ in 0..<(roll(3) == 0 ? roll(200) : 0) { await Task.yield() } }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    await dawdle()
    let entry = try await base.entry(id)
    await dawdle()
    return entry
  }
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    busy.withLock { $0 += 1 }
    defer { busy.withLock { $0 -= 1 } }
    await dawdle()
    if roll(6) == 0 { throw JournalError(.unavailable, journal: name, message: "is away.") }
    let appended = try await base.append(drafts, after: head, in: turn, under: leases)
    await dawdle()
    if roll(6) == 0 { throw JournalError(.unknownOutcome, journal: name, message: "gave no answer.") }
    return appended
  }
}

@Suite("Findings of a review", .timeLimit(.minutes(20)))
struct ReviewTests {
  private let journal = MemoryJournal()
  private var shared: StoreOptions {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return options
  }
  private var deaf: StoreOptions {
    var options = shared
    options.followsOthers = false
    return options
  }

  private func heldStore(_ simulated: SimulatedJournal, _ clock: TestClock, scope: UndoScope = .journal) async throws -> Store<Board> {
    var options = clock.options(deaf)
    options.scope = scope
    return try await Store.open(Board(), in: simulated, options: options)
  }

  private func closeAtDeadline<State>(_ store: Store<State>, _ clock: TestClock) async -> [Unwritten<State>] {
    async let closing = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    return await closing
  }

  private func undo(_ ids: EntryID..., by number: UInt8) async throws {
    let draft = Entry.Draft(
      kind: .undo, id: EntryID(origin: .test(number), sequence: 1), time: 0, payload: try JournalCoding.encode(Entry.Targets(ids)))
    _ = try await journal.append([draft], after: journal.head())
  }

  // MARK: Refused at replay

  @Test(
    "refused: an entry that was taken back stops the opening, the running store and verify, although the state does not have it",
    arguments: 0..<4)
  func undoneEntry(part: Int) async throws {
    let running = part == 1 ? try await Store.open(Paid2(), in: journal, options: shared) : nil
    let old = try await Store.open(Paid1(), in: journal, options: shared)
    let commit = try old.change(.pay(150))
    if part != 1 { try await commit.durable() }
    try await old.undo()
    try await old.change(.pay(50)).durable()
    await old.close()
    switch part {
    case 0:
      let store = try await Store.open(Paid2(), in: journal, options: shared)
      #expect(store.state.total == 50)
    case 1:
      while running!.status == .open, running!.revision < 4 { await Task.yield() }
      #expect(running!.status == .open)
    case 2: try await Store<Paid2>.verify(journal)
    default:
      // The same journal, opened from a snapshot whose base is before the entry: opens.
      var records: [Record<Paid2>] = []
      try await Store<Paid2>.entries(in: journal) { records.append($0) }
      var unexplained: [History<Paid2>.Refused] = []
      let history = History(base: Paid2(), at: 1, records: Array(records.dropFirst()), window: 10, unexplained: &unexplained)
      #expect(history.state.total == 50 && unexplained.isEmpty)
    }
  }

  @Test("refused: an unrelated later undo hides a stricter check from the opening")
  func lenient() throws {
    func record(_ number: Int64, _ kind: Record<Paid2>.Kind) -> Record<Paid2> {
      Record(revision: Revision(number), id: EntryID(origin: .test(1), sequence: number), time: number, kind: kind)
    }
    let records = [
      record(11, .changes([.note("before")])), record(12, .changes([.pay(150)])),
      record(13, .undo([EntryID(origin: .test(1), sequence: 11)])),
    ]
    var unexplained: [History<Paid2>.Refused] = []
    _ = History(base: Paid2(), at: 10, records: records, window: 100, unexplained: &unexplained)
    #expect(unexplained.map(\.revision) == [12])
  }

  // MARK: Resuming

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
    let hooked = HookJournal(journal)
    hooked.beforeAppend.withLock { hook in
      hook = { [journal] in
        simulated.release()
        while ((try? await journal.head().revision) ?? 2) < 2 { await Task.yield() }
      }
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

  @Test(
    "FAILS SOMETIMES: resuming: random schedules with outages, lost answers, deadlines: everything exactly once",
    arguments: 0..<24 as Range<UInt64>)
  func resumeRandom(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let faulty = FaultyJournal(journal, seed: seed)
    var options = deaf
    options.followsOthers = seed % 2 == 0
    options.outageTimeout = .seconds(seed % 3 == 0 ? 1 : 30)
    options.sleep = { _ in for _ in 0..<3 { await Task.yield() } }
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
    while faulty.busy.withLock({ $0 }) > 0 { await Task.yield() }
    await last.close()
    let notes = try await Store.open(Board(), in: journal, options: deaf).state.notes.filter { !$0.hasPrefix("other") }
    let counts = Dictionary(notes.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(counts.filter { $0.value > 1 }.isEmpty, "doubled")
    #expect(made.filter { counts[$0] == nil }.isEmpty, "lost")
  }

  // MARK: Landing

  @Test("landing: what the journal has said to have is reported as unwritten when the reading after it fails")
  func landedThenUnreadable() async throws {
    let hooked = HookJournal(journal)
    let store = try await Store.open(Board(), in: hooked, options: deaf)
    hooked.stray.withLock {
      $0 = Entry.Draft(
        kind: .changes, id: EntryID(origin: .test(8), sequence: 1), time: 0, payload: Data(#"[{"note":{"_0":"theirs"}}]"#.utf8))
    }
    let commit = try store.change(.note("mine"))
    let result = await commit.result()
    guard case .failure(.unknown) = result else {
      Issue.record("\(result)")
      hooked.readFailure.withLock { $0 = nil }
      let leftOver = await store.close()
      #expect(leftOver.map(\.mayBeWritten) == [true])
      #expect(try await journal.entry(commit.id) != nil)
      return
    }
  }

  @Test("landing: after an outage behind such an append, what was written is written again under another id")
  func landedThenAway() async throws {
    let hooked = HookJournal(journal)
    hooked.isTransient.withLock { $0 = true }
    let opened = Lock<Store<Board>?>(nil)
    let sleeps = Lock(0)
    var options = deaf
    options.outageTimeout = .milliseconds(5)
    options.sleep = { _ in
      guard
        sleeps.withLock({
          $0 += 1; return $0
        }) == 2
      else { return }
      hooked.readFailure.withLock { $0 = nil }
      _ = try? opened.withLock { $0 }?.change(.note("second"))
    }
    let store = try await Store.open(Board(), in: hooked, options: options)
    opened.withLock { $0 = store }
    hooked.stray.withLock {
      $0 = Entry.Draft(
        kind: .changes, id: EntryID(origin: .test(8), sequence: 1), time: 0, payload: Data(#"[{"note":{"_0":"theirs"}}]"#.utf8))
    }
    _ = await (try store.change(.note("mine"))).result()
    await store.close()
    opened.withLock { $0 = nil }
    #expect(try await Store.open(Board(), in: journal, options: deaf).state.notes == ["theirs", "mine", "second"])
  }

  #if DEBUG
    @Test("determinism: a state that is not comparable and holds a set is reported by a debug build", arguments: 0..<4)
    func setsInMemory(run: Int) async throws {
      let store = Store(Bag())
      for number in 0..<100 { try store.change(.put("\(run) \(number)")) }
      await store.close()
      for await problem in store.problems { Issue.record("\(problem)") }
    }
  #endif

  // MARK: Absent ids

  @Test("absent: an entry that an earlier undo has named is left out of the next snapshot", arguments: [true, false])
  func staleMark(isRunning: Bool) async throws {
    var options = deaf
    options.undoWindow = 10
    options.snapshotSpacing = .max
    let filling = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<100 { try await filling.change(.note("\(number)")).durable() }
    await filling.close()
    options.snapshotSpacing = 30
    options.followsOthers = true
    let stranger = EntryID(origin: .test(77), sequence: 5)
    let running = isRunning ? try await Store.open(Board(), in: journal, options: options) : nil
    await running?.finishSnapshot()
    try await undo(stranger, by: 9)
    if let running { while running.revision < 102 { await Task.yield() } }
    let late = Entry.Draft(kind: .changes, id: stranger, time: 0, payload: Data(#"[{"note":{"_0":"late"}}]"#.utf8))
    _ = try await journal.append([late], after: journal.head())
    let store: Store<Board>
    if let running { store = running } else { store = try await Store.open(Board(), in: journal, options: options) }
    while store.revision < 103 { await Task.yield() }
    for number in 0..<35 { try await store.change(.note("after \(number)")).durable() }
    #expect(store.state.notes.count { $0 == "late" } == 1)
    await store.close()
    let again = try await Store.open(Board(), in: journal, options: options)
    #expect(again.state == store.state)
    #expect(again.state.notes.count { $0 == "late" } == 1, "in what is opened again")
    await #expect(throws: Never.self) { try await Store<Board>.verify(journal) }
    await again.close()
  }

  @Test("absent: an entry that an earlier undo has named disappears when a later one is refused at a rebase")
  func staleMarkAtRebase() throws {
    func record(_ number: Int64, _ kind: Record<Board>.Kind, origin: UInt8 = 1) -> Record<Board> {
      Record(revision: Revision(number), id: EntryID(origin: .test(origin), sequence: number), time: number, kind: kind)
    }
    var history = History(Board(), at: 1, window: 100)
    _ = history.append(record(2, .undo([EntryID(origin: .test(1), sequence: 3)])))
    _ = history.append(record(3, .changes([.note("late")])))
    #expect(history.state.notes == ["late"])
    #expect(throws: Refusal.self) { try history.attempt(record(4, .changes([.add("none", 1)]))) }
    #expect(history.state.notes == ["late"])
  }

  @Test("absent: many undos of absent ids in one page cost no more than reading them one by one", arguments: [30, 60, 110])
  func manyAbsent(count: Int) async throws {
    let running = try await Store.open(Board(), in: journal, options: deaf)
    var options = deaf
    options.undoWindow = 100
    let filler = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<400 { try filler.change(.note("\(number)")) }
    await filler.close()
    let reader = try await Store.open(Board(), in: journal, options: options)
    var drafts: [Entry.Draft] = []
    for number in 0..<count {
      drafts.append(
        Entry.Draft(
          kind: .undo, id: EntryID(origin: .test(9), sequence: Int64(number + 1)), time: 0,
          payload: try JournalCoding.encode(Entry.Targets([EntryID(origin: .test(77), sequence: Int64(number + 1))]))))
    }
    _ = try await journal.append(drafts, after: journal.head())
    let clock = ContinuousClock()
    let running1 = try await clock.measure { _ = try await reader.readOthers(after: reader.revision) }
    let opening = try await clock.measure { _ = try await Store.open(Board(), in: journal, options: options) }
    print("ATTACK manyAbsent \(count): running \(running1), opening \(opening)")
    _ = running
    // Ten times what opening the same journal takes is generous: it is quadratic in the number of such undos in a page, under the store's lock.
    #expect(running1 < opening * 10)
  }

  @Test("absent: one undo of an absent id stops a running store for ever when its history lets go of records in the same page")
  func endlessAbsent() async throws {
    var options = deaf
    options.undoWindow = 10
    let filler = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<200 { try filler.change(.note("\(number)")) }
    _ = await filler.close()
    let hooked = HookJournal(journal)
    let reader = try await Store.open(Board(), in: hooked, options: options)
    let writer = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<50 { try writer.change(.note("more \(number)")) }
    await writer.close()
    try await undo(EntryID(origin: .test(77), sequence: 1), by: 9)
    // The look-ups are what the endless loop does; the hook ends it.
    do throws(JournalError) { _ = try await reader.readOthers(after: reader.revision) } catch { #expect(error.code != .damaged) }
    #expect(hooked.lookUps.withLock { $0 } <= 3)
    #expect(reader.state.notes.count == 250)
  }

  // MARK: Values

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

  // MARK: Snapshots of others

  @Test("compare: a state that is not comparable and holds a set is reported as non-deterministic")
  func sets() async throws {
    var options = deaf
    options.undoWindow = 4
    options.snapshotSpacing = 10
    var stores: [Store<Bag>] = []
    for _ in 0..<2 { stores.append(try await Store.open(Bag(), in: journal, options: options)) }
    for number in 0..<400 {
      try await stores[number % 2].change(.put("\(number)")).durable()
      if number % 3 == 0 { try await stores[(number + 1) % 2].change(.take("\(number / 2)")).durable() }
      if number % 40 == 0 {
        await stores[0].close()
        stores[0] = try await Store.open(Bag(), in: journal, options: options)
      }
    }
    var problems: [StoreProblem] = []
    for store in stores {
      await store.close()
      for await problem in store.problems { problems.append(problem) }
    }
    #expect(problems.isEmpty, "\(problems.count): \(problems.first.map { "\($0)" } ?? "")")
  }

  @Test("verify: a state that is not comparable and holds a set is sound")
  func setsVerified() async throws {
    var options = deaf
    options.undoWindow = 4
    options.snapshotSpacing = 10
    for _ in 0..<5 {
      let store = try await Store.open(Bag(), in: journal, options: options)
      for number in 0..<40 { try await store.change(.put("\(number)"), .take("\(number / 2)")).durable() }
      await store.close()
    }
    await #expect(throws: Never.self) { try await Store<Bag>.verify(journal) }
  }

  // MARK: change([])

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

  // MARK: Closing

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
    for _ in 0..<10_000 where weakly != nil { await Task.yield() }
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

  // MARK: Random stores

  private func defined(_ journal: MemoryJournal) async throws -> (state: Board, suppressed: Set<Revision>) {
    var records: [Record<Board>] = []
    try await Store<Board>.entries(in: journal) { records.append($0) }
    return definedState(of: records)
  }

  @Test(
    "random: several stores with scopes, windows, snapshots, answers, observers: every opening works and is right",
    arguments: 0..<24 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let journal = MemoryJournal()
    func options() -> StoreOptions {
      var options = StoreOptions()
      options.keepsJournalOpen = true
      options.followsOthers = Bool.random(using: &generator)
      options.scope = [.journal, "a", "b"].randomElement(using: &generator)!
      options.undoWindow = [0, 2, 7, 30, 1_000].randomElement(using: &generator)!
      options.snapshotSpacing = [3, 10, 40, .max].randomElement(using: &generator)!
      return options
    }
    final class Seen: Sendable { let revisions = Lock<[Revision]>([]) }
    var stores: [(store: Store<Board>, seen: Seen?, token: ObservationToken?)] = []
    func open() async throws -> (Store<Board>, Seen?, ObservationToken?) {
      let store = try await Store.open(Board(), in: journal, options: options())
      guard Bool.random(using: &generator) else { return (store, nil, nil) }
      let seen = Seen()
      let token = store.observe { record, _ in if let record { seen.revisions.withLock { $0.append(record.revision) } } }
      return (store, seen, token)
    }
    func end(_ index: Int) async throws {
      let (store, seen, token) = stores[index]
      #expect(store.isOpen, "seed \(seed): \(store.status)")
      #expect(await store.close().isEmpty)
      token?.cancel()
      for await problem in store.problems {
        if case .lost = problem { continue }
        Issue.record("seed \(seed): \(problem)")
      }
      if let revisions = seen?.revisions.withLock({ $0 }), let first = revisions.first {
        #expect(revisions == (0..<revisions.count).map { first + $0 }, "seed \(seed)")
      }
    }
    for _ in 0..<3 { stores.append(try await open()) }
    for step in 0..<120 {
      let index = Int.random(in: 0..<stores.count, using: &generator)
      let store = stores[index].store
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<4: _ = try? await store.undo()
      case 4..<7: _ = try? await store.redo()
      case 7: Task { _ = try? await store.undo() }
      case 8:
        let last = try await Store<Board>.entries(
          in: max(1, Revision(journal.head().revision.number - 3))...journal.head().revision, of: journal)
        _ = try? store.change(.random(using: &generator), cause: Cause(answers: last.randomElement(using: &generator)!.id))
      case 9 where step % 2 == 0:
        try await end(index)
        stores[index] = try await open()
      case 10: _ = try? store.reset(to: Board().alter(.put("a", 1)))
      case 11..<15: _ = try? store.change(.random(using: &generator), .random(using: &generator))
      default: _ = try? await store.change(.random(using: &generator)).durable()
      }
      if step % 4 == 0 {
        var reading = options()
        reading.snapshotSpacing = .max
        reading.followsOthers = false
        let before = try await journal.head().revision
        let reader = try await Store.open(Board(), in: journal, options: reading)
        if try await journal.head().revision == before, reader.revision == before {
          let expected = try await defined(journal)
          if try await journal.head().revision == before { #expect(reader.state == expected.state, "seed \(seed), revision \(before)") }
        }
        await reader.close()
        for await problem in reader.problems { Issue.record("seed \(seed), opening: \(problem)") }
      }
    }
    for index in stores.indices { try await end(index) }
    let expected = try await defined(journal)
    #expect(expected.suppressed.isEmpty, "seed \(seed)")
    try await Store<Board>.verify(journal)
    for window in [0, 3, 1_000] {
      var options = deaf
      options.undoWindow = window
      let store = try await Store.open(Board(), in: journal, options: options)
      #expect(store.state == expected.state)
      await store.close()
    }
    let head = try await journal.head().revision
    for _ in 0..<6 {
      let revision = Revision(Int64.random(in: 1...head.number, using: &generator))
      var records: [Record<Board>] = []
      try await Store<Board>.entries(in: journal) { if $0.revision <= revision { records.append($0) } }
      #expect(try await Store<Board>.state(at: revision, in: journal) == definedState(of: records).state, "seed \(seed), at \(revision)")
    }
  }
}
