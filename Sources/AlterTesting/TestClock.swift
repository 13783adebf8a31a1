public import Alter
import AlterCore

/// A clock that stands still until a test moves it: wall clock and pauses alike.
///
/// ```swift
/// let clock = TestClock()
/// let store = try await Store.open(AppState(), in: journal, options: clock.options())
/// clock.advance(by: .seconds(60))
/// ```
public final class TestClock: Sendable {
  private struct Sleeper {
    let id: Int
    let due: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Int64
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Lock<State>

  /// A clock that shows a time.
  ///
  /// - Parameter microseconds: Since 1970-01-01 00:00 UTC.
  public init(microseconds: Int64 = 0) { state = Lock(State(now: microseconds)) }

  /// The time it shows, in microseconds since 1970 UTC.
  public var now: Int64 { state.withLock { $0.now } }

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
  public func sleep(for duration: Duration) async throws {
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
          let due = state.now + duration.microseconds
          if due <= state.now { return .resume(.success(())) }
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
      state.now += duration.microseconds
      let now = state.now
      let due = state.sleepers.filter { $0.due <= now }.sorted { $0.due < $1.due }
      state.sleepers.removeAll { $0.due <= now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Sets the wall clock, backwards too, as a user or a time server may. Pauses are not concerned.
  public func set(microseconds: Int64) {
    state.withLock { state in
      let shift = microseconds - state.now
      state.now = microseconds
      state.sleepers = state.sleepers.map { Sleeper(id: $0.id, due: $0.due + shift, continuation: $0.continuation) }
    }
  }

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
