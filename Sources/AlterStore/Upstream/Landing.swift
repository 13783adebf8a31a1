import AlterCore
import AlterJournal

/// The decision of the writer after an append has failed. The error and the flight decide, nothing else.
///
/// | error | step | then |
/// |---|---|---|
/// | any that is not transient, of a known outcome, or `failed`, with other stores' work | ``Step/apart`` | each store appends alone |
/// | `conflict` | ``Step/behind`` | a turn; the work is replayed on what was read |
/// | `originCollision` | ``Step/read`` | the work is replayed, under another origin if nothing was read |
/// | `unencodable`, of one piece | ``Step/drop(_:)`` | the rest |
/// | `unencodable`, of several | ``Step/shorten`` | the first half, until the piece is alone |
/// | `noSuchRevision`, with undos | ``Step/dropGone(_:)`` | the rest |
/// | `staleLease` | ``Step/dropUnder(_:)`` | the rest |
/// | any other transient one | ``Step/pause`` | the same drafts again: the journal recognises those that it has |
/// | any other | ``Step/end`` | the store has failed |
enum Landing<State: Alterable> {
  enum Step {
    /// One of the stores of a group is the cause: each repeats its append alone.
    case apart
    /// Other writers were first.
    case behind
    /// An earlier append whose answer was lost may have written a part of the flight. Reading shows that part, and shows whether an id of this
    /// replica has other content.
    case read
    /// The piece of work with this sequence can't be in the journal.
    case drop(Int64)
    /// One of several pieces of work can't be in the journal, or they are too large together.
    case shorten
    /// The journal was compacted, and an undo names an entry that it does not have any more. Other undos of the flight may go on.
    case dropGone([Record<State>])
    /// The lease of some work was taken over.
    case dropUnder(Lease)
    /// The journal is out of reach, or the outcome is unknown.
    case pause
    /// The error is permanent.
    case end
  }

  /// - Parameters:
  ///   - error: The error of the append.
  ///   - records: The flight.
  ///   - isAlone: Whether the append had no work of other stores.
  static func step(after error: JournalError, of records: some Collection<Record<State>>, isAlone: Bool) -> Step {
    if !isAlone, error.code == .failed || !error.isTransient && !error.leavesOutcomeUnknown { return .apart }
    switch error.code {
    case .conflict: return .behind
    case .originCollision: return .read
    case .unencodable: if let record = records.first { return records.count == 1 ? .drop(record.id.sequence) : .shorten }
    case .noSuchRevision:
      let marks = records.filter(\.content.isMark)
      if !marks.isEmpty { return .dropGone(marks) }
    case .staleLease: if let lease = error.lease { return .dropUnder(lease) }
    default: break
    }
    return error.isTransient ? .pause : .end
  }
}
