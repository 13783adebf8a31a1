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
  ///   `StoreOptions.outageTimeout`: then the change stays pending, and is written when it can be.
  public func durable() async throws(CommitError<State.Failure>) { _ = try await result().get() }

  /// Waits until the change has its place in the total order of all writers.
  ///
  /// With a journal in memory, in a SQLite file or in PostgreSQL that is the same moment as ``durable()``.
  ///
  /// - Returns: The revision of the entry.
  /// - Throws: ``CommitError``, as ``durable()`` does.
  public func confirmed() async throws(CommitError<State.Failure>) -> Revision { try await result().get() }
}
