public import AlterCore
public import AlterJournal

/// An entry of the journal in the types of its state. Observers, logs and undo receive records.
public struct Record<State: Alterable>: Sendable {
  /// The content of a record.
  public enum Kind: Sendable {
    /// The initial state of the journal.
    case initial(State)
    /// An atomic batch of changes.
    case changes([State.Change])
    /// A replacement of the whole state.
    case reset(State)
    /// An undo: first the entry to revert, then the feedback answers to it.
    case undo([EntryID])
    /// A redo: first the undo to revert, then the feedback answers that stay or become undone.
    case redo([EntryID])
  }

  /// The place in the journal. It is provisional while the record is pending.
  public let revision: Revision
  /// The replica that made the record, and the record's number there.
  public let id: EntryID
  /// The time at which the record was made: microseconds since 1970 UTC, by the clock of the replica that made it.
  public let time: Int64
  /// The undo scope: an undo in this scope may revert the record.
  public let scope: UndoScope
  /// The content, as it is stored.
  @usableFromInline package var content: Content
  /// The rare properties; nil if there are none.
  @usableFromInline package var extra: RecordExtra?

  /// The content: changes, a new state, an undo or a redo.
  public var kind: Kind { content.kind }

  /// The reason for the record, if it was given.
  public var cause: Cause? { extra?.cause }

  /// The lease that the record is made under, while it is in flight.
  package var lease: Lease? { extra?.lease }

  /// The ``/AlterCore/Stamp/index`` that each change receives, if migrations have made it different from its position in the batch.
  @inlinable package var indices: [Int]? { extra?.indices }

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - revision: The place in the journal.
  ///   - id: The replica that made it, and its number there.
  ///   - time: Microseconds since 1970 UTC.
  ///   - scope: The undo scope; the whole journal by default.
  ///   - kind: The content.
  ///   - cause: The reason; nil by default.
  public init(revision: Revision, id: EntryID, time: Int64, scope: UndoScope = .journal, kind: Kind, cause: Cause? = nil) {
    self.init(revision: revision, id: id, time: time, scope: scope, content: Content(kind), extra: RecordExtra(cause: cause))
  }

  /// Creates a record from its stored parts.
  @inlinable
  package init(revision: Revision, id: EntryID, time: Int64, scope: UndoScope, content: Content, extra: RecordExtra?) {
    self.revision = revision
    self.id = id
    self.time = time
    self.scope = scope
    self.content = content
    self.extra = extra
  }

  /// Returns the same record at another revision.
  package func at(_ revision: Revision) -> Record {
    Record(revision: revision, id: id, time: time, scope: scope, content: content, extra: extra)
  }

  /// Returns the same record with its size in the journal, in bytes.
  package func weighing(_ size: Int64) -> Record {
    guard size >= RecordExtra.heavy else { return self }
    var record = self
    record.extra = RecordExtra(
      cause: cause, lease: lease, indices: indices, size: size, retries: extra?.retries, isByRule: isByRule)
    return record
  }

  /// Returns the same record under another id.
  package func named(_ id: EntryID) -> Record {
    Record(revision: revision, id: id, time: time, scope: scope, content: content, extra: extra)
  }

  /// The stamp of the record, with the index 0. Each change receives it with its own ``/AlterCore/Stamp/index``.
  ///
  /// A retry of a refused change has the stamp of its first attempt, so that it makes the same ids.
  @inlinable
  public var stamp: Stamp {
    let first = extra?.retries ?? id
    return Stamp(time: time, origin: first.origin, sequence: first.sequence)
  }

  /// The id that all attempts of one change share.
  package var family: EntryID { extra?.retries ?? id }

  /// The entries that the record reverts; empty unless it is an undo or a redo.
  public var targets: [EntryID] { content.targets }

  /// Whether an undo or a redo names one entry, as in a synced journal. When such a record is folded, the answers to that entry become
  /// ``targets``, too.
  package var isByRule: Bool { extra?.isByRule ?? false }

  /// The payload of an undo or a redo.
  var storedTargets: Entry.Targets {
    if isByRule, let target = targets.first { Entry.Targets(byRule: target) } else { Entry.Targets(targets) }
  }

  /// Returns the ids of the records that are inactive at the end of a run. An entry is active unless an active later entry reverts it.
  ///
  /// - Parameter records: Consecutive records, oldest first.
  /// - Returns: The inactive ids, including ids from before the run. An id that is named before its entry exists is not included.
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
    // An id that was not met on the way back belongs to an entry before the run, or after the entry that names it. The latter has no
    // effect.
    let others = inactive.subtracting(found)
    guard !others.isEmpty else { return inactive }
    return inactive.subtracting(records.lazy.map(\.id).filter(others.contains))
  }
}
