package import AlterJournal

/// The steps that undos and redos in one scope go through, oldest first, within the undo window.
///
/// An undo manager of the user interface mirrors them with a stack of its own, which it can extend, undo, redo, and build again.
package struct UndoSteps: Sendable, Equatable {
  /// The entries that can be undone.
  package var undoable: [EntryID] = []
  /// The undos that can be redone.
  package var redoable: [EntryID] = []

  package init(undoable: [EntryID] = [], redoable: [EntryID] = []) { (self.undoable, self.redoable) = (undoable, redoable) }

  /// Returns the number of entries that were made since other steps; nil if more has happened than that.
  ///
  /// The oldest steps may have left the undo window: that alone is no difference.
  package func news(since known: UndoSteps) -> Int? {
    var count = undoable.count
    if let last = known.undoable.last {
      guard let place = undoable.lastIndex(of: last), known.undoable.ends(with: undoable[...place]) else { return nil }
      count -= place + 1
    }
    // A new entry clears the undos to redo.
    return (count == 0 ? known.redoable.ends(with: redoable) : redoable.isEmpty) ? count : nil
  }

  /// Returns whether one undo, or one redo, and nothing else, leads from other steps to these.
  package func areOneStep(after known: UndoSteps, redo: Bool) -> Bool {
    redo ? known.undoable.ends(with: undoable.dropLast()) : known.undoable.dropLast().ends(with: undoable)
  }
}

extension BidirectionalCollection where Element: Equatable {
  fileprivate func ends(with others: some BidirectionalCollection<Element>) -> Bool { reversed().starts(with: others.reversed()) }
}
