import AlterCore
import AlterJournal

/// What an undo or a redo would do now: for a button that says so.
public struct UndoPreview<State: Alterable>: Sendable {
  /// The entries concerned: first the one it is about, then the feedback answers to that one.
  public let records: [Record<State>]
  /// The state that it would lead to.
  public let state: State
}

extension Store {
  /// What ``undo()`` would take back now. Nothing is changed.
  ///
  /// Somebody else may be quicker: what is taken back then is in ``Undone``.
  ///
  /// - Throws: ``UndoError``, as the undo itself would: its description tells why there is none.
  /// - Complexity: that of the undo: O(entries since the one it would take back), at most the undo window.
  public func previewUndo() throws(UndoError) -> UndoPreview<State> { try preview(redo: false) }

  /// What ``redo()`` would bring back now. Nothing is changed.
  ///
  /// - Throws: ``UndoError``, as the redo itself would.
  /// - Complexity: that of the redo.
  public func previewRedo() throws(UndoError) -> UndoPreview<State> { try preview(redo: true) }

  private func preview(redo: Bool) throws(UndoError) -> UndoPreview<State> {
    let replica = try core.withLock { core throws(UndoError) in
      try core.allowUndo()
      return core.replica.copied()
    }
    let trial = try replica.tryUndo(redo: redo, now: options.now())
    return UndoPreview(records: trial.history.records(concernedBy: trial.record), state: trial.state)
  }
}
