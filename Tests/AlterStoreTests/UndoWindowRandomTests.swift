import Alter
import AlterCore
import AlterTesting
import ProcessTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Stores with their undo window in memory, and stores that read it when it is needed", .timeLimit(.minutes(20)))
struct UndoWindowRandomTests {
  @Test(
    "random: give the same answers and write the same entries, which lead to the state by definition",
    arguments: Effort.seeds(short: 4, full: 24))
  func random(seed: UInt64) async throws {
    var with = try await Script(seed: seed, .atOpening)
    try await with.run()
    var without = try await Script(seed: seed, .whenNeeded)
    try await without.run()
    for (step, (expected, found)) in zip(with.log, without.log).enumerated() {
      try #require(found == expected, "seed \(seed), line \(step), after \(without.log[..<step].suffix(3))")
    }
    #expect(with.log.count == without.log.count)
    #expect(with.readings == 0 && without.readings > 3, "seed \(seed)")
    #expect(without.disturbed > 0, "seed \(seed)")
  }
}

/// A random script for several stores on one journal. Apart from the seed, only the moment of the reading of undo windows differs from run to
/// run, so everything else must be the same. Nothing that is drawn depends on an outcome.
private struct Script {
  private struct Participant {
    let store: Store<Board>
    let handle: Handle
  }

  /// The journal of one store.
  private final class Handle: Sendable {
    /// Whether appends are held.
    let holdsAppends = Lock(false)
    /// The fault of a read, and the number of reads before it; nil for none.
    let fault = Lock<(after: Int, fault: SimulatedJournal.Fault)?>(nil)
    let journal: SimulatedJournal

    init(_ base: any Journal) {
      let (holdsAppends, fault) = (holdsAppends, fault)
      journal = SimulatedJournal(
        base, onAppend: { _ in holdsAppends.withLock { $0 } ? .hold : .pass },
        onRead: { _ in
          fault.withLock { fault in
            guard let (after, kind) = fault else { return .pass }
            fault = after > 0 ? (after - 1, kind) : nil
            return after > 0 ? .pass : kind
          }
        })
    }
  }

  private(set) var log: [String] = []
  /// The number of readings that were begun, and of those that were held, cancelled, failed or closed.
  private(set) var readings = 0
  private(set) var disturbed = 0
  private var failures = 0
  private var generator: SeededGenerator
  private let loading: UndoWindowLoading
  private let memory = MemoryJournal()
  private let origins = Lock(UInt8(1))
  private var participants: [Participant] = []
  private var records: [Record<Board>] = []

  init(seed: UInt64, _ loading: UndoWindowLoading) async throws {
    generator = SeededGenerator(seed: seed)
    self.loading = loading
    for _ in 0..<3 { participants.append(try await open()) }
  }

  private mutating func draw(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  private mutating func open() async throws -> Participant {
    let handle = Handle(memory)
    var options = StoreOptions.notFollowing
    options.undoWindowLoading = loading
    options.undoWindow = [2, 7, 30, 1_000].randomElement(using: &generator)!
    options.snapshotSpacing = [3, 10, 40].randomElement(using: &generator)!
    options.scope = [.journal, "a", "b"].randomElement(using: &generator)!
    options.environment.now = { 0 }
    options.environment.sleep = { _ in await Task.yield() }
    options.environment.origin = { [origins] in
      origins.withLock { number in
        number += 1
        return .test(number)
      }
    }
    return Participant(store: try await Store.open(Board(), in: handle.journal, options: options), handle: handle)
  }

  // MARK: - Steps

  mutating func run() async throws {
    for _ in 0..<120 { try await step() }
    for participant in participants {
      await participant.store.rest()
      log.append("closed: \(await participant.store.close().count)")
      for await problem in participant.store.problems {
        switch problem {
        case .lost: continue
        // A read of a snapshot has failed.
        case .snapshotIgnored where failures > 0: continue
        default: break
        }
        Issue.record("\(problem)")
      }
    }
    try await Store<Board>.verify(memory)
    try await readRecords()
    log += records.map { "\($0.revision) \($0.id) \($0.scope) \($0.kind)" }
  }

  private mutating func step() async throws {
    let index = draw(0...participants.count - 1)
    let participant = participants[index]
    let other = participants[(index + draw(1...participants.count - 1)) % participants.count].store
    let store = participant.store
    switch draw(0...26) {
    case 0..<4: await takeBack(store, redo: false)
    case 4..<6: await takeBack(store, redo: true)
    case 6..<9: await pendingWork(participant, other)
    case 9: await preview(store)
    case 10:
      try await store.readOthers()
      log.append("read: \(store.revision)")
    case 11..<14: await held(participant, other)
    case 14: await cancelled(participant)
    case 15: await failing(participant)
    case 16: participants[index] = try await closedMeanwhile(participant)
    case 17..<21:
      log.append("closed: \(await store.close().count)")
      participants[index] = try await open()
    case 21: await outcome { () throws(ChangeError<Refusal>) in try store.reset(to: Board()) }
    default: await change(store)
    }
    try await check(participants[index].store)
  }

  /// Compares the state with the definition.
  private mutating func check(_ store: Store<Board>) async throws {
    try await readRecords()
    let (state, revision) = store.confirmed
    log.append("\(revision): \(state.values.sorted { $0.key < $1.key }) \(state.notes)")
    #expect(store.state == state)
    try #require(definedState(of: Array(records.prefix(Int(revision.number)))).state == state)
  }

  private mutating func readRecords() async throws {
    let known = Revision(Int64(records.count))
    let end = try await memory.head().revision
    guard end > known else { return }
    records += try await Store<Board>.entries(in: known.next...end, of: memory)
  }

  private mutating func outcome(_ make: () throws(ChangeError<Refusal>) -> Commit<Board>) async {
    let result: String
    do throws(ChangeError<Refusal>) { result = "\(await (try make()).result())" } catch { result = "\(error)" }
    log.append(result)
  }

  private mutating func change(_ store: Store<Board>) async {
    let changes = (0..<draw(1...2)).map { _ in Board.Change.random(using: &generator) }
    await outcome { () throws(ChangeError<Refusal>) in try store.change(changes) }
  }

  private mutating func takeBack(_ store: Store<Board>, redo: Bool) async {
    if mustRead(store) { readings += 1 }
    do throws(UndoError) {
      let undone = redo ? try await store.redo() : try await store.undo()
      log.append("\(redo ? "redone" : "undone") at \(undone.revision): \(undone.records.map(\.revision))")
    } catch {
      log.append("\(error)")
    }
  }

  private mutating func load(_ store: Store<Board>) async {
    if mustRead(store) { readings += 1 }
    do throws(UndoError) { try await store.loadUndoWindow() } catch { log.append("not loaded: \(error)") }
  }

  private mutating func preview(_ store: Store<Board>) async {
    await load(store)
    log.append("\(store.undoSteps.steps.undoable)")
    for redo in [false, true] {
      do throws(UndoError) {
        let preview = redo ? try store.previewRedo() : try store.previewUndo()
        log.append("would take back \(preview.records.map(\.revision)): \(preview.state.notes)")
      } catch {
        log.append("\(error)")
      }
    }
  }

  /// Work of all kinds is made while an append is held, and the window is read behind pending work. Then another store comes first.
  private mutating func pendingWork(_ participant: Participant, _ other: Store<Board>) async {
    let store = participant.store
    let first = (0..<draw(1...3)).map { _ in Board.Change.random(using: &generator) }
    let takesBack = (0..<draw(0...2)).map { _ in Bool.random(using: &generator) }
    let second = (0..<draw(0...2)).map { _ in Board.Change.random(using: &generator) }
    let otherUndoes = draw(0...2) == 0
    participant.handle.holdsAppends.withLock { $0 = true }
    var commits: [Commit<Board>] = []
    for change in first {
      do throws(ChangeError<Refusal>) { commits.append(try store.change(change)) } catch { log.append("\(error)") }
    }
    if !commits.isEmpty {
      await participant.handle.journal.waitUntilHeld()
      if !takesBack.isEmpty { await load(store) }
      for redo in takesBack {
        do throws(UndoError) { try store.takeBackAtOnce(redo: redo) } catch { log.append("\(error)") }
      }
      for change in second {
        do throws(ChangeError<Refusal>) { commits.append(try store.change(change)) } catch { log.append("\(error)") }
      }
      log.append("pending: \(store.state.notes)")
    }
    if otherUndoes { await takeBack(other, redo: false) } else { await change(other) }
    participant.handle.holdsAppends.withLock { $0 = false }
    participant.handle.journal.release()
    for commit in commits { log.append("\(await commit.result())") }
    while !store.isAtRest { await Task.yield() }
  }

  // MARK: - Readings that are disturbed

  private func finish(_ store: Store<Board>) async {
    while store.core.withLock({ $0.undoWindowLoading != nil }) { await Task.yield() }
  }

  /// Whether the store must read its window.
  private func mustRead(_ store: Store<Board>) -> Bool {
    store.core.withLock { store.lacksUndoWindow($0) && !$0.replica.history.isComplete }
  }

  /// Begins to read the window, and holds one of the reads; nil if the store need not read.
  private mutating func beginReading(_ participant: Participant, after reads: Int) async -> Task<UndoError?, Never>? {
    let store = participant.store
    // Otherwise a read of the snapshot might be held.
    await store.rest()
    guard mustRead(store) else { return nil }
    (readings, disturbed) = (readings + 1, disturbed + 1)
    participant.handle.fault.withLock { $0 = (reads, .hold) }
    let task = Task { () -> UndoError? in
      do throws(UndoError) { try await store.loadUndoWindow() } catch { return error }
      return nil
    }
    await participant.handle.journal.waitUntilHeld()
    return task
  }

  /// Changes are made while the window is read.
  private mutating func held(_ participant: Participant, _ other: Store<Board>) async {
    let (reads, count, otherUndoes) = (
      draw(0...2), [0, 1, 1, 3, 3, 3, 5, 70].randomElement(using: &generator)!, Bool.random(using: &generator)
    )
    let reading = await beginReading(participant, after: reads)
    for _ in 0..<count { await change(participant.store) }
    if otherUndoes { await takeBack(other, redo: false) } else { await change(other) }
    await change(participant.store)
    participant.handle.journal.release()
    if let reading { #expect(await reading.value == nil) }
  }

  private mutating func cancelled(_ participant: Participant) async {
    let reads = draw(0...2)
    guard let reading = await beginReading(participant, after: reads) else { return }
    reading.cancel()
    #expect(await reading.value == .windowNotLoaded(nil))
    participant.handle.journal.release()
    await finish(participant.store)
  }

  private mutating func failing(_ participant: Participant) async {
    let reads = draw(0...4)
    await participant.store.rest()
    guard mustRead(participant.store) else { return }
    (readings, disturbed, failures) = (readings + 1, disturbed + 1, failures + 1)
    let error = JournalError(.unavailable, journal: "memory", message: "is away.")
    participant.handle.fault.withLock { $0 = (reads, .fail(error)) }
    do throws(UndoError) { try await participant.store.loadUndoWindow() } catch {
      #expect(error == .windowNotLoaded(JournalError(.unavailable, journal: "memory", message: "is away.")))
      #expect(participant.store.lacksUndoWindow)
    }
    participant.handle.fault.withLock { $0 = nil }
  }

  private mutating func closedMeanwhile(_ participant: Participant) async throws -> Participant {
    let reads = draw(0...2)
    let reading = await beginReading(participant, after: reads)
    let closing = Task { await participant.store.close().count }
    while participant.store.status != .closed { await Task.yield() }
    participant.handle.journal.release()
    if let reading { #expect(await reading.value == .closed) }
    log.append("closed: \(await closing.value)")
    return try await open()
  }
}
