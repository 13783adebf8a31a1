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

  /// Heavy records, and what follows from them: an undo reaches no farther back than the last entries that take ``limit`` bytes together.
  @usableFromInline
  struct Heavy: Sendable {
    /// How many bytes of heavy entries an undo reaches back. Every replica has the same, so that all give the same answer.
    var limit: Int64 = 64 << 20
    private var records: [(revision: Revision, weight: Int64)] = []
    private(set) var total: Int64 = 0
    /// The bytes since the last kept state.
    var unkept: Int64 = 0
    /// An undo takes back nothing up to here.
    @usableFromInline private(set) var horizon: Revision = .zero

    @usableFromInline init() {}

    /// Whether more is kept than twice what an undo reaches.
    @usableFromInline var isTooMuch: Bool { total > 2 * limit }
    /// Whether a state should be kept, so that what is let go of can be chosen well.
    @usableFromInline var needsCheckpoint: Bool { unkept > limit / 4 }

    @usableFromInline
    mutating func add(_ weight: Int64, at revision: Revision) {
      records.append((revision, weight))
      total += weight
      unkept += weight
      var rest = limit
      // The last one can always be taken back.
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
  private var isComplete: Bool { base <= 1 }

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

  // MARK: - Back

  /// Pushes an undo or a redo and folds again under the new marks.
  ///
  /// - Returns: The ids that it names and that are not kept; when there are any, nothing was done.
  private mutating func retarget(_ record: Record<State>, ignoring missing: Set<EntryID>) -> Set<EntryID> {
    records.append(record)
    let marks = Record.takenBack(in: records)
    let changed = marks.symmetricDifference(inactive)
    let concerned = records.filter { changed.contains($0.id) }
    if !isComplete, concerned.count != changed.count {
      let beyond = changed.subtracting(concerned.lazy.map(\.id)).subtracting(absent).subtracting(missing)
      guard beyond.isEmpty else {
        records.removeLast()
        return beyond
      }
      if !missing.isEmpty { absent.formUnion(missing.intersection(changed)) }
    }
    inactive = marks
    revision = record.revision
    if let earliest = concerned.first?.revision { refold(from: earliest) }
    return []
  }

  /// Folds the active records again from the kept state before a revision.
  ///
  /// - Returns: The records that the state refuses.
  @discardableResult
  private mutating func refold(from earliest: Revision) -> [Refused] {
    let kept = checkpoints.lastIndex { $0.revision < earliest } ?? 0
    checkpoints.removeSubrange((kept + 1)...)
    let start = checkpoints[kept]
    if !suppressed.isEmpty { suppressed = suppressed.filter { $0 <= start.revision } }
    heavy.unkept = 0
    var fold = Fold(start.state)
    var refused: [Refused] = []
    for record in records[records.place(after: start.revision)...] {
      if !inactive.contains(record.id), let failure = fold.apply(record) {
        suppressed.insert(record.revision)
        refused.append((record.revision, failure))
      }
      heavy.unkept += record.extra?.weight ?? 0
      if needsCheckpoint(at: record.revision) { keep(fold.state, at: record.revision) }
    }
    state = fold.state
    return refused
  }

  /// The state at an earlier revision, by the marks of that time; nil when the way there isn't kept.
  ///
  /// - Complexity: O(records since the base).
  package func state(at wanted: Revision) -> State? {
    guard wanted != revision else { return state }
    guard wanted >= base, wanted < revision else { return nil }
    let upTo = records[..<records.place(after: wanted)]
    let marks = Record.takenBack(in: upTo)
    // The base is a state under the present marks: it serves only if no later undo reaches behind it.
    let known = Set(records.lazy.map(\.id))
    guard isComplete || marks.symmetricDifference(inactive).subtracting(absent).isSubset(of: known) else { return nil }
    var fold = Fold(checkpoints[0].state)
    for record in upTo where !marks.contains(record.id) { _ = fold.apply(record) }
    return fold.state
  }

  /// What is needed to make the state of the entries up to a revision, under the present marks. Apart from the history, so that holding it
  /// does not make the present state shared.
  package struct Base: Sendable {
    /// The last entry that is folded in.
    package let revision: Revision
    private let start: State
    private let records: [Record<State>]

    fileprivate init(_ revision: Revision, start: State, records: [Record<State>]) {
      self.revision = revision
      self.start = start
      self.records = records
    }

    /// The state.
    ///
    /// - Complexity: O(records since the last kept state).
    package func state() -> State {
      var fold = Fold(start)
      for record in records { _ = fold.apply(record) }
      return fold.state
    }
  }

  /// The base of a snapshot: the state of the entries up to a revision, under the present marks; nil when the way there isn't kept.
  ///
  /// - Complexity: O(``spacing``).
  package func base(at wanted: Revision) -> Base? {
    guard wanted <= revision, let kept = checkpoints.last(where: { $0.revision <= wanted }) else { return nil }
    let since = records[records.place(after: kept.revision)..<records.place(after: wanted)].filter { !inactive.contains($0.id) }
    return Base(wanted, start: kept.state, records: since)
  }

  // MARK: - Undo and redo

  /// What an undo in a scope would take back now: the last active entry of the scope, then the answers it caused.
  ///
  /// - Throws: ``UndoError`` `nothingToUndo` or `outsideWindow`.
  package func undoable(in scope: UndoScope) throws(UndoError) -> [EntryID] {
    guard let target = stacks(of: scope).undoable.last else { throw isWithinWindow ? .nothingToUndo : .outsideWindow(window) }
    guard let place = reachable(target) else { throw .outsideWindow(window) }
    return [target] + answers(to: target, from: place)
  }

  /// What a redo in a scope would take back now: the last undo of the scope that nothing new has followed.
  ///
  /// - Throws: ``UndoError`` `nothingToRedo`, or `outsideWindow` when what it would bring back lies too far back.
  package func redoable(in scope: UndoScope) throws(UndoError) -> [EntryID] {
    guard let target = stacks(of: scope).redoable.last, let place = reachable(target) else { throw .nothingToRedo }
    let undo = records[place]
    guard undo.targets.allSatisfy({ reachable($0) != nil }) else { throw .outsideWindow(window) }
    // What the feedback had answered stays taken back: the request is there again, and is asked again. What has been answered because of the
    // undo goes with it.
    return [target] + undo.targets.dropFirst() + answers(to: target, from: place)
  }

  /// The active answers to an entry, and the answers to those.
  ///
  /// - Parameters:
  ///   - target: The entry. Once a redo has brought it back, what answers the redo answers it.
  ///   - place: Where it is.
  private func answers(to target: EntryID, from place: Int) -> [EntryID] {
    var asking: Set<EntryID> = [target]
    var undos: Set<EntryID> = []
    var answers: [EntryID] = []
    for record in records[place...] where record.id != target {
      switch record.content {
      case .undo(let targets): if let first = targets.first, asking.contains(first) { undos.insert(record.id) }
      case .redo(let targets): if let first = targets.first, undos.contains(first) { asking.insert(record.id) }
      case .initial, .change, .changes, .reset:
        guard let answered = record.cause?.answers, asking.contains(answered), !inactive.contains(record.id) else { continue }
        asking.insert(record.id)
        answers.append(record.id)
      }
    }
    return answers
  }

  // What may be taken back depends on the window and the revision alone, and not on how far back this replica happens to keep the way:
  // two replicas, one of which has started from a snapshot, give the same answer.

  /// Whether all that ever happened lies within the window.
  private var isWithinWindow: Bool { isComplete && records.count <= window && heavy.horizon == .zero }

  /// Where the record of an id is, if it lies within the window.
  private func reachable(_ id: EntryID) -> Int? {
    guard let place = records.lastIndex(where: { $0.id == id }), records.count - place <= window, records[place].revision > heavy.horizon
    else { return nil }
    return place
  }

  /// The records that an undo has taken back, or a redo brought back, as far as they are kept.
  ///
  /// - Parameter record: The undo or redo.
  package func records(concernedBy record: Record<State>) -> [Record<State>] {
    var wanted = Set(record.targets)
    if case .redo = record.content {
      // The answers stay taken back.
      wanted = Set(records.filter { wanted.contains($0.id) }.compactMap(\.targets.first))
    }
    return records.filter { wanted.contains($0.id) }
  }

  /// The same for an undo or redo that is in the journal.
  package func records(concernedBy revision: Revision) -> [Record<State>] {
    records.place(of: revision).map { records(concernedBy: records[$0]) } ?? []
  }

  /// Folds in an undo or a redo that is not in the journal yet, or refuses it and stays as it was.
  ///
  /// - Throws: ``UndoError`` `wouldSuppress` when entries that stay active would no longer apply, `outsideWindow` when it reaches too far back.
  package mutating func take(_ record: Record<State>) throws(UndoError) {
    var trial = self
    guard case .applied = trial.append(record) else { throw .outsideWindow(window) }
    let lost = trial.suppressed.subtracting(suppressed)
    guard lost.isEmpty else { throw .wouldSuppress(lost.sorted()) }
    self = trial
  }

  /// The scope's work as the two stacks that every undo has: a new entry clears what could be redone.
  private func stacks(of scope: UndoScope) -> (undoable: [EntryID], redoable: [EntryID]) {
    var undoable: [EntryID] = []
    var redoable: [EntryID] = []
    var undone: [EntryID: EntryID] = [:]
    for record in records where record.scope == scope {
      switch record.content {
      case .initial: break
      case .change, .changes, .reset:
        if record.cause?.answers != nil { break }
        undoable.append(record.id)
        redoable = []
      case .undo(let targets):
        guard let target = targets.first else { break }
        undoable.removeLast { $0 == target }
        redoable.append(record.id)
        undone[record.id] = target
      case .redo(let targets):
        for target in targets {
          redoable.removeLast { $0 == target }
          if let restored = undone[target] { undoable.append(restored) }
        }
      }
    }
    return (undoable, redoable)
  }
}

extension Array {
  /// Removes the last element that meets the condition, if there is one.
  fileprivate mutating func removeLast(where condition: (Element) -> Bool) {
    if let place = lastIndex(where: condition) { remove(at: place) }
  }
}
