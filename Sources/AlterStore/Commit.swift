public import AlterCore
public import AlterJournal

/// A change that a store has taken: visible at once, and on its way to the journal.
public struct Commit<State: Alterable>: Sendable {
  /// Names the change for ever; its origin changes only when another process turns out to have the same.
  public let id: EntryID
  /// Where it is, when that was known at once: in memory.
  @usableFromInline let revision: Revision
  /// What becomes of it with a journal.
  @usableFromInline let promise: Promise<Result<Revision, CommitError<State.Failure>>>?

  @inlinable
  init(id: EntryID, revision: Revision, promise: Promise<Result<Revision, CommitError<State.Failure>>>?) {
    self.id = id
    self.revision = revision
    self.promise = promise
  }

  /// For what builds on it: its sequence while it may be pending, nil once it is confirmed.
  ///
  /// Called under the store's lock, under which a commit that was dropped is resolved.
  ///
  /// - Throws: `requirementDropped`.
  @usableFromInline
  func sequenceToWaitFor() throws(ChangeError<State.Failure>) -> Int64? {
    guard let promise else { return nil }
    switch promise.current {
    case nil: return id.sequence
    case .success: return nil
    case .failure: throw .requirementDropped
    }
  }

  /// Waits for what becomes of it; ``CommitError/notYet(_:)`` when the task is cancelled first.
  func result() async -> Result<Revision, CommitError<State.Failure>> {
    guard let promise else { return .success(revision) }
    return await promise.value() ?? .failure(.notYet(nil))
  }

  /// Waits until the change survives, under the journal's durability: with `.full` also a power loss.
  ///
  /// Dropping a commit without waiting is fine: the change is written all the same, and its failure is reported in ``Store/problems``.
  ///
  /// - Throws: ``CommitError``: `dropped` when others' work has made it impossible, `failed` when the journal can't take it, `unknown` when the
  ///   store can't tell whether the journal has it. `notYet` when the task was cancelled, or the journal has been out of reach for longer than
  ///   `StoreOptions.patience`: then the change stays pending, and is written when it can be.
  public func durable() async throws(CommitError<State.Failure>) { _ = try await result().get() }

  /// Waits until the change has its place in the total order of all writers.
  ///
  /// With a journal in memory, in a SQLite file or in PostgreSQL that is the same moment as ``durable()``.
  ///
  /// - Returns: The revision of the entry.
  /// - Throws: ``CommitError``, as ``durable()`` does.
  public func confirmed() async throws(CommitError<State.Failure>) -> Revision { try await result().get() }
}

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

/// Promises by sequence number, which ascends: made at one end, and most often kept at the other.
@usableFromInline
struct PromiseLine<Value: Sendable>: Sendable {
  @usableFromInline var items: [(sequence: Int64, promise: Promise<Value>?)] = []
  /// Those before it are kept, and gone.
  private var first = 0

  @usableFromInline init() {}

  /// Adds the next; its sequence is greater than all before.
  @inlinable
  mutating func append(_ promise: Promise<Value>, for sequence: Int64) { items.append((sequence, promise)) }

  /// Takes a promise out; nil when there is none of that sequence.
  ///
  /// - Complexity: amortised O(1) for the first, O(log n) for others.
  mutating func remove(_ sequence: Int64) -> Promise<Value>? {
    var place = first
    if place < items.count, items[place].sequence < sequence {
      var high = items.count
      while place < high {
        let middle = (place + high) / 2
        if items[middle].sequence < sequence { place = middle + 1 } else { high = middle }
      }
    }
    guard place < items.count, items[place].sequence == sequence else { return nil }
    let promise = items[place].promise
    items[place].promise = nil
    while first < items.count, items[first].promise == nil { first += 1 }
    if first > 64, first > items.count / 2 {
      items.removeSubrange(..<first)
      first = 0
    }
    return promise
  }

  /// All that there are, in order.
  var all: [Promise<Value>] { items.compactMap(\.promise) }

  /// Takes out all that there are, in order.
  mutating func removeAll() -> [(sequence: Int64, promise: Promise<Value>)] {
    defer { (items, first) = ([], 0) }
    return items.compactMap { item in item.promise.map { (item.sequence, $0) } }
  }
}
