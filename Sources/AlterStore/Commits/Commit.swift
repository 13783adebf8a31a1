public import AlterCore
public import AlterJournal

/// The receipt for a change that a store has accepted. The state shows the change at once; the commit reports when the journal has it.
///
/// ```swift
/// let milk = try store.change(.add("milk"))                    // visible at once
/// let bread = try store.change(.add("bread"), requires: milk)  // dropped if `milk` is dropped
/// try await bread.durable()                                    // survives a crash
/// let revision = try await milk.confirmed()                    // its place in the journal
/// ```
///
/// ## Waiting is optional
///
/// The store writes every change, whether or not a task waits for its commit. If another writer's entries make a change impossible, the
/// store removes it from the state. If no task waits for its commit at that moment, ``Store/problems`` reports it as
/// ``StoreProblem/lost(_:reason:)``.
///
/// ## Outcomes
///
/// | outcome | the state shows the change | reason |
/// |---|---|---|
/// | success | yes | The journal has it. |
/// | `dropped`, `requirementDropped`, `conditionFailed` | no | Another writer's entries made it impossible. |
/// | `staleLease` | no | Another replica has taken over its lease. |
/// | `failed`, `unknown` | yes | The journal failed or the store was closed; ``Store/close(deadline:)`` returns it. |
/// | `failed` with the code `unencodable` | no | The change cannot be stored. |
/// | `failed` with the code `conflict` | no | It is a retry, and another process of the device was first. |
/// | `notYet` | yes | There is no outcome yet. Another call waits again. |
///
/// All outcomes but `notYet` are final. ``Store/undo()`` and ``Store/redo()`` wait for it themselves, in a synced journal only for `durable()`:
/// then ``Undone/commit`` tells the rest.
///
/// ## Concurrency
///
/// A commit is a value. Any task may call its methods, any number of times, and all receive the same outcome. Waiting does not block a
/// thread, and a cancelled wait leaves the change pending. The store confirms its commits in revision order; the tasks that wait for them
/// resume in any order.
///
/// In a store in memory every commit is confirmed from the start.
public struct Commit<State: Alterable>: Sendable {
  /// The id of the change's journal entry. If another process turns out to use the same origin, the store appends the change under a new
  /// origin with the same sequence; this value keeps the old one.
  public let id: EntryID
  /// The result of a commit without a promise: the confirmed revision when it was made.
  @usableFromInline let revision: Revision
  /// Resolved with the outcome; nil if the outcome was known at once.
  @usableFromInline let promise: Promise<Result<Revision, CommitError<State.Failure>>>?

  /// Resolved when the outbox has the change; nil for a journal that has no outbox.
  @usableFromInline let stored: Promise<Result<Revision, CommitError<State.Failure>>>?

  @inlinable
  init(
    id: EntryID, revision: Revision, promise: Promise<Result<Revision, CommitError<State.Failure>>>?,
    stored: Promise<Result<Revision, CommitError<State.Failure>>>? = nil
  ) {
    self.id = id
    self.revision = revision
    self.promise = promise
    self.stored = stored
  }

  /// Returns the id of this commit's work while it may be pending, for a change that requires it; nil once it is confirmed.
  ///
  /// Call it under the store's lock: the store resolves dropped commits under that lock, too.
  ///
  /// - Throws: `requirementDropped` if this commit has failed.
  @usableFromInline
  func idToWaitFor(in replica: Replica<State>) throws(ChangeError<State.Failure>) -> EntryID? {
    guard let promise else { return nil }
    switch promise.current {
    // The work has kept its sequence, and may have a new origin.
    case nil: return !replica.isSynced ? EntryID(origin: replica.origin, sequence: id.sequence) : id
    case .success: return nil
    case .failure: throw .requirementDropped
    }
  }

  /// Waits for the outcome; ``CommitError/notYet(_:)`` if the task is cancelled first.
  func result() async -> Result<Revision, CommitError<State.Failure>> {
    guard let promise else { return .success(revision) }
    return await promise.value() ?? .failure(.notYet(nil))
  }

  /// Waits until the change is durable, in the sense of the journal: with `.full` it also survives a power loss.
  ///
  /// - Throws: ``CommitError``, whose cases state whether the change is still in the state. `notYet` is thrown when the task is cancelled,
  ///   or when the journal has been out of reach for longer than ``StoreOptions/outageTimeout``; the change stays pending, and the store
  ///   keeps trying to write it.
  /// - Complexity: O(1), apart from the wait. Many pending changes share one append.
  public func durable() async throws(CommitError<State.Failure>) {
    guard let stored else { return _ = try await result().get() }
    _ = try (await stored.value() ?? .failure(.notYet(nil))).get()
  }

  /// Waits until the change has its place in the total order of all writers.
  ///
  /// With a journal in memory, in a SQLite file or in PostgreSQL this is the same moment as ``durable()``. With a synced journal it is later,
  /// when the server's verdict has arrived.
  ///
  /// - Returns: The revision of the entry; for an empty list of changes the confirmed revision at the time of the call, or that of its
  ///   requirement.
  /// - Throws: ``CommitError``, under the same conditions as ``durable()``.
  public func confirmed() async throws(CommitError<State.Failure>) -> Revision { try await result().get() }
}

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

/// A queue of promises, ordered by ascending sequence number. Promises are appended at the end and mostly removed at the front.
@usableFromInline
struct PromiseLine<Value: Sendable>: Sendable {
  @usableFromInline var items: [(sequence: Int64, promise: Promise<Value>?)] = []
  /// The index of the first promise that has not been removed.
  private var first = 0

  @usableFromInline init() {}

  /// Appends a promise. Its sequence is greater than all before it.
  @inlinable
  mutating func append(_ promise: Promise<Value>, for sequence: Int64) { items.append((sequence, promise)) }

  /// Removes and returns the promise of a sequence; nil if there is none.
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

  /// All promises, in order of their sequences.
  var all: [Promise<Value>] { items.compactMap(\.promise) }

  /// Removes and returns all promises, in order of their sequences.
  mutating func removeAll() -> [(sequence: Int64, promise: Promise<Value>)] {
    guard !items.isEmpty else { return [] }
    defer { (items, first) = ([], 0) }
    return items.compactMap { item in item.promise.map { (item.sequence, $0) } }
  }
}
