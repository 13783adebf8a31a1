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

  /// What is pending, in order.
  package var unwritten: [Record<State>] { pending.map(\.record) }

  /// What is pending, in order, and whether the journal may have it all the same.
  package var leftOver: [Unwritten<State>] {
    pending.enumerated().map { place, work in Unwritten(work, of: head?.journal, mayBeWritten: place < doubtful) }
  }

  /// The sequences of pending work that the journal may have.
  package var doubtfulSequences: Set<Int64> { Set(pending.prefix(doubtful).lazy.map(\.record.id.sequence)) }

  // MARK: - Local work

  /// A batch of changes or a reset is made here.
  ///
  /// - Parameters:
  ///   - content: The changes or the new state.
  ///   - extra: Why, and under which lease.
  ///   - requirement: The sequence of the pending work that it builds on, if any.
  ///   - condition: What the state must be, now and at each rebase, for it to be made; nil for nothing in particular.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Throws: ``ChangeError`` `refused`, `conditionFailed` or `full`; then nothing has changed. Otherwise ``made`` is the record.
  @inlinable
  package mutating func make(
    _ content: Record<State>.Content, extra: RecordExtra?, requirement: Int64? = nil,
    condition: (@Sendable (State) -> Bool)? = nil, now: Int64
  ) throws(ChangeError<State.Failure>) {
    guard pending.count < limit else { throw .full(limit: .changes(limit)) }
    if let condition, !condition(state) { throw .conditionFailed }
    let stamp = Stamp(time: max(now, time), origin: origin, sequence: sequence + 1)
    do throws(State.Failure) {
      if head == nil {
        try history.attempt(content, at: stamp, in: scope, extra: extra)
      } else {
        var state = working ?? history.state
        working = nil  // the only reference is the local one now: the change is made in place
        do throws(State.Failure) {
          try state.apply(content, indices: extra?.indices, at: stamp)
        } catch {
          restore()
          throw error
        }
        pending.append(Pending(record: next(content, extra: extra, at: stamp), requirement: requirement, condition: condition))
        if pending.count % flightLimit == 0 { landmarks.append((stamp.sequence, state)) }
        working = state
      }
    } catch {
      throw .refused(error)
    }
    (sequence, time) = (stamp.sequence, stamp.time)
  }

  /// Makes the pending state again: a refused change may have left a part of itself in it.
  ///
  /// - Complexity: O(pending work since the last kept state).
  @usableFromInline
  mutating func restore() {
    guard let first = pending.first?.record.id.sequence else {
      working = nil
      return
    }
    // A state from before all pending work says nothing of what was confirmed since.
    let kept = [landmarks.last, remade, folded.map { ($0.sequence, $0.history.state) }].compactMap(\.self).filter { $0.sequence >= first }
      .max { $0.sequence < $1.sequence }
    var state = kept?.state ?? history.state
    // No undo among them, see `folded`. Each was applied to this very state before, so that none is refused now.
    for work in pending[place(after: kept?.sequence ?? .min)...] {
      try? state.apply(work.record.content, indices: work.record.indices, at: work.record.stamp)
    }
    working = state
    remade = (pending[pending.count - 1].record.id.sequence, state)
  }

  /// The record that was made last: pending, or confirmed in memory.
  package var made: Record<State>? { pending.last?.record ?? history.records.last }

  /// An undo or a redo that was tried, and what it leads to.
  package struct Trial: Sendable {
    /// The record.
    package let record: Record<State>
    /// All that is confirmed and pending, and it.
    package let history: History<State>
    fileprivate let events: Int
    fileprivate let sequence: Int64

    /// The state that it leads to.
    package var state: State { history.state }
  }

  /// Tries to take back the scope's last entry, or its last undo. Nothing is changed.
  ///
  /// - Parameters:
  ///   - redo: Whether it is a redo.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Throws: ``UndoError``.
  /// - Complexity: O(pending work since the last undo or rebase + records since what it takes back).
  package func tryUndo(redo: Bool, now: Int64) throws(UndoError) -> Trial {
    guard pending.count < limit else { throw .full(limit: .changes(limit)) }
    var tentative = foldedPending()
    var record = next(
      redo ? .redo([]) : .undo([]), extra: nil, at: Stamp(time: max(now, time), origin: origin, sequence: sequence + 1)
    ).at(tentative.revision.next)
    try Self.take(&record, in: scope, on: &tentative)
    return Trial(record: record, history: tentative, events: events, sequence: sequence)
  }

  /// Makes an undo or a redo that was tried.
  ///
  /// - Returns: Whether it was made: not when something has happened since that it would have to build on.
  package mutating func make(_ trial: Trial) -> Bool {
    guard trial.events == events, trial.sequence == sequence else { return false }
    if head == nil {
      history = trial.history
    } else {
      pending.append(Pending(record: trial.record, requirement: nil))
      working = trial.state
      folded = (trial.record.id.sequence, trial.history)
    }
    (sequence, time) = (trial.record.id.sequence, trial.record.time)
    return true
  }

  /// The scope's last entry is taken back here, or its last undo.
  ///
  /// - Parameters:
  ///   - redo: Whether it is a redo.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Returns: The record as pending, or as confirmed in memory.
  /// - Throws: ``UndoError``; then nothing has changed.
  package mutating func undo(redo: Bool, now: Int64) throws(UndoError) -> Record<State> {
    let trial = try tryUndo(redo: redo, now: now)
    _ = make(trial)
    return trial.record
  }

  /// The confirmed side with all pending work folded in.
  private func foldedPending() -> History<State> {
    guard let first = pending.first?.record.id.sequence else { return history }
    let kept = folded.flatMap { $0.sequence >= first ? $0 : nil }
    var tentative = kept?.history ?? history
    for work in pending[place(after: kept?.sequence ?? .min)...] {
      // It was applied on this very state before, so it is again.
      _ = tentative.append(work.record.at(tentative.revision.next))
    }
    return tentative
  }

  /// Finds what an undo or a redo takes back, and folds it in.
  static func take(_ record: inout Record<State>, in scope: UndoScope, on history: inout History<State>) throws(UndoError) {
    if case .redo = record.content {
      record.content = .redo(try history.redoable(in: scope))
    } else {
      record.content = .undo(try history.undoable(in: scope))
    }
    try history.take(record)
  }

  @inlinable
  func next(_ content: Record<State>.Content, extra: RecordExtra?, at stamp: Stamp) -> Record<State> {
    Record(
      revision: history.revision + (pending.count + 1), id: EntryID(origin: stamp.origin, sequence: stamp.sequence), time: stamp.time,
      scope: scope, content: content, extra: extra)
  }
}
