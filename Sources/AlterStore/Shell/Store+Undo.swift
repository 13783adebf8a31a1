public import AlterCore
import AlterJournal

extension Store {
  /// Undoes the last active entry of the store's scope, together with the feedback answers it caused. The undo is a new entry of the
  /// journal.
  ///
  /// Later entries of other scopes stay. If two replicas of one scope undo at the same moment, two entries are undone. A feedback answer is
  /// no step of its own.
  ///
  /// In a store that was opened without its undo window (``StoreOptions/undoWindowLoading``), the first undo reads it. The undo is about the
  /// entry that was the scope's last one at the call: if another one is, when the window was read, the undo throws `windowNotLoaded`.
  ///
  /// - Returns: The undone entries, once the journal has the undo.
  /// - Throws: ``UndoError``, which documents whether the state shows the undo.
  /// - Complexity: O(pending work + entries since the one undone), and that of ``loadUndoWindow()`` if the window is not in memory.
  @discardableResult
  public func undo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: false) }

  /// Redoes the scope's last undo, unless a new entry of the scope has followed it.
  ///
  /// The feedback answers stay undone, because the restored request starts its effect again.
  ///
  /// - Returns: The restored entry, once the journal has the redo.
  /// - Throws: ``UndoError``, which documents whether the state shows the redo.
  /// - Complexity: O(pending work + entries since the one restored), and that of ``loadUndoWindow()`` if the window is not in memory.
  @discardableResult
  public func redo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: true) }

  /// Undoes or redoes without waiting for the journal: the state shows it when this method returns. If it is lost later, ``problems``
  /// reports it.
  ///
  /// - Throws: ``UndoError``; `windowNotLoaded` before ``loadUndoWindow()``, in a store that was opened without its undo window.
  package func takeBackAtOnce(redo: Bool) throws(UndoError) {
    let (_, errand) = try makeUndo(redo: redo)
    run(errand)
  }

  /// The steps that ``undo()`` and ``redo()`` go through, and the version of the visible state to which they belong. There are none before
  /// ``loadUndoWindow()``, in a store that was opened without its undo window.
  ///
  /// - Complexity: O(undo window).
  package var undoSteps: (version: Int64, steps: UndoSteps) {
    core.withLock { core in
      guard !lacksUndoWindow(core) else { return (core.version, UndoSteps()) }
      let pending = core.replica.lastPending(core.replica.history.window)
      return (core.version, core.replica.history.undoSteps(in: core.replica.scope, with: pending))
    }
  }

  /// Waits until the visible state has a version greater than a given one.
  ///
  /// - Throws: ``JournalError``, if the store was closed or has failed, or the task was cancelled.
  package func waitForChange(past version: Int64) async throws(JournalError) { try await watch.wait(past: version) }

  private func takeBack(redo: Bool) async throws(UndoError) -> Undone<State> {
    // The caller has not seen an entry that arrives while the window is read, so the undo must not be about it.
    let seen = core.withLock { lacksUndoWindow($0) ? $0.replica.sight(within: options.undoWindow) : nil }
    try await loadUndoWindow()
    let (commit, errand) = try makeUndo(redo: redo, seen: seen)
    run(errand)
    switch await commit.result() {
    case .success(let revision):
      let history = core.withLock { $0.replica.history }
      return Undone(revision: revision, records: history.records(concernedBy: revision))
    case .failure(.undo(let error)): throw error
    case .failure(.failed(let error)): throw .failed(error)
    case .failure(.unknown(let error)): throw .unknown(error)
    case .failure(.notYet(let error)): throw .notYet(error)
    case .failure(.dropped), .failure(.requirementDropped), .failure(.staleLease), .failure(.conditionFailed), .failure(.refused):
      throw redo ? .nothingToRedo : .nothingToUndo
    }
  }

  /// Makes an undo: computes it on a copy, outside the lock, and makes it if nothing has happened meanwhile.
  private func makeUndo(redo: Bool, seen: Replica<State>.Sight? = nil) throws(UndoError) -> (Commit<State>, Errand) {
    let now = options.now()
    // Other callers may change the state faster than an undo can be computed. After four attempts the undo is computed under the lock.
    for _ in 0..<4 {
      var replica: Replica<State>? = try core.withLock { core throws(UndoError) in
        try allowUndo(core)
        return core.replica.copied()
      }
      let trial = try replica?.tryUndo(redo: redo, seen: seen, now: now)
      // Release the copy, so that the pending state is not shared and changes happen in place.
      replica = nil
      let made = try core.withLock { core throws(UndoError) in
        try allowUndo(core)
        return trial.map { core.replica.make($0) } == true ? (committed(in: &core), errands(in: &core)) : nil
      }
      if let made { return made }
    }
    return try core.withLock { core throws(UndoError) in
      try allowUndo(core)
      _ = try core.replica.undo(redo: redo, seen: seen, now: now)
      return (committed(in: &core), errands(in: &core))
    }
  }
}

/// The result of an undo or a redo.
public struct Undone<State: Alterable>: Sendable {
  /// The revision of the undo or redo itself.
  public let revision: Revision
  /// The entries that an undo has reverted: first the scope's entry, then the feedback answers to it. For a redo, the restored entry.
  public let records: [Record<State>]
}
