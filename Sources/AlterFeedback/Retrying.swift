// Waiting, in effects: by the environment's clock, so that tests don't have to.

/// Repeats what fails, with growing pauses.
///
/// ```swift
/// let saved = await retrying(5, on: world.clock) { await world.api.save(item) }
/// ```
///
/// - Parameters:
///   - attempts: How often to try, at least once.
///   - pause: How long to wait after the first failure; twice as long after each further one.
///   - longest: The longest pause.
///   - clock: What to wait by.
///   - work: What to do.
/// - Returns: The first success, or the last failure: at once when the task is cancelled.
public func retrying<Value: Sendable, Failure: Error>(
  _ attempts: Int, pause: Duration = .milliseconds(200), longest: Duration = .seconds(30), on clock: any Clock<Duration>,
  _ work: () async -> Result<Value, Failure>
) async -> Result<Value, Failure> {
  var pause = pause
  var left = attempts
  while true {
    let result = await work()
    left -= 1
    guard case .failure = result, left > 0, !Task.isCancelled else { return result }
    guard (try? await clock.sleep(for: pause)) != nil else { return result }
    pause = min(pause * 2, longest)
  }
}

/// Does work for so long at most.
///
/// ```swift
/// let answer = await withTimeout(.seconds(10), on: world.clock) { await world.api.ask() }
/// ```
///
/// - Parameters:
///   - limit: How long it may take.
///   - clock: What the time is told by.
///   - work: What to do. It is cancelled when the time is up, and waited for: it should heed that.
/// - Returns: What the work gives, or nil when the time was up first.
public func withTimeout<Value: Sendable>(
  _ limit: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await work() }
    group.addTask {
      try? await clock.sleep(for: limit)
      return nil
    }
    let first = await group.next() ?? nil
    group.cancelAll()
    return first
  }
}
