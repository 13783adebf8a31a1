public import AlterCore
public import AlterJournal

// How a record is kept: a store holds the last thousands of them, and makes one for every change, so it is small. A single change needs no
// array, a whole state lies apart, and what few records have is in a box of its own.

extension Record {
  /// What happened, in the form that takes the least room and time.
  @usableFromInline
  package enum Content: Sendable {
    /// A batch of one change.
    case change(State.Change)
    /// A batch of any other number of changes.
    case changes([State.Change])
    /// The state that the journal begins with.
    indirect case initial(State)
    /// The whole state replaced.
    indirect case reset(State)
    /// Earlier entries taken back.
    case undo([EntryID])
    /// Earlier undos taken back.
    case redo([EntryID])

    /// What a kind stands for.
    package init(_ kind: Kind) {
      switch kind {
      case .initial(let state): self = .initial(state)
      case .changes(let changes): self = Content(changes)
      case .reset(let state): self = .reset(state)
      case .undo(let targets): self = .undo(targets)
      case .redo(let targets): self = .redo(targets)
      }
    }

    /// A batch.
    @inlinable
    package init(_ changes: [State.Change]) { self = changes.count == 1 ? .change(changes[0]) : .changes(changes) }

    /// Whether it is an undo or a redo: it changes which entries count, and nothing else.
    package var isMark: Bool {
      switch self {
      case .undo, .redo: true
      case .initial, .change, .changes, .reset: false
      }
    }

    /// What it is to a reader.
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

/// What few records have: why they were made, the lease they are made under, the indices that migrations gave their changes, a size that counts.
@usableFromInline
package final class RecordExtra: Sendable {
  package let cause: Cause?
  package let lease: Lease?
  @usableFromInline package let indices: [Int]?
  /// How many bytes the entry takes in the journal, if they are many; else 0.
  @usableFromInline package let weight: Int64

  /// From how many bytes on an entry is heavy: what is lighter is bounded well enough by numbers of entries.
  package static var heavy: Int64 { 64 << 10 }

  /// What there is; nil when there is nothing.
  @usableFromInline
  package convenience init?(cause: Cause?, lease: Lease? = nil, indices: [Int]? = nil, size: Int64 = 0) {
    let weight = size < Self.heavy ? 0 : size
    if cause == nil, lease == nil, indices == nil, weight == 0 { return nil }
    self.init(cause, lease, indices, weight)
  }

  private init(_ cause: Cause?, _ lease: Lease?, _ indices: [Int]?, _ weight: Int64) {
    self.cause = cause
    self.lease = lease
    self.indices = indices
    self.weight = weight
  }
}

extension Alterable {
  /// Makes what a record says in place; an undo or a redo says nothing. A refused change may leave a part of
  /// the record made: the caller goes back to a state that it kept.
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
