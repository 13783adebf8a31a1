public import AlterCore
public import AlterJournal

/// Records in the order of their revisions, oldest first.
///
/// The contents and the marks are stored apart, and a record is assembled when it is read. A change in memory then appends two small values,
/// which the compiler moves into place, instead of one large value, which it copies and destroys. Both are in chunks, so that a copy of the
/// log that is changed copies a chunk, and not the window of undo: replicas are copied whenever entries are read. The revisions need no
/// memory at all, apart from the places where some are skipped: the refused entries of a synced journal, which have no record.
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
  @usableFromInline private(set) var contents = Pieces<Record<State>.Content>()
  @usableFromInline private(set) var marks = Pieces<Mark>()
  /// The indices of the records that do not directly follow the revision before, in order, each with the number of revisions that are
  /// skipped between ``base`` and the record.
  @usableFromInline private(set) var gaps: [(place: Int, skipped: Int)] = []

  /// Creates an empty log.
  ///
  /// - Parameter base: The revision before the first record to append.
  package init(after base: Revision) { self.base = base }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { marks.count }
  @inlinable package var count: Int { marks.count }

  /// The record at an index.
  ///
  /// - Complexity: O(1); O(log(gaps)) if revisions are skipped.
  @inlinable
  package subscript(place: Int) -> Record<State> {
    let mark = marks[place]
    return Record(
      revision: self.revision(at: place), id: mark.id, time: mark.time, scope: mark.scope, content: contents[place], extra: mark.extra)
  }

  /// The revision of the last record; that of the base if there is none.
  @inlinable package var last: Revision { base + (count + (gaps.last?.skipped ?? 0)) }

  /// Returns the revision of the record at an index.
  ///
  /// - Complexity: O(1); O(log(gaps)) if revisions are skipped.
  @inlinable
  package func revision(at place: Int) -> Revision {
    if gaps.isEmpty { return base + (place + 1) }
    return base + (place + 1 + skipped { $0.place <= place })
  }

  /// Returns the index of the first record after a revision.
  ///
  /// - Complexity: O(1); O(log(gaps)) if revisions are skipped.
  @inlinable
  package func place(after revision: Revision) -> Int {
    let distance = revision - base
    guard !gaps.isEmpty else { return Swift.min(Swift.max(0, distance), count) }
    let gap = gaps.partitioningIndex { $0.place + 1 + $0.skipped > distance }
    // The revision may lie among those that the following gap skips.
    let end = gap < gaps.count ? gaps[gap].place : count
    return Swift.min(Swift.max(0, distance - (gap > 0 ? gaps[gap - 1].skipped : 0)), end)
  }

  /// The number of revisions that are skipped before the first gap that does not meet a condition, which all gaps before it meet.
  @usableFromInline
  func skipped(while condition: ((place: Int, skipped: Int)) -> Bool) -> Int {
    let gap = gaps.partitioningIndex { !condition($0) }
    return gap > 0 ? gaps[gap - 1].skipped : 0
  }

  /// Returns the index of a revision's record; nil if the log does not have it.
  ///
  /// - Complexity: that of ``place(after:)``.
  package func place(of revision: Revision) -> Int? {
    let place = place(after: revision)
    return place > 0 && self.revision(at: place - 1) == revision ? place - 1 : nil
  }

  /// Appends a record. The revisions between the last record and this one are skipped.
  package mutating func append(_ record: Record<State>) {
    append(
      record.content, Mark(id: record.id, time: record.time, scope: record.scope, extra: record.extra), at: record.revision)
  }

  /// Appends the parts of a record.
  @inlinable
  mutating func append(_ content: __owned Record<State>.Content, _ mark: __owned Mark, at revision: Revision) {
    if revision != last.next { skip(to: revision) }
    contents.append(content)
    marks.append(mark)
  }

  @usableFromInline
  mutating func skip(to revision: Revision) {
    precondition(revision > last, "Revision \(revision) does not follow \(last).")
    gaps.append((count, revision - base - count - 1))
  }

  /// Removes the last record.
  package mutating func removeLast() {
    contents.removeLast()
    marks.removeLast()
    if gaps.last?.place == count { gaps.removeLast() }
  }

  /// Removes and releases all records up to a revision.
  ///
  /// - Complexity: O(records).
  @inlinable
  package mutating func removeAll(through revision: Revision) {
    let place = place(after: revision)
    contents.removeFirst(place)
    marks.removeFirst(place)
    if gaps.isEmpty { base = base + place } else { closeGaps(at: place, upTo: revision) }
  }

  /// Moves the base to a revision, after a number of records up to it were removed.
  @usableFromInline
  mutating func closeGaps(at place: Int, upTo revision: Revision) {
    guard revision > base else { return }
    // The skipped revisions that the base has passed.
    let passed = revision - base - place
    base = revision
    gaps = gaps.compactMap { $0.place < place || $0.skipped == passed ? nil : ($0.place - place, $0.skipped - passed) }
  }
}

extension Array {
  /// The index of the first element that meets a condition, which all elements after it meet, too.
  @inlinable
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
