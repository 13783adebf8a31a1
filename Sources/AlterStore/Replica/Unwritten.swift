public import AlterCore
import AlterJournal

/// A change that a store has accepted without learning that the journal has it. ``Store/close(deadline:)`` returns these changes.
///
/// The change keeps its id, so that another store can write it: ``Store/open(_:in:resuming:options:)``. Then it is in the journal exactly
/// once, whether or not it was written before.
public struct Unwritten<State: Alterable>: Sendable {
  /// The change, undo or redo that was made. Its revision is provisional.
  public var record: Record<State> { work.record }

  /// Whether the journal may have the change: it was in flight, and no answer arrived. An app that makes such a change again under a new id
  /// may apply it twice.
  public let mayBeWritten: Bool

  let work: PendingWork<State>.Piece
  /// The journal that the change was made for; nil in memory.
  let journal: JournalID?

  init(_ work: PendingWork<State>.Piece, of journal: JournalID?, mayBeWritten: Bool) {
    self.work = work
    self.journal = journal
    self.mayBeWritten = mayBeWritten
  }
}
