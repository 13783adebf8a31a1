public import AlterCore
public import AlterJournal

/// Consecutive records, oldest first.
///
/// What they say and what they are marked with lie apart, and a record is put together when it is read: a change in memory appends two small
/// values, which the compiler moves into place, instead of one large one, which it copies and destroys. The revisions need no room at all.
@usableFromInline
package struct RecordLog<State: Alterable>: RandomAccessCollection, Sendable {
  /// What a record has apart from its content and its revision.
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

  /// The revision before the first.
  @usableFromInline private(set) var base: Revision
  @usableFromInline private(set) var contents: [Record<State>.Content] = []
  @usableFromInline private(set) var marks: [Mark] = []

  /// No records.
  ///
  /// - Parameter base: The revision that the first one will follow.
  package init(after base: Revision) { self.base = base }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { marks.count }
  @inlinable package var count: Int { marks.count }

  /// The record at a place: its revision is one more than the one before.
  @inlinable
  package subscript(place: Int) -> Record<State> {
    let mark = marks[place]
    return Record(
      revision: base + (place + 1), id: mark.id, time: mark.time, scope: mark.scope, content: contents[place], extra: mark.extra)
  }

  /// Where the first record after a revision is.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func place(after revision: Revision) -> Int { Swift.min(Swift.max(0, revision - base), count) }

  /// The place of a revision's record; nil when it isn't there.
  ///
  /// - Complexity: O(1).
  package func place(of revision: Revision) -> Int? { revision > base && revision - base <= count ? revision - base - 1 : nil }

  /// Appends the record that follows.
  package mutating func append(_ record: Record<State>) {
    precondition(record.revision == base + (count + 1), "Revision \(record.revision) does not follow \(base + count).")
    append(record.content, Mark(id: record.id, time: record.time, scope: record.scope, extra: record.extra))
  }

  /// Appends what makes the record that follows.
  @inlinable
  mutating func append(_ content: Record<State>.Content, _ mark: Mark) {
    contents.append(content)
    marks.append(mark)
  }

  /// Takes the last record out again.
  package mutating func removeLast() {
    contents.removeLast()
    marks.removeLast()
  }

  /// Lets go of everything up to a revision.
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
