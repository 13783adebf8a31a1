/// One task's wait for a value: it ends with the value or with the task's cancellation, whichever comes first.
///
/// Lists of waiting tasks hold these. An element that is cancelled ends at once, and stays in its list until its task removes it, or the list finds it
/// finished: ``finish(_:)`` tells.
package final class Waiter<Value: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value?, Never>)
    case finished(Value?)
  }

  private let state = Lock(State.new)

  /// A wait that has not begun.
  package init() {}

  /// Whether the wait is finished.
  package var isFinished: Bool { state.withLock { if case .finished = $0 { true } else { false } } }

  /// Waits for the value. Called once.
  ///
  /// - Returns: nil when the task is cancelled before the value comes.
  package func value() async -> Value? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Value?? = state.withLock { state in
          if case .finished(let value) = state { return .some(value) }
          state = .waiting(continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      finish(nil)
    }
  }

  /// Finishes the wait. Not under a lock: the task continues.
  ///
  /// - Parameter value: The value; nil for none.
  /// - Returns: Whether the wait was not finished before: only then the task receives this value.
  @discardableResult
  package func finish(_ value: Value?) -> Bool {
    let (isFirst, continuation): (Bool, CheckedContinuation<Value?, Never>?) = state.withLock { state in
      switch state {
      case .finished: return (false, nil)
      case .new:
        state = .finished(value)
        return (true, nil)
      case .waiting(let continuation):
        state = .finished(value)
        return (true, continuation)
      }
    }
    continuation?.resume(returning: value)
    return isFirst
  }
}

extension Array {
  /// Finishes every wait.
  ///
  /// - Returns: Whether a task was still waiting.
  @discardableResult
  package func finish<Value>(_ value: Value) -> Bool where Element == Waiter<Value> {
    var isHeard = false
    for waiter in self where waiter.finish(value) { isHeard = true }
    return isHeard
  }
}
