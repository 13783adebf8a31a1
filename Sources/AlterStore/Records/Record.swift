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

// The storage of a record. A store holds thousands of records and makes one for every change, so a record is small: a single change needs
// no array, a whole state is stored indirectly, and rare properties have a box of their own.

extension Record {
  /// The content of a record in the form that needs the least memory and time.
  @usableFromInline
  package enum Content: Sendable {
    /// A batch of one change.
    case change(State.Change)
    /// A batch of any other number of changes.
    case changes([State.Change])
    /// The initial state of the journal.
    indirect case initial(State)
    /// A replacement of the whole state.
    indirect case reset(State)
    /// An undo: the entry to revert, then the feedback answers to it.
    case undo([EntryID])
    /// A redo: the undo to revert, then the feedback answers that stay or become undone.
    case redo([EntryID])

    /// Creates the content of a kind.
    package init(_ kind: Kind) {
      switch kind {
      case .initial(let state): self = .initial(state)
      case .changes(let changes): self = Content(changes)
      case .reset(let state): self = .reset(state)
      case .undo(let targets): self = .undo(targets)
      case .redo(let targets): self = .redo(targets)
      }
    }

    /// Creates the content of a batch that was read, of the same type under its other name.
    @inlinable
    init<Form>(_ changes: StoredReader.Elements<Form>) {
      switch changes {
      case .one(let change): self = .change(unsafeBitCast(change, to: State.Change.self))
      case .several(let changes): self = .changes(unsafeBitCast(changes, to: [State.Change].self))
      }
    }

    /// Creates the content of a batch.
    @inlinable
    package init(_ changes: [State.Change]) { self = changes.count == 1 ? .change(changes[0]) : .changes(changes) }

    /// Whether the record is an undo or a redo, which changes only the set of active entries.
    @inlinable package var isMark: Bool {
      switch self {
      case .undo, .redo: true
      case .initial, .change, .changes, .reset: false
      }
    }

    /// Whether the record is a redo, or an undo; nil if it is neither.
    @inlinable var isRedo: Bool? {
      switch self {
      case .undo: false
      case .redo: true
      case .initial, .change, .changes, .reset: nil
      }
    }

    /// The entries that an undo or a redo reverts; empty for other contents, which ignore new ones.
    @usableFromInline package var targets: [EntryID] {
      get {
        switch self {
        case .undo(let targets), .redo(let targets): targets
        case .initial, .change, .changes, .reset: []
        }
      }
      set {
        switch self {
        case .undo: self = .undo(newValue)
        case .redo: self = .redo(newValue)
        case .initial, .change, .changes, .reset: break
        }
      }
    }

    /// The public form of the content.
    package var kind: Kind {
      switch self {
      case .change(let change): .changes([change])
      case .changes(let changes): .changes(changes)
      case .initial(let state): .initial(state)
      case .reset(let state): .reset(state)
      case .undo(let targets): .undo(targets)
      case .redo(let targets): .redo(targets)
      }
    }
  }
}

/// The rare properties of a record: the cause, the lease, the indices that migrations gave to its changes, the size of a heavy entry, and the
/// first attempt of a change that was refused before.
@usableFromInline
package final class RecordExtra: Sendable {
  package let cause: Cause?
  package let lease: Lease?
  @usableFromInline package let indices: [Int]?
  /// The size of the entry in the journal in bytes, if it is heavy; otherwise 0.
  @usableFromInline package let weight: Int64
  /// The first attempt of the change, whose stamp the record has; nil if the record is the first attempt itself.
  @usableFromInline package let retries: EntryID?
  /// Whether an undo or a redo names one entry, and the answers to it follow by rule, where the undo has its place.
  package let isByRule: Bool

  /// The minimum size of a heavy entry: 64 KiB. For lighter entries, limits on their number suffice.
  @inlinable package static var heavy: Int64 { 64 << 10 }

  /// Creates the box; nil if there is no such property.
  @usableFromInline
  package convenience init?(
    cause: Cause?, lease: Lease? = nil, indices: [Int]? = nil, size: Int64 = 0, retries: EntryID? = nil, isByRule: Bool = false
  ) {
    let weight = size < Self.heavy ? 0 : size
    if cause == nil, lease == nil, indices == nil, weight == 0, retries == nil, !isByRule { return nil }
    self.init(cause, lease, indices, weight, retries, isByRule)
  }

  private init(_ cause: Cause?, _ lease: Lease?, _ indices: [Int]?, _ weight: Int64, _ retries: EntryID?, _ isByRule: Bool) {
    self.cause = cause
    self.lease = lease
    self.indices = indices
    self.weight = weight
    self.retries = retries
    self.isByRule = isByRule
  }
}

extension Alterable {
  /// Applies the content of a record in place. An undo or a redo changes nothing. A refused change may leave a part of the record applied:
  /// the caller must then return to a state that it kept.
  @inlinable
  package mutating func apply(_ content: Record<Self>.Content, indices: [Int]?, at stamp: Stamp) throws(Failure) {
    switch content {
    case .change(let change):
      guard let indices else { return try apply(change, at: stamp) }
      var stamp = stamp
      stamp.index = indices[0]
      try apply(change, at: stamp)
    case .changes(let changes):
      guard let indices else { return try apply(changes, at: stamp) }
      var stamp = stamp
      for (change, index) in zip(changes, indices) {
        stamp.index = index
        try apply(change, at: stamp)
      }
    case .initial(let new), .reset(let new): self = new
    case .undo, .redo: break
    }
  }
}
