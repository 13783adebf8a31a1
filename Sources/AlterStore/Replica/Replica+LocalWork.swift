public import AlterCore
public import AlterJournal

// Local work: changes, undos and redos of this replica.
extension Replica {
  /// Makes a batch of changes or a reset.
  ///
  /// - Parameters:
  ///   - content: The changes or the new state.
  ///   - extra: The cause and the lease.
  ///   - requirement: The pending work that this work requires; nil for none.
  ///   - condition: The condition that the state must meet, now and at each rebase; nil for none.
  ///   - scope: The undo scope of the work; nil for that of the replica.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Throws: ``ChangeError`` `refused`, `conditionFailed` or `full`; then nothing has changed. Otherwise ``made`` is the record.
  @inlinable
  package mutating func make(
    _ content: Record<State>.Content, extra: RecordExtra?, requirement: EntryID? = nil,
    condition: (@Sendable (State) -> Bool)? = nil, in scope: UndoScope? = nil, now: Int64
  ) throws(ChangeError<State.Failure>) {
    guard unwrittenCount < limit else { throw .full(limit: .changes(limit)) }
    if let condition, !condition(state) { throw .conditionFailed }
    let stamp = Stamp(time: time(at: now), origin: origin, sequence: sequence + 1)
    do throws(State.Failure) {
      if confirmsAtOnce {
        let id = EntryID(origin: stamp.origin, sequence: stamp.sequence)
        try history.attempt(content, at: stamp, id: id, in: scope ?? self.scope, extra: extra)
      } else {
        var state = pending.takeState() ?? history.state
        do throws(State.Failure) {
          try state.apply(content, indices: extra?.indices, at: stamp)
        } catch {
          pending.restore(over: history.state)
          throw error
        }
        let record = next(content, extra: extra, at: stamp, in: scope)
        pending.append(PendingWork.Piece(record: record, requirement: requirement, condition: condition), leadingTo: state)
      }
    } catch {
      throw .refused(error)
    }
    (sequence, time) = (stamp.sequence, stamp.time)
  }

  /// The record that was made last: pending, or confirmed in memory.
  package var made: Record<State>? { pending.last?.record ?? history.records.last }

  /// The result of a tentative undo or redo.
  package struct Trial: Sendable {
    /// The records to make. In a synced journal, undos of the idle entries that it passes over come first.
    let records: [Record<State>]
    /// The confirmed and pending records, and the undo or redo.
    package let history: History<State>
    fileprivate let events: Int
    fileprivate let sequence: Int64

    /// The record of the undo or redo.
    package var record: Record<State> { records[records.count - 1] }

    /// The state after the undo or redo.
    package var state: State { history.state }

    /// The entries that are undone or restored: first the scope's entry, then the idle ones after it.
    ///
    /// - Complexity: O(kept records) for each record.
    var concerned: [Record<State>] { records.reversed().flatMap { history.records(concernedBy: $0) } }
  }

  /// The visible work at a moment, as far as an undo may be about it: a confirmed revision, and the pending records.
  package struct Sight: Sendable {
    fileprivate let revision: Revision
    fileprivate let pending: [Record<State>]
    /// The ids of pending records are those of this origin.
    fileprivate let origin: Origin
  }

  /// Returns the visible work of now.
  ///
  /// - Parameter window: The undo window: a number of entries.
  func sight(within window: Int) -> Sight {
    Sight(revision: history.revision, pending: pending.lastVisible(window), origin: origin)
  }

  /// Computes an undo or a redo without changing the replica: it reverts the scope's last entry that makes a difference, or its last undo.
  ///
  /// - Parameters:
  ///   - redo: True for a redo, false for an undo.
  ///   - seen: The work that the caller has seen, if that is not the present one: the undo must revert the same entry as at that moment.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Throws: ``UndoError``; `windowNotLoaded` if it would revert another entry than the caller has seen.
  /// - Complexity: O(pending work since the last undo or rebase + records since the target).
  package func tryUndo(redo: Bool, seen: Sight? = nil, now: Int64) throws(UndoError) -> Trial {
    if let seen {
      let then = history.newestStep(redo: redo, in: scope, through: seen.revision, with: seen.pending)
      let now = history.newestStep(redo: redo, in: scope, through: history.revision, with: pending.lastVisible(history.window))
      guard then == now, seen.pending.isEmpty || seen.origin == origin else { throw .windowNotLoaded(nil) }
    }
    guard unwrittenCount < limit else { throw .full(limit: .changes(limit)) }
    var tentative = folded
    var records: [Record<State>] = []
    func next(_ content: Record<State>.Content, _ cause: Cause? = nil) -> Record<State> {
      let stamp = Stamp(time: self.time(at: now), origin: origin, sequence: sequence + Int64(records.count) + 1)
      return self.next(content, extra: RecordExtra(cause: cause), at: stamp).at(tentative.revision.next)
    }
    if !isSynced {
      var record = next(redo ? .redo([]) : .undo([]))
      try tentative.takeLast(&record)
      records = [record]
    } else {
      // The server takes undos that name one entry. Those of idle entries come first, and answer them, so that none is a step to redo.
      let targets = try redo ? tentative.redoable(in: scope) : tentative.undoable(in: scope)
      for id in targets.passed.reversed() {
        records.append(try tentative.takeNamed(next(.undo([id]), Cause(answers: id))))
      }
      records.append(try tentative.takeNamed(next(redo ? .redo([targets.first]) : .undo([targets.first]))))
    }
    return Trial(records: records, history: tentative, events: events, sequence: sequence)
  }

  /// Makes a tentative undo or redo.
  ///
  /// - Returns: False, without a change, if something has happened since the trial.
  package mutating func make(_ trial: Trial) -> Bool {
    guard trial.events == events, trial.sequence == sequence else { return false }
    if confirmsAtOnce {
      history = trial.history
    } else {
      pending.append(trial.records, leadingTo: trial.history)
    }
    (sequence, time) = (trial.record.id.sequence, trial.record.time)
    return true
  }

  /// Reverts the scope's last entry, or its last undo.
  ///
  /// - Parameters:
  ///   - redo: True for a redo, false for an undo.
  ///   - seen: The work that the caller has seen, if that is not the present one.
  ///   - now: The clock, in microseconds since 1970 UTC.
  /// - Returns: The record, pending, or confirmed in memory.
  /// - Throws: ``UndoError``; then nothing has changed.
  package mutating func undo(redo: Bool, seen: Sight? = nil, now: Int64) throws(UndoError) -> Record<State> {
    let trial = try tryUndo(redo: redo, seen: seen, now: now)
    _ = make(trial)
    return trial.record
  }

  /// The time of the next work: the clock's, or that of the last work if the clock was set back by ``largestSetback`` at most.
  ///
  /// A clock that was set back by more was wrong before. Without this bound, one change under a clock that is years ahead would give its year
  /// to all later ones.
  @inlinable
  func time(at now: Int64) -> Int64 {
    now >= time || now < time &- Self.largestSetback ? now : time
  }

  /// An hour, in microseconds.
  @inlinable static var largestSetback: Int64 { 3_600_000_000 }

  @inlinable
  func next(_ content: Record<State>.Content, extra: RecordExtra?, at stamp: Stamp, in scope: UndoScope? = nil) -> Record<State> {
    Record(
      revision: history.revision + (pending.count + 1), id: EntryID(origin: stamp.origin, sequence: stamp.sequence), time: stamp.time,
      scope: scope ?? self.scope, content: content, extra: extra)
  }
}
