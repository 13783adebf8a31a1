import AlterCore
import AlterJournal

@testable import AlterStore

extension Replica {
  /// Makes a change and returns its record.
  mutating func change(
    _ kind: Record<State>.Kind, cause: Cause?, requirement: Int64?, lease: Lease? = nil, condition: (@Sendable (State) -> Bool)? = nil,
    now: Int64
  ) throws(ChangeError<State.Failure>) -> Record<State> {
    try make(
      Record.Content(kind), extra: RecordExtra(cause: cause, lease: lease), requirement: requirement, condition: condition, now: now)
    guard let made else { preconditionFailure("What was made is pending, or in the history.") }
    return made
  }

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

  /// The confirmed side was folded anew from an earlier point of the journal.
  ///
  /// - Parameters:
  ///   - history: The journal folded up to `head`.
  ///   - steps: What follows the known head, in order.
  ///   - head: Where the journal ends.
  mutating func adopt(_ history: History<State>, steps: [Step], head: Head) -> Report {
    var report = Report()
    takeIn(history, steps: steps, head: head, into: &report)
    rebase(into: &report)
    return report
  }
}
