public import AlterCore
public import AlterJournal

/// One participant in a journal, as a pure state machine: events in, decisions out. ``Store`` carries them out.
///
/// It holds the *confirmed* state (the journal folded up to a head) and its *pending* work (applied, not yet confirmed); what it
/// shows is pending over confirmed. What is pending goes to the journal as one *flight* that presents the confirmed head.
///
/// ```
///   change ──> pending ──takeFlight──> [ append after head ] ──appended──> confirmed, promoted
///                 ^                            │ conflict
///                 └── rebase <── advance <── read what others wrote
/// ```
///
/// An undo is pending as an intent: its targets are found again at each rebase, so that two replicas that undo at once take back
/// two entries. Whatever is confirmed never changes.
@usableFromInline
package struct Replica<State: Alterable>: Sendable {
  /// Work that the journal does not have yet.
  @usableFromInline
  struct Pending: Sendable {
    @usableFromInline var record: Record<State>
    /// The sequence of the pending work that it builds on.
    @usableFromInline let requirement: Int64?
    /// What the state must be for it to be made; nil for nothing in particular.
    @usableFromInline let condition: (@Sendable (State) -> Bool)?

    @inlinable
    init(record: Record<State>, requirement: Int64?, condition: (@Sendable (State) -> Bool)? = nil) {
      self.record = record
      self.requirement = requirement
      self.condition = condition
    }

    /// The same work of another origin.
    func of(_ origin: Origin) -> Pending {
      var work = self
      if record.id.origin != origin { work.record = record.named(EntryID(origin: origin, sequence: record.id.sequence)) }
      return work
    }
  }

  /// Work on its way to the journal.
  package struct Flight: Sendable {
    /// Tells it from earlier ones.
    let number: Int
    /// What is to be appended, in order; never empty.
    package private(set) var records: [Record<State>]
    /// Where.
    package let head: Head
    /// The leases that the records are made under, each once.
    package var leases: [Lease] {
      var leases: [Lease] = []
      for record in records { if let lease = record.lease, !leases.contains(lease) { leases.append(lease) } }
      return leases
    }
    /// The state after the last record; nil when it isn't known, because more was pending than one flight carries.
    let state: State?

    /// The same, with the sizes that its records have in the journal.
    func weighing(_ drafts: [Entry.Draft]) -> Flight {
      guard drafts.contains(where: { $0.size >= RecordExtra.heavy }) else { return self }
      var flight = self
      for (place, draft) in zip(records.indices, drafts) { flight.records[place] = records[place].weighing(draft.size) }
      return flight
    }

    /// Whether taking it in means to apply its records again.
    var isLong: Bool { state == nil || records.contains { $0.content.isMark } }

    /// Whether taking it in is quick all the same: few changes, and no undo.
    var isLittle: Bool { records.count <= 64 && !records.contains { $0.content.isMark } }
  }

  /// What became of one piece of work. Each is resolved exactly once.
  package struct Resolution: Sendable {
    /// What it was made as.
    package let id: EntryID
    /// Its sequence number.
    package var sequence: Int64 { id.sequence }
    /// Where the journal has it, or why it hasn't.
    package let result: Result<Revision, CommitError<State.Failure>>
  }

  /// A confirmed record, and the state it led to.
  package typealias Step = (record: Record<State>, state: State)

  /// What a shell has to tell after an event.
  package struct Report: Sendable {
    /// Work that is resolved.
    package var resolutions: [Resolution] = []
    /// Confirmed records in order, when somebody wants them.
    package var steps: [Step] = []
    /// Whether pending work was made again on top of others'.
    package var isRebased = false
    /// Confirmed records that the state refuses although no undo explains it.
    package var refusals: [(revision: Revision, failure: State.Failure)] = []

    /// The sequences of work that was dropped.
    var dropped: Set<Int64> {
      Set(resolutions.lazy.compactMap { if case .failure = $0.result { $0.sequence } else { nil } })
    }
  }

  /// Why records of the journal can't be taken in. Nothing was done.
  package enum Obstacle: Error {
    /// An undo takes back entries that this replica doesn't keep: ``adopt(_:steps:head:)`` a history with more, or ignore those of these ids that
    /// the journal doesn't have.
    case reachesBeyond(Set<EntryID>)
    /// The state refuses a record although no undo explains it.
    case refused(Revision, State.Failure)
  }

  /// Whose undo takes this replica's work back.
  @usableFromInline package let scope: UndoScope
  /// How much may be pending.
  @usableFromInline package let limit: Int
  /// Who this replica is.
  @usableFromInline package internal(set) var origin: Origin
  /// The confirmed side.
  @usableFromInline package internal(set) var history: History<State>
  /// Where the journal ends, as far as known; nil in memory, where work is confirmed at once.
  @usableFromInline package internal(set) var head: Head?
  /// The pending side, over the confirmed state; nil when nothing is pending.
  @usableFromInline var working: State?
  @usableFromInline var pending = Pieces<Pending>()
  /// How much one flight carries: enough to share a sync to disk, and so little that a snapshot is never overdue by more.
  @usableFromInline let flightLimit: Int
  /// Pending states that were kept on the way, in order, each a flight after the one before: where a flight can end.
  @usableFromInline var landmarks: [(sequence: Int64, state: State)] = []
  /// The pending state that was made again after the last refusal, so that the next refusal costs no more than what came since.
  @usableFromInline var remade: (sequence: Int64, state: State)?
  /// The confirmed side with pending work folded in up to a sequence: the next undo begins there. Made by a rebase or an undo, so that no undo is pending
  /// behind it.
  @usableFromInline var folded: (sequence: Int64, history: History<State>)?
  /// Counts what changes more than the end of what is pending: landed flights don't, as they lead to the same state.
  var events = 0
  /// Counts how often it has become another one: a copy from before must not take its place.
  var lives = 0
  /// Whether the pending work must be made again on top of the confirmed state.
  var isStale = false
  /// Whether, since it was copied, the state has changed that work is made on.
  var hasNewGround = false
  /// The flight under way.
  var flight: Int?
  /// How many there were.
  var flights = 0
  /// How many of the first pending pieces of work are on their way, or were and the journal's answer leaves open whether it has them.
  var doubtful = 0
  @usableFromInline var sequence: Int64 = 0
  @usableFromInline var time: Int64 = .min

  /// A replica at a head.
  ///
  /// - Parameters:
  ///   - history: The confirmed side.
  ///   - head: Where the journal ends; nil when there is none.
  ///   - origin: Who this replica is; fresh.
  ///   - scope: Whose undo takes its work back.
  ///   - limit: How much may be pending.
  ///   - flightLimit: How much one flight carries.
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

  /// Pending over confirmed.
  @inlinable
  package var state: State { working ?? history.state }

  /// How much is pending.
  package var pendingCount: Int { pending.count }

  /// The pending work of an id, if there is any.
  ///
  /// - Complexity: O(log(pending)).
  package func pending(_ id: EntryID) -> Record<State>? { place(of: id).map { pending[$0].record } }

  /// Where the pending work of an id is.
  func place(of id: EntryID) -> Int? {
    guard id.origin == origin else { return nil }
    let place = place(after: id.sequence - 1)
    return place < pending.count && pending[place].record.id == id ? place : nil
  }

  /// Where the pending work after a sequence begins.
  ///
  /// - Complexity: O(log(pending)).
  func place(after sequence: Int64) -> Int {
    // Sequences ascend.
    var (low, high) = (0, pending.count)
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].record.id.sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// What is pending, in order, and whether the journal may have it all the same.
  package var leftOver: [Unwritten<State>] {
    pending.enumerated().map { place, work in Unwritten(work, of: head?.journal, mayBeWritten: place < doubtful) }
  }

  /// The sequences of pending work that the journal may have.
  package var doubtfulSequences: Set<Int64> { Set(pending.prefix(doubtful).lazy.map(\.record.id.sequence)) }
}
