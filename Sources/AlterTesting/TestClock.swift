public import Alter
import AlterCore

/// A clock that stands still until a test moves it. It provides the wall clock and the sleeps.
///
/// ```swift
/// let clock = TestClock()
/// let store = try await Store.open(AppState(), in: journal, options: clock.options())
/// clock.advance(by: .seconds(60))
/// ```
///
/// For code that needs a `Clock`, such as the environment of a feedback's effects, use ``clock``.
public final class TestClock: Sendable {
  private struct Sleeper {
    let id: Int
    /// The elapsed time at which the sleep ends. Setting the wall clock does not affect it.
    let due: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// The wall-clock time minus the elapsed time, in microseconds since 1970 UTC.
    var start: Int64
    /// The elapsed time; only ``advance(by:)`` changes it.
    var elapsed: Duration = .zero
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Lock<State>

  /// Creates a clock that shows a time.
  ///
  /// - Parameter microseconds: The time, in microseconds since 1970-01-01 00:00 UTC; 0 by default.
  public init(microseconds: Int64 = 0) { state = Lock(State(start: microseconds)) }

  /// The wall-clock time, in microseconds since 1970 UTC.
  package var now: Int64 { state.withLock { $0.start + $0.elapsed.microseconds } }

  /// The time since the creation of the clock. Setting the wall clock does not change it.
  package var elapsed: Duration { state.withLock { $0.elapsed } }

  /// The time until the first sleeping task wakes; nil if no task is sleeping.
  package var untilNext: Duration? { state.withLock { state in state.sleepers.map(\.due).min().map { $0 - state.elapsed } } }

  /// Returns store options that use this clock for the time and for sleeps.
  ///
  /// - Parameter options: The other options.
  public func options(_ options: StoreOptions = StoreOptions()) -> StoreOptions {
    var options = options
    options.environment.now = { self.now }
    options.environment.sleep = { try await self.sleep(for: $0) }
    return options
  }

  /// Sleeps until the clock has been moved by a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(for duration: Duration) async throws { try await sleep(until: elapsed + duration) }

  /// Sleeps until the elapsed time has reached a value.
  func sleep(until due: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    defer { _ = state.withLock { $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        enum Next {
          case resume(Result<Void, any Error>)
          case tell([CheckedContinuation<Void, Never>])
        }
        let next: Next = state.withLock { state in
          if state.cancelled.contains(id) { return .resume(.failure(CancellationError())) }
          if due <= state.elapsed { return .resume(.success(())) }
          state.sleepers.append(Sleeper(id: id, due: due, continuation: continuation))
          let count = state.sleepers.count
          let told = state.watchers.filter { $0.count <= count }.map(\.continuation)
          state.watchers.removeAll { $0.count <= count }
          return .tell(told)
        }
        switch next {
        case .resume(let result): continuation.resume(with: result)
        case .tell(let watchers): watchers.forEach { $0.resume() }
        }
      }
    } onCancel: {
      let sleeper: Sleeper? = state.withLock { state in
        if let place = state.sleepers.firstIndex(where: { $0.id == id }) { return state.sleepers.remove(at: place) }
        state.cancelled.insert(id)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock forward, and wakes the tasks whose sleep has ended, in the order of their times.
  public func advance(by duration: Duration) {
    let due: [Sleeper] = state.withLock { state in
      state.elapsed += duration
      let now = state.elapsed
      let due = state.sleepers.filter { $0.due <= now }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
      state.sleepers.removeAll { $0.due <= now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Sets the wall clock, also backwards, as a user or a time server may. Sleeps are not affected.
  package func set(microseconds: Int64) { state.withLock { $0.start = microseconds - $0.elapsed.microseconds } }

  /// Waits until at least this number of tasks are sleeping on the clock. A test calls it before it moves the clock.
  public func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

extension Duration {
  /// The duration in whole microseconds, rounded towards zero.
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
