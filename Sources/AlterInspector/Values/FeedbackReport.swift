/// The feedbacks of a journal: leases, answers, and the effects of a live store.
package struct FeedbackReport: Codable, Sendable, Hashable {
  /// An effect of a live store.
  package struct Effect: Codable, Sendable, Hashable {
    /// The name of the feedback.
    package var feedback: String
    /// The subject of the request; empty for a feedback with at most one request.
    package var subject: String
    /// The request, as text; '•••' if any key is hidden.
    package var request: String
    /// The name of the phase: waiting, running, pausing, settling or stuck.
    package var phase: String
    /// The time at which the request appeared, in microseconds since 1970 UTC.
    package var since: Int64
    /// The number of consecutive feedback answers that led to the request.
    package var depth: Int
    /// The revision at which the request appeared; nil while it is unknown.
    @OrNull package var cause: Int64?
  }

  /// A lease, which may have expired.
  package struct Right: Codable, Sendable, Hashable {
    /// The name of the lease.
    package var name: String
    /// The origin that holds the lease, or held it last.
    package var holder: String
    /// The epoch of the lease. It increases with each takeover.
    package var epoch: Int64
    /// The time at which the lease expires, in microseconds since 1970 UTC, by the journal's clock.
    package var expires: Int64
    /// Whether the lease is in force, by this machine's clock.
    package var isInForce: Bool
  }

  /// An entry that a feedback made.
  package struct Answer: Codable, Sendable, Hashable {
    /// The revision of the answer.
    package var revision: Int64
    /// The time of the answer, in microseconds since 1970 UTC.
    package var time: Int64
    /// The name of the feedback; empty if the entry does not name one.
    package var feedback: String
    /// The revision of the entry that it answers; nil while it is unknown, and for an answer that names none.
    @OrNull package var request: Int64?
  }

  /// Whether a store of this process is inspected. Only then there are effects.
  package var isLive: Bool
  /// The effects of the live store; empty without one.
  package var effects: [Effect]
  /// The journal's leases.
  package var leases: [Right]
  /// The newest answers, at most 100, newest first.
  package var answers: [Answer]
}
