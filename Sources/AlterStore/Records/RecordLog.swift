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
  /// The revision before the first record.
  @usableFromInline private(set) var base: Revision
  @usableFromInline private(set) var contents = Pieces<Record<State>.Content>()
  @usableFromInline private(set) var marks = Pieces<RecordMark>()
  /// The indices of the records that do not directly follow the revision before, in order, each with the number of revisions that are
  /// skipped between ``base`` and the record.
  @usableFromInline private(set) var gaps: [(place: Int, skipped: Int)] = []
  /// The undos and redos among the records.
  @usableFromInline private(set) var reversals = Reversals()

  /// Creates an empty log.
  ///
  /// - Parameter base: The revision before the first record to append.
  package init(after base: Revision) { (self.base, last) = (base, base) }

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
  @usableFromInline package private(set) var last: Revision

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
      record.content, RecordMark(id: record.id, time: record.time, scope: record.scope, extra: record.extra), at: record.revision)
  }

  /// Appends the parts of a record.
  @inlinable
  mutating func append(_ content: __owned Record<State>.Content, _ mark: __owned RecordMark, at revision: Revision) {
    if revision != last.next { skip(to: revision) }
    last = revision
    if content.isMark || reversals.hasUnplaced { reversals.add(content.targets, of: mark.id, isRedo: content.isRedo, after: marks) }
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
    reversals.removeLast(marks[marks.count - 1].id, at: marks.count - 1)
    marks.removeLast()
    if gaps.last?.place == count { gaps.removeLast() }
    last = isEmpty ? base : self.revision(at: count - 1)
  }

  /// Removes and releases all records up to a revision.
  ///
  /// - Complexity: O(records).
  @inlinable
  package mutating func removeAll(through revision: Revision) {
    let place = place(after: revision)
    contents.removeFirst(place)
    marks.removeFirst(place)
    reversals.removeFirst(place)
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
    if isEmpty { last = base }
  }
}

extension RecordLog {
  /// Returns the index of the record with an id; nil if the log does not have it.
  ///
  /// - Complexity: O(records after it).
  func index(of id: EntryID) -> Int? { marks.lastIndex(of: id) }

  /// Returns the ids of inactive entries, as `Record.takenBack(in:)` does for the records of the log.
  ///
  /// - Complexity: O(undos and redos).
  @usableFromInline
  func takenBack() -> Set<EntryID> { reversals.takenBack() }

  /// The index of an initial record; nil if there is none. Only the first entry of a journal is one.
  var initialPlace: Int? {
    guard count > 0, revision(at: 0) <= 1, case .initial = contents[0] else { return nil }
    return 0
  }

  /// Returns the indices of the records with some ids, in order.
  ///
  /// - Complexity: O(records).
  func places(of ids: Set<EntryID>) -> [Int] {
    // Few ids are compared faster than they are hashed.
    let few = ids.count <= 4 ? Array(ids) : nil
    var places: [Int] = []
    var start = 0
    for piece in marks.pieces {
      for index in piece.indices where few?.contains(piece[index].id) ?? ids.contains(piece[index].id) { places.append(start + index) }
      start += piece.count
    }
    return places
  }

  /// Returns the indices of those records that some undos and redos of the log name, for ids that these name.
  ///
  /// - Complexity: O(undos and redos).
  func indices(of named: Set<EntryID>) -> [EntryID: Int] { reversals.indices(of: named) }
}

/// The properties of a record except for its content and its revision.
@usableFromInline
struct RecordMark: Sendable {
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

extension Pieces<RecordMark> {
  /// Returns the index of the first record with an id.
  ///
  /// - Complexity: O(records before it).
  func firstIndex(of id: EntryID) -> Int? {
    var start = 0
    for piece in pieces {
      if let index = piece.firstIndex(where: { $0.id == id }) { return start + index }
      start += piece.count
    }
    return nil
  }

  /// Returns the index of the last record with an id.
  ///
  /// - Complexity: O(records after it).
  func lastIndex(of id: EntryID) -> Int? {
    var end = count
    for piece in pieces.reversed() {
      end -= piece.count
      if let index = piece.lastIndex(where: { $0.id == id }) { return end + index }
    }
    return nil
  }
}

/// The undos and redos of a log, with the places of the entries that they name: so an undo examines few records instead of all.
@usableFromInline
struct Reversals: Sendable {
  struct Target {
    let id: EntryID
    /// The place of its record; nil if the log did not have it. If a copy of the process has given another entry the same id, and renames its own
    /// only when it reads that, it is the first of both: the state must be folded again from there. A place is an index plus the number of records that the log has removed.
    let place: Int?
    /// Whether the entry was appended after the undo or redo that names it, or is this itself: it has no effect on it.
    var isLater: Bool
  }

  struct Reversal {
    let id: EntryID
    let isRedo: Bool
    let place: Int
    fileprivate(set) var targets: [Target]
  }

  /// All of them, in order.
  private(set) var all: [Reversal] = []
  /// The number of records that the log has removed.
  private var removed = 0
  /// The targets that have no place.
  private var unplaced: Set<EntryID> = []
  /// Whether a target has no place. Usually false.
  @usableFromInline private(set) var hasUnplaced = false

  @usableFromInline
  init() {}

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - targets: The ids that it names.
  ///   - id: Its id.
  ///   - isRedo: Whether it is a redo, or an undo; nil if it is neither.
  ///   - marks: The records before it.
  /// - Complexity: O(records) comparisons of ids for each target.
  @usableFromInline
  mutating func add(_ targets: [EntryID], of id: EntryID, isRedo: Bool?, after marks: Pieces<RecordMark>) {
    if unplaced.contains(id) { setLater(id, true) }
    guard let isRedo else { return }
    all.append(
      Reversal(
        id: id, isRedo: isRedo, place: removed + marks.count,
        targets: targets.map { target in
          Target(id: target, place: marks.firstIndex(of: target).map { removed + $0 }, isLater: target == id)
        }))
    unplaced.formUnion(all[all.count - 1].targets.lazy.filter { $0.place == nil }.map(\.id))
    hasUnplaced = !unplaced.isEmpty
  }

  private mutating func setLater(_ id: EntryID, _ isLater: Bool) {
    for index in all.indices {
      for target in all[index].targets.indices where all[index].targets[target].place == nil {
        if all[index].targets[target].id == id { all[index].targets[target].isLater = isLater }
      }
    }
  }

  /// Removes the last record.
  mutating func removeLast(_ id: EntryID, at index: Int) {
    if all.last?.place == removed + index { all.removeLast() }
    if unplaced.contains(id) { setLater(id, false) }
  }

  /// Removes records from the front.
  @usableFromInline
  mutating func removeFirst(_ count: Int) {
    removed += count
    guard let first = all.first, first.place < removed else { return }
    all.removeAll { $0.place < removed }
    unplaced = Set(all.lazy.flatMap(\.targets).filter { $0.place == nil }.map(\.id))
    hasUnplaced = !unplaced.isEmpty
  }

  func takenBack() -> Set<EntryID> {
    var inactive: Set<EntryID> = []
    for reversal in all.reversed() where !inactive.contains(reversal.id) {
      for target in reversal.targets where !target.isLater { inactive.insert(target.id) }
    }
    return inactive
  }

  /// Returns the index of an undo or a redo in the log.
  func index(of reversal: Reversal) -> Int { reversal.place - removed }

  /// The ids that the undos and redos name.
  var named: Set<EntryID> {
    var named: Set<EntryID> = []
    for reversal in all { for target in reversal.targets { named.insert(target.id) } }
    return named
  }

  func indices(of named: Set<EntryID>) -> [EntryID: Int] {
    var indices: [EntryID: Int] = [:]
    for target in all.lazy.flatMap(\.targets) {
      if let place = target.place, place >= removed, named.contains(target.id) { indices[target.id] = place - removed }
    }
    return indices
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

/// A queue in chunks with value semantics. Two copies share every chunk that neither has modified, so an append to one of them copies one
/// chunk at most.
///
/// Elements are appended at the end and removed at the front, rarely at the end. Changes in the middle are rare.
@usableFromInline
struct Pieces<Element: Sendable>: RandomAccessCollection, Sendable {
  /// The number of elements in a chunk. Only the first and the last chunk may hold fewer; none is empty.
  @inlinable static var size: Int { 128 }

  /// The chunks before the last one.
  @usableFromInline var full: [[Element]] = []
  /// The last chunk. It is empty only if there is no element. It lies apart from the others, so that an append asks one array for other
  /// references, instead of two.
  @usableFromInline var tail: [Element] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  init(_ elements: some Sequence<Element>) { for element in elements { append(element) } }

  /// All chunks, in order.
  var pieces: [[Element]] { count == 0 ? [] : full + [tail] }

  @inlinable var startIndex: Int { 0 }
  @inlinable var endIndex: Int { count }

  @inlinable
  subscript(place: Int) -> Element {
    let start = count - tail.count
    guard place < start else { return tail[place - start] }
    let first = full[0].count
    guard place >= first else { return full[0][place] }
    return full[1 + (place - first) / Self.size][(place - first) % Self.size]
  }

  /// Appends an element.
  ///
  /// - Complexity: O(1); O(``size``) for the first append after a copy.
  @inlinable
  mutating func append(_ element: __owned Element) {
    if tail.count == Self.size { beginChunk() }
    tail.append(element)
    count += 1
  }

  @inlinable
  @inline(never)
  mutating func beginChunk() {
    full.append(tail)
    tail = []
    // A queue that has filled one chunk probably fills the next one.
    tail.reserveCapacity(Self.size)
  }

  /// Removes the last element.
  mutating func removeLast() {
    tail.removeLast()
    if tail.isEmpty, let last = full.popLast() { tail = last }
    count -= 1
  }

  /// Removes elements from the front and releases them.
  ///
  /// - Complexity: O(number of elements removed).
  @inlinable
  mutating func removeFirst(_ number: Int) {
    var rest = number
    let whole = full.prefix { piece in
      guard piece.count <= rest else { return false }
      rest -= piece.count
      return true
    }
    full.removeFirst(whole.count)
    if full.isEmpty { tail.removeFirst(rest) } else if rest > 0 { full[0].removeFirst(rest) }
    count -= number
  }
}
