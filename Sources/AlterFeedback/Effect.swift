public import AlterCore
public import AlterJournal

/// What the effect of a feedback is handed: its key, and how to tell of its progress.
public struct Effect<State: Alterable>: Sendable {
  /// Names this request for ever: the same in every process that performs it, and after every restart. Hand it to the service that is
  /// asked, so that what was done already is not done twice.
  public let key: IdempotencyKey

  /// The epoch of the lease that it is performed under, higher with each takeover: a service that remembers the highest can refuse those that
  /// come late. Nil for a local feedback.
  public let epoch: Int64?

  let sending: @Sendable ([State.Change]) -> Bool

  /// Makes changes now, all or none: progress, or a first result.
  ///
  /// They are made only where the request is still there.
  ///
  /// - Parameter changes: What happens, in order.
  /// - Returns: Whether they were made. They weren't when the effect was cancelled, the request is gone, or the state refuses them.
  @discardableResult
  public func send(_ changes: State.Change...) -> Bool { sending(changes) }
}

/// An effect as a loop knows it, for inspectors and logs.
public struct EffectStatus: Sendable, Hashable {
  /// How far it is.
  public enum Phase: String, Sendable, Hashable, Codable {
    /// It waits for the lease of its feedback.
    case waiting
    /// It is being performed.
    case running
    /// It has been performed; the request is still there.
    case answered
    /// Its chain has come back too often; see ``FeedbackOptions/rounds``.
    case paused
  }

  /// The feedback's name.
  public let feedback: String
  /// What the request is about, for a feedback with several; empty for one.
  public let subject: String
  /// The request itself, as text.
  public let request: String
  /// The entry with which it appeared, as far as known.
  public let cause: EntryID?
  /// How far it is.
  public let phase: Phase
  /// When it appeared to this loop: microseconds since 1970 UTC.
  public let since: Int64
  /// How many feedback answers led to it without a change by anybody else.
  public let depth: Int
}
