public import AlterCore
public import AlterJournal

/// A change that a store has taken: visible at once, and on its way to the journal.
public struct Commit<State: Alterable>: Sendable {
  /// Names the change for ever; its origin changes only when another process turns out to have the same.
  public let id: EntryID
  @usableFromInline let resolution: Resolution

  /// What became of it: known at once in memory, later with a journal.
  @usableFromInline
  enum Resolution: Sendable {
    case known(Record<State>)
    case awaited(Promise<Result<Record<State>, CommitError<State.Failure>>>)
  }

  @inlinable
  init(id: EntryID, resolution: Resolution) {
    self.id = id
    self.resolution = resolution
  }

  @usableFromInline
  enum Status { case pending, confirmed, dropped }

  /// How far it is.
  @usableFromInline
  var status: Status {
    guard case .awaited(let promise) = resolution else { return .confirmed }
    switch promise.current {
    case nil: return .pending
    case .success: return .confirmed
    case .failure: return .dropped
    }
  }

  /// Waits for what becomes of it.
  func result() async -> Result<Record<State>, CommitError<State.Failure>> {
    switch resolution {
    case .known(let record): .success(record)
    case .awaited(let promise): await promise.value()
    }
  }

  /// Waits until the journal has the change, under its durability.
  ///
  /// Dropping a commit without waiting is fine: the change is written all the same, and its failure is reported in `StoreOptions.report`.
  ///
  /// - Returns: The revision that the change has in the journal.
  /// - Throws: ``CommitError``: `dropped` when others' work has made it impossible, `failed` when the journal can't take it.
  @discardableResult
  public func durable() async throws(CommitError<State.Failure>) -> Revision {
    try await result().get().revision
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
