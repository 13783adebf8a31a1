import AlterCore

/// A value that arrives later, exactly once. Any number of tasks can wait for it.
@usableFromInline
final class Promise<Value: Sendable>: Sendable {
  private enum Contents {
    case waiting([Waiter<Value>])
    /// The value is overdue: waiting tasks receive this answer instead until the value arrives.
    case delayed(Value)
    case kept(Value)
  }

  private let contents = Lock(Contents.waiting([]))

  @usableFromInline init() {}

  /// The value; nil until it has arrived.
  var current: Value? { contents.withLock { if case .kept(let value) = $0 { value } else { nil } } }

  /// Waits for the value.
  ///
  /// - Returns: nil if the task is cancelled before the value arrives.
  func value() async -> Value? {
    let waiter = Waiter<Value>()
    let answer: Value? = contents.withLock { contents in
      switch contents {
      case .kept(let value), .delayed(let value): return value
      case .waiting(var waiters):
        // Cancelled waiters must not pile up.
        if waiters.count % 16 == 15 { waiters.removeAll(where: \.isFinished) }
        contents = .waiting(waiters + [waiter])
        return nil
      }
    }
    if let answer { return answer }
    return await waiter.value()
  }

  /// Stores the value without resuming the waiters: ``current`` returns it when this method returns.
  ///
  /// - Returns: The waiters, to be finished outside of any lock; none if the promise was resolved before.
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

  /// Answers all present and future waits with another value, until the value arrives or ``goOn()`` is called.
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

  /// Ends the delay: later callers wait for the value again.
  func goOn() { contents.withLock { contents in if case .delayed = contents { contents = .waiting([]) } } }

  /// Stores the value and resumes every waiting task. Call it outside of any lock.
  ///
  /// - Returns: Whether a task was waiting.
  @discardableResult
  func resolve(_ value: Value) -> Bool { settle(value).finish(value) }
}
