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
    let asking = Task {
      do { waiter.finish(.success(try await question())) } catch { waiter.finish(.failure(error)) }
    }
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
}
