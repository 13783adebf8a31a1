import AlterCore
import AlterJournal

// Events on the way to the journal: pending work is appended as one flight.
extension Replica {
  /// Takes the pending work as a flight, up to a number of records; nil if nothing is pending, or while another flight is in progress.
  package mutating func takeFlight() -> Flight? {
    guard writing.number == nil, !isSynced, let head, let (count, state) = pending.flight else { return nil }
    return Flight(number: beginFlight(of: count), records: pending.records(0..<count), head: head, state: state)
  }

  /// Whether the pending work is at most some pieces, without an undo or a redo, of which the journal has none.
  func isLittle(_ limit: Int) -> Bool {
    pendingCount <= limit && writing == .idle && !pending.pieces.contains { $0.record.content.isMark }
  }

  /// Returns the pending records after a sequence, in order, at most `limit`.
  ///
  /// - Complexity: O(log(pending) + limit).
  package func upcoming(after sequence: Int64, limit: Int) -> [Record<State>] {
    let low = pending.index(after: sequence)
    return pending.records(low..<min(pending.count, low + limit))
  }

  /// Confirms the records of a flight that was appended.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - appended: Its place in the journal.
  ///   - wantsSteps: Whether an observer wants the state after each record. If not, most flights need no replay.
  /// - Returns: The consequences; an empty report if reading has confirmed the records meanwhile. Nil if the records do not begin directly
  ///   after the known head, because another writer came first, or if an undo among them reaches beyond the kept history. Then the flight
  ///   has ended: read on from the known head.
  package mutating func landed(_ flight: Flight, at appended: Appended, wantsSteps: Bool) -> Report? {
    guard writing.number == flight.number else { return Report() }
    var records = flight.records
    guard isNext(flight, at: appended) else {
      // The journal may have the flight. Reading will show whether it has.
      writing.on(.lost(flight.number))
      return nil
    }
    var report = Report()
    report.resolutions.reserveCapacity(records.count)
    var hasMarks = false
    var revision = appended.first
    for index in 0..<records.count {
      if records[index].revision != revision { records[index] = records[index].at(revision) }
      report.resolutions.append(Resolution(id: records[index].id, result: .success(revision)))
      if records[index].content.isMark { hasMarks = true }
      revision = revision.next
    }
    if let state = flight.state, !wantsSteps, !hasMarks {
      history.promote(records, to: state)
    } else if !hasMarks {
      _ = Self.fold(records, into: &history, wantsSteps: wantsSteps, report: &report)
    } else {
      // If an undo reaches beyond the kept records, the history must stay as it was.
      var trial = history
      guard Self.fold(records, into: &trial, wantsSteps: wantsSteps, report: &report) else {
        writing.on(.lost(flight.number))
        return nil
      }
      history = trial
    }
    head = appended.head
    writing.on(.landed(flight.number))
    pending.removeFirst(records.count)
    pending.settle()
    return report
  }

  /// Whether a flight was appended directly after the confirmed side.
  func isNext(_ flight: Flight, at appended: Appended) -> Bool {
    appended.first == history.revision.next && appended.head.revision == history.revision + flight.records.count
  }

  /// Shortens a flight that is too large for one append. The rest stays pending.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - count: The number of records to keep, at least one.
  package mutating func shorten(_ flight: Flight, to count: Int) -> Flight {
    writing.on(.shortened(flight.number, to: count))
    return Flight(number: flight.number, records: Array(flight.records.prefix(count)), head: flight.head, state: nil)
  }

  /// Records whether the journal may have a flight, before or after an attempt to append it.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - mayBeThere: Whether the journal may have it from now on.
  package mutating func isDoubtful(_ flight: Flight, _ mayBeThere: Bool) {
    writing.on(.mayBeThere(flight.number, pieces: mayBeThere ? flight.records.count : 0))
  }

  /// Folds confirmed records into a history.
  ///
  /// - Returns: False if an undo among them reaches beyond the kept records.
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

  /// Returns the confirmed state to which a flight leads; nil if an undo in it reaches beyond the kept records.
  static func landing(of flight: Flight, on history: History<State>) -> State? {
    if let state = flight.state, !flight.records.contains(where: { $0.content.isMark }) { return state }
    var (trial, report) = (history, Report())
    var records = flight.records
    for index in records.indices { records[index] = records[index].at(history.revision + (index + 1)) }
    return fold(records, into: &trial, wantsSteps: false, report: &report) ? trial.state : nil
  }

  /// Ends a flight that is not directly after the known head, or whose outcome is unknown. It stays doubtful until reading shows whether the
  /// journal has it.
  package mutating func isElsewhere(_ flight: Flight) { writing.on(.lost(flight.number)) }

  /// Ends a flight that did not land and never will. Its work stays pending.
  package mutating func turnedBack(_ flight: Flight) { writing.on(.turnedBack(flight.number)) }

  /// Drops one piece of work that cannot be written at all, and the work that requires it.
  package mutating func discard(_ sequence: Int64, because error: CommitError<State.Failure>) -> Report {
    discard(because: error) { [origin] in $0.id == EntryID(origin: origin, sequence: sequence) }
  }

  /// Drops the work that was made under a lease that another replica has taken over, and the work that requires it.
  package mutating func discard(under lease: Lease) -> Report {
    discard(because: .staleLease(lease)) { $0.lease == lease }
  }

  private mutating func discard(because error: CommitError<State.Failure>, _ isUnwritable: (Record<State>) -> Bool) -> Report {
    writing.on(.overtaken)
    var report = Report()
    for work in pending.pieces where isUnwritable(work.record) {
      report.resolutions.append(Resolution(id: work.record.id, result: .failure(error)))
    }
    let dropped = report.dropped
    pending.remove { dropped.contains($0.record.id) }
    rebase(into: &report)
    return report
  }
}
