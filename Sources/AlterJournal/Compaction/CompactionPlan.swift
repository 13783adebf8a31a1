public import AlterCore

/// The entries that a compaction keeps: all of them at least, and often more, because a journal can begin only at a state that is known.
public enum CompactionRange: Sendable, Hashable {
  /// The last entries, by their number. A negative number means 0: every entry may go.
  case last(Int)
  /// An entry, and every later one. A revision beyond the end means that every entry may go.
  case from(Revision)
  /// The first entry whose time is not before a moment, and every later entry. Microseconds since 1970-01-01 00:00 UTC, by the clocks of the
  /// entries' makers.
  case since(Int64)
}

/// The plan of a compaction: nothing has been changed. ``Journal/compact(_:)`` carries it out.
///
/// A plan is for one journal, and for a short time: entries that are appended meanwhile may outdate it, and `compact` then throws `conflict`.
public struct CompactionPlan: Sendable, Hashable {
  /// The floor after the compaction: the last revision that goes. It equals the present floor, 0 for a whole journal, if nothing can go.
  public let floor: Revision
  /// The number of entries that go.
  public let entries: Int
  /// The sum of the sizes of the entries that go, in bytes. The file shrinks by about as much.
  public let bytes: Int64
  /// The head of the journal when it was read.
  package let head: Head
  /// The reason for which no entry goes, or fewer than the range permits; nil if the floor is the one that was requested, or if fewer go only
  /// because no snapshot has its base there.
  public let limitation: String?
  /// The head of the snapshot that is kept at the floor; nil if nothing goes.
  package let snapshot: Revision?
  /// The schema of that snapshot.
  package let schema: Int
  /// The head at the floor.
  package let base: Head

  package init(
    floor base: Head, entries: Int, bytes: Int64, head: Head, limitation: String?, snapshot: Revision?, schema: Int = 0
  ) {
    floor = base.revision
    self.base = base
    self.entries = entries
    self.bytes = bytes
    self.head = head
    self.limitation = limitation
    self.snapshot = snapshot
    self.schema = schema
  }
}
