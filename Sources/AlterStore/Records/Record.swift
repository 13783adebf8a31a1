public import AlterCore
public import AlterJournal

/// An entry of the journal in the types of its state: what observers, the log and the undo see.
public struct Record<State: Alterable>: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// The state that the journal begins with.
    case initial(State)
    /// An atomic batch of changes.
    case changes([State.Change])
    /// The whole state replaced.
    case reset(State)
    /// Earlier entries taken back: first the one it is about, then the feedback answers to that one.
    case undo([EntryID])
    /// Earlier undos taken back.
    case redo([EntryID])
  }

  /// Its place in the journal.
  public let revision: Revision
  /// Who made it, and its number there.
  public let id: EntryID
  /// When it was made: microseconds since 1970 UTC, by the maker's clock.
  public let time: Int64
  /// Whose undo takes it back.
  public let scope: UndoScope
  /// What happened, as it is kept.
  @usableFromInline package var content: Content
  /// What few records have.
  @usableFromInline package var extra: RecordExtra?

  /// What happened.
  public var kind: Kind { content.kind }

  /// Why, if it was said.
  public var cause: Cause? { extra?.cause }

  /// The lease that it is made under, while it is on its way to the journal.
  package var lease: Lease? { extra?.lease }

  /// The ``/AlterCore/Stamp/index`` that each change sees, where migrations have made it another than its place in the batch.
  @inlinable package var indices: [Int]? { extra?.indices }

  /// A record of the given parts.
  ///
  /// - Parameters:
  ///   - revision: Its place in the journal.
  ///   - id: Who made it, and its number there.
  ///   - time: Microseconds since 1970 UTC.
  ///   - scope: Whose undo takes it back.
  ///   - kind: What happened.
  ///   - cause: Why.
  public init(revision: Revision, id: EntryID, time: Int64, scope: UndoScope = .journal, kind: Kind, cause: Cause? = nil) {
    self.init(revision: revision, id: id, time: time, scope: scope, content: Content(kind), extra: RecordExtra(cause: cause))
  }

  /// A record of the given parts, as they are kept.
  @inlinable
  package init(revision: Revision, id: EntryID, time: Int64, scope: UndoScope, content: Content, extra: RecordExtra?) {
    self.revision = revision
    self.id = id
    self.time = time
    self.scope = scope
    self.content = content
    self.extra = extra
  }

  /// The same record at another revision.
  package func at(_ revision: Revision) -> Record {
    Record(revision: revision, id: id, time: time, scope: scope, content: content, extra: extra)
  }

  /// The same record, of a known size in the journal.
  package func weighing(_ size: Int64) -> Record {
    guard size >= RecordExtra.heavy else { return self }
    var record = self
    record.extra = RecordExtra(cause: cause, lease: lease, indices: indices, size: size)
    return record
  }

  /// The same record under another id.
  package func named(_ id: EntryID) -> Record {
    Record(revision: revision, id: id, time: time, scope: scope, content: content, extra: extra)
  }

  /// The stamp that its first change saw.
  @inlinable
  public var stamp: Stamp { Stamp(time: time, origin: id.origin, sequence: id.sequence) }

  /// The entries that it takes back: none, unless it is an undo or a redo.
  public var targets: [EntryID] {
    switch content {
    case .undo(let targets), .redo(let targets): targets
    case .initial, .change, .changes, .reset: []
    }
  }

  /// Which of a run of records are not in force at its end: an entry is active unless an active later one takes it back.
  ///
  /// - Parameter records: Consecutive records, oldest first.
  /// - Returns: The ids of those taken back, including ids from before the run. An id that is named before its entry comes is none of them.
  /// - Complexity: O(number of records).
  public static func takenBack(in records: some BidirectionalCollection<Record>) -> Set<EntryID> {
    var inactive: Set<EntryID> = []
    var found: Set<EntryID> = []
    for record in records.reversed() {
      if inactive.contains(record.id) {
        found.insert(record.id)
      } else {
        inactive.formUnion(record.targets)
      }
    }
    // An id that was not met on the way back is from before the run, or from after the entry that names it: that one has no effect.
    let others = inactive.subtracting(found)
    guard !others.isEmpty else { return inactive }
    return inactive.subtracting(records.lazy.map(\.id).filter(others.contains))
  }
}
