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
  var pendingIDs: [EntryID] { pending.map(\.record.id) }

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
    pending = Pieces(pending.lazy.filter { own[$0.record.id] == nil })
    (flight, doubtful) = (nil, 0)
    events += 1
    become(history, records: steps.map(\.record), head: head, into: &report)
    (isStale, hasNewGround) = (!pending.isEmpty, true)
    if pending.isEmpty { (working, remade, folded, landmarks) = (nil, nil, nil, []) }
  }

  private mutating func become(_ history: History<State>, records: [Record<State>], head: Head, into report: inout Report) {
    self.history = history
    self.head = head
    guard !records.isEmpty else { return }
    events += 1
    // A flight that presents an older head cannot land any more: each of its records is either among these records, or still pending. A reading
    // of work whose append may still be made ends only behind that, see `CatchUp`.
    (flight, doubtful) = (nil, 0)
    var own: Set<EntryID> = []
    var last = -1
    for record in records {
      guard let index = index(of: record.id) else { continue }
      report.resolutions.append(Resolution(id: record.id, result: .success(record.revision)))
      own.insert(record.id)
      last = max(last, index)
    }
    if !own.isEmpty {
      if last + 1 == own.count {
        removeFirst(own.count)
      } else {
        pending = Pieces(pending.lazy.filter { !own.contains($0.record.id) })
        // The remaining work was applied after other pending work than before.
        (isStale, hasNewGround) = (true, true)
      }
    }
    if own.count < records.count { (isStale, hasNewGround) = (true, true) }
    if pending.isEmpty { (working, remade, folded, landmarks, isStale) = (nil, nil, nil, [], false) }
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
    assert(!pending.contains { $0.record.content.isMark }, "An undo was made without the undo window.")
    // It begins at the former confirmed side. Without a pending undo, it is not needed.
    folded = nil
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
    (flight, doubtful) = (nil, 0)
    self.origin = origin
    pending = Pieces(pending.lazy.map { $0.of(origin) })
    (isStale, hasNewGround) = (!pending.isEmpty, true)
  }

  /// Replays the pending work on top of the confirmed state, if that has changed. Work that the state refuses there is dropped, and so is
  /// the work that requires it.
  mutating func rebase(into report: inout Report) {
    guard isStale else { return }
    isStale = false
    events += 1
    (landmarks, remade, folded, working) = ([], nil, nil, nil)
    guard !pending.isEmpty else { return }
    let all = pending
    pending = Pieces()
    folded = (gone, history)
    remake(all, into: &report)
    if pending.isEmpty { folded = nil }
  }

  /// Applies work after the pending work, or drops it.
  mutating func remake(_ works: some Sequence<Pending>, into report: inout Report) {
    var tentative = folded?.history ?? history
    folded = nil
    working = nil
    var dropped = report.dropped
    for work in works {
      var work = work
      work.record = work.record.at(tentative.revision.next)
      if outbox != nil {
        // The server decides: work that the state refuses here is hidden, and stays.
        work.isHidden = Self.isRefused(&work.record, on: &tentative)
      } else if let error = Self.retry(&work, scope: scope, on: &tentative, dropped: dropped) {
        dropped.insert(work.record.id)
        report.resolutions.append(Resolution(id: work.record.id, result: .failure(error)))
        continue
      }
      pending.append(work)
      if pending.count % flightLimit == 0 { landmarks.append((end, tentative.state)) }
    }
    report.isRebased = true
    guard !pending.isEmpty else { return }
    working = tentative.state
    folded = (end, tentative)
  }

  // MARK: - Apart from the store's lock

  /// Returns a copy for long work, while this replica continues to accept changes and undos. The copy does not share the pending state, so
  /// that changes here happen in place.
  ///
  /// All other events wait until the copy has replaced this replica: ``trade(with:into:)``.
  func copied() -> Replica {
    var copy = self
    (copy.working, copy.landmarks, copy.remade, copy.hasNewGround) = (nil, [], nil, false)
    return copy
  }

  /// The work that was made after a sequence.
  func made(after sequence: Int64) -> Slice<Pieces<Pending>> { pending[index(after: sequence)...] }

  /// Whether a replay of the work is so short that the caller may hold a lock meanwhile: at most 64 pieces, and no undo.
  static func isLittle(_ works: Slice<Pieces<Pending>>) -> Bool { works.count <= 64 && !works.contains { $0.record.content.isMark } }

  /// Applies, on a copy, the work that was made on the original since.
  mutating func follow(_ works: Slice<Pieces<Pending>>, into report: inout Report) {
    guard let last = works.last?.record else { return }
    remake(works.lazy.map { [origin] in $0.of(origin) }, into: &report)
    (sequence, time) = (last.id.sequence, last.time)
  }

  /// Replaces this replica by a copy; the copy receives the old value. The copy replays the work that was made here since, unless the state
  /// that it was applied to is the same.
  mutating func trade(with copy: inout Replica, into report: inout Report) {
    let works = made(after: copy.sequence)
    if copy.hasNewGround {
      copy.follow(works, into: &report)
    } else {
      for work in works { copy.pending.append(work) }
      // The places are the same: nothing has left the middle.
      if !copy.pending.isEmpty {
        (copy.working, copy.remade, copy.folded) = (working, remade, folded)
        copy.landmarks = landmarks.filter { $0.end > copy.gone }
      }
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
    precondition(pending.isEmpty, "Left-over work is resumed only while nothing is pending.")
    guard let last = leftOver.last?.work.record else { return Report() }
    (origin, sequence, time) = (last.id.origin, last.id.sequence, max(time, last.time))
    lives += 1
    pending = Pieces(leftOver.map(\.work))
    isStale = true
    var report = Report()
    rebase(into: &report)
    return report
  }

  /// Continues as another origin. Nothing may be pending.
  package mutating func becomes(_ origin: Origin, lastSequence: Int64) {
    (self.origin, sequence) = (origin, lastSequence)
    lives += 1
  }

  /// Applies work whose undos name their entries permanently.
  ///
  /// - Returns: Whether the state refuses it.
  private static func isRefused(_ record: inout Record<State>, on history: inout History<State>) -> Bool {
    do throws(CommitError<State.Failure>) { record = try history.attemptFixed(record) } catch { return true }
    return false
  }

  private static func retry(
    _ work: inout Pending, scope: UndoScope, on history: inout History<State>, dropped: Set<EntryID>
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
