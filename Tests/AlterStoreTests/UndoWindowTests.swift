import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("The undo window that is read when it is needed", .timeLimit(.minutes(20)))
struct UndoWindowTests {
  let journal = MemoryJournal()

  /// Options of a store that reads its window when it is needed, and makes snapshots.
  func options(_ loading: UndoWindowLoading = .whenNeeded, window: Int = 20, spacing: Int = 100) -> StoreOptions {
    var options = StoreOptions.notFollowing
    options.undoWindow = window
    options.snapshotSpacing = spacing
    options.undoWindowLoading = loading
    return options
  }

  func open(
    _ journal: (any Journal)? = nil, _ loading: UndoWindowLoading = .whenNeeded, resuming leftOver: [Unwritten<Board>] = []
  ) async throws -> Store<Board> {
    try await Store.open(Board(), in: journal ?? self.journal, resuming: leftOver, options: options(loading))
  }

  /// Fills the journal with notes, with a snapshot about every hundred entries.
  func fill(_ count: Int, _ loading: UndoWindowLoading = .whenNeeded) async throws {
    let store = try await open(nil, loading)
    for number in 0..<count {
      try await store.change(.note("\(number)")).durable()
      if number % 50 == 0 { await store.rest() }
    }
    await store.close()
  }

  @Test("is neither read nor kept by an opening, and the first undo reads it")
  func onDemand() async throws {
    try await fill(210)
    let counting = ScriptedJournal(journal)
    let store = try await open(counting)
    // Every snapshot has its base at its head.
    #expect(counting.entriesRead < 20)
    #expect(store.lacksUndoWindow)
    #expect(store.undoSteps.steps == UndoSteps())
    #expect(throws: UndoError.windowNotLoaded(nil)) { try store.previewUndo() }
    #expect(throws: UndoError.windowNotLoaded(nil)) { try store.previewRedo() }
    #expect(throws: UndoError.windowNotLoaded(nil)) { try store.takeBackAtOnce(redo: false) }
    #expect(store.state.notes.count == 210 && store.revision == 211)
    let undone = try await store.undo()
    #expect(undone.revision == 212 && undone.records.map(\.revision) == [211])
    #expect(!store.lacksUndoWindow)
    let read = counting.entriesRead
    for count in (202...208).reversed() {
      try await store.undo()
      #expect(store.state.notes.count == count)
      #expect(try store.previewUndo().state.notes.count == count - 1)
    }
    #expect(counting.entriesRead == read)
    await store.close()
  }

  @Test("is read for the previews, once, however many callers wait")
  func shared() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    simulated.nextReads(.hold)
    let first = Task { () -> UndoError? in
      do throws(UndoError) { try await store.loadUndoWindow() } catch { return error }
      return nil
    }
    await simulated.waitUntilHeld()
    let loading = try #require(store.core.withLock { $0.undoWindowLoading?.task })
    let second = Task { try await store.undo() }
    // A cancelled caller leaves at once, and the reading continues.
    first.cancel()
    #expect(await first.value == .windowNotLoaded(nil))
    #expect(throws: UndoError.windowNotLoaded(nil)) { try store.previewUndo() }
    #expect(store.core.withLock { $0.undoWindowLoading?.task } == loading)
    simulated.release()
    #expect(try await second.value.revision == 152)
    #expect(try store.previewUndo().records.map(\.revision) == [150])
    let reads = simulated.readCount
    try await store.loadUndoWindow()
    #expect(simulated.readCount == reads)
    await store.close()
  }

  @Test("is read with the opening by a store that follows others, and by stores that cannot read it later")
  func whenNotOnDemand() async throws {
    try await fill(150)
    #expect(try await open(nil, .automatic).lacksUndoWindow)
    var following = options(.automatic)
    following.followsOthers = true
    let follower = try await Store.open(Board(), in: journal, options: following)
    #expect(!follower.lacksUndoWindow)
    await follower.close()
    #expect(!(try await open(nil, .atOpening)).lacksUndoWindow)
    let silent = try await Store.open(Board(), in: journal, options: options(spacing: .max))
    #expect(!silent.lacksUndoWindow)
    let memory = Store(Board(), options: options())
    try memory.change(.note("x"))
    #expect(try memory.previewUndo().state == Board())
  }

  @Test("cannot be read while the journal is away: nothing happens, and a later undo succeeds", arguments: 0..<4)
  func away(passing: Int) async throws {
    try await fill(150)
    let error = JournalError(.unavailable, journal: "memory", message: "is away.")
    // The number of reads before the outage; nil for none.
    let outage = Lock<Int?>(nil)
    let simulated = SimulatedJournal(
      journal, onAppend: { _ in .pass },
      onRead: { _ in
        outage.withLock { passing in
          guard let left = passing else { return .pass }
          passing = max(0, left - 1)
          return left > 0 ? .pass : .fail(error)
        }
      })
    let store = try await open(simulated)
    outage.withLock { $0 = passing }
    let before = store.state
    await #expect(throws: UndoError.windowNotLoaded(error)) { try await store.undo() }
    #expect(store.state == before && store.status == .open && store.revision == 151 && store.lacksUndoWindow)
    outage.withLock { $0 = nil }
    try await store.change(.note("meanwhile")).durable()
    try await store.undo()
    #expect(store.state == before)
    await store.close()
  }

  @Test("is not read again after a permanent error, until the store is opened again")
  func permanentError() async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let damaged = JournalError(.damaged, journal: "memory", message: "is damaged.")
    simulated.nextReads(.fail(damaged))
    await #expect(throws: UndoError.windowNotLoaded(damaged)) { try await store.undo() }
    let reads = simulated.readCount
    await #expect(throws: UndoError.windowNotLoaded(damaged)) { try await store.undo() }
    await #expect(throws: UndoError.windowNotLoaded(damaged)) { try await store.loadUndoWindow() }
    #expect(simulated.readCount == reads)
    #expect(!UndoError.windowNotLoaded(damaged).description.contains("Try again"))
    let passing = JournalError(.unavailable, journal: "memory", message: "is away.")
    #expect(UndoError.windowNotLoaded(passing).description.contains("Try again"))
    // The store itself goes on.
    try await store.change(.note("more")).durable()
    await store.close()
    let again = try await open(simulated)
    try await again.undo()
    #expect(again.state.notes.count == 150)
    await again.close()
  }

  @Test("is followed by the entries that are confirmed while it is read: few, or more than the store keeps", arguments: [3, 500])
  func changedMeanwhile(count: Int) async throws {
    try await fill(150)
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    // Past the first read, the end of the fold is fixed.
    simulated.nextReads(.pass, .hold)
    async let loading: Void = store.loadUndoWindow()
    await simulated.waitUntilHeld()
    for number in 0..<count { try await store.change(.note("new \(number)")).durable() }
    simulated.release()
    try await loading
    #expect(!store.lacksUndoWindow)
    #expect(store.revision == Revision(Int64(151 + count)))
    for _ in 0..<2 { try await store.undo() }
    #expect(store.state.notes.last == "new \(count - 3)" || count < 3)
    #expect(store.state.notes.count == 148 + count)
    await store.close()
    try await compareWithDefinition(store.state)
  }

  @Test("is read once, if more is confirmed meanwhile than the store keeps: the rest is read from the journal")
  func insistent() async throws {
    try await fill(150)
    let busy = ScriptedJournal(journal)
    var options = options()
    // No snapshot of the store itself lists the snapshots.
    options.snapshotSpacing = 1_000_000
    let store = try await Store.open(Board(), in: busy, options: options)
    let listings = busy.count(.snapshots)
    busy.onEach(.snapshots) { [weak store] call in
      guard let store else { return }
      for index in 0..<700 { _ = try? await store.change(.note("\(call.number) \(index)")).durable() }
    }
    // The changes are the store's own, so the undo is about none of them.
    await #expect(throws: UndoError.windowNotLoaded(nil)) { try await store.undo() }
    #expect(!store.lacksUndoWindow)
    #expect(busy.count(.snapshots) - listings == 1)
    try await store.undo()
    #expect(store.state.notes.count == 150 + 700 - 1)
    await store.close()
    try await compareWithDefinition(store.state)
  }

  @Test("that leads to another state than the store has is refused: the state does not change, and a problem is reported")
  func otherState() async throws {
    try await fill(150)
    let head = try await journal.head()
    let payload = Array(#"{"values":{"x":1},"notes":[]}"#.utf8)
    try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 100_000, payload: .init(payload)))
    let store = try await open()
    let shown = store.state
    #expect(shown.values == ["x": 1])
    await #expect {
      try await store.undo()
    } throws: {
      if case UndoError.windowNotLoaded(let error?) = $0 { error.code == .damaged && error.revision == 151 } else { false }
    }
    #expect(store.state == shown && store.lacksUndoWindow)
    await store.close()
    var reported: [Revision] = []
    for await problem in store.problems { if case .nondeterministic(let revision, _) = problem { reported.append(revision) } }
    #expect(reported == [151])
    // The next opening does not start from that snapshot.
    let again = try await open()
    #expect(again.state.values.isEmpty && again.state.notes.count == 150)
    try await again.undo()
    await again.close()
    try await compareWithDefinition(again.state)
  }

  @Test("is read at the opening if an undo is left over, which is written")
  func leftOver() async throws {
    try await fill(150)
    let (clock, simulated) = (TestClock(), SimulatedJournal(journal))
    var held = clock.options(options())
    held.undoWindow = 20
    let store = try await Store.open(Board(), in: simulated, options: held)
    try await store.loadUndoWindow()
    simulated.nextAppends(.fail(JournalError(.failed, journal: "memory", message: "has failed.")))
    try store.takeBackAtOnce(redo: false)
    while store.isOpen { await Task.yield() }
    let leftOver = await store.close()
    #expect(leftOver.count == 1)
    let other = try await open()
    try await other.change(.note("other")).durable()
    await other.close()
    let next = try await open(resuming: leftOver)
    #expect(!next.lacksUndoWindow)
    // The undo reverts the last entry of its scope, wherever it has its place.
    #expect(next.revision == 153 && next.state.notes.count == 150 && next.state.notes.last == "149")
    await next.close()
    // Changes alone need no window.
    let last = try await Store.open(Board(), in: simulated, options: held)
    simulated.nextAppends(.fail(JournalError(.failed, journal: "memory", message: "has failed.")))
    try last.change(.note("resumed"))
    while last.isOpen { await Task.yield() }
    let resumed = try await open(resuming: await last.close())
    #expect(resumed.lacksUndoWindow && resumed.state.notes.last == "resumed")
    await resumed.close()
  }

  @Test("is read for an undo of another replica that reaches beyond the newest entries")
  func otherReplica() async throws {
    try await fill(250)
    let store = try await Store.open(Board(), in: journal, options: options(window: 200))
    let other = try await Store.open(Board(), in: journal, options: options(.atOpening, window: 200))
    for _ in 0..<80 { try await other.undo() }
    #expect(store.lacksUndoWindow)
    try await store.readOthers()
    #expect(store.state == other.state && store.state.notes.count == 170)
    #expect(!store.lacksUndoWindow)
    #expect(try await store.redo().revision == 332)
    await store.close()
    await other.close()
  }

  @Test("does not hide a stricter check, however few entries the store keeps", arguments: [UndoWindowLoading.atOpening, .whenNeeded])
  func stricter(loading: UndoWindowLoading) async throws {
    // There are no snapshots, which would contain the entry's effect.
    let old = try await Store.open(Lenient(), in: journal, options: options(loading, spacing: 1_000_000))
    try await old.change(.pay(1)).durable()
    var following = options(loading, spacing: 1_000_000)
    following.followsOthers = true
    let running = try await Store.open(Strict(), in: journal, options: following)
    // One append, so that the reader finds all of it at once.
    try await old.change(.pay(1)).durable()
    let held = SimulatedJournal(journal)
    let writer = try await Store.open(Lenient(), in: held, options: options(loading, spacing: 1_000_000))
    held.nextAppends(.hold)
    try writer.change(.pay(1))
    await held.waitUntilHeld()
    try writer.change(.pay(150))
    for _ in 0..<300 { try writer.change(.pay(1)) }
    held.release()
    await writer.close()
    while running.isOpen { await Task.yield() }
    guard case .failed(let error) = running.status else { return #expect(Bool(false), "\(running.status)") }
    #expect(error.code == .refusedAtReplay)
    await #expect {
      _ = try await Store.open(Strict(), in: journal, options: options(loading, spacing: 1_000_000))
    } throws: {
      ($0 as? JournalError)?.code == .refusedAtReplay
    }
    await old.close()
  }

  @Test("is no reason to remember skipped entries that the store has released", arguments: [UndoWindowLoading.atOpening, .whenNeeded])
  func skipped(loading: UndoWindowLoading) async throws {
    var skipping = options(loading, spacing: 1_000_000)
    skipping.refusedAtReplay = .skip
    let writer = try await Store.open(Lenient(), in: journal, options: options(loading, spacing: 1_000_000))
    try await writer.change(.pay(1)).durable()
    let running = try await Store.open(Strict(), in: journal, options: skipping)
    for number in 0..<300 { try writer.change(.pay(number < 3 ? 150 : 1)) }
    await writer.close()
    try await running.readOthers()
    #expect(running.state.total == 298)
    let opened = try await Store.open(Strict(), in: journal, options: skipping)
    #expect(opened.state.total == 298)
    for store in [running, opened] {
      #expect(store.core.withLock { $0.replica.history.base > 5 && $0.replica.history.released.isEmpty })
      await store.close()
    }
  }

  @Test("may have any length", arguments: [Int.max / 4 - 1, .max / 2 - 1, .max - 1, .max])
  func longest(window: Int) async throws {
    let store = try await Store.open(Board(), in: journal, options: options(window: window, spacing: 3))
    for number in 0..<10 { try await store.change(.note("\(number)")).durable() }
    await store.rest()
    await store.close()
    let again = try await Store.open(Board(), in: journal, options: options(window: window, spacing: 3))
    for count in (0..<10).reversed() {
      try await again.undo()
      #expect(again.state.notes.count == count)
    }
    await again.close()
  }

  @Test("is the default of `Stores`, which close no store while it is read")
  func stores() async throws {
    let simulated = Lock<SimulatedJournal?>(nil)
    let disk = MemoryDisk(wrapping: { key, journal in
      guard key == "a" else { return journal }
      let wrapped = SimulatedJournal(journal)
      simulated.withLock { $0 = wrapped }
      return wrapped
    })
    var options = StoreOptions()
    options.environment.sleep = { _ in await Task.yield() }
    var budget = StoresBudget(stores: 1)
    budget.timeout = .seconds(1_000_000_000)
    let stores = Stores(in: disk.places, budget: budget, options: options) { _ in Board() }
    do {
      let store = try await stores["a"]
      // More than a store without its window keeps.
      for number in 0..<200 { try await store.change(.note("\(number)")).durable() }
      #expect(store.lacksUndoWindow)
      #expect(throws: UndoError.windowNotLoaded(nil)) { try store.previewUndo() }
      // The task that reads is the only one that holds the store.
      simulated.withLock { $0 }?.nextReads(.hold)
      let waiting = Task { try await store.loadUndoWindow() }
      await simulated.withLock { $0 }?.waitUntilHeld()
      waiting.cancel()
      _ = await waiting.result
    }
    let other = Task { try await stores["b"] }
    while stores.report.waiting == 0 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(stores.report.waiting == 1 && disk.openKeys == ["a"])
    simulated.withLock { $0 }?.release()
    _ = try await other.value
    #expect(disk.clashes == 0 && disk.mostHandles == 1)
    await stores.close()
  }

  @Test("another replica's undo of an older entry does not make the store fold the journal while it has the journal's turn")
  func otherReplicaInTurn() async throws {
    try await fill(250)
    let turns = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: turns, options: options(window: 200))
    let other = try await Store.open(Board(), in: journal, options: options(.atOpening, window: 200))
    for _ in 0..<80 { try await other.undo() }
    try await store.change(.note("new")).durable()
    #expect(turns.count(.turn) == 2 && !turns.calls(.snapshots).contains(where: \.isInTurn))
    #expect(store.state.notes.count == 171 && !store.lacksUndoWindow)
    await store.close()
    await other.close()
    try await compareWithDefinition(store.state)
  }

  @Test("is not read if the store has the whole journal in memory")
  func wholeJournal() async throws {
    let counting = ScriptedJournal(journal)
    let store = try await open(counting)
    for number in 0..<10 { try await store.change(.note("\(number)")).durable() }
    let read = counting.entriesRead
    #expect(store.lacksUndoWindow)
    try await store.undo()
    #expect(store.state.notes.count == 9)
    #expect(counting.entriesRead == read && !store.lacksUndoWindow)
    await store.close()
  }

  // MARK: - Snapshots

  @Test("is kept by an opening that reads a long journal from its beginning, whose snapshot makes the next reading short")
  func noSnapshot() async throws {
    // As in a copied journal.
    let filling = try await Store.open(Board(), in: journal, options: options(spacing: .max))
    for number in 0..<400 { try await filling.change(.note("\(number)")).durable() }
    await filling.close()
    let first = try await open()
    #expect(!first.lacksUndoWindow)
    await first.rest()
    await first.close()
    let counting = ScriptedJournal(journal)
    let second = try await open(counting)
    #expect(second.lacksUndoWindow)
    let read = counting.entriesRead
    try await second.loadUndoWindow()
    #expect(counting.entriesRead - read < 100)
    await second.close()
  }

  @Test("finds a snapshot close to the end, although only stores without it make snapshots", arguments: [5, 40])
  func passingSnapshots(window: Int) async throws {
    // A state that grows with each change: all snapshots near the end are passing ones.
    let counting = ScriptedJournal(journal)
    let small = options(window: window, spacing: 20)
    func command(_ number: Int) async throws {
      let store = try await Store.open(Board(), in: counting, options: small)
      try await store.change(.note("\(number) \(String(repeating: "x", count: 50))")).durable()
      await store.close()
    }
    for number in 0..<300 { try await command(number) }
    var most = 0
    var passing = 0
    for number in 300..<400 {
      try await command(number)
      let places = try await journal.snapshots(upTo: Revision(.max), limit: 100)
      passing = max(passing, SnapshotRule.passing(among: places, isAll: true).count)
      let store = try await Store.open(Board(), in: counting, options: small)
      let before = counting.entriesRead
      try await store.loadUndoWindow()
      most = max(most, counting.entriesRead - before)
      await store.close()
    }
    #expect(passing == 3 || window < 20 && passing > 1)
    #expect(most < window + 150)
    try await Store<Board>.verify(journal)
  }

  @Test("spares the newest snapshot that lies a window back, and the oldest of those that don't yet")
  func spared() {
    func place(_ revision: Int64, base: Int64) -> Snapshot.Place {
      Snapshot.Place(revision: Revision(revision), base: Revision(base), schema: 1, written: 0, size: 1)
    }
    let places = [place(98, base: 98), place(95, base: 95), place(92, base: 92), place(90, base: 80), place(80, base: 80)]
    #expect(SnapshotRule.spared(among: places, for: 10, before: 100) == [90, 92])
    #expect(SnapshotRule.spared(among: places, for: 5, before: 100) == [95, 98])
    #expect(SnapshotRule.spared(among: places, for: 1, before: 100) == [98])
    #expect(SnapshotRule.spared(among: places, for: 50, before: 100) == [80])
    // No snapshot serves a fold with an unlimited window.
    #expect(SnapshotRule.spared(among: places, for: .max, before: 100) == [])
    #expect(SnapshotRule.spared(among: [], for: 10, before: 100) == [])
  }

  // MARK: - The definition

  func compareWithDefinition(_ state: Board) async throws {
    var records: [Record<Board>] = []
    try await Store<Board>.entries(in: journal) { records.append($0) }
    #expect(definedState(of: records).state == state)
    try await Store<Board>.verify(journal)
  }
}

private struct Lenient: Journaled, Hashable {
  enum Change: Hashable, Codable { case pay(Int) }
  private(set) var total = 0
  mutating func apply(_ change: Change, at stamp: Stamp) { if case .pay(let amount) = change { total += amount } }
}

private struct Strict: Journaled, Hashable {
  enum Change: Hashable, Codable { case pay(Int) }
  typealias Failure = Refusal
  private(set) var total = 0
  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    guard case .pay(let amount) = change, amount <= 100 else { throw .custom("too much") }
    total += amount
  }
}
