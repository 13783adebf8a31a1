import AlterCore
import AlterJournal

/// The reason for which an undo or a redo that names one entry permanently is impossible.
package enum UndoObstacle: Error, Hashable {
  /// The history has no such entry.
  case absent
  /// An undo is about a change, and a redo about an undo.
  case kind
  /// The entry has another undo scope.
  case scope
  /// The entry is older than the undo window.
  case outsideWindow
  /// Another undo has reverted the entry.
  case inactive
  /// The state would refuse the entries of these revisions, which stay active.
  case suppresses([Revision])
  /// The entry requested an act, and the feedback has made a change for that request at the revision.
  case performed(feedback: String, Revision)
}

// The targets of an undo and of a redo.
extension History {
  /// The targets of an undo or a redo.
  struct Targets {
    /// The entry to revert: for an undo a step, for a redo an undo.
    let first: EntryID
    /// The later idle steps of the scope, in order. They are reverted, too, because they might make a difference without the first entry.
    let passed: [EntryID]
    /// The answers that become or stay undone.
    let answers: [EntryID]

    /// All of them, in the order of a record's targets.
    var all: [EntryID] { [first] + passed + answers }
  }

  /// Returns the targets of an undo in a scope: the last active entry of the scope that makes a difference, the later ones that make none, and
  /// the answers to all of them.
  ///
  /// - Throws: ``UndoError`` `nothingToUndo` or `outsideWindow`.
  /// - Complexity: O(kept records).
  func undoable(in scope: UndoScope) throws(UndoError) -> Targets {
    var passed: [UndoStacks.Step] = []
    for step in stacks(of: scope).undoable.reversed() {
      guard isReachable(step) else { throw .outsideWindow(window) }
      guard !isIdle(step.place) else {
        passed.append(step)
        continue
      }
      let idle = passed.reversed().filter { $0.place > step.place }.map(\.id)
      return Targets(first: step.id, passed: idle, answers: answers(to: [step.id] + idle, from: step.place))
    }
    throw isWithinWindow ? .nothingToUndo : .outsideWindow(window)
  }

  /// Returns the targets of a redo in a scope. The first is the last undo of the scope, unless a new entry of the scope has followed it that
  /// makes a difference. Then come the new entries that make none, the answers that stay undone, and the answers that the undo and those
  /// entries caused.
  ///
  /// - Throws: ``UndoError`` `nothingToRedo`, or `outsideWindow` if an entry to restore is older than the window.
  func redoable(in scope: UndoScope) throws(UndoError) -> Targets {
    let stacks = stacks(of: scope)
    guard let step = stacks.redoable.last, isReachable(step) else { throw .nothingToRedo }
    let targets = records[step.place].targets
    guard targets.allSatisfy({ reachable($0) != nil }) else { throw .outsideWindow(window) }
    // The earlier answers of the feedback stay undone: the request is there again, and the feedback performs it again. The answers that the
    // undo caused are undone, too.
    let undone = targets.dropFirst().filter { id in reachable(id).map { records[$0].cause?.answers != nil } ?? false }
    let passed = stacks.undoable.filter { $0.place > step.place }.map(\.id)
    return Targets(first: step.id, passed: passed, answers: undone + answers(to: [step.id] + passed, from: step.place))
  }

  /// The active answers to some entries, and the answers to those.
  ///
  /// - Parameters:
  ///   - targets: The entries. After a redo has restored one, an answer to the redo is an answer to the entry.
  ///   - place: The index of the first of them.
  private func answers(to targets: [EntryID], from place: Int) -> [EntryID] {
    records.reversals.answers(to: targets, from: place, in: records.marks, without: inactive)
  }

  // MARK: - Undo by rule

  // An undo of a synced journal names one entry, fixed when the undo was made. The answers to that entry follow by rule, where the undo has
  // its place in the journal.

  /// Returns an undo or a redo that names one entry with all its targets at the end of this history; other records as they are.
  ///
  /// If the entry is not kept, the undo or redo has no targets, and no effect.
  ///
  /// - Parameter isBefore: Whether an entry that is not kept lies before the base, whose state contains the undo's effect on it. Then only the
  ///   answers since the base are reverted.
  /// - Complexity: O(records since the entry).
  package func completed(_ record: Record<State>, isBefore: Bool = false) -> Record<State> {
    guard record.content.isMark else { return record }
    var record = record
    guard let target = record.targets.first, let place = records.index(of: target) else {
      record.content.targets = isBefore ? record.targets.first.map { [$0] + answers(to: [$0], from: 0) } ?? [] : []
      return record
    }
    // The answers that an undo has reverted stay undone.
    let others = if case .redo = record.content { records[place].targets.dropFirst() } else { ArraySlice<EntryID>() }
    record.content.targets = [target] + others + answers(to: [target], from: place)
    return record
  }

  /// Returns the entry that an undo by rule names, if earlier records may contain it: its answers are not known then.
  func missingTarget(of record: Record<State>, ignoring missing: Set<EntryID>) -> EntryID? {
    guard record.isByRule, !isComplete, let target = record.targets.first, !absent.contains(target), !missing.contains(target),
      records.index(of: target) == nil
    else { return nil }
    return target
  }

  /// Folds in a record that is not in the journal yet, and whose undo or redo names its entry permanently. If the state or the rules of undo
  /// refuse it, the history stays unchanged.
  ///
  /// - Returns: The record with all its targets.
  /// - Throws: ``CommitError`` `dropped` or `undo`.
  package mutating func attemptFixed(_ record: Record<State>) throws(CommitError<State.Failure>) -> Record<State> {
    guard record.content.isMark else {
      do throws(State.Failure) { try attempt(record) } catch { throw .dropped(error) }
      return record
    }
    do throws(UndoObstacle) {
      return try takeFixed(record)
    } catch {
      switch error {
      case .absent, .outsideWindow: throw .undo(.outsideWindow(window))
      case .kind, .scope, .inactive: if case .redo = record.content { throw .undo(.nothingToRedo) } else { throw .undo(.nothingToUndo) }
      case .suppresses(let revisions): throw .undo(.wouldSuppress(revisions))
      case .performed(let feedback, let revision): throw .undo(.performed(feedback: feedback, revision: revision))
      }
    }
  }

  /// Folds in an undo or a redo that is not in the journal yet, and that names its entry permanently. If the rules of undo refuse it, the
  /// history stays unchanged.
  ///
  /// - Returns: The record with all its targets.
  /// - Complexity: O(records since the entry).
  @discardableResult
  package mutating func takeFixed(_ record: Record<State>) throws(UndoObstacle) -> Record<State> {
    guard let target = record.targets.first, let place = records.index(of: target) else { throw .absent }
    switch (record.content, records[place].content) {
    case (.undo, .change), (.undo, .changes), (.undo, .redo), (.redo, .undo): break
    default: throw .kind
    }
    guard !records[place].isAnswer, record.scope != .never else { throw .kind }
    guard records[place].scope == record.scope else { throw .scope }
    guard reachable(target) != nil else { throw .outsideWindow }
    guard !inactive.contains(target) else { throw .inactive }
    // A redo restores an entry from before its undo. The window decides, not the number of kept records: servers must agree.
    if case .redo = record.content {
      guard records[place].targets.allSatisfy({ absent.contains($0) || reachable($0) != nil }) else { throw .outsideWindow }
    }
    let record = completed(record)
    do throws(UndoError) { try take(record) } catch {
      switch error {
      case .wouldSuppress(let revisions): throw .suppresses(revisions)
      case .performed(let feedback, let revision): throw .performed(feedback: feedback, revision)
      default: throw .outsideWindow
      }
    }
    return record
  }

  /// Folds in an undo or a redo of one entry.
  ///
  /// - Returns: The record with all its targets.
  mutating func takeNamed(_ record: Record<State>) throws(UndoError) -> Record<State> {
    do throws(CommitError<State.Failure>) { return try attemptFixed(record) } catch {
      if case .undo(let error) = error { throw error }
      throw .nothingToUndo
    }
  }

  // The window and the revision alone determine whether an entry can be undone, not the number of records that this replica happens to
  // keep. Two replicas, one of which has started from a snapshot, therefore give the same answer.

  /// Whether all entries of the journal lie within the window.
  private var isWithinWindow: Bool { isComplete && records.count <= window && heavy.horizon == .zero }

  /// The index of the record of an id, if it lies within the window.
  private func reachable(_ id: EntryID) -> Int? {
    guard let place = records.index(of: id), records.count - place <= window, records.revision(at: place) > heavy.horizon
    else { return nil }
    return place
  }

  /// Returns the records that an undo has reverted, or that a redo has restored, if they are kept.
  ///
  /// - Parameter record: The undo or redo.
  package func records(concernedBy record: Record<State>) -> [Record<State>] {
    var wanted = Set(record.targets)
    if case .redo = record.content {
      // The answers stay undone.
      wanted = Set(records.places(of: wanted).compactMap { records.contents[$0].targets.first })
    }
    return records.places(of: wanted).map { records[$0] }
  }

  /// Returns the changes that an undo reverts or a redo makes again, in the journal's order, as far as they are kept. An undo of a redo
  /// concerns the changes of that redo.
  ///
  /// - Parameter record: An undo or redo that names one entry, and that is not in this history.
  /// - Complexity: O(kept records).
  package func changes(concernedBy record: Record<State>) -> [State.Change] {
    var wanted = Set(completed(record).targets)
    var found: [[State.Change]] = []
    // Each mark comes after the entries that it names.
    for record in records.reversed() where wanted.contains(record.id) {
      wanted.formUnion(record.targets)
      if case .changes(let changes) = record.kind { found.append(changes) }
    }
    return found.reversed().flatMap { $0 }
  }

  /// Returns the same for an undo or redo at a revision.
  package func records(concernedBy revision: Revision) -> [Record<State>] {
    records.place(of: revision).map { records(concernedBy: records[$0]) } ?? []
  }

  /// Looks up the targets of an undo or a redo in its scope, and folds it in.
  ///
  /// - Throws: ``UndoError``; then nothing has changed.
  mutating func takeLast(_ record: inout Record<State>) throws(UndoError) {
    if case .redo = record.content {
      record.content = .redo(try redoable(in: record.scope).all)
    } else {
      record.content = .undo(try undoable(in: record.scope).all)
    }
    try take(record)
  }

  /// Folds in an undo or a redo that is not in the journal yet. If it is impossible, the history stays unchanged.
  ///
  /// - Throws: ``UndoError`` `performed` if it would withdraw a request that was performed, `wouldSuppress` if the state would refuse entries
  ///   that stay active, `outsideWindow` if a target is not kept.
  package mutating func take(_ record: Record<State>) throws(UndoError) {
    var trial = self
    guard case .applied = trial.append(record) else { throw .outsideWindow(window) }
    if let act = performed(by: trial.inactive.subtracting(inactive)) {
      throw .performed(feedback: act.cause?.feedback ?? "", revision: act.revision)
    }
    let lost = trial.suppressed.subtracting(suppressed)
    guard lost.isEmpty else { throw .wouldSuppress(lost.sorted()) }
    self = trial
  }

  /// Returns the first change of a feedback for an acting request of some entries; nil if there is none.
  ///
  /// Such a change follows the entry that asks, so it is kept if that entry is.
  private func performed(by asking: Set<EntryID>) -> Record<State>? {
    // All attempts of a change have the stamp of the first one.
    let places = records.places(of: asking)
    guard let first = places.first else { return nil }
    let stamps = Set(places.map { records[$0].family })
    return (first..<records.count).first { records.marks[$0].extra?.cause?.asking.map(stamps.contains) ?? false }.map { records[$0] }
  }

  // MARK: - Steps

  private func isReachable(_ step: UndoStacks.Step) -> Bool {
    step.place >= max(0, records.count - window) && records.revision(at: step.place) > heavy.horizon
  }

  /// Returns the steps that undos and redos in a scope go through. Idle entries are none.
  ///
  /// - Complexity: O(window), and a comparison of states for each step of which it is not known whether it is idle.
  package func undoSteps(in scope: UndoScope) -> UndoSteps {
    let stacks = stacks(of: scope)
    // An entry that is out of reach bars the way to those before it.
    let steps = stacks.undoable.suffix(while: isReachable)
    let idle = idle(among: steps.map(\.place).sorted())
    return UndoSteps(undoable: steps.filter { !idle.contains($0.place) }.map(\.id), redoable: stacks.redoable.map(\.id))
  }

  /// Returns the last entry of a scope, or its last undo, at a revision, as far as the kept records show; nil if there is none. It may be idle.
  ///
  /// - Parameters:
  ///   - redo: True for a redo, false for an undo.
  ///   - scope: The scope.
  ///   - revision: The last revision that counts.
  ///   - pending: The records that follow it.
  /// - Complexity: O(kept records + pending records).
  func newestStep(redo: Bool, in scope: UndoScope, through revision: Revision, with pending: [Record<State>]) -> EntryID? {
    var log = RecordLog<State>(after: base)
    for place in 0..<records.place(after: revision) { log.append(records.contents[place], records.marks[place], at: log.last.next) }
    for record in pending { log.append(record.at(log.last.next)) }
    let stacks = UndoStacks(of: scope, in: log.marks, log.reversals, initial: log.initialPlace) { _ in true }
    return redo ? stacks.redoable.last?.id : stacks.undoable.last?.id
  }

  /// The steps of a scope. The last new entry that makes a difference clears the redo stack.
  private func stacks(of scope: UndoScope) -> UndoStacks {
    let (marks, reversals, initial) = (records.marks, records.reversals, records.initialPlace)
    let undo = reversals.all.first { !$0.isRedo && marks[reversals.index(of: $0)].scope == scope }
    let isReversal = Set(reversals.all.lazy.map(reversals.index))
    let clearing = undo.flatMap { undo in
      (reversals.index(of: undo)..<marks.count).last {
        $0 != initial && marks[$0].isStep(in: scope) && !isReversal.contains($0) && !isIdle($0)
      }
    }
    return UndoStacks(of: scope, in: marks, reversals, initial: initial) { $0 <= clearing ?? 0 }
  }
}

extension Record {
  /// Whether a feedback has made the record.
  fileprivate var isAnswer: Bool { cause?.feedback != nil }
}

extension Array {
  /// The last elements that meet the condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> [Element] {
    Array(self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? 0)...])
  }
}
