public import AlterCore
public import AlterJournal

/// The reason for which a store did not make a change. Nothing was changed or journaled.
public enum ChangeError<Failure: Error>: Error, CustomStringConvertible {
  /// The state refuses the change.
  case refused(Failure)
  /// The store is closed, or is being closed.
  case closed
  /// The journal has failed permanently, so the store accepts no more changes.
  case failed(JournalError)
  /// The journal cannot hold the change. The store continues.
  case unencodable(JournalError)
  /// The store holds as many pending changes as it may. `await store.ready()` waits until there is room.
  case full(limit: PendingLimit)
  /// The required commit was dropped or has failed.
  case requirementDropped
  /// The state does not meet the condition of the change: the request that a feedback answers was withdrawn.
  case conditionFailed

  /// Describes the reason and a remedy.
  public var description: String {
    switch self {
    case .refused(let failure): "The change was refused: \(failure)"
    case .closed: "The store is closed: the change was not made. Open it again."
    case .failed(let error): "The journal has failed, so the store accepts no more changes. This change was not made. \(error)"
    case .unencodable(let error): "The change was not made. \(error)"
    case .full(let limit): limit.text
    case .requirementDropped: "The commit that this change builds on was dropped, so the change was not made."
    case .conditionFailed: "The request that this change answers was withdrawn, so the change was not made."
    }
  }
}

extension ChangeError: Equatable where Failure: Equatable {}

/// A limit on the changes that wait to be written. ``Store/ready()`` waits until there is room.
public enum PendingLimit: Hashable, Sendable {
  /// The number of pending changes, ``StoreOptions/pendingLimit``, is reached.
  case changes(Int)
  /// The number of bytes of pending changes, ``StoreOptions/pendingBytesLimit``, is reached.
  case bytes(Int)

  /// Describes the limit and a remedy.
  fileprivate var text: String {
    switch self {
    case .changes(let limit): "The store has reached its limit of \(limit) pending changes. Wait for room with `await store.ready()`."
    case .bytes(let limit):
      "The store has reached its limit of \(limit) bytes of pending changes. Wait for room with `await store.ready()`."
    }
  }
}

/// The reason for which a change that was made is not in the journal.
public enum CommitError<Failure: Error>: Error, CustomStringConvertible {
  /// Another writer was first, and the state refuses the change after that writer's entries. The store has removed it from the state.
  case dropped(Failure)
  /// The required commit was dropped. The store has removed this change from the state, too.
  case requirementDropped
  /// Another writer was first, and after its entries the state does not meet the condition of the change. The store has removed it from the
  /// state.
  case conditionFailed
  /// Another writer's entries have made this undo or redo impossible. The store has removed it from the state.
  case undo(UndoError)
  /// The change was made under a lease that another replica has taken over. The store has removed it from the state.
  case staleLease(Lease)
  /// The server has refused the change. The store has removed it from the state, and keeps it until it is retried or dismissed.
  case refused(code: String)
  /// The journal does not have the change, and this store will not write it. The code `unencodable` means that the change cannot be written
  /// as JSON or is too large, and `conflict` that another process of the device has retried or dismissed the refused change that it repeats: the
  /// store has removed it from the state. With any other code the journal has failed or the store was closed: the state still shows the change, and ``Store/close(deadline:)`` returns it.
  case failed(JournalError)
  /// The outcome is unknown: the change was in flight when the journal failed or the store was closed. ``Store/close(deadline:)`` returns
  /// it; a store that resumes it writes it exactly once.
  case unknown(JournalError)
  /// The change is not in the journal yet. It stays pending, and the store keeps trying to write it. The value is the failure that delays
  /// it; nil if the waiting task was cancelled.
  case notYet(JournalError?)

  /// Describes the reason and a remedy.
  public var description: String {
    switch self {
    case .dropped(let failure): "Another writer committed first, and then the state refused the change: \(failure)"
    case .requirementDropped: "The commit that this change builds on was dropped, so this change was dropped, too."
    case .conditionFailed:
      "Another writer committed first, and then the request that this change answers was withdrawn. The change was dropped."
    case .undo(let error): error.description
    case .staleLease(let lease):
      "Another replica has taken over the lease '\(lease.name)' (epoch \(lease.epoch)). The change that was made under it was dropped."
    case .refused(let code): "The server has refused the change: '\(code)'. It can be retried or dismissed."
    case .failed(let error): "The change was not written. \(error)"
    case .unknown(let error):
      """
      The outcome is unknown: the change was in flight, and no answer came. \(error) Close the store and pass the result of `close` to \
      `Store.open(…, resuming:)`: the journal then has the change exactly once.
      """
    case .notYet(nil): "The change is not in the journal yet: the task that waited for it was cancelled. The change stays pending."
    case .notYet(let error?): "The change is not in the journal yet. It stays pending, and the store keeps trying to write it. \(error)"
    }
  }
}

extension CommitError: Equatable where Failure: Equatable {}

/// The reason for which an undo or a redo did not happen.
///
/// Nothing was changed, except with ``unknown(_:)``, ``notYet(_:)``, and ``failed(_:)`` when the journal failed after the undo was made:
/// then the state shows the undo, and ``Store/close(deadline:)`` returns it.
public enum UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scope has no active entry left to undo that makes a difference.
  case nothingToUndo
  /// The scope has no undo left to revert, or a new entry of the scope that makes a difference has followed it.
  case nothingToRedo
  /// The target is older than the undo window. The value is the window: a number of entries.
  case outsideWindow(Int)
  /// The undo window is not in memory, or was read too late: see ``StoreOptions/undoWindowLoading``.
  ///
  /// The value is the failure that has prevented the reading. The next undo reads again, unless the entries themselves are the reason, such as
  /// a damaged one: then the store must be opened again. The value is nil if the waiting task was cancelled, if a preview was requested before ``Store/loadUndoWindow()``, or if the
  /// scope's last entry has changed while the window was read: the undo would have been about another entry than at the call.
  case windowNotLoaded(JournalError?)
  /// The state would refuse later entries after the undo or redo. The value is their revisions.
  case wouldSuppress([Revision])
  /// The entry requested an act in the world, and a feedback has performed it: its answer, or a change that its effect has sent, is in the
  /// journal. The values are the feedback's name and the revision of that change.
  case performed(feedback: String, revision: Revision)
  /// The store is closed, or is being closed.
  case closed
  /// The store holds as many pending changes as it may.
  case full(limit: PendingLimit)
  /// The journal has failed permanently.
  case failed(JournalError)
  /// The undo or redo was made, and the store cannot tell whether the journal has it.
  case unknown(JournalError)
  /// The undo or redo was made and stays pending; the journal does not have it yet. The value is the failure that delays it; nil if the
  /// waiting task was cancelled.
  case notYet(JournalError?)

  /// Describes the reason and a remedy.
  public var description: String {
    switch self {
    case .nothingToUndo: "There is nothing to undo."
    case .nothingToRedo: "There is nothing to redo."
    case .outsideWindow(let window):
      """
      Undo and redo reach back over \(window) entries, or 64 MiB of large entries, and have nothing to revert or to restore there. Older entries stay \
      as they are.
      """
    case .windowNotLoaded(nil):
      """
      Nothing was undone or redone: the undo window was not in memory, or another change has become the last one since the call. Look at the \
      state, call `await store.loadUndoWindow()`, and try again.
      """
    case .windowNotLoaded(let error?) where !error.isPermanent:
      "Nothing was undone or redone, because the undo window could not be read. Try again. \(error)"
    case .windowNotLoaded(let error?):
      "Nothing was undone or redone, because the undo window cannot be read, and is not read again until the store is opened again. \(error)"
    case .wouldSuppress(let revisions):
      """
      The undo or redo was not made, because the state would refuse later work (revision \(revisions.map(\.description).joined(separator: ", "))). \
      Undo that work first.
      """
    case .performed(let feedback, let revision):
      """
      Nothing was undone or redone: the entry requested an act outside of the app, and the feedback '\(feedback)' has begun or performed it \
      (revision \(revision)). An undo cannot take that act back. Make a change that asks for the opposite act, such as a refund.
      """
    case .closed: "The store is closed. Open it again."
    case .full(let limit): limit.text
    case .failed(let error): "The undo or redo was not written. \(error)"
    case .unknown(let error): "The outcome of the undo or redo is unknown: it was in flight, and no answer came. \(error)"
    case .notYet(nil):
      "The undo or redo is not in the journal yet: the task that waited for it was cancelled. The undo or redo stays pending."
    case .notYet(let error?):
      "The undo or redo is not in the journal yet. It stays pending, and the store keeps trying to write it. \(error)"
    }
  }
}
