import AlterCore
import AlterJournal

/// A store that waits in an `AppendGroup` until it leads, or until another store of the same model has appended its work.
///
/// ```
///              ┌─ lead() ──────▶ leads: takes a turn, for the others, too
///   waiting ───┼─ goAlone() ───▶ alone: takes a turn by itself
///              └─ claimed by the leader, with a flight ─┬─ appended ────────▶ reads the leader's entries
///                                                       ├─ not appended ────▶ alone, and the flight is turned back
///                                                       └─ unknown outcome ─▶ takes a turn, and reads until it is known
/// ```
final class GroupOffer<State: Alterable>: GroupMember {
  /// The end of the wait.
  enum Part: Sendable {
    /// The store leads, until it ends the leadership.
    case leads(Turn)
    /// The store takes a turn by itself. If it is given, the flight was not appended.
    case alone(Replica<State>.Flight?)
    /// The flight is in the journal, among these entries, which end at a head or before it. They may begin after the store's own head.
    case appended(Replica<State>.Flight, entries: [Entry], head: Head)
    /// The journal may have the flight, with these drafts.
    case unknown(Replica<State>.Flight, [Entry.Draft])
  }

  let store: Store<State>
  private let outcome = Promise<Part>()

  init(_ store: Store<State>) { self.store = store }

  /// Waits for the outcome.
  func value() async -> Part { await outcome.value() ?? .alone(nil) }

  func lead(_ leadership: Turn) { outcome.resolve(.leads(leadership)) }
  func goAlone() { outcome.resolve(.alone(nil)) }

  /// Ends the wait of a store whose work the leader has taken.
  func end(_ outcome: Part) { self.outcome.resolve(outcome) }
}

/// The work of other stores of this process, which a store appends together with its own.
struct Companions<State: Alterable>: Sendable {
  private var members: [(offer: GroupOffer<State>, flight: Replica<State>.Flight, drafts: [Entry.Draft])] = []

  var isEmpty: Bool { members.isEmpty }
  /// The state after all work; nil if there is none.
  private(set) var state: State?
  /// The drafts of each store.
  var parts: [[Entry.Draft]] { members.map(\.drafts) }

  /// The maximum number of stores beside the leader, so that other processes do not wait for long.
  private static var limit: Int { 31 }

  /// Takes the work of the stores that wait, as long as the state accepts all of it.
  ///
  /// - Parameters:
  ///   - group: The group.
  ///   - state: The state after the leader's own work, at the end of the journal. All stores of a model have the same state there.
  init(of group: AppendGroup, on state: State) {
    var state = state
    let end = ContinuousClock.now + group.patience
    while members.count < Self.limit, ContinuousClock.now < end, let member = group.claim() {
      if let offer = member as? GroupOffer<State>, let (flight, drafts) = offer.store.companion(on: &state) {
        members.append((offer, flight, drafts))
      } else {
        member.goAlone()
      }
    }
    if !members.isEmpty { self.state = state }
  }

  /// Ends the waits after an append.
  ///
  /// - Parameters:
  ///   - entries: The entries that the leader has read in its turn and appended.
  ///   - head: The head after the last one.
  func appended(_ entries: [Entry], to head: Head) {
    for (offer, flight, _) in members { offer.end(.appended(flight, entries: entries, head: head)) }
  }

  /// Ends the waits after an append that failed.
  func failed(_ error: JournalError) {
    for (offer, flight, drafts) in members {
      offer.store.ahead.put(drafts[...])
      offer.end(error.leavesOutcomeUnknown ? .unknown(flight, drafts) : .alone(flight))
    }
  }
}

// A store in a group.
extension Store {
  /// The way on for a writer that has joined a group.
  enum Joined {
    /// It takes a turn, for the others, too, until it ends the leadership.
    case leads(Turn)
    /// It takes a turn by itself.
    case alone
    /// Its work is in the journal.
    case done
  }

  /// Waits in a group until this store leads, or another store has appended the pending work.
  func join(_ group: AppendGroup, of journal: any TurnReadingJournal) async throws(JournalError) -> Joined {
    let offer = GroupOffer(self)
    if let leadership = group.join(offer) { return .leads(leadership) }
    let start = ContinuousClock.now
    switch await offer.value() {
    case .leads(let leadership): return .leads(leadership)
    case .alone(let flight):
      if let flight { core.withLock { $0.replica.turnedBack(flight) } }
      return .alone
    case .appended(let flight, let entries, let head):
      core.withLock { core in
        core.replica.isElsewhere(flight)
        core.contention.tookTurn(missed: true, now: .now)
      }
      goesOn(.writer)
      let reading = core.withLock { $0.replica.head }.flatMap { TurnReading(entries, to: head, from: $0) }
      try await retrying { () async throws(JournalError) in _ = try await self.catchUp(from: reading) }
      guard revision >= head.revision || !isOpen else { throw .contradicts(journal.name, appended: head.revision, head: revision) }
      startSnapshotIfDue()
      record(.flight(changes: flight.records.count, ContinuousClock.now - start))
      return .done
    case .unknown(let flight, let drafts):
      // The append may still be made, after another head than this store knows: an append of its own could not tell. A turn waits for it, and
      // reads. Until then the work stays doubtful.
      journal.doubt(drafts)
      core.withLock { $0.replica.isElsewhere(flight) }
      return .alone
    }
  }

  /// Takes a flight with all pending work for another store, which will append it.
  ///
  /// - Parameter state: The state that the flight follows, which then includes it. Unchanged if there is no flight.
  /// - Returns: nil if the work is more than a little, or if it needs a turn of its own: it has an undo or a lease, it cannot be written, or the
  ///   state refuses a part of it.
  func companion(on state: inout State) -> (flight: Replica<State>.Flight, drafts: [Entry.Draft])? {
    let taken: (flight: Replica<State>.Flight, works: [PendingWork<State>.Piece])? = core.withLock { core in
      let works = core.replica.pending.pieces
      guard core.status == .open, works.count <= min(64, core.replica.pending.interval),
        works.allSatisfy({ !$0.record.content.isMark && $0.record.lease == nil }), let flight = core.replica.takeFlight()
      else { return nil }
      return (flight, Array(works))
    }
    guard let (flight, works) = taken else { return nil }
    var trial = state
    if let drafts = companionDrafts(of: works, on: &trial) {
      state = trial
      return (flight, drafts)
    }
    core.withLock { $0.replica.turnedBack(flight) }
    return nil
  }

  private func companionDrafts(of works: [PendingWork<State>.Piece], on state: inout State) -> [Entry.Draft]? {
    guard let backend, let last = works.last else { return nil }
    for work in works {
      if let condition = work.condition, !condition(state) { return nil }
      do throws(State.Failure) {
        try state.apply(work.record.content, indices: work.record.indices, at: work.record.stamp)
      } catch {
        return nil
      }
    }
    let encoded = ahead.take(through: last.record.id.sequence)
    var drafts: [Entry.Draft] = []
    for work in works {
      let known = encoded[work.record.id.sequence].flatMap { $0.id == work.record.id ? $0 : nil }
      guard let draft = known ?? (try? backend.coding.draft(work.record)) else { break }
      drafts.append(draft)
    }
    if drafts.count == works.count, drafts.reduce(0, { $0 + $1.size }) <= 256 << 10 { return drafts }
    ahead.put(drafts[...])
    return nil
  }
}

extension TurnReading {
  /// Creates a reading, without a turn, of the entries that a leader has read and appended, for another store of its group.
  ///
  /// It is nil if the entries begin after the store's own head: the store must read the journal.
  fileprivate init?(_ entries: [Entry], to head: Head, from known: Head) {
    guard let first = entries.first, first.revision <= known.revision, known.revision < head.revision else { return nil }
    self.init(Turn {}, head: head, start: known, entries: Array(entries[(known.revision - first.revision)...]))
  }
}
