import AlterCore
import AlterJournal

/// The work of a replica that the journal does not have yet, in order, and the state that it leads to.
///
/// ```
///   confirmed │ accepted, beyond an outdated fold │ in the outbox, any origin │ unwritten, own origin
///             └────────── queued: only with an outbox ────────────────────────┘
/// ```
///
/// Each piece has a *place*, which stays the same while earlier pieces leave: its index, plus the number of pieces that have left the front. The
/// states that are kept by place save replays, and are known to no other type.
///
/// An inlinable function can't use a private setter, so a few properties are writable in the module. Only this file writes them.
@usableFromInline
struct PendingWork<State: Alterable>: Sendable {
  typealias Report = Replica<State>.Report
  /// Consecutive pieces.
  typealias Part = Slice<Pieces<Piece>>

  /// A piece of work.
  @usableFromInline
  struct Piece: Sendable {
    @usableFromInline var record: Record<State>
    /// The pending work that this work requires; nil for none. If that is dropped, this is dropped, too.
    @usableFromInline let requirement: EntryID?
    /// The condition that the state must meet, now and at each rebase; nil for none.
    @usableFromInline let condition: (@Sendable (State) -> Bool)?
    /// Whether the visible state refuses the work. Only a synced replica keeps such work, because its server has not decided yet.
    @usableFromInline fileprivate(set) var isHidden = false

    @inlinable
    init(record: Record<State>, requirement: EntryID?, condition: (@Sendable (State) -> Bool)? = nil) {
      self.record = record
      self.requirement = requirement
      self.condition = condition
    }

    /// Returns the same work under another origin.
    func of(_ origin: Origin) -> Piece {
      guard record.id.origin != origin else { return self }
      // All unwritten work has one origin, and so has what it requires.
      return Piece(
        record: record.named(EntryID(origin: origin, sequence: record.id.sequence)),
        requirement: requirement.map { EntryID(origin: origin, sequence: $0.sequence) }, condition: condition)
    }
  }

  /// The part of the work that a device's outbox has.
  @usableFromInline
  struct Outbox: Sendable {
    /// The places of that work, by id.
    var places: [EntryID: Int] = [:]
    /// The number of pieces at the front that the outbox has, or that the server has accepted beyond an outdated fold.
    @usableFromInline var queued = 0
    /// The number of pieces at the front that the server has accepted, where the fold has stopped at an entry of a newer schema.
    var accepted = 0
  }

  /// The pieces, in order.
  @usableFromInline var pieces = Pieces<Piece>()
  /// The number of pieces that have left the front.
  @usableFromInline var gone = 0
  /// The state after the last piece; nil if there is none, and while a change is made in place.
  @usableFromInline var state: State?
  /// States after every ``interval`` pieces, in order, each with the place after the last piece. A flight that ends at one of them needs no replay.
  @usableFromInline var landmarks: [(end: Int, state: State)] = []
  /// The number of pieces between two landmarks, and in one flight.
  @usableFromInline let interval: Int
  /// The state that was rebuilt after the last refusal, so that the next refusal replays only the work since.
  private var remade: (end: Int, state: State)?
  /// The confirmed side with the work folded in up to a place; the next undo begins there. A rebase or an undo sets it, so that no undo is behind
  /// it.
  private var folded: (end: Int, history: History<State>)?
  /// The part that an outbox has; nil for a journal that has no outbox.
  @usableFromInline private(set) var outbox: Outbox?
  /// Whether the work must be replayed on top of the confirmed state.
  private(set) var isStale = false
  /// Whether the state that work is applied to has changed since this value was copied.
  private(set) var hasNewGround = false

  /// Creates an empty value.
  ///
  /// - Parameters:
  ///   - interval: The number of pieces in one flight. It is large enough to share a sync to disk, and so small that a snapshot is never
  ///     overdue by more.
  ///   - hasOutbox: Whether a device's file has a part of the work.
  init(interval: Int, hasOutbox: Bool) {
    self.interval = interval
    outbox = hasOutbox ? Outbox() : nil
  }

  // MARK: Reading

  @inlinable var count: Int { pieces.count }
  @inlinable var isEmpty: Bool { pieces.count == 0 }
  @inlinable var last: Piece? { pieces.last }

  /// The number of pieces that are not known to be on a disk.
  @inlinable var unwrittenCount: Int { pieces.count - queued }

  /// The number of pieces at the front that the outbox has, or that the server has accepted. The unwritten work begins there.
  @inlinable var queued: Int { outbox?.queued ?? 0 }

  /// The number of pieces at the front that the server has accepted beyond an outdated fold.
  var accepted: Int { outbox?.accepted ?? 0 }

  /// The unwritten work.
  var unwritten: Part { pieces.dropFirst(queued) }

  /// The place after the last piece.
  @inlinable var end: Int { gone + pieces.count }

  /// The last records that the visible state has, at most a given number, oldest first.
  func lastVisible(_ limit: Int) -> [Record<State>] {
    guard outbox != nil else { return pieces[Swift.max(0, count - limit)...].map(\.record) }
    return pieces.reversed().lazy.filter { !$0.isHidden }.prefix(limit).map(\.record).reversed()
  }

  /// The records of a range.
  func records(_ range: Range<Int>) -> [Record<State>] {
    var records: [Record<State>] = []
    records.reserveCapacity(range.count)
    for work in pieces[range] { records.append(work.record) }
    return records
  }

  /// The index of the work with an id; nil if there is none.
  ///
  /// - Complexity: O(log(pieces)).
  func index(of id: EntryID) -> Int? {
    if let place = outbox?.places[id] { return place - gone }
    // Another writer may have given an entry any sequence.
    let index = index(after: id.sequence.saturatingAdding(-1))
    return index < count && pieces[index].record.id == id ? index : nil
  }

  /// The index of the first unwritten work after a sequence.
  ///
  /// - Complexity: O(log(pieces)).
  func index(after sequence: Int64) -> Int {
    // Only an outbox has work of other origins, and the sequences of the work that it lacks ascend: binary search.
    var (low, high) = (queued, count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].record.id.sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first pieces as one flight, and the state after them; nil if it is not known. nil if there is no work.
  var flight: (count: Int, state: State?)? {
    guard let state, !isEmpty else { return nil }
    guard count > interval else { return (count, state) }
    // End the flight at a kept state if possible: then nothing needs to be applied again.
    let landmark = landmarks.first
    let kept = landmark.map { $0.end - gone }.flatMap { (1...interval).contains($0) ? $0 : nil }
    return (kept ?? interval, kept == nil ? nil : landmark?.state)
  }

  /// The confirmed side with all visible work folded in.
  func folded(over confirmed: History<State>) -> History<State> {
    let kept = folded.flatMap { $0.end > gone ? $0 : nil }
    var tentative = kept?.history ?? confirmed
    for work in pieces[((kept?.end ?? gone) - gone)...] where !work.isHidden {
      // It was applied to this very state before, so it succeeds again.
      _ = tentative.append(work.record.at(tentative.revision.next))
    }
    return tentative
  }

  // MARK: Local work

  /// Hands over the only reference to the state, so that a change is made in place. ``append(_:leadingTo:)`` or ``restore(over:)`` must follow.
  @inlinable
  mutating func takeState() -> State? {
    defer { state = nil }
    return state
  }

  /// Adds a piece, and the state after it.
  @inlinable
  mutating func append(_ work: __owned Piece, leadingTo state: __owned State) {
    pieces.append(work)
    if count % interval == 0 { landmarks.append((end, state)) }
    self.state = state
  }

  /// Adds an undo or a redo, and the fold after it.
  mutating func append(_ records: [Record<State>], leadingTo history: History<State>) {
    for record in records { pieces.append(Piece(record: record, requirement: nil)) }
    state = history.state
    folded = (end, history)
  }

  /// Adds the work that a closure makes in place, on top of all visible work.
  mutating func append<Failure: Error>(
    over confirmed: History<State>, _ make: (inout History<State>) throws(Failure) -> Piece
  ) throws(Failure) -> Record<State> {
    var tentative = folded(over: confirmed)
    (state, folded) = (nil, nil)  // the only references are the local ones now: the change is made in place
    defer { if !isEmpty { (state, folded) = (tentative.state, (end, tentative)) } }
    let work = try make(&tentative)
    pieces.append(work)
    return work.record
  }

  /// Rebuilds the state after a refusal, because a refused change may have modified a part of it.
  ///
  /// - Complexity: O(pieces since the last kept state).
  @usableFromInline
  mutating func restore(over confirmed: State) {
    guard !isEmpty else {
      state = nil
      return
    }
    // A kept state from before all pieces is outdated: more may have been confirmed since.
    let kept = [landmarks.last, remade, folded.map { ($0.end, $0.history.state) }].compactMap(\.self).filter { $0.end > gone }
      .max { $0.end < $1.end }
    var state = kept?.state ?? confirmed
    // There is no undo among them, see `folded`. Each was applied to this very state before, so none is refused now.
    for work in pieces[((kept?.end ?? gone) - gone)...] where !work.isHidden {
      try? state.apply(work.record.content, indices: work.record.indices, at: work.record.stamp)
    }
    self.state = state
    remade = (end, state)
  }

  // MARK: Removal, and replays

  /// Removes pieces from the front, which the confirmed side has now. The rest keeps its state.
  ///
  /// - Complexity: O(number of pieces removed).
  mutating func removeFirst(_ number: Int) {
    if outbox != nil {
      for work in pieces.prefix(number) { outbox?.places[work.record.id] = nil }
      // The outbox may not have told yet that it has own work whose entry is there.
      let (queued, accepted) = (queued, accepted)
      outbox?.queued = Swift.max(0, queued - number)
      outbox?.accepted = Swift.max(0, accepted - number)
    }
    pieces.removeFirst(number)
    gone += number
    landmarks.removeAll { $0.end <= gone }
  }

  /// Removes pieces from any place. The rest must be replayed.
  mutating func remove(where isGone: (Piece) -> Bool) {
    let (front, middle) = (accepted, queued)
    arrange(
      accepted: pieces.prefix(front).filter { !isGone($0) },
      queued: pieces.prefix(middle).dropFirst(front).filter { !isGone($0) }, unwritten: pieces.dropFirst(middle).filter { !isGone($0) })
  }

  /// Removes the work that records of the journal confirm. The rest must be replayed, unless the records are the first pieces.
  ///
  /// - Returns: The revisions of the pieces, in the order of the records.
  mutating func remove(confirmedBy records: [Record<State>]) -> [(id: EntryID, revision: Revision)] {
    var own: [(id: EntryID, revision: Revision)] = []
    var last = -1
    for record in records {
      guard let index = index(of: record.id) else { continue }
      own.append((record.id, record.revision))
      last = Swift.max(last, index)
    }
    if last + 1 == own.count {
      removeFirst(own.count)
    } else {
      let ids = Set(own.lazy.map(\.id))
      remove { ids.contains($0.record.id) }
    }
    // The remaining work was applied to a state without the others' entries.
    if own.count < records.count { groundHasChanged() }
    settle()
    return own
  }

  /// The state below has changed in another way than by the first pieces, so the work must be replayed.
  mutating func groundHasChanged() { (isStale, hasNewGround) = (true, true) }

  /// Forgets everything about the states of work if there is none.
  mutating func settle() {
    if isEmpty { (state, remade, folded, landmarks, isStale) = (nil, nil, nil, [], false) }
  }

  /// Forgets the fold, because it begins at a former confirmed side. No undo may be pending.
  mutating func forgetFold() {
    assert(!pieces.contains { $0.record.content.isMark }, "An undo was made without the undo window.")
    folded = nil
  }

  /// Changes the origin of all pieces. They must be replayed.
  mutating func rename(_ origin: Origin) {
    pieces = Pieces(pieces.lazy.map { $0.of(origin) })
    groundHasChanged()
    settle()
  }

  /// Begins with work that another store has left over. It must be replayed.
  mutating func begin(with works: some Sequence<Piece>) {
    precondition(isEmpty, "Left-over work is resumed only while nothing is pending.")
    pieces = Pieces(works)
    isStale = true
  }

  /// Replays the work on top of the confirmed side, if that has changed. Without an outbox, work that the state refuses there is dropped, and so
  /// is the work that requires it.
  ///
  /// - Returns: Whether the work was replayed.
  mutating func rebase(over confirmed: History<State>, into report: inout Report) -> Bool {
    guard isStale else { return false }
    let all = pieces
    pieces = Pieces()
    settle()
    if !all.isEmpty { replay(all, over: confirmed, into: &report) }
    return true
  }

  /// Applies work after the present work, or drops it.
  mutating func replay(
    _ works: some Sequence<Piece>, over confirmed: History<State>, into report: inout Report
  ) {
    var tentative = folded(over: confirmed)
    (state, folded) = (nil, nil)
    var dropped = report.dropped
    for work in works {
      var work = work
      work.record = work.record.at(tentative.revision.next)
      if outbox != nil {
        // The server decides: work that the state refuses here is hidden, and stays.
        work.isHidden = Self.isRefused(&work.record, on: &tentative)
      } else if let error = Self.retry(&work, on: &tentative, dropped: dropped) {
        dropped.insert(work.record.id)
        report.resolutions.append(Replica.Resolution(id: work.record.id, result: .failure(error)))
        continue
      }
      pieces.append(work)
      if count % interval == 0 { landmarks.append((end, tentative.state)) }
    }
    report.isRebased = true
    guard !isEmpty else { return }
    state = tentative.state
    folded = (end, tentative)
  }

  /// Applies work whose undos name their entries permanently.
  ///
  /// - Returns: Whether the state refuses it.
  private static func isRefused(_ record: inout Record<State>, on history: inout History<State>) -> Bool {
    do throws(CommitError<State.Failure>) { record = try history.attemptFixed(record) } catch { return true }
    return false
  }

  private static func retry(
    _ work: inout Piece, on history: inout History<State>, dropped: Set<EntryID>
  ) -> CommitError<State.Failure>? {
    if let requirement = work.requirement, dropped.contains(requirement) { return .requirementDropped }
    if let condition = work.condition, !condition(history.state) { return .conditionFailed }
    switch work.record.content {
    case .undo, .redo:
      do throws(UndoError) { try history.takeLast(&work.record) } catch { return .undo(error) }
    case .initial, .change, .changes, .reset:
      do throws(State.Failure) { try history.attempt(work.record) } catch { return .dropped(error) }
    }
    return nil
  }

  // MARK: A copy, apart from the store's lock

  /// Returns a copy that does not share the state, so that changes there happen in place.
  func copied() -> Self {
    var copy = self
    (copy.state, copy.landmarks, copy.remade, copy.hasNewGround) = (nil, [], nil, false)
    return copy
  }

  /// Adds, on a copy whose ground is the same, the work that was made on the original since, with the original's states.
  mutating func follow(_ original: Self, by works: some Sequence<Piece>) {
    for work in works { pieces.append(work) }
    // The places are the same: nothing has left the middle.
    guard !isEmpty else { return }
    (state, remade, folded) = (original.state, original.remade, original.folded)
    landmarks = original.landmarks.filter { $0.end > gone }
  }

  // MARK: The outbox

  /// Removes the work that was accepted beyond an outdated fold, because a new start of the mirror has it, or tells it again.
  mutating func removeAccepted() { if accepted > 0 { removeFirst(accepted) } }

  /// Keeps accepted drafts that the fold does not reach, before all work that is not accepted, and removes refused ones.
  mutating func keepAccepted(_ kept: [Record<State>], dropping dropped: Set<EntryID>) {
    let (front, middle) = (accepted, queued)
    guard outbox != nil, !kept.isEmpty || !dropped.isEmpty else { return }
    let next = pieces.prefix(middle).dropFirst(front).prefix(kept.count).lazy.map(\.record.id)
    if dropped.isEmpty, next.elementsEqual(kept.lazy.map(\.id)) {
      outbox?.accepted += kept.count
      return
    }
    let moved = dropped.union(kept.lazy.map(\.id))
    arrange(
      accepted: Array(pieces.prefix(front)) + kept.map { Piece(record: $0, requirement: nil) },
      queued: pieces.prefix(middle).dropFirst(front).filter { !moved.contains($0.record.id) },
      unwritten: pieces.dropFirst(middle).filter { !moved.contains($0.record.id) })
  }

  /// Adds the drafts that have entered the outbox.
  ///
  /// - Parameters:
  ///   - origin: The replica's own origin. The report tells which of its work is stored.
  /// - Returns: Whether other work than the replica's own unwritten work has entered.
  mutating func enter(
    _ drafts: [MirrorNews<State>.Entering], of origin: Origin, over confirmed: History<State>, into report: inout Report
  ) -> Bool {
    var rest = drafts[...]
    var isOther = false
    while let draft = rest.first, outbox != nil {
      let id = draft.record.id
      if let index = index(of: id) {
        guard index <= queued else { break }
        if index == queued { note(id, at: index, of: origin, into: &report) }
      } else {
        guard queued == count, !isStale else { break }
        // Nothing is behind it: it is applied alone.
        note(id, at: count, of: origin, into: &report)
        (hasNewGround, isOther) = (true, true)
        replay(CollectionOfOne(Piece(record: draft.record, requirement: draft.requirement)), over: confirmed, into: &report)
      }
      rest.removeFirst()
    }
    if !rest.isEmpty { enterBefore(rest, of: origin, into: &report) }
    return isOther
  }

  private mutating func note(_ id: EntryID, at index: Int, of origin: Origin, into report: inout Report) {
    outbox?.places[id] = gone + index
    outbox?.queued += 1
    if id.origin == origin { report.stored.append(id) }
  }

  /// Adds drafts before unwritten work.
  private mutating func enterBefore(_ drafts: ArraySlice<MirrorNews<State>.Entering>, of origin: Origin, into report: inout Report) {
    guard let places = outbox?.places else { return }
    var queued = Array(pieces.prefix(self.queued))
    var unwritten = Array(unwritten)
    for draft in drafts where places[draft.record.id] == nil {
      // Own work enters in its order, so it is found at once.
      if draft.record.id.origin == origin, let index = unwritten.firstIndex(where: { $0.record.id == draft.record.id }) {
        queued.append(unwritten.remove(at: index))
      } else {
        queued.append(Piece(record: draft.record, requirement: draft.requirement))
      }
      if draft.record.id.origin == origin { report.stored.append(draft.record.id) }
    }
    arrange(accepted: Array(queued.prefix(accepted)), queued: Array(queued.dropFirst(accepted)), unwritten: unwritten)
  }

  /// Changes the order of the work. It must be replayed.
  private mutating func arrange(accepted: [Piece], queued: [Piece], unwritten: [Piece]) {
    let stored = accepted + queued
    pieces = Pieces(stored + unwritten)
    groundHasChanged()
    guard outbox != nil else { return }
    outbox?.queued = stored.count
    outbox?.accepted = accepted.count
    outbox?.places = Dictionary(uniqueKeysWithValues: stored.enumerated().map { index, work in (work.record.id, gone + index) })
  }
}
