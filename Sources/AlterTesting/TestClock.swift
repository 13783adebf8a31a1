public import Alter
import AlterCore

/// A clock that stands still until a test moves it: wall clock and pauses alike.
///
/// ```swift
/// let clock = TestClock()
/// let store = try await Store.open(AppState(), in: journal, options: clock.options())
/// clock.advance(by: .seconds(60))
/// ```
///
/// What wants a `Clock`, as the environment of a feedback's effects does, gets ``clock``.
public final class TestClock: Sendable {
  private struct Sleeper {
    let id: Int
    /// By the time passed, whatever the wall clock shows.
    let due: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// What the wall clock would show if no time had passed: microseconds since 1970 UTC.
    var start: Int64
    /// The time passed; nothing but ``advance(by:)`` moves it.
    var elapsed: Duration = .zero
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Lock<State>

  /// A clock that shows a time.
  ///
  /// - Parameter microseconds: Since 1970-01-01 00:00 UTC.
  public init(microseconds: Int64 = 0) { state = Lock(State(start: microseconds)) }

  /// The time it shows, in microseconds since 1970 UTC.
  public var now: Int64 { state.withLock { $0.start + $0.elapsed.microseconds } }

  /// How much time has passed since the clock was made. Setting the wall clock does not count.
  public var elapsed: Duration { state.withLock { $0.elapsed } }

  /// How much time must pass until the first of those who wait is woken; nil when nobody waits.
  public var untilNext: Duration? { state.withLock { state in state.sleepers.map(\.due).min().map { $0 - state.elapsed } } }

  /// Store options that take the time and the pauses from this clock.
  ///
  /// - Parameter options: The other options.
  public func options(_ options: StoreOptions = StoreOptions()) -> StoreOptions {
    var options = options
    options.now = { self.now }
    options.sleep = { try await self.sleep(for: $0) }
    return options
  }

  /// Waits until the clock has been moved that far.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(for duration: Duration) async throws { try await sleep(until: elapsed + duration) }

  /// Waits until so much time has passed since the clock was made.
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

  /// Moves the clock, and wakes those whose time has come, in the order of their times.
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

  /// Sets the wall clock, backwards too, as a user or a time server may. Pauses are not concerned.
  public func set(microseconds: Int64) { state.withLock { $0.start = microseconds - $0.elapsed.microseconds } }

  /// Waits until so many tasks wait on this clock: what a test does before it moves it.
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
  /// Whole microseconds, rounded down.
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
