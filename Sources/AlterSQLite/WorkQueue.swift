#if SQLite
  import AlterJournal
  import Dispatch

  /// A thread's worth of blocking work, done in order, so that no task blocks the cooperative pool.
  final class WorkQueue: Sendable {
    private let queue: DispatchQueue

    /// An idle queue.
    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// The queue itself, for dispatch sources.
    var dispatchQueue: DispatchQueue { queue }

    /// Does the work after what was asked for before, while the task is suspended.
    ///
    /// - Parameters:
    ///   - work: What to do.
    ///   - afterwards: What to do once the task has its answer.
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

    /// Does the work after what was asked for before, while the task is suspended.
    func run<Answer: Sendable>(_ work: @escaping @Sendable () throws(JournalError) -> Answer) async throws(JournalError) -> Answer {
      try await result(of: work).get()
    }

    /// Does the work now, blocking the thread: from another queue's work only.
    func runAndWait(_ work: @Sendable () -> Void) { queue.sync(execute: work) }

    /// Does the work later; nobody waits for it.
    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
  }
#endif
