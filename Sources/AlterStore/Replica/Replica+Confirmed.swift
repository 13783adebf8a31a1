import AlterCore
import AlterJournal

// Events from the journal: entries of other writers, and of this replica.
extension Replica {
  /// Applies a page of new journal entries. ``rebase(into:)`` must follow the last page.
  ///
  /// - Parameters:
  ///   - records: The records after the known head, in order. Records that are known already are skipped.
  ///   - head: The head after the last record.
  ///   - absent: Ids that undos among the records name and that the journal does not have.
  ///   - wantsSteps: Whether an observer wants the state after each record.
  ///   - report: Receives the consequences.
  /// - Throws: ``Obstacle`` `reachesBeyond`; then nothing has changed.
  mutating func takeIn(
    _ records: [Record<State>], to head: Head, ignoring absent: Set<EntryID>, wantsSteps: Bool, into report: inout Report
  ) throws(Obstacle) {
    var history = history
    var refusals: [(revision: Revision, failure: State.Failure)] = []
    var steps: [Step] = []
    var new: [Record<State>] = []
    for record in records where record.revision > history.revision {
      switch history.append(record, ignoring: absent) {
      case .applied: break
      case .suppressed(let failure): refusals.append((record.revision, failure))
      case .reachesBeyond(let ids): throw .reachesBeyond(ids)
      }
      new.append(record)
      if wantsSteps { steps.append((record, history.state)) }
    }
    history.skip(to: head.revision)
    report.refusals += refusals
    report.steps += steps
    become(history, records: new, head: head, into: &report)
  }

  /// Rejects records that the state has refused. Call it after the last page, because a later undo may explain a refusal.
  ///
  /// - Throws: ``Obstacle`` `refused`, unless `skipsRefused` is true.
  func judge(_ report: Report, skipsRefused: Bool) throws(Obstacle) {
    if !skipsRefused, let (revision, failure) = history.stillRefused(report.refusals).first { throw .refused(revision, failure) }
  }

  /// Replaces the confirmed side by one that was folded again from an earlier point of the journal. ``rebase(into:)`` must follow.
  ///
  /// - Parameters:
  ///   - history: The journal folded up to `head`.
  ///   - steps: The records after the known head, in order, with their states.
  ///   - head: The end of the journal.
  ///   - report: Receives the consequences.
  mutating func takeIn(_ history: History<State>, steps: [Step], head: Head, into report: inout Report) {
    report.steps += steps
    become(history, records: steps.map(\.record), head: head, into: &report)
  }

  /// The ids of the pending work.
  var pendingIDs: [EntryID] { pending.pieces.map(\.record.id) }

  /// Begins again at the floor of a journal that was compacted beyond the known head. ``rebase(into:)`` must follow.
  ///
  /// - Parameters:
  ///   - floor: The revision of the floor.
  ///   - state: The state there, for the observers.
  ///   - history: The journal folded up to `head`.
  ///   - steps: The records after the floor, in order, with their states.
  ///   - own: The revisions of pending work that the journal has had up to the floor.
  ///   - head: The end of the journal.
  ///   - report: Receives the consequences.
  mutating func begin(
    at floor: Revision, _ state: State, _ history: History<State>, steps: [Step], own: [EntryID: Revision], head: Head,
    into report: inout Report
  ) {
    report.start = (.floor, floor, state)
    report.steps = steps
    for (id, revision) in own.sorted(by: { $0.value < $1.value }) {
      report.resolutions.append(Resolution(id: id, result: .success(revision)))
    }
    pending.remove { own[$0.record.id] != nil }
    writing.on(.overtaken)
    events += 1
    become(history, records: steps.map(\.record), head: head, into: &report)
    pending.groundHasChanged()
    pending.settle()
  }

  private mutating func become(_ history: History<State>, records: [Record<State>], head: Head, into report: inout Report) {
    self.history = history
    self.head = head
    guard !records.isEmpty else { return }
    events += 1
    // A flight that presents an older head cannot land any more: each of its records is either among these records, or still pending. A reading
    // of work whose append may still be made ends only behind that, see `CatchUp`.
    writing.on(.overtaken)
    for (id, revision) in pending.remove(confirmedBy: records) {
      report.resolutions.append(Resolution(id: id, result: .success(revision)))
    }
  }

  /// Exchanges the confirmed side for one that reaches farther back. The caller receives the former one, to release it outside of the lock.
  ///
  /// No undo may be pending: it would have been looked up without the window.
  ///
  /// - Parameter longer: The same journal, folded up to a revision that this replica knows. A few records that were confirmed since are
  ///   folded in here.
  /// - Returns: False if more than a few are missing, or if they have an undo. Then nothing has changed here, and the caller reads them.
  mutating func widen(to longer: inout History<State>) -> Bool {
    if longer.revision < history.revision {
      guard history.base <= longer.revision else { return false }
      let since = history.records(after: longer.revision)
      guard since.count <= History<State>.spacing, !since.contains(where: { $0.content.isMark }) else { return false }
      for record in since { _ = longer.append(record) }
      longer.skip(to: history.revision)
    }
    swap(&history, &longer)
    isWidened()
    return true
  }

  /// Extends the window of a confirmed side that has the whole journal in memory.
  ///
  /// - Returns: True if the window was extended; false if the history does not begin with the journal's first entry.
  mutating func widenIfComplete(to window: Int) -> Bool {
    guard history.isComplete else { return false }
    history.window = window
    isWidened()
    return true
  }

  private mutating func isWidened() {
    // Without a pending undo, it is not needed.
    pending.forgetFold()
    events += 1
    lives += 1
  }

  /// Continues under a new origin, because another process uses the same one.
  package mutating func renew(_ origin: Origin) -> Report {
    rename(origin)
    var report = Report()
    rebase(into: &report)
    return report
  }

  /// Changes the origin of the replica and of its pending work, while pages of the journal are applied. ``rebase(into:)`` must follow.
  mutating func rename(_ origin: Origin) {
    writing.on(.overtaken)
    self.origin = origin
    pending.rename(origin)
  }

  /// Replays the pending work on top of the confirmed state, if that has changed. Work that the state refuses there is dropped, and so is
  /// the work that requires it.
  mutating func rebase(into report: inout Report) {
    if pending.rebase(over: history, into: &report) { events += 1 }
  }

  // MARK: - Apart from the store's lock

  /// Returns a copy for long work, while this replica continues to accept changes and undos. The copy does not share the pending state, so
  /// that changes here happen in place.
  ///
  /// All other events wait until the copy has replaced this replica: ``trade(with:into:)``.
  func copied() -> Replica {
    var copy = self
    copy.pending = pending.copied()
    return copy
  }

  /// The work that was made after a sequence.
  func made(after sequence: Int64) -> PendingWork<State>.Part {
    pending.pieces[pending.index(after: sequence)...]
  }

  /// Whether a replay of the work is so short that the caller may hold a lock meanwhile: at most 64 pieces, and no undo.
  static func isLittle(_ works: PendingWork<State>.Part) -> Bool { works.count <= 64 && !works.contains { $0.record.content.isMark } }

  /// Applies, on a copy, the work that was made on the original since.
  mutating func follow(_ works: PendingWork<State>.Part, into report: inout Report) {
    guard let last = works.last?.record else { return }
    pending.replay(works.lazy.map { [origin] in $0.of(origin) }, over: history, into: &report)
    (sequence, time) = (last.id.sequence, last.time)
  }

  /// Replaces this replica by a copy; the copy receives the old value. The copy replays the work that was made here since, unless the state
  /// that it was applied to is the same.
  mutating func trade(with copy: inout Replica, into report: inout Report) {
    let works = made(after: copy.sequence)
    if copy.pending.hasNewGround {
      copy.follow(works, into: &report)
    } else {
      copy.pending.follow(pending, by: works)
    }
    (copy.sequence, copy.time) = (sequence, time)
    swap(&self, &copy)
  }

  /// Takes over work that another store has left over, under its own ids, so that the journal recognises the entries that it has already.
  ///
  /// Nothing may be pending. Call ``becomes(_:lastSequence:)`` when the work is written.
  ///
  /// - Parameter leftOver: Work of one origin, in order.
  package mutating func resume(_ leftOver: [Unwritten<State>]) -> Report {
    guard let last = leftOver.last?.work.record else { return Report() }
    (origin, sequence, time) = (last.id.origin, last.id.sequence, max(time, last.time))
    lives += 1
    pending.begin(with: leftOver.lazy.map(\.work))
    var report = Report()
    rebase(into: &report)
    return report
  }

  /// Continues as another origin. Nothing may be pending.
  package mutating func becomes(_ origin: Origin, lastSequence: Int64) {
    (self.origin, sequence) = (origin, lastSequence)
    lives += 1
  }
}
