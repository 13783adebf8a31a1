/// How a feedback loop behaves.
public struct FeedbackOptions: Sendable {
  /// How many times in a row feedback may answer feedback without a change by anybody else. Then the chain pauses, `store.problems` says
  /// so, and the next change by somebody else goes on with it.
  public var rounds = 5

  /// How long a durable feedback's lease lasts, by the journal's clock, unless it is renewed, which happens three times as often. When its holder is stopped, or its machine
  /// is, another replica takes over after at most four thirds of this. A process that was killed keeps no lease on a SQLite file: the next replica that asks gets it at once.
  ///
  /// A journal grants it for a day at most: ``/AlterJournal/Lease/longest``.
  ///
  /// A replica that waits for longer than a third of this reports it once, in `store.problems`.
  public var lease: Duration = .seconds(15)

  /// What leases are renewed by.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// What the effects run on; nil for the default. Tests pass an executor that runs them one at a time.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var executor: (any TaskExecutor)? {
    get { preferredExecutor as? any TaskExecutor }
    set { preferredExecutor = newValue }
  }

  /// A task executor, under a name that the oldest systems know, too.
  private var preferredExecutor: (any Executor)?

  /// The defaults.
  public init() {}
}
