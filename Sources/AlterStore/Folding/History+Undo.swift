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
}

// The targets of an undo and of a redo.
extension History {
  /// Returns the targets of an undo in a scope: the last active entry of the scope, then the answers that it caused.
  ///
  /// - Throws: ``UndoError`` `nothingToUndo` or `outsideWindow`.
  package func undoable(in scope: UndoScope) throws(UndoError) -> [EntryID] {
    guard let target = stacks(of: scope).undoable.last else { throw isWithinWindow ? .nothingToUndo : .outsideWindow(window) }
    guard let place = reachable(target) else { throw .outsideWindow(window) }
    return [target] + answers(to: target, from: place)
  }

  /// Returns the targets of a redo in a scope. The first is the last undo of the scope, unless a new entry of the scope has followed it.
  /// Then come the answers that stay undone, and the answers that the undo caused.
  ///
  /// - Throws: ``UndoError`` `nothingToRedo`, or `outsideWindow` if an entry to restore is older than the window.
  package func redoable(in scope: UndoScope) throws(UndoError) -> [EntryID] {
    guard let target = stacks(of: scope).redoable.last, let place = reachable(target) else { throw .nothingToRedo }
    let undo = records[place]
    guard undo.targets.allSatisfy({ reachable($0) != nil }) else { throw .outsideWindow(window) }
    // The earlier answers of the feedback stay undone: the request is there again, and the feedback performs it again. The answers that the
    // undo caused are undone, too.
    return [target] + undo.targets.dropFirst() + answers(to: target, from: place)
  }

  /// The active answers to an entry, and the answers to those.
  ///
  /// - Parameters:
  ///   - target: The entry. After a redo has restored it, an answer to the redo is an answer to the entry.
  ///   - place: The index of the entry.
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
    guard let target = record.targets.first, let place = records.lastIndex(where: { $0.id == target }) else {
      record.content.targets = isBefore ? record.targets.first.map { [$0] + answers(to: $0, from: 0) } ?? [] : []
      return record
    }
    // The answers that an undo has reverted stay undone.
    let others = if case .redo = record.content { records[place].targets.dropFirst() } else { ArraySlice<EntryID>() }
    record.content.targets = [target] + others + answers(to: target, from: place)
    return record
  }

  /// Returns the entry that an undo by rule names, if earlier records may contain it: its answers are not known then.
  func missingTarget(of record: Record<State>, ignoring missing: Set<EntryID>) -> EntryID? {
    guard record.isByRule, !isComplete, let target = record.targets.first, !absent.contains(target), !missing.contains(target),
      !records.contains(where: { $0.id == target })
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
    guard let target = record.targets.first, let place = records.lastIndex(where: { $0.id == target }) else { throw .absent }
    switch (record.content, records[place].content) {
    case (.undo, .change), (.undo, .changes), (.undo, .redo), (.redo, .undo): break
    default: throw .kind
    }
    guard records[place].scope == record.scope else { throw .scope }
    guard reachable(target) != nil else { throw .outsideWindow }
    guard !inactive.contains(target) else { throw .inactive }
    // A redo restores an entry from before its undo. The window decides, not the number of kept records: servers must agree.
    if case .redo = record.content {
      guard records[place].targets.allSatisfy({ absent.contains($0) || reachable($0) != nil }) else { throw .outsideWindow }
    }
    let record = completed(record)
    do throws(UndoError) { try take(record) } catch {
      if case .wouldSuppress(let revisions) = error { throw .suppresses(revisions) } else { throw .outsideWindow }
    }
    return record
  }

  // The window and the revision alone determine whether an entry can be undone, not the number of records that this replica happens to
  // keep. Two replicas, one of which has started from a snapshot, therefore give the same answer.

  /// Whether all entries of the journal lie within the window.
  private var isWithinWindow: Bool { isComplete && records.count <= window && heavy.horizon == .zero }

  /// The index of the record of an id, if it lies within the window.
  private func reachable(_ id: EntryID) -> Int? {
    guard let place = records.lastIndex(where: { $0.id == id }), records.count - place <= window, records[place].revision > heavy.horizon
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
      wanted = Set(records.filter { wanted.contains($0.id) }.compactMap(\.targets.first))
    }
    return records.filter { wanted.contains($0.id) }
  }

  /// Returns the same for an undo or redo at a revision.
  package func records(concernedBy revision: Revision) -> [Record<State>] {
    records.place(of: revision).map { records(concernedBy: records[$0]) } ?? []
  }

  /// Folds in an undo or a redo that is not in the journal yet. If it is impossible, the history stays unchanged.
  ///
  /// - Throws: ``UndoError`` `wouldSuppress` if the state would refuse entries that stay active, `outsideWindow` if a target is not kept.
  package mutating func take(_ record: Record<State>) throws(UndoError) {
    var trial = self
    guard case .applied = trial.append(record) else { throw .outsideWindow(window) }
    let lost = trial.suppressed.subtracting(suppressed)
    guard lost.isEmpty else { throw .wouldSuppress(lost.sorted()) }
    self = trial
  }

  /// Returns the steps that undos and redos in a scope go through.
  ///
  /// - Parameter pending: The records that follow those of this history. No undo reaches beyond the window, so the last ones suffice.
  /// - Complexity: O(window).
  package func undoSteps(in scope: UndoScope, with pending: [Record<State>]) -> UndoSteps {
    let (undoable, redoable) = Self.stacks(of: scope, in: records + pending)
    let reachable = records.suffix(max(0, window - pending.count)).drop { $0.revision <= heavy.horizon } + pending.suffix(window)
    let ids = Set(reachable.map(\.id))
    // An entry that is out of reach bars the way to those before it.
    return UndoSteps(undoable: undoable.suffix(while: ids.contains), redoable: redoable)
  }

  /// Returns the entry that an undo in a scope would revert at a revision, or the undo that a redo would revert, as far as the kept records
  /// show; nil if there is none.
  ///
  /// - Parameters:
  ///   - redo: Whether it is a redo.
  ///   - scope: The scope.
  ///   - revision: The last revision that counts.
  ///   - pending: The records that follow it.
  /// - Complexity: O(kept records + pending records).
  func newestStep(redo: Bool, in scope: UndoScope, through revision: Revision, with pending: [Record<State>]) -> EntryID? {
    let stacks = Self.stacks(of: scope, in: records[..<records.place(after: revision)] + pending)
    return redo ? stacks.redoable.last : stacks.undoable.last
  }

  private func stacks(of scope: UndoScope) -> (undoable: [EntryID], redoable: [EntryID]) { Self.stacks(of: scope, in: records) }

  /// The entries of a scope as an undo stack and a redo stack. A new entry clears the redo stack.
  private static func stacks(of scope: UndoScope, in records: some Sequence<Record<State>>) -> (undoable: [EntryID], redoable: [EntryID]) {
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
  /// The last elements that meet the condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> [Element] {
    Array(self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? 0)...])
  }

  /// Removes the last element that meets the condition, if there is one.
  fileprivate mutating func removeLast(where condition: (Element) -> Bool) {
    if let place = lastIndex(where: condition) { remove(at: place) }
  }
}
