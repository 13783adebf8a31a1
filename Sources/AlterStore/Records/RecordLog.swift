public import AlterCore
public import AlterJournal

/// Consecutive records, oldest first.
///
/// The contents and the marks are stored in two arrays, and a record is assembled when it is read. A change in memory then appends two
/// small values, which the compiler moves into place, instead of one large value, which it copies and destroys. The revisions need no
/// memory at all.
@usableFromInline
package struct RecordLog<State: Alterable>: RandomAccessCollection, Sendable {
  /// The properties of a record except for its content and its revision.
  @usableFromInline
  struct Mark: Sendable {
    @usableFromInline let id: EntryID
    @usableFromInline let time: Int64
    @usableFromInline let scope: UndoScope
    @usableFromInline let extra: RecordExtra?

    @inlinable
    init(id: EntryID, time: Int64, scope: UndoScope, extra: RecordExtra?) {
      self.id = id
      self.time = time
      self.scope = scope
      self.extra = extra
    }
  }

  /// The revision before the first record.
  @usableFromInline private(set) var base: Revision
  @usableFromInline private(set) var contents: [Record<State>.Content] = []
  @usableFromInline private(set) var marks: [Mark] = []

  /// Creates an empty log.
  ///
  /// - Parameter base: The revision before the first record to append.
  package init(after base: Revision) { self.base = base }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { marks.count }
  @inlinable package var count: Int { marks.count }

  /// The record at an index. Its revision is one more than that of the record before.
  @inlinable
  package subscript(place: Int) -> Record<State> {
    let mark = marks[place]
    return Record(
      revision: base + (place + 1), id: mark.id, time: mark.time, scope: mark.scope, content: contents[place], extra: mark.extra)
  }

  /// Returns the index of the first record after a revision.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func place(after revision: Revision) -> Int { Swift.min(Swift.max(0, revision - base), count) }

  /// Returns the index of a revision's record; nil if the log does not have it.
  ///
  /// - Complexity: O(1).
  package func place(of revision: Revision) -> Int? { revision > base && revision - base <= count ? revision - base - 1 : nil }

  /// Appends the next record.
  package mutating func append(_ record: Record<State>) {
    precondition(record.revision == base + (count + 1), "Revision \(record.revision) does not follow \(base + count).")
    append(record.content, Mark(id: record.id, time: record.time, scope: record.scope, extra: record.extra))
  }

  /// Appends the parts of the next record.
  @inlinable
  mutating func append(_ content: Record<State>.Content, _ mark: Mark) {
    contents.append(content)
    marks.append(mark)
  }

  /// Removes the last record.
  package mutating func removeLast() {
    contents.removeLast()
    marks.removeLast()
  }

  /// Removes and releases all records up to a revision.
  ///
  /// - Complexity: O(records).
  @inlinable
  package mutating func removeAll(through revision: Revision) {
    let place = place(after: revision)
    contents.removeSubrange(..<place)
    marks.removeSubrange(..<place)
    base = base + place
  }
}
