public import AlterCore
public import AlterJournal

/// Why a store did not take a change.
public enum ChangeError<Failure: Error>: Error, CustomStringConvertible {
  /// The state refuses it. Nothing was changed or journaled.
  case refused(Failure)
  /// The store was closed.
  case closed
  /// The journal failed earlier, for good: nothing more can be written.
  case failed(JournalError)
  /// More changes wait to be written than the store may hold. `await store.ready()` waits for room.
  case full(limit: PendingLimit)
  /// The commit that it builds on was dropped.
  case requirementDropped
  /// The state is not what the change was made for: a feedback's answer to a request that is gone.
  case conditionFailed

  /// What happened, and what to do next.
  public var description: String {
    switch self {
    case .refused(let failure): "The change was refused: \(failure)"
    case .closed: "The store is closed: the change was not made. Open it again."
    case .failed(let error): "The store can't write any more, so the change was not made. \(error)"
    case .full(let limit): limit.description
    case .requirementDropped: "The commit that this change builds on was dropped, so the change was not made."
    case .conditionFailed: "What this change answers is no longer asked for, so the change was not made."
    }
  }
}

extension ChangeError: Equatable where Failure: Equatable {}

/// How much may wait to be written.
public enum PendingLimit: Hashable, Sendable, CustomStringConvertible {
  /// So many changes: ``StoreOptions/pendingLimit``.
  case changes(Int)
  /// Changes that take so many bytes: ``StoreOptions/pendingBytesLimit``.
  case bytes(Int)

  /// What is reached, and what to do next.
  public var description: String {
    switch self {
    case .changes(let limit): "\(limit) changes wait to be written, as many as the store may hold. Wait with `await store.ready()`."
    case .bytes(let limit):
      "The changes that wait to be written take \(limit) bytes, as many as the store may hold. Wait with `await store.ready()`."
    }
  }
}

/// Why a change that was made has not become part of the journal.
public enum CommitError<Failure: Error>: Error, CustomStringConvertible {
  /// Another writer was first, and on top of its work the state refuses the change. It was taken out of the state again.
  case dropped(Failure)
  /// The commit that it builds on was dropped.
  case requirementDropped
  /// Another writer was first, and after its work the state is not what the change was made for. It was taken out of the state again.
  case conditionFailed
  /// An undo or a redo that others' work has made impossible.
  case undo(UndoError)
  /// It was made under a lease that another replica has taken over. It was taken out of the state again.
  case staleLease(Lease)
  /// The journal can't take it. The store still shows it, and gives it back when it is closed.
  case failed(JournalError)
  /// The store can't tell whether the journal has it: it was on its way when the journal failed or the store was closed. The store gives it back when
  /// it is closed; a store that is opened resuming it writes it exactly once.
  case unknown(JournalError)
  /// The journal doesn't have it yet. It stays pending, and is written when it can be; nothing has become of it. Nil when the waiting task was
  /// cancelled, else what keeps it waiting.
  case notYet(JournalError?)

  /// What happened, and what to do next.
  public var description: String {
    switch self {
    case .dropped(let failure): "Another writer was first, and after its work the change is refused: \(failure)"
    case .requirementDropped: "The commit that this change builds on was dropped, and this one with it."
    case .conditionFailed: "Another writer was first, and after its work what this change answers is no longer asked for."
    case .undo(let error): error.description
    case .staleLease(let lease):
      "The lease '\(lease.name)' (epoch \(lease.epoch)) has been taken over, so what was made under it was dropped."
    case .failed(let error): "The change was not written. \(error)"
    case .unknown(let error):
      """
      The change may or may not be in the journal: it was on its way, and no answer came. \(error) Open a store that resumes what `close` \
      hands back: then it is there exactly once.
      """
    case .notYet(nil): "The change is not in the journal yet: the task that waited for it was cancelled. It stays pending."
    case .notYet(let error?): "The change is not in the journal yet. It stays pending, and is written when it can be. \(error)"
    }
  }
}

extension CommitError: Equatable where Failure: Equatable {}

/// Why an undo or a redo did not happen. Nothing was changed, except with ``unknown(_:)`` and ``notYet(_:)``.
public enum UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scope has no entry left to take back.
  case nothingToUndo
  /// The scope has no undo left to take back, or something new has followed it.
  case nothingToRedo
  /// What it would take back lies further back than the store keeps the way: the number of entries it does keep.
  case outsideWindow(Int)
  /// Later entries, of these revisions, build on what it would take back and could not stay.
  case wouldSuppress([Revision])
  /// The store was closed.
  case closed
  /// Too many changes wait to be written.
  case full(limit: PendingLimit)
  /// The journal can't take it.
  case failed(JournalError)
  /// The undo or redo was made, and the store can't tell whether the journal has it.
  case unknown(JournalError)
  /// The undo or redo was made and stays pending; the journal doesn't have it yet. Nil when the waiting task was cancelled.
  case notYet(JournalError?)

  /// What happened, and what to do next.
  public var description: String {
    switch self {
    case .nothingToUndo: "There is nothing to undo."
    case .nothingToRedo: "There is nothing to redo."
    case .outsideWindow(let window):
      "There is nothing to undo within the last \(window) entries, or the last 64 MiB of large ones; older ones can't be taken back."
    case .wouldSuppress(let revisions):
      "It can't be undone: later work builds on it (revision \(revisions.map(\.description).joined(separator: ", "))). Undo that first."
    case .closed: "The store is closed. Open it again."
    case .full(let limit): limit.description
    case .failed(let error): "It was not written. \(error)"
    case .unknown(let error): "It may or may not be in the journal: no answer came. \(error)"
    case .notYet(nil): "It is not in the journal yet: the task that waited for it was cancelled. It stays pending."
    case .notYet(let error?): "It is not in the journal yet. It stays pending, and is written when it can be. \(error)"
    }
  }
}
