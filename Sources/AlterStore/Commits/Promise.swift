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
    return await waiter.value()
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
