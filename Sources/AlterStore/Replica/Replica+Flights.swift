import AlterCore
import AlterJournal

// Events on the way to the journal: pending work is appended as one flight.
extension Replica {
  /// Takes the pending work as a flight, up to ``flightLimit`` records; nil if nothing is pending, or while another flight is in progress.
  package mutating func takeFlight() -> Flight? {
    guard flight == nil, outbox == nil, !pending.isEmpty, let head, let working else { return nil }
    flights += 1
    flight = flights
    guard pending.count > flightLimit else {
      doubtful = pending.count
      return Flight(number: flights, records: records(0..<pending.count), head: head, state: working)
    }
    // End the flight at a kept state if possible: then nothing needs to be applied again.
    let landmark = landmarks.first
    let kept = landmark.map { $0.end - gone }.flatMap { (1...flightLimit).contains($0) ? $0 : nil }
    doubtful = kept ?? flightLimit
    return Flight(number: flights, records: records(0..<doubtful), head: head, state: kept == nil ? nil : landmark?.state)
  }

  func records(_ range: Range<Int>) -> [Record<State>] {
    var records: [Record<State>] = []
    records.reserveCapacity(range.count)
    for work in pending[range] { records.append(work.record) }
    return records
  }

  /// Returns the pending records after a sequence, in order, at most `limit`.
  ///
  /// - Complexity: O(log(pending) + limit).
  package func upcoming(after sequence: Int64, limit: Int) -> [Record<State>] {
    let low = index(after: sequence)
    return records(low..<min(pending.count, low + limit))
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
    guard self.flight == flight.number else { return Report() }
    var records = flight.records
    guard appended.first == history.revision.next, appended.head.revision == history.revision + records.count else {
      // The journal may have the flight. Reading will show whether it has.
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
        self.flight = nil
        return nil
      }
      history = trial
    }
    head = appended.head
    (self.flight, doubtful) = (nil, 0)
    removeFirst(records.count)
    if pending.isEmpty { (working, remade, folded) = (nil, nil, nil) }
    return report
  }

  /// Removes work from the front of the pending work.
  mutating func removeFirst(_ count: Int) {
    pending.removeFirst(count)
    gone += count
    landmarks.removeAll { $0.end <= gone }
  }

  /// Shortens a flight that is too large for one append. The rest stays pending.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - count: The number of records to keep, at least one.
  package mutating func shorten(_ flight: Flight, to count: Int) -> Flight {
    if self.flight == flight.number { doubtful = count }
    return Flight(number: flight.number, records: Array(flight.records.prefix(count)), head: flight.head, state: nil)
  }

  /// Records whether the journal may have a flight, before or after an attempt to append it.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - mayBeThere: Whether the journal may have it from now on.
  package mutating func isDoubtful(_ flight: Flight, _ mayBeThere: Bool) {
    if self.flight == flight.number { doubtful = mayBeThere ? flight.records.count : 0 }
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

  /// Ends a flight that is not directly after the known head, or whose outcome is unknown. It stays doubtful until reading shows whether the
  /// journal has it.
  package mutating func isElsewhere(_ flight: Flight) {
    if self.flight == flight.number { self.flight = nil }
  }

  /// Ends a flight that did not land and never will. Its work stays pending.
  package mutating func turnedBack(_ flight: Flight) {
    if self.flight == flight.number { (self.flight, doubtful) = (nil, 0) }
  }

  /// Drops one piece of work that cannot be written at all, and the work that requires it.
  package mutating func discard(_ sequence: Int64, because error: CommitError<State.Failure>) -> Report {
    discard(because: error) { [origin] in $0.id == EntryID(origin: origin, sequence: sequence) }
  }

  /// Drops the work that was made under a lease that another replica has taken over, and the work that requires it.
  package mutating func discard(under lease: Lease) -> Report {
    discard(because: .staleLease(lease)) { $0.lease == lease }
  }

  private mutating func discard(because error: CommitError<State.Failure>, _ isUnwritable: (Record<State>) -> Bool) -> Report {
    (flight, doubtful) = (nil, 0)
    var report = Report()
    for work in pending where isUnwritable(work.record) {
      report.resolutions.append(Resolution(id: work.record.id, result: .failure(error)))
    }
    let dropped = report.dropped
    pending = Pieces(pending.lazy.filter { !dropped.contains($0.record.id) })
    (isStale, hasNewGround) = (true, true)
    rebase(into: &report)
    return report
  }
}
