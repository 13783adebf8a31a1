import AlterCore

/// A value that comes later, once.
@usableFromInline
final class Promise<Value: Sendable>: Sendable {
  private enum Contents {
    case waiting([Waiter<Value>])
    /// The value takes too long: who waits is told something else until it comes.
    case delayed(Value)
    case kept(Value)
  }

  private let contents = Lock(Contents.waiting([]))

  @usableFromInline init() {}

  /// The value, if it has come.
  var current: Value? { contents.withLock { if case .kept(let value) = $0 { value } else { nil } } }

  /// Waits for the value.
  ///
  /// - Returns: nil when the task is cancelled before the value comes.
  func value() async -> Value? {
    let waiter = Waiter<Value>()
    let answer: Value? = contents.withLock { contents in
      switch contents {
      case .kept(let value), .delayed(let value): return value
      case .waiting(var waiters):
        // Those who were cancelled don't pile up.
        if waiters.count % 16 == 15 { waiters.removeAll(where: \.isFinished) }
        contents = .waiting(waiters + [waiter])
        return nil
      }
    }
    if let answer { return answer }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter.wait($0) }
    } onCancel: {
      waiter.finish(nil)
    }
  }

  /// Keeps the promise: the value is there when this returns.
  ///
  /// - Returns: The waiters, to be finished outside of any lock; none when the promise was kept before.
  func settle(_ value: Value) -> [Waiter<Value>] {
    contents.withLock { contents in
      switch contents {
      case .kept: return []
      case .delayed:
        contents = .kept(value)
        return []
      case .waiting(let waiters):
        contents = .kept(value)
        return waiters
      }
    }
  }

  /// Tells those who wait, and those who come, something else until the value comes or ``goOn()`` is called.
  ///
  /// - Returns: The waiters, to be finished outside of any lock.
  func delay(_ answer: Value) -> [Waiter<Value>] {
    contents.withLock { contents in
      switch contents {
      case .kept: return []
      case .delayed:
        contents = .delayed(answer)
        return []
      case .waiting(let waiters):
        contents = .delayed(answer)
        return waiters
      }
    }
  }

  /// Lets those who come wait again.
  func goOn() { contents.withLock { contents in if case .delayed = contents { contents = .waiting([]) } } }

  /// Keeps the promise and lets every waiting task go on.
  ///
  /// - Returns: Whether a task was waiting.
  @discardableResult
  func resolve(_ value: Value) -> Bool { settle(value).finish(value) }
}

/// A task that waits for a value, until it comes or the task is cancelled.
final class Waiter<Value: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value?, Never>)
    case finished(Value?)
  }

  private let state = Lock(State.new)

  /// Whether the wait is finished.
  var isFinished: Bool { state.withLock { if case .finished = $0 { true } else { false } } }

  /// Lets the continuation go on when the wait is finished.
  func wait(_ continuation: CheckedContinuation<Value?, Never>) {
    let answer: Value?? = state.withLock { state in
      if case .finished(let value) = state { return .some(value) }
      state = .waiting(continuation)
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  /// Finishes the wait.
  ///
  /// - Returns: Whether it was not finished before.
  @discardableResult
  func finish(_ value: Value?) -> Bool {
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
  func finish<Value>(_ value: Value) -> Bool where Element == Waiter<Value> {
    var isHeard = false
    for waiter in self where waiter.finish(value) { isHeard = true }
    return isHeard
  }
}
