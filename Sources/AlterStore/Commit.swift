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
