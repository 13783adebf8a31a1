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
  }

  /// Work on its way to the journal.
  package struct Flight: Sendable {
    /// Tells it from earlier ones.
    let number: Int
    /// What is to be appended, in order; never empty.
    package let records: [Record<State>]
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
  @usableFromInline var pending: [Pending] = []
  /// How much one flight carries: enough to share a sync to disk, and so little that a snapshot is never overdue by more.
  @usableFromInline let flightLimit: Int
  /// Pending states that were kept on the way, in order, each a flight after the one before: where a flight can end.
  @usableFromInline var landmarks: [(sequence: Int64, state: State)] = []
  /// The pending state that was made again after the last refusal, so that the next refusal costs no more than what came since.
  @usableFromInline var remade: (sequence: Int64, state: State)?
  private var flight: Int?
  private var flights = 0
  /// How many of the first pending pieces of work are on their way, or were and the journal's answer leaves open whether it has them.
  private var doubtful = 0
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
  package func pending(_ id: EntryID) -> Record<State>? {
    id.origin == origin ? pending.first { $0.record.id == id }?.record : nil
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
    guard pending.count < limit else { throw .full(limit: limit) }
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
  /// - Complexity: O(pending work since the last kept state); with an undo among it, O(pending work).
  @usableFromInline
  mutating func restore() {
    guard !pending.isEmpty else {
      working = nil
      return
    }
    // One from before all pending work says nothing of what was confirmed since.
    let landmark = [landmarks.last, remade].compactMap(\.self).filter { $0.sequence >= pending[0].record.id.sequence }
      .max { $0.sequence < $1.sequence }
    let since = pending.drop { $0.record.id.sequence <= landmark?.sequence ?? .min }
    if since.contains(where: { !$0.record.targets.isEmpty }) {
      var tentative = history
      for work in pending { _ = tentative.append(work.record.at(tentative.revision.next)) }
      working = tentative.state
    } else {
      // Each was applied to this very state before, so that none is refused now.
      var state = landmark?.state ?? history.state
      for work in since { try? state.apply(work.record.content, indices: work.record.indices, at: work.record.stamp) }
      working = state
    }
    remade = working.map { (pending[pending.count - 1].record.id.sequence, $0) }
  }

  /// The record that was made last: pending, or confirmed in memory.
  package var made: Record<State>? { pending.last?.record ?? history.records.last }

  /// The scope's last entry is taken back here, or its last undo.
  ///
  /// - Parameters:
  ///   - redo: Whether it is a redo.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Returns: The record as pending, or as confirmed in memory.
  /// - Throws: ``UndoError``; then nothing has changed.
  package mutating func undo(redo: Bool, now: Int64) throws(UndoError) -> Record<State> {
    guard pending.count < limit else { throw .full(limit: limit) }
    var record = next(
      redo ? .redo([]) : .undo([]), extra: nil, at: Stamp(time: max(now, time), origin: origin, sequence: sequence + 1))
    if head == nil {
      try Self.take(&record, in: scope, on: &history)
    } else {
      var tentative = history
      for work in pending {
        // It was applied on this very state before, so it is again.
        _ = tentative.append(work.record.at(tentative.revision.next))
      }
      record = record.at(tentative.revision.next)
      try Self.take(&record, in: scope, on: &tentative)
      pending.append(Pending(record: record, requirement: nil))
      working = tentative.state
    }
    (sequence, time) = (record.id.sequence, record.time)
    return record
  }

  private static func take(_ record: inout Record<State>, in scope: UndoScope, on history: inout History<State>) throws(UndoError) {
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

  // MARK: - To the journal

  /// What is pending, to be appended; nil when nothing is, or while another flight is under way.
  package mutating func takeFlight() -> Flight? {
    guard flight == nil, !pending.isEmpty, let head, let working else { return nil }
    flights += 1
    flight = flights
    guard pending.count > flightLimit else {
      doubtful = pending.count
      return Flight(number: flights, records: records(0..<pending.count), head: head, state: working)
    }
    // Up to a state that was kept, so that nothing needs to be applied again.
    let landmark = landmarks.first
    let place = landmark.flatMap { landmark in pending.prefix(flightLimit).lastIndex { $0.record.id.sequence == landmark.sequence } }
    doubtful = place.map { $0 + 1 } ?? flightLimit
    return Flight(number: flights, records: records(0..<doubtful), head: head, state: place == nil ? nil : landmark?.state)
  }

  private func records(_ range: Range<Int>) -> [Record<State>] {
    var records: [Record<State>] = []
    records.reserveCapacity(range.count)
    for work in pending[range] { records.append(work.record) }
    return records
  }

  /// What is pending after a sequence, in order, at most so much.
  ///
  /// - Complexity: O(log(pending) + limit).
  package func upcoming(after sequence: Int64, limit: Int) -> [Record<State>] {
    // Sequences ascend.
    var (low, high) = (0, pending.count)
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].record.id.sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return records(low..<min(pending.count, low + limit))
  }

  /// The flight has landed.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - appended: Where the journal has its records.
  ///   - wantsSteps: Whether somebody wants the state after each record; without, nothing is applied again.
  /// - Returns: What to tell; an empty report when reading has shown the flight's records meanwhile. Nil when its records are not where the
  ///   known head ends: others have written in between, so that the flight is turned back; read on from the known head.
  package mutating func landed(_ flight: Flight, at appended: Appended, wantsSteps: Bool) -> Report? {
    guard self.flight == flight.number else { return Report() }
    var records = flight.records
    guard appended.first == history.revision.next, appended.head.revision == history.revision + records.count else {
      // The journal may have it: that is shown by reading.
      self.flight = nil
      return nil
    }
    var report = Report()
    report.resolutions.reserveCapacity(records.count)
    var hasMarks = false
    var revision = appended.first
    for index in 0..<records.count {
      if records[index].revision != revision { records[index] = records[index].at(revision) }
      report.resolutions.append(Resolution(id: records[index].id, result: .success(revision)))
      switch records[index].content {
      case .undo, .redo: hasMarks = true
      case .initial, .change, .changes, .reset: break
      }
      revision = revision.next
    }
    if let state = flight.state, !wantsSteps, !hasMarks {
      history.promote(records, to: state)
    } else if !hasMarks {
      _ = Self.fold(records, into: &history, wantsSteps: wantsSteps, report: &report)
    } else {
      // An undo that reaches beyond what is kept leaves the history as it was.
      var trial = history
      guard Self.fold(records, into: &trial, wantsSteps: wantsSteps, report: &report) else {
        self.flight = nil
        return nil
      }
      history = trial
    }
    head = appended.head
    (self.flight, doubtful) = (nil, 0)
    pending.removeFirst(records.count)
    if let last = records.last { landmarks.removeAll { $0.sequence <= last.id.sequence } }
    if pending.isEmpty { (working, remade) = (nil, nil) }
    return report
  }

  /// Shortens a flight that is too large for one append; the rest stays pending.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - count: How many of its records it keeps, at least one.
  package mutating func shorten(_ flight: Flight, to count: Int) -> Flight {
    if self.flight == flight.number { doubtful = count }
    return Flight(number: flight.number, records: Array(flight.records.prefix(count)), head: flight.head, state: nil)
  }

  /// The flight could not be appended, or is tried again.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - mayBeThere: Whether the journal may have it from now on.
  package mutating func isDoubtful(_ flight: Flight, _ mayBeThere: Bool) {
    if self.flight == flight.number { doubtful = mayBeThere ? flight.records.count : 0 }
  }

  /// Folds confirmed records into a history.
  ///
  /// - Returns: Whether all of them could be folded in.
  private static func fold(
    _ records: [Record<State>], into history: inout History<State>, wantsSteps: Bool, report: inout Report
  ) -> Bool {
    for record in records {
      switch history.append(record) {
      case .applied: break
      case .suppressed(let failure): report.refusals.append((record.revision, failure))
      case .reachesBeyond: return false
      }
      if wantsSteps { report.steps.append((record, history.state)) }
    }
    return true
  }

  /// The flight did not land, and never will: its work is pending as before.
  package mutating func turnedBack(_ flight: Flight) {
    if self.flight == flight.number { (self.flight, doubtful) = (nil, 0) }
  }

  /// One piece of work can't be written at all: it is taken out, with what builds on it.
  package mutating func discard(_ sequence: Int64, because error: CommitError<State.Failure>) -> Report {
    discard(because: error) { $0.id.sequence == sequence }
  }

  /// A lease was taken over: what was made under it is taken out, with what builds on it.
  package mutating func discard(under lease: Lease) -> Report {
    discard(because: .staleLease(lease)) { $0.lease == lease }
  }

  private mutating func discard(because error: CommitError<State.Failure>, _ isUnwritable: (Record<State>) -> Bool) -> Report {
    (flight, doubtful) = (nil, 0)
    var report = Report()
    for work in pending where isUnwritable(work.record) {
      report.resolutions.append(Resolution(id: work.record.id, result: .failure(error)))
    }
    pending.removeAll { isUnwritable($0.record) }
    rebase(into: &report, dropped: Set(report.resolutions.map(\.sequence)))
    return report
  }

  /// Another process has this replica's origin: go on under a new one.
  package mutating func renew(_ origin: Origin) -> Report {
    (flight, doubtful) = (nil, 0)
    self.origin = origin
    for index in pending.indices {
      let record = pending[index].record
      pending[index].record = record.named(EntryID(origin: origin, sequence: record.id.sequence))
    }
    var report = Report()
    rebase(into: &report)
    return report
  }

  // MARK: - From the journal

  /// The journal holds more: what others wrote, or what this replica did.
  ///
  /// - Parameters:
  ///   - records: What follows the known head, in order; what is known already is passed over.
  ///   - head: Where they lead.
  ///   - absent: Ids that undos among the records name and that the journal doesn't have.
  ///   - skipsRefused: Whether a record that the state refuses is left out and reported, instead of being an obstacle.
  ///   - wantsSteps: Whether somebody wants the state after each record.
  /// - Returns: What to tell.
  /// - Throws: ``Obstacle``; then nothing was done.
  package mutating func advance(
    _ records: [Record<State>], to head: Head, ignoring absent: Set<EntryID> = [], skipsRefused: Bool = true, wantsSteps: Bool
  ) throws(Obstacle) -> Report {
    var history = history
    var report = Report()
    var new: [Record<State>] = []
    for record in records where record.revision > history.revision {
      switch history.append(record, ignoring: absent) {
      case .applied: break
      case .suppressed(let failure): report.refusals.append((record.revision, failure))
      case .reachesBeyond(let ids): throw .reachesBeyond(ids)
      }
      new.append(record)
      if wantsSteps { report.steps.append((record, history.state)) }
    }
    if !skipsRefused, let (revision, failure) = history.stillRefused(report.refusals).first { throw .refused(revision, failure) }
    adopt(history, records: new, head: head, into: &report)
    return report
  }

  /// The confirmed side was folded anew from an earlier point of the journal.
  ///
  /// - Parameters:
  ///   - history: The journal folded up to `head`.
  ///   - steps: What follows the known head, in order.
  ///   - head: Where the journal ends.
  package mutating func adopt(_ history: History<State>, steps: [Step], head: Head) -> Report {
    var report = Report(steps: steps)
    adopt(history, records: steps.map(\.record), head: head, into: &report)
    return report
  }

  private mutating func adopt(_ history: History<State>, records: [Record<State>], head: Head, into report: inout Report) {
    self.history = history
    self.head = head
    guard !records.isEmpty else { return }
    // A flight that presents an older head can't land any more: what it carries is either among the records, or pending.
    (flight, doubtful) = (nil, 0)
    var foreign = false
    for record in records {
      if record.id.origin == origin, let place = pending.firstIndex(where: { $0.record.id == record.id }) {
        pending.remove(at: place)
        report.resolutions.append(Resolution(id: record.id, result: .success(record.revision)))
      } else {
        foreign = true
      }
    }
    if foreign { rebase(into: &report) } else if pending.isEmpty { (working, remade) = (nil, nil) }
  }

  /// Makes the pending work again on top of the confirmed state; what is refused there is dropped, and what builds on it.
  private mutating func rebase(into report: inout Report, dropped: Set<Int64> = []) {
    (landmarks, remade) = ([], nil)
    guard !pending.isEmpty else {
      working = nil
      return
    }
    report.isRebased = true
    var dropped = dropped
    var tentative = history
    var kept: [Pending] = []
    for work in pending {
      var work = work
      work.record = work.record.at(tentative.revision.next)
      if let error = Self.retry(&work, scope: scope, on: &tentative, dropped: dropped) {
        dropped.insert(work.record.id.sequence)
        report.resolutions.append(Resolution(id: work.record.id, result: .failure(error)))
      } else {
        kept.append(work)
        if kept.count % flightLimit == 0 { landmarks.append((work.record.id.sequence, tentative.state)) }
      }
    }
    pending = kept
    working = kept.isEmpty ? nil : tentative.state
  }

  /// Takes up work that another store has left over: under its own ids, so that the journal finds what it has already.
  ///
  /// Nothing else is pending. ``becomes(_:lastSequence:)`` ends it.
  ///
  /// - Parameter leftOver: Work of one origin, in order.
  package mutating func resume(_ leftOver: [Unwritten<State>]) -> Report {
    precondition(pending.isEmpty, "Left over work is taken up while nothing is pending.")
    guard let first = leftOver.first else { return Report() }
    origin = first.work.record.id.origin
    pending = leftOver.map(\.work)
    var report = Report()
    rebase(into: &report)
    return report
  }

  /// Goes on as another origin, while nothing is pending.
  package mutating func becomes(_ origin: Origin, lastSequence: Int64) {
    (self.origin, sequence) = (origin, lastSequence)
  }

  private static func retry(
    _ work: inout Pending, scope: UndoScope, on history: inout History<State>, dropped: Set<Int64>
  ) -> CommitError<State.Failure>? {
    if let requirement = work.requirement, dropped.contains(requirement) { return .requirementDropped }
    if let condition = work.condition, !condition(history.state) { return .conditionFailed }
    switch work.record.content {
    case .undo, .redo:
      do throws(UndoError) { try take(&work.record, in: work.record.scope, on: &history) } catch { return .undo(error) }
    case .initial, .change, .changes, .reset:
      do throws(State.Failure) { try history.attempt(work.record) } catch { return .dropped(error) }
    }
    return nil
  }
}
