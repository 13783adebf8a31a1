#if SQLite
  import AlterJournal
  import Dispatch

  /// A serial queue for blocking work, so that no task blocks a thread of the cooperative pool.
  ///
  /// A task may also run on the queue as a whole (`TaskExecutor`). Work that it asks for then begins at once, on the same thread.
  final class WorkQueue: Sendable {
    private let queue: DispatchQueue
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    /// Creates an idle queue.
    init(_ label: String) {
      queue = DispatchQueue(label: label)
      queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
    }

    private var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) }

    /// The queue itself, for dispatch sources.
    var dispatchQueue: DispatchQueue { queue }

    /// Runs work after all earlier work, while the task is suspended.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - afterwards: Further work, after the task was resumed with the result.
    func result<Answer: Sendable>(
      of work: @escaping @Sendable () throws(JournalError) -> Answer, then afterwards: @escaping @Sendable () -> Void = {}
    ) async -> Result<Answer, JournalError> {
      if isCurrent {
        let result = Result(catching: work)
        queue.async(execute: afterwards)
        return result
      }
      return await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(returning: Result(catching: work))
          afterwards()
        }
      }
    }

    /// Runs work after all earlier work, while the task is suspended.
    func run<Answer: Sendable>(_ work: @escaping @Sendable () throws(JournalError) -> Answer) async throws(JournalError) -> Answer {
      try await result(of: work).get()
    }

    /// Runs work now and blocks the thread. Called only from another queue's work.
    func runAndWait(_ work: @Sendable () -> Void) { queue.sync(execute: work) }

    /// Runs work later, without waiting for it.
    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
  }

  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  extension WorkQueue: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
