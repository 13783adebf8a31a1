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

  /// For what builds on it: its sequence while it is pending, nil once it is confirmed.
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

  /// Waits for what becomes of it.
  func result() async -> Result<Revision, CommitError<State.Failure>> {
    await promise?.value() ?? .success(revision)
  }

  /// Waits until the journal has the change, under its durability.
  ///
  /// Dropping a commit without waiting is fine: the change is written all the same, and its failure is reported in `StoreOptions.report`.
  ///
  /// - Returns: The revision that the change has in the journal.
  /// - Throws: ``CommitError``: `dropped` when others' work has made it impossible, `failed` when the journal can't take it.
  @discardableResult
  public func durable() async throws(CommitError<State.Failure>) -> Revision {
    try await result().get()
  }
}

/// A value that comes later, once.
@usableFromInline
final class Promise<Value: Sendable>: Sendable {
  private enum Contents {
    case waiting([CheckedContinuation<Value, Never>])
    case resolved(Value)
  }

  private let contents = Lock(Contents.waiting([]))

  @usableFromInline init() {}

  /// The value, if it has come.
  var current: Value? {
    contents.withLock { if case .resolved(let value) = $0 { value } else { nil } }
  }

  /// Waits for the value.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value: Value? = contents.withLock { contents in
        switch contents {
        case .resolved(let value): return value
        case .waiting(let others):
          contents = .waiting(others + [continuation])
          return nil
        }
      }
      if let value { continuation.resume(returning: value) }
    }
  }

  /// Keeps the promise.
  ///
  /// - Returns: Whether anybody was waiting.
  @discardableResult
  func resolve(_ value: Value) -> Bool {
    let waiting: [CheckedContinuation<Value, Never>] = contents.withLock { contents in
      guard case .waiting(let waiting) = contents else { return [] }
      contents = .resolved(value)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
    return !waiting.isEmpty
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

  /// Takes out all that there are.
  mutating func removeAll() -> [Promise<Value>] {
    defer { (items, first) = ([], 0) }
    return items.compactMap(\.promise)
  }
}
