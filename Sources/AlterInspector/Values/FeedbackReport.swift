public import AlterFeedback

/// What feedbacks are doing, or have done.
public struct FeedbackReport: Codable, Sendable, Hashable {
  /// An effect of a running process.
  public struct Effect: Codable, Sendable, Hashable {
    /// The feedback's name.
    public var feedback: String
    /// What the request is about; empty for a feedback with one.
    public var subject: String
    /// The request, as text.
    public var request: String
    /// How far it is.
    public var phase: EffectStatus.Phase
    /// When it appeared: microseconds since 1970 UTC.
    public var since: Int64
    /// How many answers of feedbacks led to it.
    public var depth: Int
    /// The entry with which it appeared.
    @OrNull public var cause: Int64?
  }

  /// A right that a replica has, or had last.
  public struct Right: Codable, Sendable, Hashable {
    /// What it is a right to.
    public var name: String
    /// Who has it, or had it last.
    public var holder: String
    /// How often it changed hands.
    public var epoch: Int64
    /// When it runs out: microseconds since 1970 UTC, by the journal's clock.
    public var expires: Int64
    /// Whether it is in force, by this machine's clock.
    public var isInForce: Bool
  }

  /// An entry that answers a request.
  public struct Answer: Codable, Sendable, Hashable {
    /// The answer.
    public var revision: Int64
    /// When it came.
    public var time: Int64
    /// The feedback's name.
    public var feedback: String
    /// The entry that it answers.
    @OrNull public var request: Int64?
  }

  /// Whether a store of this process is shown: only then there are effects.
  public var isLive: Bool
  /// What is being performed.
  public var effects: [Effect]
  /// The journal's leases.
  public var leases: [Right]
  /// The newest answers, at most 100, newest first.
  public var answers: [Answer]
}
