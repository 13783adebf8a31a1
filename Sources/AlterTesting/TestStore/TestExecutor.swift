import AlterCore

/// A task executor that runs its jobs only on request, on the requesting thread, one at a time.
///
/// ```swift
/// let executor = TestExecutor()
/// let task = Task(executorPreference: executor) { await work() }
/// executor.run()          // runs the task until it suspends without a job that is ready
/// ```
///
/// A job is the part of a task between two suspension points. Code of the tasks that runs on actors without a custom executor runs here,
/// too. Code on the main actor does not.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class TestExecutor: TaskExecutor {
  private struct State {
    var ready: [UnownedJob] = []
    /// The index of the first job in `ready` that has not run. The jobs before it are removed when all have run.
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

  /// Creates an executor without jobs.
  ///
  /// - Parameter order: The order in which jobs run that are ready at the same time.
  package init(order: TestOrder = .asReady) {
    state = Lock(State(random: order.seed.map(SeededGenerator.init(seed:))))
  }

  /// Adds a job; may be called from any thread. The job runs in ``run(atMost:)``.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready.append(job) }
  }

  /// Whether no job is ready.
  package var isIdle: Bool { state.withLock { $0.isEmpty } }

  /// Runs all jobs that are ready or become ready meanwhile, until none is.
  ///
  /// - Parameter limit: The maximum number of jobs; 100,000 by default.
  /// - Returns: Whether no job is ready any more. False means that the limit was reached.
  @discardableResult
  package func run(atMost limit: Int = 100_000) -> Bool {
    var count = 0
    while count < limit {
      guard let job = state.withLock({ $0.next() }) else { return true }
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return isIdle
  }
}
