import Alter
import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("A store of a journal that is compacted meanwhile", .timeLimit(.minutes(20)))
struct CompactedJournalTests {
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
    options.environment.sleep = { [self] duration in
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

  @Test("writes nothing through a type that wraps the journal and can't look up removed ids")
  func wrapped() async throws {
    let store = try await Store.open(Counter(), in: WrappedJournal(base: journal), options: deaf)
    try await store.change(.add(10)).durable()
    try await growAndCompact(by: 50)
    let head = try await journal.head()
    let failure = try await #require(throws: CommitError<Never>.self) { try await store.change(.add(100)).durable() }
    #expect("\(failure)".contains("WrappedJournal can't tell which changes were written before"), "\(failure)")
    #expect(try await journal.head() == head)
    await store.close()
  }

  @Test("keeps the capabilities of a journal that a type wraps, if that returns them")
  func wrappedWithCapabilities() async throws {
    let wrapped = WrappedJournal(base: journal, keepsCapabilities: true)
    let store = try await Store.open(Counter(), in: wrapped, options: deaf)
    try await store.change(.add(10)).durable()
    try await growAndCompact(by: 50)
    try await store.change(.add(100)).durable()
    #expect(try await Store<Counter>.compact(wrapped, keeping: .last(0)).entries > 0)
    await store.close()
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

  @Test("drops only those undos of a flight whose entries are gone")
  func severalUndos() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Counter(), in: simulated, options: StoreOptions.sharedJournal)
    for number in [10, 20, 40] { try await store.change(.add(number)).durable() }
    try await Store<Counter>.compact(journal, keeping: .from(4))
    // Both undos wait behind a change, and go in one flight.
    simulated.nextAppends(.hold)
    let change = try store.change(.add(100))
    await simulated.waitUntilHeld()
    for _ in 0..<3 { try store.takeBackAtOnce(redo: false) }
    simulated.release()
    try await change.durable()
    #expect(await store.close().isEmpty)
    #expect(store.state.count == 30)
    var lost = 0
    for await problem in store.problems { if case .lost = problem { lost += 1 } }
    #expect(lost == 1)
    #expect(try await Store<Counter>.verify(journal).revision == 7)
  }

  @Test("resumes a change whose entry went below the floor without writing it twice", arguments: [true, false])
  func resumed(isUndo: Bool) async throws {
    let simulated = SimulatedJournal(journal)
    let clock = TestClock()
    let store = try await Store.open(Counter(), in: simulated, options: clock.options(deaf))
    try await store.loadUndoWindow()
    try await store.change(.add(1)).durable()
    simulated.nextAppends(.hold)
    if isUndo { try store.takeBackAtOnce(redo: false) } else { try store.change(.add(10)) }
    await simulated.waitUntilHeld()
    async let closing = store.close(deadline: .seconds(5))
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let leftOver = await closing
    #expect(leftOver.map(\.mayBeWritten) == [true])
    simulated.release()
    while try await journal.head().revision < 3 { await Task.yield() }
    let plan = try await Store<Counter>.compact(journal, keeping: .last(0))
    #expect(plan.floor == 3)
    let again = try await Store.open(Counter(), in: journal, resuming: leftOver, options: deaf)
    #expect(again.state.count == (isUndo ? 0 : 11))
    #expect(try await journal.head().revision == 3)
    await again.close()
  }

  @Test("counts the bytes since a snapshot, although other stores count from another floor")
  func counting() {
    func place(_ revision: Int64, _ written: Int64) -> Snapshot.Place {
      Snapshot.Place(revision: Revision(revision), base: Revision(revision), schema: 1, written: written, size: 5_000)
    }
    func grow(_ rule: inout SnapshotRule, _ range: ClosedRange<Int64>) {
      for number in range { rule.count(Revision(number), 100, as: EntryID(origin: .test(1), sequence: number)) }
    }
    // A store that has counted from the first entry sees a snapshot of a store that counts from the floor 900.
    var old = SnapshotRule(spacing: 10)
    grow(&old, 3...1_000)
    old.see(place(950, 5_000))
    #expect(!old.permits(size: 5_001) && old.permits(size: 4_900))
    grow(&old, 1_001...1_030)
    old.see(place(1_020, 12_000))
    #expect(!old.permits(size: 2_000) && old.permits(size: 900))
    #expect(!old.isDue)
    // A store that counts from the floor sees one of a store that has counted from the first entry.
    var new = SnapshotRule(spacing: 10)
    new.start(from: place(900, 0))
    grow(&new, 901...1_000)
    new.see(place(950, 95_000))
    #expect(!new.permits(size: 5_001) && new.permits(size: 4_900))
    grow(&new, 1_001...1_100)
    #expect(new.isDue)
    // A store begins again, while it makes a snapshot by the old count.
    var making = old
    making.see(place(1_030, 103_000))
    old.begin(again: new)
    old.adopt(making)
    #expect(old.isDue && old.permits(size: 7_000) && !old.permits(size: 7_001))
  }

  @Test("can be compacted without a stored snapshot, as far as no undo reaches across the floor")
  func typed() async throws {
    let store = try await Store.open(Counter(), in: journal, options: StoreOptions.sharedJournal)
    for number in 1...20 { try await store.change(.add(number)).durable() }
    try await store.undo()
    let early = try await journal.compactionPlan(keeping: .last(5))
    #expect(early.entries == 0 && early.limitation?.contains("no stored snapshot") == true)
    // The undo at 22 names 21.
    let plan = try await store.compact(keeping: .last(1))
    #expect(plan.floor == 20 && plan.entries == 20 && plan.head.revision == 22)
    #expect(plan.limitation?.contains("names revision 21") == true)
    #expect(plan.bytes > 0)
    #expect(try await journal.floor() == plan.base)
    #expect(try await store.compact(keeping: .last(1)).entries == 0)
    try await store.redo()
    #expect(store.state.count == 210)
    #expect(try await Store<Counter>.verify(journal).revision == 23)
    // Nothing to do.
    let rest = try await store.compact(keeping: .last(100))
    #expect(rest.entries == 0 && rest.limitation == "the journal has no entries before the ones to keep")
    await store.close()
    let again = try await Store.open(Counter(), in: journal, options: deaf)
    #expect(again.state.count == 210)
    await again.close()
    let inMemory = Store(Counter())
    let error = await #expect(throws: JournalError.self) { try await inMemory.compact(keeping: .last(1)) }
    #expect(error?.code == .failed)
  }

  @Test("is read by a later schema that migrates states, and refused by one that does not; an older version compacts nothing")
  func schemas() async throws {
    let old = try await Store.open(Ledger1(), in: journal, options: deaf)
    for number in 1...10 { try await old.change(.add(number)).durable() }
    try await old.compact(keeping: .last(2))
    let pinned = try await journal.snapshot(at: 9)
    // These migrations do not name older snapshots: the state at the floor can't be read, and nothing changes.
    let refusal = await #expect(throws: JournalError.self) { try await Store.open(Ledger2(), in: journal, options: deaf) }
    #expect(refusal?.code == .undecodable)
    let new = try await Store.open(LaterLedger(), in: journal, options: deaf)
    #expect(new.state.total == 55)
    try await new.change(.add(1)).durable()
    #expect(try await journal.snapshot(at: 9) == pinned)
    let late = await #expect(throws: JournalError.self) { try await Store<Ledger1>.compact(journal, keeping: .last(1)) }
    #expect(late?.code == .newerSchema)
    try await new.compact(keeping: .last(0))
    #expect(try await journal.snapshot(at: 12)?.schema == 2)
    #expect(try await Store<LaterLedger>.verify(journal).revision == 12)
    await new.close()
    await old.close()
  }

  @Test("an outage while the state at the floor is read stays one: an opening throws it, and an open store waits and goes on")
  func outageAtTheFloor() async throws {
    let away = JournalError(.unavailable, journal: "memory", message: "is away.")
    let clock = TestClock()
    let scripted = ScriptedJournal(journal)
    let store = try await Store.open(Counter(), in: scripted, options: clock.options(deaf))
    try await growAndCompact(by: 20)

    for code in [JournalError.Code.unavailable, .cancelled] {
      let unreadable = ScriptedJournal(journal)
      unreadable.fail(.snapshot, with: JournalError(code, journal: "memory", message: "can't be read."))
      let error = await #expect(throws: JournalError.self) { try await Store.open(Counter(), in: unreadable, options: deaf) }
      #expect(error?.code == code)
    }

    scripted.onNext(.snapshot) { _ in throw away }
    let commit = try store.change(.add(1))
    let written = Task { try await commit.durable() }
    // The pause of the writer, and the time limit of its outage.
    await clock.sleepers(2)
    #expect(store.status != .open)
    clock.advance(by: .seconds(1))
    try await written.value
    #expect(store.status == .open && store.state.count == 21)
    await store.close()
  }

}

/// The ledger of a version whose migrations convert states as well as changes.
private struct LaterLedger: Journaled, Hashable {
  enum Change: Hashable, Codable { case entry(String), add(Int), both(String, Int) }
  private(set) var entries: [LedgerLine] = []
  private(set) var total = 0

  static var schema: StateSchema { StateSchema(version: 2, migrations: [.ledger1to2], snapshotsFrom: 1) }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .entry(let text): entries.append(LedgerLine(id: stamp.uuid(), text: text))
    case .add(let number): total += number
    case .both(let text, let number):
      entries.append(LedgerLine(id: stamp.uuid(), text: text))
      total += number
    }
  }
}

/// A journal of an app that forwards the calls of the public protocol.
private struct WrappedJournal: Journal {
  let base: MemoryJournal
  var keepsCapabilities = false

  var name: String { "wrapped" }
  var capabilities: JournalCapabilities { keepsCapabilities ? base.capabilities : JournalCapabilities(of: self) }
  func head() async throws(JournalError) -> Head { try await base.head() }
  func role() async throws(JournalError) -> JournalRole { try await base.role() }
  func floor() async throws(JournalError) -> Head? { try await base.floor() }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try await base.entries(after: revision, limit: limit)
  }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? { try await base.entry(id) }
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    try await base.append(drafts, after: head, in: turn, under: leases)
  }
  func takeTurn() async throws(JournalError) -> Turn { try await base.takeTurn() }
  func waitForEntry(after revision: Revision) async throws(JournalError) { try await base.waitForEntry(after: revision) }
  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await base.lease(name, for: holder, lasting: duration)
  }
  func release(_ lease: Lease) async throws(JournalError) { try await base.release(lease) }
  func leases() async throws(JournalError) -> [Lease] { try await base.leases() }
  func keep(_ snapshot: Snapshot) async throws(JournalError) { try await base.keep(snapshot) }
  func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try await base.snapshots(upTo: revision, limit: limit)
  }
  func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { try await base.snapshot(at: revision) }
  func removeSnapshot(at revision: Revision) async throws(JournalError) { try await base.removeSnapshot(at: revision) }
  func verifyStorage() async throws(JournalError) { try await base.verifyStorage() }
  func close() async { await base.close() }
}
