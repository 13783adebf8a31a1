/// The options of a run of feedbacks.
public struct FeedbackOptions: Sendable {
  /// The maximum number of consecutive feedback answers without an outside change; 5 by default. At the bound the request is stuck, and
  /// `store.problems` reports it. The next outside change continues the chain.
  public var rounds = 5

  /// The number of effects that run at a time; 64 by default. Further requests begin in the order of their appearance.
  public var atOnce = 64

  /// The duration of a durable feedback's lease, by the journal's clock: from 1 second to 1 day; 15 seconds by default. The run renews the
  /// lease three times in this duration. If the holder or its machine stops, another process takes over after at most four thirds of it. On a
  /// SQLite file a killed process loses its lease at once: the next process that asks receives it.
  ///
  /// A process that waits for longer than a third of this duration reports it once, in `store.problems`.
  public var lease: Duration = .seconds(15)

  /// The clock of the pauses and for renewing leases. Runs with the same clock renew their leases together: see `Design/0011-feedback.md`.
  public var clock: any Clock<Duration> = ContinuousClock() {
    didSet { leaseRounds = LeaseRounds(clock) }
  }

  /// The renewals of the leases. Copies of these options share them.
  var leaseRounds = LeaseRounds.shared

  /// The executor of the effects; nil for the default. Tests pass an executor that runs effects one at a time.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package var executor: (any TaskExecutor)? {
    get { preferredExecutor as? any TaskExecutor }
    set { preferredExecutor = newValue }
  }

  /// The task executor, stored under a type that the oldest supported systems know.
  private var preferredExecutor: (any Executor)?

  /// Creates the default options.
  public init() {}

  /// Starts a task on the executor.
  func task<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor {
      return Task(executorPreference: executor) { await body() }
    }
    return Task { await body() }
  }
}
