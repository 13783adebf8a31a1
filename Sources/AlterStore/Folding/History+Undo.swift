import AlterCore
import AlterJournal

// What an undo and a redo take back.
extension History {
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
