package import AlterFeedback

/// What feedbacks are doing, or have done.
package struct FeedbackReport: Codable, Sendable, Hashable {
  /// An effect of a running process.
  package struct Effect: Codable, Sendable, Hashable {
    /// The feedback's name.
    package var feedback: String
    /// What the request is about; empty for a feedback with one.
    package var subject: String
    /// The request, as text.
    package var request: String
    /// How far it is.
    package var phase: EffectStatus.Phase
    /// When it appeared: microseconds since 1970 UTC.
    package var since: Int64
    /// How many answers of feedbacks led to it.
    package var depth: Int
    /// The entry with which it appeared.
    @OrNull package var cause: Int64?
  }

  /// A right that a replica has, or had last.
  package struct Right: Codable, Sendable, Hashable {
    /// What it is a right to.
    package var name: String
    /// Who has it, or had it last.
    package var holder: String
    /// How often it changed hands.
    package var epoch: Int64
    /// When it runs out: microseconds since 1970 UTC, by the journal's clock.
    package var expires: Int64
    /// Whether it is in force, by this machine's clock.
    package var isInForce: Bool
  }

  /// An entry that answers a request.
  package struct Answer: Codable, Sendable, Hashable {
    /// The answer.
    package var revision: Int64
    /// When it came.
    package var time: Int64
    /// The feedback's name.
    package var feedback: String
    /// The entry that it answers.
    @OrNull package var request: Int64?
  }

  /// Whether a store of this process is shown: only then there are effects.
  package var isLive: Bool
  /// What is being performed.
  package var effects: [Effect]
  /// The journal's leases.
  package var leases: [Right]
  /// The newest answers, at most 100, newest first.
  package var answers: [Answer]
}
