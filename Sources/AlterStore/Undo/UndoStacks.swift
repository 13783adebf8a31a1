import AlterCore
import AlterJournal

/// The steps of an undo scope as an undo stack and a redo stack.
///
/// They follow from the marks and the reversals of a log alone, whose types do not depend on the state's: in code that is not specialised for a
/// state, each value of a generic type costs a search for its metadata, and a window has a thousand records.
struct UndoStacks {
  /// A step of an undo stack: a change of the scope; or of a redo stack: an undo.
  struct Step {
    /// The index of its record; negative if it is not kept.
    let place: Int
    let id: EntryID
  }

  private(set) var undoable: [Step] = []
  private(set) var redoable: [Step] = []
  /// Whether a step may be on the undo stack twice.
  private var mayRepeat = false

  /// Computes the stacks.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - marks: The marks of the records.
  ///   - reversals: The undos and redos among them.
  ///   - initial: The index of an initial record, which is no step.
  ///   - clears: Whether the new entry at an index clears the redo stack.
  /// - Complexity: O(records).
  init(of scope: UndoScope, in marks: Pieces<RecordMark>, _ reversals: Reversals, initial: Int?, clears: (Int) -> Bool) {
    let named = reversals.named
    // The steps that a named record stands for: itself, or those that an undo has reverted or a redo restored.
    var steps: [EntryID: [Step]] = [:]
    var rest = reversals.all[...]
    var start = 0
    for piece in marks.pieces {
      defer { start += piece.count }
      for index in piece.indices {
        let place = start + index
        let reversal = rest.first.flatMap { reversals.index(of: $0) == place ? $0 : nil }
        if reversal != nil { rest.removeFirst() }
        guard piece[index].scope == scope else { continue }
        let step = Step(place: place, id: piece[index].id)
        if let reversal {
          let stands = follow(reversal, as: step, for: steps, isAnswer: piece[index].extra?.cause?.answers != nil)
          if named.contains(step.id) { steps[step.id] = stands }
        } else if place != initial, piece[index].isStep(in: scope) {
          // A copy of the process may have given another entry the same id.
          if named.contains(step.id), steps.updateValue([step], forKey: step.id) != nil { mayRepeat = true }
          undoable.append(step)
          if clears(place) { redoable = [] }
        }
      }
    }
  }

  /// Follows an undo or a redo.
  ///
  /// - Returns: The steps that it stands for.
  private mutating func follow(_ reversal: Reversals.Reversal, as step: Step, for steps: [EntryID: [Step]], isAnswer: Bool) -> [Step] {
    guard let first = reversal.targets.first?.id else { return [] }
    if reversal.isRedo {
      // The other targets become undone.
      for target in reversal.targets {
        redoable.removeAll { $0.id == target.id }
        if target.id != first { remove(target.id) }
      }
      let restored = steps[first] ?? []
      undoable += restored
      mayRepeat = true
      return restored
    }
    // The first one may not be kept any more.
    let reverted = reversal.targets.flatMap { steps[$0.id] ?? ($0.id == first ? [Step(place: -1, id: first)] : []) }
    for step in reverted { remove(step.id) }
    if !isAnswer { redoable.append(step) }
    return reverted
  }

  private mutating func remove(_ id: EntryID) {
    if mayRepeat {
      undoable.removeAll { $0.id == id }
    } else if let place = undoable.lastIndex(where: { $0.id == id }) {
      undoable.remove(at: place)
    }
  }
}

extension RecordMark {
  /// Whether an undo in a scope may be about the record, which is no undo or redo: it may be undone, and is no answer of a feedback.
  func isStep(in scope: UndoScope) -> Bool {
    guard self.scope == scope, scope != .never else { return false }
    return extra?.cause.map { $0.answers == nil && $0.feedback == nil } ?? true
  }
}

extension Reversals {
  /// Returns the active answers to some entries, and the answers to those.
  ///
  /// - Parameters:
  ///   - targets: The entries. After a redo has restored one, an answer to the redo is an answer to the entry.
  ///   - place: The index of the first of them.
  ///   - marks: The marks of the records.
  ///   - inactive: The inactive entries.
  /// - Complexity: O(records since the first entry).
  func answers(to targets: [EntryID], from place: Int, in marks: Pieces<RecordMark>, without inactive: Set<EntryID>) -> [EntryID] {
    var asking = Set(targets)
    var undos: Set<EntryID> = []
    var answers: [EntryID] = []
    var rest = all[(all.partitioningIndex { index(of: $0) >= place })...]
    for place in place..<marks.count {
      let mark = marks[place]
      if let reversal = rest.first, index(of: reversal) == place {
        rest.removeFirst()
        guard !targets.contains(mark.id), let first = reversal.targets.first?.id else { continue }
        if !reversal.isRedo {
          if asking.contains(first) { undos.insert(mark.id) }
        } else if undos.contains(first) {
          asking.insert(mark.id)
        }
      } else if let answered = mark.extra?.cause?.answers, asking.contains(answered), !inactive.contains(mark.id),
        !targets.contains(mark.id)
      {
        asking.insert(mark.id)
        answers.append(mark.id)
      }
    }
    return answers
  }
}
