// Waiting, in effects: by the environment's clock, so that tests don't have to.

/// Retries work that returns a `Result`, with growing pauses.
///
/// ```swift
/// let saved = await retrying(5, on: world.clock) { await world.api.save(item) }
/// ```
///
/// - Parameters:
///   - attempts: The maximum number of attempts, at least one.
///   - pause: The pause after the first failure. It doubles after each further failure.
///   - longest: The longest pause.
///   - clock: The clock for the pauses.
///   - work: The work.
/// - Returns: The first success, or the last failure. If the task is cancelled, the last failure is returned at once.
public func retrying<Value: Sendable, Failure: Error>(
  _ attempts: Int, pause: Duration = .milliseconds(200), longest: Duration = .seconds(30), on clock: any Clock<Duration>,
  _ work: () async -> Result<Value, Failure>
) async -> Result<Value, Failure> {
  var pause = min(pause, longest)
  var left = max(attempts, 1)
  while true {
    let result = await work()
    left -= 1
    guard case .failure = result, left > 0, !Task.isCancelled else { return result }
    guard (try? await clock.sleep(for: pause)) != nil else { return result }
    pause = min(pause * 2, longest)
  }
}

/// Limits the duration of work.
///
/// ```swift
/// guard let answer = try await withTimeout(.seconds(10), on: world.clock, { try await world.api.ask() }) else { throw Timeout() }
/// ```
///
/// - Parameters:
///   - limit: The maximum duration.
///   - clock: The clock that measures it.
///   - work: The work. At the limit it is cancelled and awaited, so it should respond to cancellation.
/// - Returns: The result of the work, or nil if the time limit came first.
/// - Throws: The error of the work, if it came before the limit.
public func withTimeout<Value: Sendable, Failure: Error>(
  _ limit: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value? {
  let first = await withTaskGroup(of: Result<Value, Failure>?.self) { group in
    group.addTask {
      do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
    }
    group.addTask {
      try? await clock.sleep(for: limit)
      return nil
    }
    let first = await group.next() ?? nil
    group.cancelAll()
    return first
  }
  return try first?.get()
}
