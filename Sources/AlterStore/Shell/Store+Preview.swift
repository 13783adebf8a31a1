import AlterCore
import AlterJournal

/// The effect that an undo or a redo would have now, for example for the title of a button.
public struct UndoPreview<State: Alterable>: Sendable {
  /// The entries concerned: first the entry to undo or restore, then, for an undo, those that made no difference after it, and the
  /// feedback answers.
  public let records: [Record<State>]
  /// The state after the undo or redo.
  public let state: State
}

extension Store {
  /// Returns the effect that ``undo()`` would have now. Nothing is changed.
  ///
  /// Another writer may append an entry in between; ``Undone`` has the entries that were undone in fact.
  ///
  /// - Throws: ``UndoError``, as the undo itself would; its description explains why there is nothing to undo. In a store of ``Stores``,
  ///   `windowNotLoaded` before ``loadUndoWindow()`` or an undo.
  /// - Complexity: that of the undo: O(pending work + entries since the one to undo).
  public func previewUndo() throws(UndoError) -> UndoPreview<State> { try preview(redo: false) }

  /// Returns the effect that ``redo()`` would have now. Nothing is changed.
  ///
  /// - Throws: ``UndoError``, as the redo itself would. In a store of ``Stores``, `windowNotLoaded` before ``loadUndoWindow()`` or an undo.
  /// - Complexity: that of the redo.
  public func previewRedo() throws(UndoError) -> UndoPreview<State> { try preview(redo: true) }

  private func preview(redo: Bool) throws(UndoError) -> UndoPreview<State> {
    let replica = try core.withLock { core throws(UndoError) in
      try allowUndo(core)
      return core.replica.copied()
    }
    let trial = try replica.tryUndo(redo: redo, now: options.environment.now())
    return UndoPreview(records: trial.history.records(concernedBy: trial.record), state: trial.state)
  }
}
