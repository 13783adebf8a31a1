public import AlterCore
public import AlterJournal

/// The journal folded up to a revision, with enough earlier states for undo: a pure value.
///
/// **The rule.** An entry is *active* at r unless an active later entry up to r reverts it. The state at r is the fold of the active
/// entries up to r. An active entry that the state refuses is skipped as a whole: it is *suppressed*.
///
/// **The method.** A history holds a base state, the records since, and states kept every ``spacing`` records, all under the present marks.
/// An undo changes the marks and folds again from the kept state before the earliest entry concerned. A fold of a long journal keeps few states
/// before its last window, see ``fast``.
///
/// ```
///   base ──── record ──── record ──── checkpoint ──── record ──── record ──── state
///    b         b+1         …             c              …            r          (r)
///              └ T: undone by U                         └ U: undo(T)
/// ```
///
/// A history keeps at least the last ``window`` records, and about 2 × ``window`` at most; of large records it keeps fewer, see
/// ``Heavy``. Kept states share structure with the present one: only the parts that later changes modify are copied.
@usableFromInline
package struct History<State: Alterable>: Sendable {
  @usableFromInline
  struct Checkpoint: Sendable {
    @usableFromInline let revision: Revision
    @usableFromInline let state: State
    /// The knowledge about the records up to the next kept state.
    @usableFromInline var idle = KnownIdle()

    @inlinable
    init(revision: Revision, state: State) {
      self.revision = revision
      self.state = state
    }
  }

  /// The outcome of appending a record.
  package enum Effect {
    /// The record is part of the state.
    case applied
    /// The state refuses the record: it is skipped, on every replica.
    case suppressed(State.Failure)
    /// The record reverts entries that are not kept: nothing has changed. Fold the journal from an earlier point, or ignore those of these
    /// ids that the journal does not have.
    case reachesBeyond(Set<EntryID>)
  }

  /// The number of entries that an undo reaches back.
  @usableFromInline package internal(set) var window: Int
  /// The number of records between two kept states.
  @inlinable package static var spacing: Int { 64 }
  /// The number of records between two kept states where undos are not expected.
  @inlinable static var wideSpacing: Int { 8 * spacing }
  /// The window from which on a history keeps everything. No journal is as long.
  @inlinable static var unlimited: Int { Int.max / 4 }

  /// The state at ``revision``.
  @usableFromInline package internal(set) var state: State
  /// The last revision that is folded in.
  @usableFromInline package internal(set) var revision: Revision
  /// The records since the base, oldest first. Entries that folds skip have none.
  @usableFromInline package internal(set) var records: RecordLog<State>
  /// The kept states in order. The first is the base.
  @usableFromInline var checkpoints: [Checkpoint]
  /// The revisions of active ``records`` that the state has refused.
  @usableFromInline package internal(set) var suppressed: Set<Revision> = []
  /// The revisions of records that the state had refused when they were released, since ``forgetReleased()``.
  private(set) var released: Set<Revision> = []
  /// The cached value of `records.takenBack()`.
  @usableFromInline var inactive: Set<EntryID> = []
  /// Ids that an undo or a redo names although the journal has no such entry before it. They have no effect.
  @usableFromInline var absent: Set<EntryID> = []

  /// The heavy records of ``records``, oldest first.
  @usableFromInline var heavy = Heavy()

  /// The revisions where a state is kept every ``wideSpacing`` records only, because each kept state makes the following changes copy the parts that they
  /// modify. A fold of a journal sets the end: the beginning of the window that it will have. Where the records are folded again, because of an undo or a
  /// refusal, states are kept every ``spacing`` records for a while, since more of them may follow.
  @usableFromInline package var fast: (start: Revision, end: Revision) = (.zero, .zero)

  /// Creates the history of a journal's first entry.
  ///
  /// - Throws: `damaged` if it is no initial entry.
  init(first record: Record<State>, window: Int, in journal: String) throws(JournalError) {
    guard case .initial(let state) = record.kind else {
      throw .damaged(journal, at: record.revision, "a journal begins with its initial state, but this is another kind of entry")
    }
    self.init(state, at: record.revision, window: window)
  }

  /// Creates a history that begins with a state.
  ///
  /// - Parameters:
  ///   - state: The state at `revision`.
  ///   - revision: The revision of the base; 1 for a journal's initial entry.
  ///   - window: The number of entries that an undo reaches back; `.max` keeps everything.
  package init(_ state: State, at revision: Revision, window: Int) {
    self.state = state
    self.revision = revision
    self.window = window
    records = RecordLog(after: revision)
    checkpoints = [Checkpoint(revision: revision, state: state)]
  }

  /// A record that the state refuses, and the reason.
  package typealias Refused = (revision: Revision, failure: State.Failure)

  /// Creates a history from a state before the window and the records since, as a ``Snapshot`` and the journal supply them.
  ///
  /// - Parameters:
  ///   - base: The state at `revision`, without the effect of entries that later records revert.
  ///   - revision: The last revision that is folded into `base`.
  ///   - records: The following records, in order.
  ///   - window: The number of entries that an undo reaches back.
  ///   - unexplained: Receives the records that the state refuses although no later undo or redo explains it.
  /// - Complexity: O(records).
  package init(base: State, at revision: Revision, records: [Record<State>], window: Int, unexplained: inout [Refused]) {
    self.init(base, at: revision, window: window)
    guard let last = records.last else { return }
    for record in records {
      if record.isByRule { inactive = self.records.takenBack() }
      self.records.append(record.isByRule ? completed(record, isBefore: true) : record)
      weigh(record)
    }
    self.revision = last.revision
    inactive = self.records.takenBack()
    let refused = refold(from: revision.next)
    unexplained += refused.filter { !isExplained($0.revision) }
    settle()
  }

  /// Creates the same history without reporting refused records.
  package init(base: State, at revision: Revision, records: [Record<State>], window: Int) {
    var unexplained: [Refused] = []
    self.init(base: base, at: revision, records: records, window: window, unexplained: &unexplained)
  }

  /// Returns those of some refused records that are still active. A record that was undone since is no loss.
  package func stillRefused(_ refused: [Refused]) -> [Refused] {
    refused.filter { suppressed.contains($0.revision) || released.contains($0.revision) }
  }

  /// Forgets the refused records that were released. Call it after ``stillRefused(_:)``, when only later records can be in question.
  mutating func forgetReleased() { released = [] }

  /// Returns whether the state at the time of a record accepted it, although the state refuses it now, after later undos and redos. If
  /// those revert entries before the base, the earlier state is not known, and the answer is true.
  private func isExplained(_ revision: Revision) -> Bool {
    let later = Set(records[records.place(after: revision)...].lazy.flatMap(\.targets)).subtracting(absent)
    guard !later.isEmpty else { return false }
    guard later.isSubset(of: records.lazy.map(\.id)) else { return true }
    let upTo = records[..<records.place(after: revision)]
    let marks = Record.takenBack(in: upTo)
    var fold = Fold(checkpoints[0].state)
    for record in upTo where !marks.contains(record.id) {
      let failure = fold.apply(record)
      if record.revision == revision { return failure == nil }
    }
    return true
  }

  /// The revision of the base. The records begin after it.
  @inlinable package var base: Revision { checkpoints[0].revision }

  /// Whether the records reach back to the journal's beginning, so that an undo cannot reach beyond them.
  var isComplete: Bool { base <= 1 }

  // MARK: - Forward

  /// Folds in the next record of the journal.
  ///
  /// - Complexity: that of its changes, in place; for an undo, O(records since its earliest target).
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - absent: Ids of which the journal has no entry before the record.
  package mutating func append(_ record: Record<State>, ignoring absent: Set<EntryID> = []) -> Effect {
    switch record.content {
    case .change, .changes, .initial, .reset:
      push(record)
      do throws(State.Failure) {
        try state.apply(record.content, indices: record.indices, at: record.stamp)
      } catch {
        // The change may have thrown after it had modified something: fold again from the last kept state without it.
        refold(from: record.revision)
        return .suppressed(error)
      }
    case .undo, .redo:
      if let target = missingTarget(of: record, ignoring: absent) { return .reachesBeyond([target]) }
      let beyond = retarget(record.isByRule ? completed(record) : record, ignoring: absent)
      guard beyond.isEmpty else { return .reachesBeyond(beyond) }
    }
    settle()
    return .applied
  }

  /// Folds in consecutive records of the journal, up to the first one that ``append(_:ignoring:)`` must examine: an undo, a redo, or a record that the
  /// state refuses. It is inlinable, so that opening a store from a program runs a loop that is specialised for the state's type.
  ///
  /// - Parameters:
  ///   - run: The records.
  ///   - isEnough: Receives the state after each record. Returns whether to end there.
  /// - Returns: The index of that record, with the history at the one before it; the end if there is none.
  /// - Complexity: that of the changes, in place.
  @inlinable
  package mutating func append(run: ArraySlice<Record<State>>, until isEnough: (State) -> Bool) -> Int {
    var place = run.startIndex
    while place < run.endIndex {
      let record = run[place]
      guard !record.content.isMark else { break }
      do throws(State.Failure) {
        try state.apply(record.content, indices: record.indices, at: record.stamp)
      } catch {
        restore()
        break
      }
      revision = record.revision
      records.append(
        record.content, RecordMark(id: record.id, time: record.time, scope: record.scope, extra: record.extra), at: record.revision)
      if let weight = record.extra?.weight, weight > 0 { heavy.add(weight, at: record.revision) }
      // As in `push`.
      if !inactive.isEmpty { inactive.remove(record.id) }
      settle()
      place += 1
      if isEnough(state) { break }
    }
    return place
  }

  /// Appends records that were applied already, with the state they led to. Nothing is applied again.
  ///
  /// - Parameters:
  ///   - confirmed: Consecutive records without an undo or redo.
  ///   - state: The state after the last one.
  package mutating func promote(_ confirmed: [Record<State>], to state: State) {
    for record in confirmed { push(record) }
    self.state = state
    settle()
  }

  /// Moves past entries that have no record: the refused drafts of a synced journal. They count neither for the state nor for the window.
  ///
  /// - Complexity: O(1).
  package mutating func skip(to revision: Revision) { self.revision = max(self.revision, revision) }

  /// Whether the history keeps fewer records than a window because refused drafts were among the entries that it was folded from.
  func lacksSkipped(of window: Int) -> Bool {
    // Heavy records shorten the window, too. Starting further back would not lengthen it.
    !isComplete && records.count < window && revision - base > records.count && heavy.horizon == .zero
  }

  /// Folds in changes or a reset that are not in the journal yet. If the state refuses them, the history stays unchanged. For an undo or a
  /// redo use ``take(_:)``.
  ///
  /// - Throws: the model's failure.
  @inlinable
  package mutating func attempt(
    _ content: __owned Record<State>.Content, at stamp: Stamp, id: EntryID, in scope: __owned UndoScope, extra: __owned RecordExtra?
  ) throws(State.Failure) {
    do throws(State.Failure) {
      try state.apply(content, indices: extra?.indices, at: stamp)
    } catch {
      restore()
      throw error
    }
    revision = revision.next
    records.append(content, RecordMark(id: id, time: stamp.time, scope: scope, extra: extra), at: revision)
    if let extra, extra.weight > 0 { heavy.add(extra.weight, at: revision) }
    settle()
  }

  /// Folds in a record that is not in the journal yet. If the state refuses it, the history stays unchanged.
  ///
  /// - Throws: the model's failure.
  package mutating func attempt(_ record: Record<State>) throws(State.Failure) {
    try attempt(record.content, at: record.stamp, id: record.id, in: record.scope, extra: record.extra)
  }

  /// Rebuilds the state after a refusal, because a refused change may have modified a part of it.
  ///
  /// - Complexity: O(records since the last kept state).
  @usableFromInline
  mutating func restore() { refold(from: revision.next) }

  private mutating func push(_ record: Record<State>) {
    revision = record.revision
    records.append(record)
    weigh(record)
    // An undo that named this id before the entry existed has no effect on it.
    if !inactive.isEmpty { inactive.remove(record.id) }
  }

  private mutating func weigh(_ record: Record<State>) {
    if let weight = record.extra?.weight, weight > 0 { heavy.add(weight, at: record.revision) }
  }

  /// Keeps a state if one is due, and releases the records before the window if there are too many.
  @inlinable
  mutating func settle() {
    if needsCheckpoint(at: revision) { keep(state, at: revision) }
    if window < Self.unlimited, records.count > 2 * window + Self.spacing || heavy.isTooMuch { trim() }
  }

  /// Runs once in more than ``window`` records. It is inlinable, like all code that a change in memory runs, so that it is specialised for
  /// the state's type.
  @inlinable
  mutating func trim() {
    // Refused entries have no record, so the window counts records, not revisions.
    let oldest = max(windowStart, heavy.horizon)
    guard let newBase = checkpoints.lastIndex(where: { $0.revision <= oldest }), newBase > 0 else { return }
    checkpoints.removeSubrange(..<newBase)
    let base = base
    records.removeAll(through: base)
    heavy.removeAll(through: base)
    if !suppressed.isEmpty { releaseSuppressed() }
    // Without marks there was no undo, so there is none in the remaining records.
    if !inactive.isEmpty { inactive = records.takenBack() }
    if !absent.isEmpty { absent.formIntersection(inactive) }
  }

  @usableFromInline
  mutating func releaseSuppressed() {
    released.formUnion(suppressed.lazy.filter { [base] in $0 <= base })
    suppressed.subtract(released)
  }

  /// The revision after which the last ``window`` records begin; that of the base if there are fewer.
  @inlinable
  package var windowStart: Revision { records.count > window ? records.revision(at: records.count - window - 1) : base }

  @inlinable @inline(__always)  // A call copies the history, for a tenth of the instructions of a change.
  func needsCheckpoint(at revision: Revision) -> Bool {
    let distance = revision - checkpoints[checkpoints.count - 1].revision
    return distance >= Self.spacing && (distance >= Self.wideSpacing || revision >= fast.end || revision < fast.start)
      || heavy.needsCheckpoint
  }

  @inlinable
  mutating func keep(_ state: State, at revision: Revision) {
    checkpoints.append(Checkpoint(revision: revision, state: state))
    heavy.unkept = 0
  }

  /// Reduces the window.
  package mutating func narrow(to window: Int) {
    self.window = window
    settle()
  }
}

extension History {
  /// The heavy records of a history. They limit undo by size: it reaches back at most as far as the last ``limit`` bytes of heavy records.
  @usableFromInline
  struct Heavy: Sendable {
    /// The number of bytes of heavy entries that an undo reaches back: 64 MiB. All replicas use the same limit, so all give the same
    /// answer.
    var limit: Int64 = 64 << 20
    private var records: [(revision: Revision, weight: Int64)] = []
    private(set) var total: Int64 = 0
    /// The bytes since the last kept state.
    @usableFromInline var unkept: Int64 = 0
    /// An undo reverts no entry up to this revision.
    @usableFromInline private(set) var horizon: Revision = .zero

    @usableFromInline init() {}

    /// Whether the kept records have more than twice the bytes that an undo reaches back.
    @usableFromInline var isTooMuch: Bool { total > 2 * limit }
    /// Whether a state should be kept now, so that a trim can release nearly all records before the horizon.
    @usableFromInline var needsCheckpoint: Bool { unkept > limit / 4 }

    @usableFromInline
    mutating func add(_ weight: Int64, at revision: Revision) {
      records.append((revision, weight))
      total += weight
      unkept += weight
      var rest = limit
      // The last one can always be undone.
      for (offset, record) in records.reversed().enumerated() {
        rest -= record.weight
        guard rest < 0, offset > 0 else { continue }
        horizon = max(horizon, record.revision)
        return
      }
    }

    @usableFromInline
    mutating func removeAll(through revision: Revision) {
      records.removeAll { $0.revision <= revision }
      total = records.reduce(0) { $0 + $1.weight }
    }
  }
}
