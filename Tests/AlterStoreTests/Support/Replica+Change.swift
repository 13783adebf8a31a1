import AlterCore
import AlterJournal

@testable import AlterStore

extension Replica {
  /// Makes a change and returns its record.
  mutating func change(
    _ kind: Record<State>.Kind, cause: Cause?, requirement: EntryID?, lease: Lease? = nil, condition: (@Sendable (State) -> Bool)? = nil,
    now: Int64
  ) throws(ChangeError<State.Failure>) -> Record<State> {
    try make(
      Record.Content(kind), extra: RecordExtra(cause: cause, lease: lease), requirement: requirement, condition: condition, now: now)
    guard let made else { preconditionFailure("What was made is pending, or in the history.") }
    return made
  }

  /// Reads new records of the journal, from other writers or from this replica.
  ///
  /// - Parameters:
  ///   - records: The records after the known head, in order. Known records are ignored.
  ///   - head: The head after the last record.
  ///   - absent: The ids that undos among the records name and that the journal doesn't contain.
  ///   - skipsRefused: Whether a record that the state refuses is skipped and reported; otherwise it is an obstacle.
  ///   - wantsSteps: Whether the report contains the state after each record.
  /// - Returns: The report for observers.
  /// - Throws: ``Obstacle``. The replica is then unchanged.
  mutating func advance(
    _ records: [Record<State>], to head: Head, ignoring absent: Set<EntryID> = [], skipsRefused: Bool = true, wantsSteps: Bool
  ) throws(Obstacle) -> Report {
    var copy = self
    var report = Report()
    try copy.takeIn(records, to: head, ignoring: absent, wantsSteps: wantsSteps, into: &report)
    try copy.judge(report, skipsRefused: skipsRefused)
    copy.rebase(into: &report)
    self = copy
    return report
  }

  /// Adopts a confirmed state that was folded again from an earlier point of the journal.
  ///
  /// - Parameters:
  ///   - history: The journal, folded up to `head`.
  ///   - steps: The steps after the known head, in order.
  ///   - head: The end of the journal.
  mutating func adopt(_ history: History<State>, steps: [Step], head: Head) -> Report {
    var report = Report()
    takeIn(history, steps: steps, head: head, into: &report)
    rebase(into: &report)
    return report
  }
}
