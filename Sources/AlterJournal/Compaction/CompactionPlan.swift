import AlterCore

/// The entries that a compaction keeps: all of them at least, and usually more, because a journal can begin only after the base of a
/// snapshot.
package enum CompactionRange: Sendable, Hashable {
  /// The last entries, by their number.
  case last(Int)
  /// The first entry whose time is not before a moment, and every later one. Microseconds since 1970-01-01 00:00 UTC.
  case since(Int64)
}

/// The result of planning a compaction: nothing has been changed. ``Journal/compact(_:)`` carries it out.
package struct CompactionPlan: Sendable, Hashable {
  /// The floor after the compaction: the last revision that goes. It equals the present floor if nothing can go.
  package let floor: Revision
  /// The number of entries that go.
  package let entries: Int
  /// The sum of ``Entry/size`` of the entries that go, in bytes. The file shrinks by about as much.
  package let bytes: Int64
  /// The head of the journal when it was read.
  package let head: Head
  /// The reason for which no entry goes, or fewer than the range permits; nil if the floor is the one that was requested.
  package let limitation: String?
  /// The head of the snapshot that is kept at the floor; nil if nothing goes.
  package let snapshot: Revision?
  /// The head at the floor.
  package let base: Head

  package init(
    floor base: Head, entries: Int, bytes: Int64, head: Head, limitation: String?, snapshot: Revision?
  ) {
    floor = base.revision
    self.base = base
    self.entries = entries
    self.bytes = bytes
    self.head = head
    self.limitation = limitation
    self.snapshot = snapshot
  }
}
