import AlterCore
import AlterJournal

extension SyncDraft: Keyed { package var key: EntryID { id } }

/// The drafts of a device whose verdict is not in its mirror, in the order in which they were made, and the verdicts that are known already.
///
/// Invariants: the ids are unique; drafts are only appended and removed, never changed or moved; a known verdict is that of a draft here.
package struct Outbox: Sendable {
  package private(set) var list = KeyedList<SyncDraft>()
  /// The verdicts that the server has told and the mirror does not cover.
  package private(set) var known: [EntryID: Verdict] = [:]
  /// The known verdicts that have a revision, ascending. Forgotten ones may be among them, but neither first nor last.
  private var told: ArraySlice<Told> = []
  /// The drafts whose known verdict has no revision.
  private var unnumbered: Set<EntryID> = []
  /// The drafts whose verdicts a transaction has noted or forgotten.
  package private(set) var noted: Set<EntryID> = []
  /// The drafts that were never compared with the mirror. It has no entry of the others, which would have removed them.
  private var unchecked: Set<EntryID> = []
  /// Each draft before this place has a known verdict.
  private var undecided = 0

  private struct Told: Sendable, Comparable {
    let revision: Revision
    let id: EntryID

    init?(_ verdict: Verdict, on id: EntryID) {
      guard let revision = verdict.revision else { return nil }
      (self.revision, self.id) = (revision, id)
    }

    private var order: (Int64, UInt64, UInt64, Int64) {
      let halves = id.origin.uuid.halves
      return (revision.number, halves.high, halves.low, id.sequence)
    }

    static func < (left: Told, right: Told) -> Bool { left.order < right.order }
  }

  package init() {}

  /// Creates an outbox as a file holds it. A draft whose id is there twice is left out.
  package init(_ drafts: [SyncDraft], known: [EntryID: Verdict]) {
    for draft in drafts where list.append(draft) { unchecked.insert(draft.id) }
    self.known = known.filter { list.contains($0.key) }
    told = self.known.compactMap { Told($0.value, on: $0.key) }.sorted()[...]
    unnumbered = Set(self.known.lazy.filter { $0.value.revision == nil }.map { $0.key })
  }

  package var drafts: [SyncDraft] { list.elements }

  /// Whether a draft of this id is here.
  package func contains(_ id: EntryID) -> Bool { list.contains(id) }

  package var isEmpty: Bool { list.isEmpty }

  /// Whether a draft has no known verdict, so that there is something to send.
  ///
  /// - Complexity: O(1).
  package var hasUndecided: Bool { known.count < list.count }

  /// The number of drafts without a known verdict.
  ///
  /// - Complexity: O(1).
  package var undecidedCount: Int { list.count - known.count }

  /// The first draft without a known verdict.
  ///
  /// - Complexity: O(number of known verdicts behind it).
  package var firstUndecided: SyncDraft? {
    var first: SyncDraft?
    list.forEach(from: undecided) { _, draft in
      guard known[draft.id] == nil else { return true }
      first = draft
      return false
    }
    return first
  }

  /// The newest draft.
  package var last: SyncDraft? { list.last }

  package var ids: [EntryID] { drafts.map { $0.id } }

  /// The drafts that undos here revert. An undo that a redo here reverts has no effect.
  ///
  /// - Complexity: O(drafts).
  var takenBack: Set<EntryID> {
    var (inactive, later): (Set<EntryID>, Set<EntryID>) = ([], [])
    for draft in drafts.reversed() {
      later.insert(draft.id)
      // An undo has no effect on a draft behind it.
      if !inactive.contains(draft.id), let target = draft.target, !later.contains(target) { inactive.insert(target) }
    }
    return inactive
  }

  /// The newest revision of a known verdict.
  ///
  /// - Complexity: O(1).
  package var newestVerdict: Revision { told.last?.revision ?? .zero }

  /// Whether this very draft is here.
  package func contains(_ draft: SyncDraft) -> Bool { list[draft.id]?.hash == draft.hash }

  /// Begins a transaction: the record of changes is empty then.
  package mutating func beginTransaction() {
    if list.beginTransaction() { undecided = 0 }
    noted = []
  }

  /// Appends a draft. The processes of a device share the outbox, so the order is that of their transactions.
  ///
  /// - Complexity: O(1).
  package mutating func append(_ draft: SyncDraft) {
    let isNew = list.append(draft)
    precondition(isNew, "The draft \(draft.id) is in the outbox already.")
    unchecked.insert(draft.id)
  }

  /// Records a verdict, if the draft is here with the same hash.
  ///
  /// - Complexity: O(log(known)); O(known) to move memory if verdicts of newer revisions are known.
  package mutating func learn(_ line: VerdictLine) {
    guard let draft = list[line.id], draft.hash == line.hash, known[line.id] != line.verdict else { return }
    drop(line.id)
    known[line.id] = line.verdict
    noted.insert(line.id)
    if let new = Told(line.verdict, on: line.id) {
      let place = place(of: new)
      if place == told.endIndex || told[place] != new { told.insert(new, at: place) }
    } else {
      unnumbered.insert(line.id)
    }
    trim()
    list.forEach(from: undecided) { place, draft in
      let isKnown = known[draft.id] != nil
      undecided = isKnown ? place + 1 : place
      return isKnown
    }
  }

  /// The place of a verdict in ``told``, found by bisection.
  private func place(of wanted: Told) -> Int {
    var (low, high) = (told.startIndex, told.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if told[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func drop(_ id: EntryID) {
    guard let verdict = known.removeValue(forKey: id) else { return }
    noted.insert(id)
    if verdict.revision == nil { unnumbered.remove(id) }
  }

  private func isKnown(_ verdict: Told) -> Bool { known[verdict.id]?.revision == verdict.revision }

  /// Removes the forgotten verdicts at both ends of ``told``. The mirror covers verdicts in their order, so these are nearly all.
  private mutating func trim() {
    while let first = told.first, !isKnown(first) { told.removeFirst() }
    while let last = told.last, !isKnown(last) { told.removeLast() }
  }

  /// Forgets known verdicts: of all drafts, or of one. The drafts are sent again, and the server repeats the verdicts that are still true.
  package mutating func forgetVerdicts() {
    noted.formUnion(known.keys)
    (known, told, unnumbered, undecided) = ([:], [], [], 0)
  }

  package mutating func forgetVerdict(of id: EntryID) {
    drop(id)
    trim()
    undecided = min(undecided, list.place(of: id) ?? undecided)
  }

  /// Removes drafts, because their verdicts are covered.
  ///
  /// - Complexity: O(1) for each of them.
  package mutating func remove(_ ids: some Sequence<EntryID>) {
    for id in ids {
      drop(id)
      unchecked.remove(id)
      list.remove(id)
    }
    trim()
  }

  /// The drafts that the mirror may cover, in order: those with a verdict at or below its head or without a revision, those about which a page says something, and
  /// those that were never looked up. All others stay.
  ///
  /// - Complexity: O(m · log(m)) for m such drafts.
  func candidates(head: Revision, named: some Sequence<EntryID>) -> [SyncDraft] {
    var ids = unchecked.union(unnumbered)
    for known in told {
      guard known.revision <= head else { break }
      if isKnown(known) { ids.insert(known.id) }
    }
    ids.formUnion(named)
    let found = ids.compactMap { id in list.place(of: id).map { (place: $0, id: id) } }
    return found.sorted { $0.place < $1.place }.compactMap { list[$0.id] }
  }

  /// Notes which drafts an earlier value of this outbox has compared with the mirror.
  mutating func keepComparisons(of earlier: Outbox) {
    unchecked = unchecked.filter { earlier.unchecked.contains($0) || earlier.list[$0]?.hash != list[$0]?.hash }
  }

  /// Notes that all candidates were compared with the mirror.
  mutating func endComparison() { unchecked = [] }

  /// The drafts to send, in order, each with the draft before it that is still here.
  ///
  /// The predecessor is named even if its verdict is known: if the server was restored and lacks that verdict, it holds this draft, and
  /// the device sends both again in order.
  ///
  /// - Parameters:
  ///   - limit: The number of drafts in one push.
  ///   - bytes: The bytes that the server accepts for one draft. A larger one is sent as id, size and hash.
  package func submissions(limit: Int, bytes: Int) -> [Submission] {
    var submissions: [Submission] = []
    var before = list.element(before: undecided)?.id
    list.forEach(from: undecided) { _, draft in
      defer { before = draft.id }
      guard known[draft.id] == nil else { return true }
      guard submissions.count < limit else { return false }
      let body: Submission.Body =
        draft.size > bytes ? .oversized(draft.id, size: draft.size, hash: draft.hash) : .draft(draft)
      submissions.append(Submission(body, after: before))
      return submissions.count < limit
    }
    return submissions
  }
}

extension Outbox: Hashable {
  package static func == (left: Outbox, right: Outbox) -> Bool { left.list == right.list && left.known == right.known }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(list)
    hasher.combine(known)
  }
}

/// A value that a ``KeyedList`` finds by its key.
package protocol Keyed {
  associatedtype Key: Hashable & Sendable
  var key: Key { get }
}

/// Values in the order in which they were added, found and removed by their keys, with a record of what a transaction has changed.
///
/// A removed value leaves a free slot, and the slots are closed up when most of them are free. So the work of a transaction depends on what
/// it changes, and not on the length of the list.
package struct KeyedList<Element: Keyed & Sendable>: Sendable {
  private var slots: [Element?] = []
  private var places: [Element.Key: Int] = [:]
  /// No slot before this one is in use.
  private var first = 0
  /// The slots from here on are of this transaction.
  private var mark = 0
  /// The removed elements of before the transaction.
  package private(set) var removed: [Element] = []

  package init() {}

  /// The number of elements.
  package var count: Int { places.count }

  package var isEmpty: Bool { places.isEmpty }

  /// The elements, in order.
  ///
  /// - Complexity: O(n).
  package var elements: [Element] { slots[first...].compactMap { $0 } }

  /// The last element.
  package var last: Element? { slots[first...].last { $0 != nil } ?? nil }

  /// The elements that the transaction has added, in order.
  ///
  /// - Complexity: O(added).
  package var added: [Element] { slots[mark...].compactMap { $0 } }

  /// The element of a key.
  package subscript(key: Element.Key) -> Element? { places[key].flatMap { slots[$0] } }

  package func contains(_ key: Element.Key) -> Bool { places[key] != nil }

  /// The place of a key among the others: it grows along the list. It is valid until the next transaction begins.
  package func place(of key: Element.Key) -> Int? { places[key] }

  /// The element before a place.
  package func element(before place: Int) -> Element? {
    var place = place - 1
    while place >= first {
      if let element = slots[place] { return element }
      place -= 1
    }
    return nil
  }

  /// Passes the elements from a place on, with their places, until the closure returns false.
  package func forEach(from place: Int, _ body: (Int, Element) -> Bool) {
    for place in max(place, first)..<max(place, first, slots.count) {
      if let element = slots[place], !body(place, element) { return }
    }
  }

  /// Adds an element at the end.
  ///
  /// - Returns: Whether its key was free. Otherwise nothing changes.
  /// - Complexity: O(1).
  @discardableResult
  package mutating func append(_ element: Element) -> Bool {
    guard places[element.key] == nil else { return false }
    places[element.key] = slots.count
    slots.append(element)
    return true
  }

  /// Removes the element of a key.
  ///
  /// - Complexity: O(1).
  @discardableResult
  package mutating func remove(_ key: Element.Key) -> Element? {
    guard let place = places.removeValue(forKey: key), let element = slots[place] else { return nil }
    slots[place] = nil
    while first < slots.count, slots[first] == nil { first += 1 }
    if place < mark { removed.append(element) }
    return element
  }

  /// Removes the elements that fulfil a condition.
  ///
  /// - Complexity: O(n).
  package mutating func removeAll(where condition: (Element) -> Bool) {
    for element in elements where condition(element) { remove(element.key) }
  }

  /// Begins a transaction. The list forgets the additions and removals of the last one.
  ///
  /// - Returns: Whether the places have changed.
  /// - Complexity: O(1), apart from closing up the slots, which costs O(1) for each removed element.
  @discardableResult
  package mutating func beginTransaction() -> Bool {
    removed = []
    let closesUp = slots.count > 2 * count + 16
    if closesUp {
      slots = elements
      for (place, element) in slots.enumerated() { places[element!.key] = place }
      first = 0
    }
    mark = slots.count
    return closesUp
  }
}

extension KeyedList: Equatable where Element: Equatable {
  package static func == (left: Self, right: Self) -> Bool { left.count == right.count && left.elements == right.elements }
}

extension KeyedList: Hashable where Element: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension SyncHTTP {
  /// The undecided drafts of a device.
  package struct OutboxReport: Sendable, Hashable {
    /// Their number.
    package var count: Int
    /// The time of the oldest one, by the device's clock, in microseconds since 1970 UTC; nil if there is none.
    package var oldest: Int64?

    package init(count: Int, oldest: Int64?) {
      self.count = count
      self.oldest = oldest
    }

    /// Reads the header field; nil if it has no count.
    package init?(field: String) {
      let numbers = SyncHTTP.numbers(field)
      guard let count = numbers["count"], count >= 0 else { return nil }
      self.init(count: Int(clamping: count), oldest: numbers["oldest"])
    }

    /// The header field.
    package var field: String { SyncHTTP.field([("count", Int64(count))] + (oldest.map { [("oldest", $0)] } ?? [])) }
  }
}
