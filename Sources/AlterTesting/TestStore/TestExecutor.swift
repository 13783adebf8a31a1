import AlterCore

/// Runs tasks only when it is told to, on the thread that tells it, one job at a time.
///
/// ```swift
/// let executor = TestExecutor()
/// let task = Task(executorPreference: executor) { await work() }
/// executor.run()          // as far as it comes by itself
/// ```
///
/// A job is what a task does between two suspensions. What the tasks call on actors without an executor of their own runs here, too; what
/// they do on the main actor does not.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class TestExecutor: TaskExecutor {
  private struct State {
    var ready: [UnownedJob] = []
    /// The first of `ready` that has not run; those before it are dropped now and then.
    var first = 0
    var random: SeededGenerator?

    var isEmpty: Bool { first == ready.count }

    mutating func next() -> UnownedJob? {
      guard !isEmpty else { return nil }
      if random != nil {
        let chosen = first + (random?.below(ready.count - first) ?? 0)
        ready.swapAt(first, chosen)
      }
      defer {
        first += 1
        if first == ready.count {
          ready.removeAll(keepingCapacity: true)
          first = 0
        }
      }
      return ready[first]
    }
  }

  private let state: Lock<State>

  /// An executor without work.
  ///
  /// - Parameter order: In which order it runs what is ready at the same time.
  public init(order: TestOrder = .asReady) {
    state = Lock(State(random: order.seed.map(SeededGenerator.init(seed:))))
  }

  /// Takes a job, from any thread. It runs in ``run(atMost:)``.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready.append(job) }
  }

  /// Whether nothing is ready to run.
  public var isIdle: Bool { state.withLock { $0.isEmpty } }

  /// Runs what is ready, and what becomes ready by that, until nothing is.
  ///
  /// - Parameter limit: How many jobs at most.
  /// - Returns: Whether it has come to rest: false when the limit was reached first.
  @discardableResult
  public func run(atMost limit: Int = 100_000) -> Bool {
    var count = 0
    while count < limit {
      guard let job = state.withLock({ $0.next() }) else { return true }
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return isIdle
  }
}
