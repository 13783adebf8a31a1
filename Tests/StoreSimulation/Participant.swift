import AlterCore
import AlterJournal
import AlterTesting

@testable import AlterStore

/// A store under test, with the known facts about it.
///
/// `@unchecked Sendable`: like ``World``.
final class Participant: @unchecked Sendable {
  let world: World
  let number: Int
  let store: Store<Bank>
  let journal: SimulatedJournal?
  var isClosing = false
  var isClosed = false
  /// The deadline of `close`, in elapsed time of the simulated clock.
  var closeDue: Duration?
  /// The ids that `close` returned.
  var handedBack: [EntryID] = []
  /// All commits, and the unresolved ones.
  var commits: [Made] = []
  var unresolved: [Made] = []
  /// The commits that were reported as failed, and those that may be in the journal.
  var failed: [EntryID] = []
  var doubtful: [EntryID] = []
  /// The resumed changes that were reported as lost, and those that must be, because other writers' work has made them impossible.
  var lost: Set<EntryID> = []
  var mustBeLost: [EntryID] = []
  var observers: [SimulatedObserver] = []
  var telling = Telling()
  private var last: Sight?

  private struct Sight {
    let version: Int64
    let revision: Revision
    let shown: Bank
  }

  init(_ store: Store<Bank>, on journal: SimulatedJournal?, in world: World) {
    self.store = store
    self.journal = journal
    self.world = world
    number = world.participants.count + 1
  }

  // MARK: Laws

  /// Compares the visible state of the store with the definition.
  func check() {
    let (now, confirmed, pending) = store.core.withLock { core in
      (
        Sight(version: core.version, revision: core.replica.history.revision, shown: core.replica.state), core.replica.history.state,
        core.replica.leftOver.map(\.record)
      )
    }
    if last?.version != now.version || last?.revision != now.revision || last?.shown != now.shown {
      if let last, now.revision < last.revision { world.fail(.revision, "store \(number) goes from \(last.revision) to \(now.revision)") }
      if now.revision > world.definition.revision { world.refresh() }
      guard now.revision <= world.definition.revision else {
        return world.fail(.confirmed, "store \(number) is at \(now.revision), the journal at \(world.definition.revision)")
      }
      let defined = world.definition.state(at: now.revision)
      if confirmed != defined { world.fail(.confirmed, "store \(number) has \(confirmed) at \(now.revision), not \(defined)") }
      let expected = world.definition.state(at: now.revision, then: pending)
      if now.shown != expected { world.fail(.shown, "store \(number) shows \(now.shown) at \(now.revision), not \(expected)") }
      last = now
    }
    if !unresolved.isEmpty { checkCommits() }
  }

  /// Checks the commits that have been resolved.
  private func checkCommits() {
    var rest: [Made] = []
    for made in unresolved {
      if let result = made.commit.promise?.current { resolved(made, result) } else { rest.append(made) }
    }
    unresolved = rest
  }

  private func resolved(_ made: Made, _ result: Result<Revision, CommitError<Refusal>>) {
    world.note("store \(number): \(made.id) is resolved: \(result)")
    switch result {
    case .success(let revision):
      world.count(.success)
      if revision > world.definition.revision { world.refresh() }
      if world.definition.places[made.id] != revision {
        let place = world.definition.places[made.id].map { "at \($0)" } ?? "nowhere"
        world.fail(.written, "\(made.id) was reported at \(revision), and is \(place)")
      }
    case .failure(let error):
      world.count(event(error))
      switch error {
      case .unknown: return doubtful.append(made.id)
      case .notYet: return world.fail(.closing, "\(made.id) was resolved as not yet resolved")
      case .failed: failed.append(made.id)
      case .dropped, .conditionFailed, .undo, .requirementDropped, .staleLease, .refused:
        world.dropped[made.id] = "it was reported as not written: \(error)"
      }
      // The closing may have returned the change, and another store resumed it, before this commit was looked at.
      guard !world.resumed.contains(made.id) else { return }
      world.expectNever(made.id, because: "it was reported as not written: \(error)")
    }
  }

  private func event(_ error: CommitError<Refusal>) -> Event {
    switch error {
    case .dropped, .conditionFailed, .undo, .refused: .dropped
    case .requirementDropped: .requirementDropped
    case .staleLease: .staleLease
    case .failed: .failed
    case .unknown, .notYet: .unknown
    }
  }

  /// Checks the invariants of a schedule in which no task is ready.
  ///
  /// - Parameter isSettled: Whether also no call is held and no timer runs.
  func checkAtRest(isSettled: Bool) {
    let (status, revision) = store.core.withLock { ($0.status, $0.replica.history.revision) }
    if status != .closed { for observer in observers { observer.checkAtRest(revision) } }
    // The store may have read the clock a little later than the simulation.
    if let closeDue, !isClosed, world.clock.untilNext == nil, world.clock.elapsed >= closeDue {
      world.fail(.closing, "closing store \(number) waits beyond its deadline")
    }
    if let id = mustBeLost.first(where: { !lost.contains($0) }) {
      world.fail(.closing, "\(id) was resumed by store \(number), and is neither in the journal nor reported as lost")
    }
    guard isSettled else { return }
    if status == .open, !isClosing, !world.plan.isInMemory {
      world.refresh()
      if revision < world.definition.revision {
        world.fail(.hang, "store \(number) is at \(revision) for ever, the journal at \(world.definition.revision)")
      }
    }
    if let made = unresolved.first { world.fail(.hang, "\(made.id) of store \(number) (\(status)) is pending for ever") }
    guard isClosed else { return }
    let back = Set(handedBack)
    if let id = failed.first(where: { !back.contains($0) }) { world.fail(.closing, "\(id) was reported as failed, and not handed back") }
    if let id = doubtful.first(where: { !back.contains($0) && world.definition.places[$0] == nil }) {
      world.fail(.closing, "\(id) was reported as unknown; it is not in the journal, and was not handed back")
    }
    if let id = handedBack.first(where: { world.made[$0] != nil && !failed.contains($0) && !doubtful.contains($0) }) {
      world.fail(.closing, "\(id) was handed back, and reported as written or dropped")
    }
  }
}
