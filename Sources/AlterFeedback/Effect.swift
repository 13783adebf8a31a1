public import AlterCore
import AlterJournal
import AlterStore

/// The third argument of an effect: sends changes while the effect runs.
public struct Effect<State: Alterable>: Sendable {
  /// The epoch of the lease under which the effect runs, higher with each takeover. A service that remembers the highest epoch can refuse
  /// requests with an older one. Nil in a store in memory, and for a local feedback.
  public let epoch: Int64?

  let sending: @Sendable ([State.Change]) async throws -> Void

  /// Makes changes now, all or none: progress, or a note that the service is about to be called.
  ///
  /// The changes are in the journal when this method returns; of a local feedback, they are visible.
  ///
  /// - Parameter changes: The changes, in order.
  /// - Throws: `ChangeError` or `CommitError`: `conditionFailed` if the state does not ask any more, the model's refusal, or the end of the
  ///   lease or the store. Then nothing has changed. Let the error leave the effect: it begins again if it is still needed.
  public func send(_ changes: State.Change...) async throws { try await sending(changes) }
}

/// The error that `unclear:` receives if the time for attempts was over before the effect could begin.
public struct RequestExpired: Error, Hashable, CustomStringConvertible {
  /// The time at which the request was made: microseconds since 1970 UTC.
  package let since: Int64

  /// The reason, and the remedy.
  public var description: String {
    """
    The request of \(DateText.description(of: .init(microseconds: since))) is too old for another attempt, because the service may have \
    forgotten its key. Look its outcome up at the service, or raise the limit with `attempts(_:within:)`.
    """
  }
}

/// The status of a request, for inspectors and logs.
public struct EffectStatus: Sendable, Hashable {
  /// The phase of a request.
  public enum Phase: Sendable, Hashable, CustomStringConvertible {
    /// It waits for the lease, or for a place among the effects that run at a time.
    case waiting
    /// Its effect is running.
    case running
    /// Its effect has thrown an error, and begins again at a time, in microseconds since 1970 UTC.
    case pausing(until: Int64, attempt: Int, error: String)
    /// The answer is pending.
    case settling
    /// Nothing more is done, for a reason that `store.problems` has reported. ``FeedbackRun/retry(_:)`` begins again.
    case stuck(String)

    /// The name of the phase.
    public var description: String {
      switch self {
      case .waiting: "waiting"
      case .running: "running"
      case .pausing: "pausing"
      case .settling: "settling"
      case .stuck: "stuck"
      }
    }
  }

  /// The feedback's name.
  public let feedback: String
  /// The id of the element that asks; empty for a request of the whole state.
  package let subject: String
  /// The request itself, as text.
  package let request: String
  /// The id of the request, if it acts.
  package let id: RequestID?
  /// The entry at which the request appeared; nil if it is older than the run.
  package let cause: EntryID?
  /// The phase.
  public let phase: Phase
  /// The time at which the request appeared to this run: microseconds since 1970 UTC.
  package let since: Int64
  /// The number of consecutive feedback answers that led to the request, without a change from outside.
  package let depth: Int
}

/// The reason for which feedbacks cannot run on a store. Nothing has begun.
public enum FeedbackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The journal is decided by a server, which alone may perform these durable feedbacks: `Stores.run` in the process of its service.
  case decidedByServer([String])
  /// The feedback acts on the world, and each process would do so.
  case actingIsNotLocal(String)
  /// The duration of the lease is not between a second and a day.
  case lease(Duration)
  /// Two feedbacks have this name.
  case duplicate(String)
  /// The name can be spelled in several ways that look alike, and two processes would have two leases.
  case name(String)
  /// The store was closed, or has failed.
  case closed

  /// The reason, and the remedy.
  public var description: String {
    switch self {
    case .decidedByServer(let names):
      """
      The feedbacks \(names.map { "'\($0)'" }.joined(separator: ", ")) can't run here: the journal's server decides, and each device would perform \
      them. Run them with `Stores.run` in the process of the `SyncService`, and make those that only read or show something `.local`.
      """
    case .actingIsNotLocal(let name):
      "The feedback '\(name)' acts on the world, so it can't be local in a store with a journal: each process would act. Remove `.local`."
    case .lease(let duration): "The lease of a feedback lasts from 1 second to 1 day, not \(duration). Set `FeedbackOptions.lease`."
    case .duplicate(let name): "Two feedbacks have the name '\(name)'. Give each its own."
    case .name(let name):
      """
      The name '\(name)' has combining characters, so another process may spell it with other bytes, and perform the feedback at the same time. \
      Use composed characters.
      """
    case .closed: "The store was closed or has failed, so it can't run feedbacks."
    }
  }
}
