public import AlterCore
public import AlterJournal

/// The journal folded up to a revision, with enough of the way there to take steps back: a pure value.
///
/// **The rule.** An entry is *active* at r unless an active later entry up to r takes it back. The state at r is the fold of the
/// active entries up to r; one that refuses there is skipped whole and *suppressed*.
///
/// **How.** A base state, the records since, and states kept every ``spacing`` records along the way, all under the present
/// marks. An undo changes the marks and folds again from the kept state before the earliest entry it concerns.
///
/// ```
///   base ──── record ──── record ──── checkpoint ──── record ──── record ──── state
///    b         b+1         …             c              …            r          (r)
///              └ T: taken back by U                     └ U: undo(T)
/// ```
///
/// At least the last ``window`` records are kept, at most twice as many and some. Retained states share structure with the
/// present one; nothing is copied but what later changes touch.
@usableFromInline
package struct History<State: Alterable>: Sendable {
  @usableFromInline
  struct Checkpoint: Sendable {
    @usableFromInline let revision: Revision
    @usableFromInline let state: State

    @inlinable
    init(revision: Revision, state: State) {
      self.revision = revision
      self.state = state
    }
  }

  /// What became of an appended record.
  package enum Outcome {
    /// It is part of the state now.
    case applied
    /// The state refuses it: it is skipped, on every replica.
    case suppressed(State.Failure)
    /// It takes back entries that are not kept: nothing was done. Fold the journal from an earlier point, or ignore those of these ids
    /// that the journal doesn't have.
    case reachesBeyond(Set<EntryID>)
  }

  /// How many entries an undo reaches back.
  @usableFromInline package internal(set) var window: Int
  /// How many records lie between two kept states.
  @inlinable package static var spacing: Int { 64 }

  /// The state at ``revision``.
  @usableFromInline package internal(set) var state: State
  /// The last revision folded in.
  @usableFromInline package internal(set) var revision: Revision
  /// The records since the base, oldest first.
  @usableFromInline package internal(set) var records: RecordLog<State>
  /// Kept states in order; the first is the base.
  @usableFromInline var checkpoints: [Checkpoint]
  /// Those of ``records`` that are active and yet not part of the state, because it refused them.
  @usableFromInline package internal(set) var suppressed: Set<Revision> = []
  /// `Record.takenBack(in: records)`.
  @usableFromInline var inactive: Set<EntryID> = []
  /// Ids that an undo or a redo names although the journal has no such entry before it: they have no effect.
  @usableFromInline var absent: Set<EntryID> = []

  /// The heavy ones of ``records``, oldest first.
  @usableFromInline var heavy = Heavy()

  /// A history that begins with a state.
  ///
  /// - Parameters:
  ///   - state: The state at `revision`.
  ///   - revision: Where it begins; 1 for a journal's initial entry.
  ///   - window: How many entries an undo reaches back; `.max` keeps everything.
  package init(_ state: State, at revision: Revision, window: Int) {
    self.state = state
    self.revision = revision
    self.window = window
    records = RecordLog(after: revision)
    checkpoints = [Checkpoint(revision: revision, state: state)]
  }

  /// A record that the state refuses, and why.
  package typealias Refused = (revision: Revision, failure: State.Failure)

  /// A history that begins with a state from before its window, and the records since: what a ``Snapshot`` and the journal give.
  ///
  /// - Parameters:
  ///   - base: The state at `revision`, without the effect of entries that the last of the records take back.
  ///   - revision: The last entry that is folded in.
  ///   - records: Those that follow, in order.
  ///   - window: How many entries an undo reaches back.
  ///   - unexplained: Takes the records that the state refuses although no later undo or redo explains it.
  /// - Complexity: O(records).
  package init(base: State, at revision: Revision, records: [Record<State>], window: Int, unexplained: inout [Refused]) {
    self.init(base, at: revision, window: window)
    guard let last = records.last else { return }
    for record in records {
      self.records.append(record)
      weigh(record)
    }
    self.revision = last.revision
    inactive = Record.takenBack(in: records)
    let refused = refold(from: revision.next)
    unexplained += refused.filter { !isExplained($0.revision) }
    settle()
  }

  /// The same for callers that don't ask why a record is refused.
  package init(base: State, at revision: Revision, records: [Record<State>], window: Int) {
    var unexplained: [Refused] = []
    self.init(base: base, at: revision, records: records, window: window, unexplained: &unexplained)
  }

  /// Those of some refused records that still count, and yet are no part of the state: what was taken back since is missed by nobody.
  package func stillRefused(_ refused: [Refused]) -> [Refused] { refused.filter { suppressed.contains($0.revision) } }

  /// Whether the state of its time accepted a record that the state refuses now, after later undos and redos. Where those reach back beyond the base, the
  /// state of its time isn't known, and the record has the benefit of the doubt.
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

  /// The revision of the base: the records begin after it.
  @inlinable package var base: Revision { checkpoints[0].revision }

  /// Whether it reaches back to the journal's beginning, so that nothing can lie beyond it.
  var isComplete: Bool { base <= 1 }

  // MARK: - Forward

  /// Folds in the record that follows, as the journal has it.
  ///
  /// - Complexity: that of its changes, in place; for an undo, O(records since what it takes back).
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - absent: Ids that the journal has no entry of before the record.
  package mutating func append(_ record: Record<State>, ignoring absent: Set<EntryID> = []) -> Outcome {
    switch record.content {
    case .change, .changes, .initial, .reset:
      push(record)
      do throws(State.Failure) {
        try state.apply(record.content, indices: record.indices, at: record.stamp)
      } catch {
        // It may have thrown after it had changed something: folding again from the last kept state leaves it out.
        refold(from: record.revision)
        return .suppressed(error)
      }
    case .undo, .redo:
      let beyond = retarget(record, ignoring: absent)
      guard beyond.isEmpty else { return .reachesBeyond(beyond) }
    }
    settle()
    return .applied
  }

  /// Takes over records that were applied already, with the state they led to: nothing is applied twice.
  ///
  /// - Parameters:
  ///   - confirmed: Consecutive records; no undo or redo among them.
  ///   - state: The state after the last.
  package mutating func promote(_ confirmed: [Record<State>], to state: State) {
    for record in confirmed { push(record) }
    self.state = state
    settle()
  }

  /// Folds in changes or a reset that are not in the journal yet, or refuses them and stays as it was. (For an undo or a redo: ``take(_:)``.)
  ///
  /// - Throws: the model's failure.
  @inlinable
  package mutating func attempt(
    _ content: Record<State>.Content, at stamp: Stamp, in scope: UndoScope, extra: RecordExtra?
  ) throws(State.Failure) {
    do throws(State.Failure) {
      try state.apply(content, indices: extra?.indices, at: stamp)
    } catch {
      restore()
      throw error
    }
    let id = EntryID(origin: stamp.origin, sequence: stamp.sequence)
    records.append(content, RecordLog<State>.Mark(id: id, time: stamp.time, scope: scope, extra: extra))
    revision = revision.next
    if let extra, extra.weight > 0 { heavy.add(extra.weight, at: revision) }
    settle()
  }

  /// Folds in a record that is not in the journal yet, or refuses it and stays as it was.
  ///
  /// - Throws: the model's failure.
  package mutating func attempt(_ record: Record<State>) throws(State.Failure) {
    try attempt(record.content, at: record.stamp, in: record.scope, extra: record.extra)
  }

  /// Makes the state again: a refused change may have left a part of itself in it.
  ///
  /// - Complexity: O(records since the last kept state).
  @usableFromInline
  mutating func restore() { refold(from: revision.next) }

  private mutating func push(_ record: Record<State>) {
    revision = record.revision
    records.append(record)
    weigh(record)
    // An undo that has named it before it came has no effect on it.
    if !inactive.isEmpty { inactive.remove(record.id) }
  }

  private mutating func weigh(_ record: Record<State>) {
    if let weight = record.extra?.weight, weight > 0 { heavy.add(weight, at: record.revision) }
  }

  /// Keeps a state now and then, and lets go of what lies beyond the window.
  @inlinable
  mutating func settle() {
    if needsCheckpoint(at: revision) { keep(state, at: revision) }
    if window < Int.max / 2, records.count > 2 * window + Self.spacing || heavy.isTooMuch { trim() }
  }

  /// Called once in more than ``window`` records. Inlinable like all that a change in memory does: it is compiled for the state's own type.
  @inlinable
  mutating func trim() {
    let oldest = max(revision + -window, heavy.horizon)
    guard let newBase = checkpoints.lastIndex(where: { $0.revision <= oldest }), newBase > 0 else { return }
    checkpoints.removeSubrange(..<newBase)
    let base = base
    records.removeAll(through: base)
    heavy.removeAll(through: base)
    if !suppressed.isEmpty { suppressed = suppressed.filter { $0 > base } }
    // Without marks there was no undo, so there is none in what is left.
    if !inactive.isEmpty { inactive = Record.takenBack(in: records) }
    if !absent.isEmpty { absent.formIntersection(inactive) }
  }

  @inlinable
  func needsCheckpoint(at revision: Revision) -> Bool {
    revision - checkpoints[checkpoints.count - 1].revision >= Self.spacing || heavy.needsCheckpoint
  }

  @usableFromInline
  mutating func keep(_ state: State, at revision: Revision) {
    checkpoints.append(Checkpoint(revision: revision, state: state))
    heavy.unkept = 0
  }

  /// Keeps no more than a window from now on.
  package mutating func narrow(to window: Int) {
    self.window = window
    settle()
  }
}
