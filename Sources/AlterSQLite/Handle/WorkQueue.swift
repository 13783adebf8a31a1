#if SQLite
  import Dispatch

  /// A serial queue for blocking work, so that no task blocks a thread of the cooperative pool.
  final class WorkQueue: Sendable {
    /// The queue itself, for dispatch sources.
    let dispatchQueue: DispatchQueue

    /// Creates an idle queue.
    init(_ label: String) { dispatchQueue = DispatchQueue(label: label) }

    /// Runs work after all earlier work, while the task is suspended.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - afterwards: Further work, after the task was resumed with the result.
    func run<Answer: Sendable, Failure: Error>(
      _ work: @escaping @Sendable () throws(Failure) -> Answer, then afterwards: @escaping @Sendable () -> Void = {}
    ) async throws(Failure) -> Answer {
      try await withCheckedContinuation { continuation in
        dispatchQueue.async {
          continuation.resume(returning: Result(catching: work))
          afterwards()
        }
      }.get()
    }

    /// Runs work later, without waiting for it.
    func enqueue(_ work: @escaping @Sendable () -> Void) { dispatchQueue.async(execute: work) }
  }
#endif
