#if SQLite
  import AlterJournal
  import Dispatch

  /// A serial queue for blocking work, so that no task blocks a thread of the cooperative pool.
  final class WorkQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates an idle queue.
    init(_ label: String) { queue = DispatchQueue(label: label) }

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
      await withCheckedContinuation { continuation in
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
#endif
