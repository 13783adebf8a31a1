public import AlterCore
import AlterJournal

extension Store {
  /// Undoes the last active entry of the store's scope that makes a difference, together with the feedback answers it caused. The undo is a
  /// new entry of the journal.
  ///
  /// An entry makes no difference if the state is the same before and after it, by `==`: a change to the value that a part has already, changes
  /// that cancel each other out, an entry that the state refuses, or one that a migration has emptied. Such an entry is no step: it is undone
  /// together with the step before it.
  ///
  /// Later entries of other scopes stay. If two replicas of one scope undo at the same moment, two entries are undone. A feedback answer is
  /// no step of its own.
  ///
  /// In a synced journal the undo is made when the device's file has it, as a change is. ``Undone/commit`` waits for the server's verdict. There,
  /// each entry that made no difference is undone by an entry of its own, before the step. These entries count for the undo window: a step at its
  /// edge throws `outsideWindow`.
  ///
  /// In a store that was opened without its undo window (``StoreOptions/undoWindowLoading``), the first undo reads it. The undo is about the
  /// entry that was the scope's last one at the call: if another one is, when the window was read, the undo throws `windowNotLoaded`.
  ///
  /// - Returns: The undone entries, once the journal, or the file of a synced one, has the undo.
  /// - Throws: ``UndoError``, which documents whether the state shows the undo.
  /// - Complexity: O(pending work + entries since the one undone), and that of ``loadUndoWindow()`` if the window is not in memory.
  @discardableResult
  public func undo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: false) }

  /// Redoes the scope's last undo, unless a new entry of the scope that makes a difference has followed it.
  ///
  /// The feedback answers stay undone, because the restored request starts its effect again.
  ///
  /// - Returns: The restored entry, once the journal, or the file of a synced one, has the redo.
  /// - Throws: ``UndoError``, which documents whether the state shows the redo.
  /// - Complexity: O(pending work + entries since the one restored), and that of ``loadUndoWindow()`` if the window is not in memory.
  @discardableResult
  public func redo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: true) }

  /// Undoes or redoes without waiting for the journal: the state shows it when this method returns. If it is lost later, ``problems``
  /// reports it.
  ///
  /// - Throws: ``UndoError``; `windowNotLoaded` before ``loadUndoWindow()``, in a store that was opened without its undo window.
  package func takeBackAtOnce(redo: Bool) throws(UndoError) {
    let (_, _, errand) = try makeUndo(redo: redo)
    run(errand)
  }

  /// The steps that ``undo()`` and ``redo()`` go through, and the version of the visible state to which they belong. There are none before
  /// ``loadUndoWindow()``, in a store that was opened without its undo window.
  ///
  /// - Complexity: O(undo window + pending work), and a comparison of states for each step that is new since the last call.
  package var undoSteps: (version: Int64, steps: UndoSteps) {
    let (version, replica) = core.withLock { core in (core.version, lacksUndoWindow(core) ? nil : core.replica.copied()) }
    return (version, replica.map { $0.folded.undoSteps(in: $0.scope) } ?? UndoSteps())
  }

  /// Waits until the visible state has a version greater than a given one.
  ///
  /// - Throws: ``JournalError``, if the store was closed or has failed, or the task was cancelled.
  package func waitForChange(past version: Int64) async throws(JournalError) { try await watch.wait(past: version) }

  private func takeBack(redo: Bool) async throws(UndoError) -> Undone<State> {
    // The caller has not seen an entry that arrives while the window is read, so the undo must not be about it.
    let seen = core.withLock { lacksUndoWindow($0) ? $0.replica.sight(within: options.undoWindow) : nil }
    try await loadUndoWindow()
    let (commit, made, errand) = try makeUndo(redo: redo, seen: seen)
    run(errand)
    do throws(CommitError<State.Failure>) {
      if let made {
        // The server may be out of reach for days.
        try await commit.durable()
        return Undone(revision: made.revision, records: made.concerned, commit: commit)
      }
      let revision = try await commit.confirmed()
      let history = core.withLock { $0.replica.history }
      return Undone(revision: revision, records: history.records(concernedBy: revision), commit: commit)
    } catch {
      switch error {
      case .undo(let error): throw error
      case .failed(let error): throw .failed(error)
      case .unknown(let error): throw .unknown(error)
      case .notYet(let error): throw .notYet(error)
      case .dropped, .requirementDropped, .staleLease, .conditionFailed, .refused: throw redo ? .nothingToRedo : .nothingToUndo
      }
    }
  }

  /// The result of making an undo. The second part is that of a synced journal, in which the target is fixed; otherwise nil.
  private typealias Made = (Commit<State>, (revision: Revision, concerned: [Record<State>])?, Errand)

  /// Makes an undo: computes it on a copy, outside the lock, and makes it if nothing has happened meanwhile.
  private func makeUndo(redo: Bool, seen: Replica<State>.Sight? = nil) throws(UndoError) -> Made {
    let now = options.environment.now()
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
        return trial.map { core.replica.make($0) } == true ? announced(trial, in: &core) : nil
      }
      if let made { return made }
    }
    return try core.withLock { core throws(UndoError) in
      try allowUndo(core)
      let trial = try core.replica.tryUndo(redo: redo, seen: seen, now: now)
      _ = core.replica.make(trial)
      return announced(trial, in: &core)
    }
  }

  /// Returns the commit of a trial that was made, and announces the records that come before its own.
  private func announced(_ trial: Replica<State>.Trial?, in core: inout Core) -> Made {
    if let trial, !core.transitions.isEmpty { for record in trial.records.dropLast() { core.announce(.pending(record)) } }
    let made = !isSynced ? nil : trial.map { ($0.record.revision, $0.concerned) }
    return (committed(in: &core), made, errands(in: &core))
  }
}

/// The result of an undo or a redo.
public struct Undone<State: Alterable>: Sendable {
  /// The revision of the undo or redo itself. In a synced journal it is provisional; that of the ``commit`` is final.
  public let revision: Revision
  /// The entries that an undo has reverted: first the scope's entry, then those that made no difference after it, and the feedback answers. For
  /// a redo, the restored entry.
  public let records: [Record<State>]
  /// The commit of the undo or redo. In a synced journal it waits for the server's verdict; otherwise it is confirmed.
  public let commit: Commit<State>
}
