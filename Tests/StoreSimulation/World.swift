import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import SimulatedThreads

@testable import AlterStore

/// One schedule: a journal, its stores, the tasks that use them, and the known facts about all of them.
///
/// `@unchecked Sendable`: only the thread that has the baton uses it. Its methods hand over the baton only where their comments say so, and
/// the semaphore that carries the baton orders memory accesses.
final class World: @unchecked Sendable {
  /// The current schedule. It is global, because the scheduler's callbacks have no context.
  nonisolated(unsafe) static var current: World!
  /// The laws whose violation ends the run.
  nonisolated(unsafe) static var laws = Set(Law.allCases)
  /// The number of events of each kind, over all schedules.
  nonisolated(unsafe) static var counts: [Event: Int] = [:]
  nonisolated(unsafe) static var isTalkative = false

  enum Phase { case acting, ending, ended }

  let plan: Plan
  let clock = TestClock(microseconds: 1_000_000)
  let base: MemoryJournal
  var random: SeededGenerator
  var phase = Phase.acting
  var wavesLeft: Int
  var definition = Definition()
  var participants: [Participant] = []
  var journals: [SimulatedJournal] = []
  /// The turns that stores have taken.
  var turns: [HeldTurn] = []
  /// Whether the journal is unavailable to all stores, until the weather changes.
  var isAway = false
  var tasks: [SimulatedTask] = []
  var followers: [Follower] = []
  var readings: [Reading] = []
  var made: [EntryID: Made] = [:]
  /// The commits that were reported as unwritten, with the reason. `dropped` has those that were dropped because of other writers' work.
  var never: [EntryID: String] = [:]
  /// The changes that a closing has returned, and that another store has been opened with.
  var resumed: Set<EntryID> = []
  var dropped: [EntryID: String] = [:]
  /// For each lease, the newest epoch known to be granted, and the end of the journal at that time.
  var leases: [String: (epoch: Int64, revision: Revision)] = [:]
  private var lastOrigin: UInt8 = 0
  private var events: [String] = []
  private var isChecking = false

  init(_ plan: Plan) {
    self.plan = plan
    wavesLeft = plan.waves
    random = SeededGenerator(seed: plan.seed ^ 0x5707_5707)
    let clock = clock
    base = MemoryJournal(id: JournalID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))) { clock.now }
  }

  // MARK: Events

  func count(_ event: Event) { Self.counts[event, default: 0] += 1 }

  /// Records an event for the report of a failure.
  func note(_ text: @autoclosure () -> String) {
    let text = "\(simulation_steps()) \(text())"
    events.append(text)
    if events.count > 120 { events.removeFirst(60) }
    if Self.isTalkative { print(text) }
  }

  /// Ends the process with the report of a failure, unless the law is not checked.
  func fail(_ law: Law, _ text: String) {
    guard Self.laws.contains(law) else { return }
    print(events.suffix(60).joined(separator: "\n"))
    print("FAILED \(law.rawValue): \(text)")
    print("seed \(plan.seed), \(simulation_steps()) steps. To run it again: store-simulation --seed \(plan.seed) --steps 1 --talk")
    fflush(nil)
    _exit(1)
  }

  /// A new id for a replica.
  func origin() -> Origin {
    lastOrigin += 1
    return Origin(UUID(uuid: (lastOrigin, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, lastOrigin)))
  }

  /// Starts a task.
  ///
  /// - Parameters:
  ///   - name: The name in the report of a failure.
  ///   - isBackground: Whether the task may still wait when the schedule ends.
  @discardableResult
  func start(_ name: String, isBackground: Bool = false, _ body: @escaping @Sendable (SimulatedTask) async -> Void) -> SimulatedTask {
    let task = SimulatedTask(name, isBackground: isBackground)
    tasks.append(task)
    task.handle = Task.detached {
      await body(task)
      task.isDone = true
    }
    return task
  }

  /// The outcome of a call of a journal.
  func fault(reading isReading: Bool = false) -> SimulatedJournal.Fault {
    guard phase == .acting else { return .pass }
    if isAway { return .fail(JournalError(.unavailable, journal: "memory", message: "is away.")) }
    expireTurn()
    func happens(_ chances: Int, _ event: Event) -> Bool {
      guard chances > 0, random.oneIn(chances) else { return false }
      count(event)
      note("fault: \(event.rawValue)")
      return true
    }
    if happens(plan.holds, isReading ? .slowReading : .hold) { return .hold }
    if happens(plan.losses, .loss) { return .loseAnswer }
    if happens(plan.failures, .failure) { return .fail(JournalError(.unavailable, journal: "memory", message: "is not available.")) }
    if happens(plan.breakdowns, .breakdown) { return .fail(JournalError(.failed, journal: "memory", message: "has failed.")) }
    return .pass
  }

  /// Ends a turn early, possibly before its holder has appended.
  private func expireTurn() {
    turns.removeAll { $0.turn == nil }
    guard let turn = turns.last?.turn, random.oneIn(3) else { return }
    turns.removeLast()
    count(.expiredTurn)
    note("a turn expires")
    turn.end()
  }

  /// Makes user code slow that the store calls, so that other threads overtake it.
  func stall() {
    guard phase == .acting, random.oneIn(plan.slowness) else { return }
    count(.stall)
    simulation_stall(Int32(random.pick([10, 100, 1_000])))
  }

  // MARK: The journal

  /// Reads new entries of the journal. The baton stays with this thread.
  func refresh() {
    simulation_enter()
    defer { simulation_leave() }
    if plan.isInMemory {
      guard let store = participants.first?.store else { return }
      let records = store.core.withLock { $0.replica.history.records }
      if definition.records.isEmpty {
        append(Record(revision: 1, id: EntryID(origin: .none, sequence: 1), time: 0, kind: .initial(Bank())))
      }
      for record in records where record.revision > definition.revision { append(record) }
      return
    }
    let known = definition.revision
    for entry in read({ try? await $0.entries(after: known, limit: 10_000) }) ?? [] {
      guard let record = try? RecordCoding<Bank>.json.record(entry, "memory") else {
        return fail(.once, "an entry can't be read: \(entry)")
      }
      append(record)
    }
  }

  /// The number of snapshots in the journal.
  func snapshotCount() -> Int { read { try? await $0.snapshots(upTo: Revision(.max), limit: 1_000) }?.count ?? 0 }

  /// Calls the journal directly, between two steps.
  private func read<Value: Sendable>(_ body: @escaping @Sendable (MemoryJournal) async -> Value?) -> Value? {
    simulation_enter()
    defer { simulation_leave() }
    let (base, answer) = (base, Answer<Value>())
    Task.detached { answer.value = await body(base) }
    simulation_run_aside()
    return answer.value
  }

  private func append(_ record: Record<Bank>) {
    note("journal: \(record.revision) is \(record.id) \(record.kind)")
    if let there = definition.places[record.id] { fail(.once, "\(record.id) is there twice: at \(there) and at \(record.revision)") }
    if let reason = never[record.id] { fail(.unwritten, "\(record.id) is at \(record.revision), but \(reason)") }
    definition.append(record)
    if let made = made[record.id] { check(made, at: record.revision) }
  }

  /// Registers a new commit.
  func register(_ commit: Made) {
    made[commit.id] = commit
    if let revision = definition.places[commit.id] { check(commit, at: revision) }
  }

  /// Registers that a commit was reported as unwritten.
  func expectNever(_ id: EntryID, because reason: String) {
    never[id] = reason
    refresh()
    if let revision = definition.places[id] { fail(.unwritten, "\(id) is at \(revision), but \(reason)") }
  }

  private func check(_ made: Made, at revision: Revision) {
    let record = definition.records[Int(revision.number) - 1]
    if let changes = made.changes, case .changes(let there) = record.kind, changes != there {
      fail(.once, "\(made.id) was made as \(changes), and \(revision) is \(there)")
    }
    if let requirement = made.requirement, let reason = dropped[requirement] {
      fail(.requirement, "\(made.id) is at \(revision) and requires \(requirement), but \(reason)")
    }
    if let lease = made.lease, let known = leases[lease.name], known.epoch > lease.epoch, revision > known.revision {
      fail(.lease, "\(made.id) is at \(revision) under epoch \(lease.epoch), after epoch \(known.epoch) was granted at \(known.revision)")
    }
  }

  // MARK: Steps

  /// Checks the laws after each decision of the scheduler.
  func afterStep() {
    guard !isChecking else { return }
    isChecking = true
    for participant in participants { participant.check() }
    isChecking = false
  }
}

/// The result of a task outside of the schedule.
///
/// `@unchecked Sendable`: the task runs to its end on the thread that then reads the result.
private final class Answer<Value>: @unchecked Sendable {
  var value: Value?
}

/// A task of the schedule.
///
/// `@unchecked Sendable`: like ``World``.
final class SimulatedTask: @unchecked Sendable {
  let name: String
  let isBackground: Bool
  var doing = "beginning"
  var isDone = false
  var handle: Task<Void, Never>?

  init(_ name: String, isBackground: Bool) {
    self.name = name
    self.isBackground = isBackground
  }
}

/// A commit that a store has returned.
struct Made {
  let commit: Commit<Bank>
  let changes: [Bank.Change]?
  let requirement: EntryID?
  let lease: Lease?
  var id: EntryID { commit.id }
}
