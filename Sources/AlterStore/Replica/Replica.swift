public import AlterCore
public import AlterJournal

/// One participant in a journal, as a pure state machine: events in, decisions out. ``Store`` carries the decisions out.
///
/// A replica holds the *confirmed* state (the journal folded up to a head) and its *pending* work (applied, not yet confirmed). The visible
/// state is pending over confirmed. Pending work goes to the journal as one *flight*, which is appended after the confirmed head.
///
/// ```
///   change ──> pending ──takeFlight──> [ append after head ] ──appended──> confirmed, promoted
///                 ^                            │ conflict
///                 └── rebase <── advance <── read others' entries
/// ```
///
/// A pending undo is an intent: each rebase looks up its targets again, so that two replicas that undo at once undo two entries. Confirmed
/// entries never change.
@usableFromInline
package struct Replica<State: Alterable>: Sendable {
  /// Work that the journal does not have yet.
  @usableFromInline
  struct Pending: Sendable {
    @usableFromInline var record: Record<State>
    /// The pending work that this work requires; nil for none. If that is dropped, this is dropped, too.
    @usableFromInline let requirement: EntryID?
    /// The condition that the state must meet, now and at each rebase; nil for none.
    @usableFromInline let condition: (@Sendable (State) -> Bool)?
    /// Whether the visible state refuses the work. Only a synced replica keeps such work, because its server has not decided yet.
    @usableFromInline var isHidden = false

    @inlinable
    init(record: Record<State>, requirement: EntryID?, condition: (@Sendable (State) -> Bool)? = nil) {
      self.record = record
      self.requirement = requirement
      self.condition = condition
    }

    /// Returns the same work under another origin.
    func of(_ origin: Origin) -> Pending {
      guard record.id.origin != origin else { return self }
      // All pending work has one origin, and so has what it requires.
      return Pending(
        record: record.named(EntryID(origin: origin, sequence: record.id.sequence)),
        requirement: requirement.map { EntryID(origin: origin, sequence: $0.sequence) }, condition: condition)
    }
  }

  /// A batch of pending work that is in flight to the journal.
  package struct Flight: Sendable {
    /// The number of the flight, which distinguishes it from earlier ones.
    let number: Int
    /// The records to append, in order; never empty.
    package private(set) var records: [Record<State>]
    /// The head that the records are appended after.
    package let head: Head
    /// The leases that the records are made under, without duplicates.
    package var leases: [Lease] {
      var leases: [Lease] = []
      for record in records { if let lease = record.lease, !leases.contains(lease) { leases.append(lease) } }
      return leases
    }
    /// The state after the last record; nil if it is not known, because more work was pending than one flight carries.
    let state: State?

    /// Returns the same flight, whose large records know their sizes in the journal.
    func weighing(_ drafts: [Entry.Draft]) -> Flight {
      guard drafts.contains(where: { $0.size >= RecordExtra.heavy }) else { return self }
      var flight = self
      for (place, draft) in zip(records.indices, drafts) { flight.records[place] = records[place].weighing(draft.size) }
      return flight
    }

    /// Whether its records must be applied again when it lands.
    var isLong: Bool { state == nil || records.contains { $0.content.isMark } }

    /// Whether its records, even if they must be applied again, take little time: at most 64, and no undo.
    var isLittle: Bool { records.count <= 64 && !records.contains { $0.content.isMark } }
  }

  /// The outcome of one piece of work. Each piece is resolved exactly once.
  package struct Resolution: Sendable {
    /// The id under which the work was made.
    package let id: EntryID
    /// The sequence of that id.
    package var sequence: Int64 { id.sequence }
    /// The revision in the journal, or the reason for which the journal does not have the work.
    package let result: Result<Revision, CommitError<State.Failure>>
  }

  /// A confirmed record, and the state that it led to.
  package typealias Step = (record: Record<State>, state: State)

  /// The consequences of an event, which the store reports to its callers.
  package struct Report: Sendable {
    /// The work that is resolved.
    package var resolutions: [Resolution] = []
    /// The confirmed records in order, if an observer wants them.
    package var steps: [Step] = []
    /// A new start of the confirmed side, before all steps: observers miss the entries up to its revision.
    package var start: (ground: MirrorNews<State>.Ground.Reason, revision: Revision, state: State)?
    /// The own work that the outbox has.
    package var stored: [EntryID] = []
    /// The refused changes that the device's file lists; nil if the event was none of the file.
    var listed: [RefusedChange<State>]?
    /// Whether pending work was replayed on top of other writers' entries.
    package var isRebased = false
    /// The confirmed records that the state refuses although no undo explains it.
    package var refusals: [(revision: Revision, failure: State.Failure)] = []

    /// The ids of dropped work.
    var dropped: Set<EntryID> {
      Set(resolutions.lazy.compactMap { if case .failure = $0.result { $0.id } else { nil } })
    }
  }

  /// The reason why records of the journal cannot be applied. Nothing was changed.
  package enum Obstacle: Error {
    /// An undo reverts entries that this replica does not keep. Fold the journal from an earlier point, or ignore those of these ids that
    /// the journal does not have.
    case reachesBeyond(Set<EntryID>)
    /// The state refuses a record although no undo explains it.
    case refused(Revision, State.Failure)
  }

  /// The undo scope of this replica's work: an undo in this scope may revert it.
  @usableFromInline package let scope: UndoScope
  /// The number of pieces of work that may be pending.
  @usableFromInline package let limit: Int
  /// The id of this replica.
  @usableFromInline package internal(set) var origin: Origin
  /// The confirmed side.
  @usableFromInline package internal(set) var history: History<State>
  /// The known end of the journal; nil in memory, where work is confirmed at once.
  @usableFromInline package internal(set) var head: Head?
  /// The visible state, pending over confirmed; nil if nothing is pending.
  @usableFromInline var working: State?
  @usableFromInline var pending = Pieces<Pending>()
  /// The number of records that one flight carries. It is large enough to share a sync to disk, and so small that a snapshot is never
  /// overdue by more.
  @usableFromInline let flightLimit: Int
  /// The number of pieces of work that have left the front of the pending work. With it, the *place* of a piece stays the same while earlier
  /// pieces leave: its index in the pending work, plus this number.
  @usableFromInline var gone = 0
  /// Pending states after every ``flightLimit`` pieces of work, in order, each with the place after the last piece. A flight that ends at one
  /// of them needs no replay.
  @usableFromInline var landmarks: [(end: Int, state: State)] = []
  /// The pending state that was rebuilt after the last refusal, so that the next refusal replays only the work since.
  @usableFromInline var remade: (end: Int, state: State)?
  /// The confirmed side with pending work folded in up to a place; the next undo begins there. A rebase or an undo sets it, so that no undo is
  /// pending behind it.
  @usableFromInline var folded: (end: Int, history: History<State>)?
  /// The part of the pending work that an outbox has; nil for a journal that has no outbox.
  @usableFromInline var outbox: OutboxOrder?
  /// Counts the events that change more than the end of the pending work. A landed flight does not count, because it leads to the same
  /// state.
  var events = 0
  /// Counts how often the replica has continued as another one, or has got its undo window. An earlier copy must not replace it.
  var lives = 0
  /// Whether the pending work must be replayed on top of the confirmed state.
  var isStale = false
  /// Whether the state that work is applied to has changed since this replica was copied.
  var hasNewGround = false
  /// The number of the flight in progress; nil for none.
  var flight: Int?
  /// The number of flights so far.
  var flights = 0
  /// The number of pieces at the front of the unwritten work that are in flight, or whose append has an unknown outcome.
  var doubtful = 0
  @usableFromInline var sequence: Int64 = 0
  @usableFromInline var time: Int64 = .min

  /// Creates a replica at a head.
  ///
  /// - Parameters:
  ///   - history: The confirmed side.
  ///   - head: The end of the journal; nil if there is none.
  ///   - origin: The id of this replica; not used before.
  ///   - scope: The undo scope of its work.
  ///   - limit: The number of pieces of work that may be pending.
  ///   - flightLimit: The number of records that one flight carries.
  ///   - lastSequence: The last sequence number that the origin has used.
  package init(
    _ history: History<State>, head: Head?, origin: Origin, scope: UndoScope, limit: Int, flightLimit: Int = 2_500, lastSequence: Int64 = 0
  ) {
    sequence = lastSequence
    self.flightLimit = flightLimit
    self.history = history
    self.head = head
    self.origin = origin
    self.scope = scope
    self.limit = limit
  }

  /// The visible state: pending over confirmed.
  @inlinable
  package var state: State { working ?? history.state }

  /// Whether work is confirmed when it is made: in memory.
  @inlinable var confirmsAtOnce: Bool { head == nil && outbox == nil }

  /// The place after the last piece of pending work.
  @inlinable var end: Int { gone + pending.count }

  /// The number of pieces of pending work.
  package var pendingCount: Int { pending.count }

  /// The number of pieces of pending work that are not known to be on a disk.
  @inlinable package var unwrittenCount: Int { pending.count - (outbox?.queued ?? 0) }

  /// The last pieces of pending work that the visible state has, at most a given number, oldest first.
  func lastPending(_ limit: Int) -> [Record<State>] {
    guard outbox != nil else { return pending[max(0, pending.count - limit)...].map(\.record) }
    return pending.reversed().lazy.filter { !$0.isHidden }.prefix(limit).map(\.record).reversed()
  }

  /// Returns the pending record with an id; nil if there is none.
  ///
  /// - Complexity: O(log(pending)).
  package func pending(_ id: EntryID) -> Record<State>? { index(of: id).map { pending[$0].record } }

  /// The index of the pending work with an id; nil if there is none.
  func index(of id: EntryID) -> Int? {
    if let place = outbox?.places[id] { return place - gone }
    guard id.origin == origin else { return nil }
    // Another writer may have given an entry this origin and any sequence.
    let index = index(after: id.sequence.saturatingAdding(-1))
    return index < pending.count && pending[index].record.id == id ? index : nil
  }

  /// The index of the first unwritten work after a sequence of this replica.
  ///
  /// - Complexity: O(log(pending)).
  func index(after sequence: Int64) -> Int {
    // Only an outbox has work of other origins, and the sequences of the work that it lacks ascend: binary search.
    var (low, high) = (outbox?.queued ?? 0, pending.count)
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].record.id.sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The unwritten work in order, each piece with the information whether the journal, or the outbox, may have it.
  package var leftOver: [Unwritten<State>] {
    // Usual when a store is closed. The generic code below looks up its types at run time, which a short command would notice.
    guard unwrittenCount > 0 else { return [] }
    return pending.dropFirst(pending.count - unwrittenCount).enumerated()
      .map { place, work in Unwritten(work, of: head?.journal, mayBeWritten: place < doubtful) }
  }

  /// The sequences of pending work that the journal may have.
  package var doubtfulSequences: Set<Int64> {
    doubtful == 0 ? [] : Set(pending.dropFirst(pending.count - unwrittenCount).prefix(doubtful).lazy.map(\.record.id.sequence))
  }
}
