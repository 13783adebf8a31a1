import AlterCore

/// An answer of an app's code, which may ignore its cancellation, or never come.
package enum TimedAnswer {
  /// The code has not answered in time.
  package struct Timeout: Error, CustomStringConvertible {
    let limit: Duration
    package var description: String { "There was no answer within \(limit)." }
  }

  /// Asks a question.
  ///
  /// Code that answers without suspending runs on the caller's thread, and needs neither a task nor a timer of its own: most policies answer from
  /// memory, and a push asks about each draft. The time up to the first suspension is therefore not limited.
  ///
  /// - Parameters:
  ///   - limit: The time for the answer.
  ///   - sleep: The wait for `limit`.
  ///   - question: The app's code. It is cancelled when its answer is no longer of use.
  /// - Throws: The error of the code; ``Timeout``; `CancellationError` if the task was cancelled.
  package static func to<Value: Sendable>(
    _ question: @escaping @Sendable () async throws -> Value, within limit: Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) async throws -> Value {
    let waiter = Waiter<Result<Value, any Error>>()
    let asking = begin {
      do { waiter.finish(.success(try await question())) } catch { waiter.finish(.failure(error)) }
    }
    if waiter.isFinished, !Task.isCancelled, let result = await waiter.value() { return try result.get() }
    let waiting = Task {
      try await sleep(limit)
      waiter.finish(.failure(Timeout(limit: limit)))
    }
    let result = await waiter.value()
    waiting.cancel()
    asking.cancel()
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  /// Starts a task, which runs up to its first suspension at once where the standard library can do that.
  package static func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    #if compiler(>=6.2)
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.immediate(operation: work) }
    #endif
    return Task(operation: work)
  }
}
