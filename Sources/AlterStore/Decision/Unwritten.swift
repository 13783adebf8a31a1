public import AlterCore
import AlterJournal

/// A change that a store has taken and could not show to be in the journal: ``Store/close(deadline:)`` hands it back.
///
/// It keeps its id, so that another store can go on with it: ``Store/open(_:in:resuming:options:)``. Then it is in the journal exactly once,
/// whether or not it was written before.
public struct Unwritten<State: Alterable>: Sendable {
  /// What was made; its revision is provisional.
  public var record: Record<State> { work.record }

  /// Whether the journal may have it all the same: it was on its way, and no answer came. An app that makes such a change anew may double it.
  public let mayBeWritten: Bool

  let work: Replica<State>.Pending
  /// The journal that it was made for.
  let journal: JournalID?

  init(_ work: Replica<State>.Pending, of journal: JournalID?, mayBeWritten: Bool) {
    self.work = work
    self.journal = journal
    self.mayBeWritten = mayBeWritten
  }
}
