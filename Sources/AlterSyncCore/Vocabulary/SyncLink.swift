/// The status of a device's link to its server, as the user sees it.
public enum SyncLink: Sendable, Hashable {
  /// The reason for which the server cannot be reached.
  public enum Reason: Sendable, Hashable {
    /// No answer: the network, a timeout, a cut body.
    case network
    /// The server, or a proxy before it, can't serve now (`429`, or a status from 500 on).
    case busy
    /// The answer was not understood.
    case notUnderstood
    /// The envelope of the request was rejected (`413`, `422`).
    case envelope
    /// The app has suspended the engine.
    case suspended
    /// The device's own file could not be read or written.
    case file
  }

  /// The link works, the store has all that the server had at the last exchange, and a stream or a poll announces news.
  case live
  /// The first exchange is in progress.
  case connecting
  /// The server cannot be reached. Microseconds since 1970 UTC.
  case offline(Reason, since: Int64)
  /// The server is reached and entries arrive, but it does not decide drafts for now: a newer schema, a failing policy, an exhausted budget.
  case held(SyncHold.Code, since: Int64)
  /// The token was rejected, and a refresh did not help.
  case unauthorised
  /// The server does not permit this principal. The journal is frozen.
  case forbidden
  /// The file belongs to another principal than the signed-in user. The device sends no change of it, and the app must not show its
  /// content.
  case locked
  /// The mirror holds entries of a newer schema. The link works otherwise.
  case outdated
  /// The server lacks the head of this mirror, and its generation has not changed. The operator must act.
  case restarted

  var isHeld: Bool { if case .held = self { true } else { false } }
}
