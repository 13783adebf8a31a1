public import AlterCore
public import AlterJournal

/// The argument of a feedback's effect: its key, and a method for reporting progress.
public struct Effect<State: Alterable>: Sendable {
  /// The permanent id of this request: the same in every process that performs it, and after every restart. Pass it to the remote service,
  /// so that the service can detect a repeated request.
  ///
  /// Only the process itself performs the requests of a local feedback, and of a store without a journal. A request that such a loop finds when it
  /// starts has a new key, in each loop another one.
  public let key: IdempotencyKey

  /// The epoch of the lease under which the effect runs, higher with each takeover. A service that remembers the highest epoch can refuse
  /// requests with an older one. Nil for a local feedback.
  public let epoch: Int64?

  let sending: @Sendable ([State.Change]) -> Bool

  /// Makes changes now, all or none: progress, or a first result.
  ///
  /// The changes are made only if the request is still present.
  ///
  /// - Parameter changes: The changes, in order.
  /// - Returns: Whether they were made. They are not made if the effect was cancelled, the request has disappeared, or the state refuses
  ///   them.
  @discardableResult
  public func send(_ changes: State.Change...) -> Bool { sending(changes) }
}

/// The status of an effect in a loop, for inspectors and logs.
public struct EffectStatus: Sendable, Hashable {
  /// The phase of an effect.
  public enum Phase: String, Sendable, Hashable, Codable {
    /// The effect waits for the lease of its feedback.
    case waiting
    /// The effect is running.
    case running
    /// The effect has ended; its request is still present.
    case answered
    /// The effect's chain has exceeded the bound; see ``FeedbackOptions/rounds``.
    case paused
  }

  /// The feedback's name.
  public let feedback: String
  /// The subject of the request, for a feedback with several requests; empty for one.
  public let subject: String
  /// The request itself, as text.
  public let request: String
  /// The entry at which the request appeared; nil while unknown.
  public let cause: EntryID?
  /// The phase of the effect.
  public let phase: Phase
  /// The time at which the request appeared to this loop: microseconds since 1970 UTC.
  public let since: Int64
  /// The number of consecutive feedback answers that led to the request without an outside change.
  public let depth: Int
}
