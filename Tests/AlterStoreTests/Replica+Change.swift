import AlterCore
import AlterJournal
import AlterStore

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
}
