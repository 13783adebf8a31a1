package import AlterCore
import AlterJournal

extension History {
  /// Returns the kept records after a revision.
  func records(after revision: Revision) -> [Record<State>] { Array(records[records.place(after: revision)...]) }

  /// Returns the state at an earlier revision, under the undos up to that revision; nil if the necessary records are not kept.
  ///
  /// - Complexity: O(records since the base).
  package func state(at wanted: Revision) -> State? {
    guard wanted != revision else { return state }
    guard wanted >= base, wanted < revision else { return nil }
    let upTo = records[..<records.place(after: wanted)]
    let marks = Record.takenBack(in: upTo)
    // The base is a state under the present marks. It is valid only if no later undo reverts an entry before it.
    let known = Set(records.lazy.map(\.id))
    guard isComplete || marks.symmetricDifference(inactive).subtracting(absent).isSubset(of: known) else { return nil }
    var fold = Fold(checkpoints[0].state)
    for record in upTo where !marks.contains(record.id) { _ = fold.apply(record) }
    return fold.state
  }

  /// The ingredients of the state at a revision, under the present marks. A separate value, because holding the history would make the
  /// present state shared, and the next change would copy it.
  package struct Base: Sendable {
    /// The last revision that is folded in.
    package let revision: Revision
    private let start: State
    private let records: [Record<State>]

    fileprivate init(_ revision: Revision, start: State, records: [Record<State>]) {
      self.revision = revision
      self.start = start
      self.records = records
    }

    /// Computes the state.
    ///
    /// - Complexity: O(records since the last kept state).
    package func state() -> State {
      var fold = Fold(start)
      for record in records { _ = fold.apply(record) }
      return fold.state
    }
  }

  /// Returns the base of a snapshot: the state at a revision, under the present marks; nil if the necessary records are not kept, or if a fold
  /// from there would not find all answers that an undo by rule reverts.
  ///
  /// - Complexity: O(``spacing``); O(records since the base) if they have an undo by rule.
  package func base(at wanted: Revision) -> Base? {
    guard wanted <= revision, findsAnswers(after: wanted), let kept = checkpoints.last(where: { $0.revision <= wanted }) else { return nil }
    let since = records[records.place(after: kept.revision)..<records.place(after: wanted)].filter { !inactive.contains($0.id) }
    return Base(wanted, start: kept.state, records: since)
  }

  /// Whether a fold from a base finds the answers that the undos by rule after it revert. It finds neither an answer to an answer that lies
  /// before the base, nor the answers before the base that stay undone after a redo.
  private func findsAnswers(after base: Revision) -> Bool {
    let later = records[records.place(after: base)...]
    guard later.contains(where: \.isByRule) else { return true }
    var answered: [EntryID: EntryID] = [:]
    for record in later { if let id = record.cause?.answers { answered[record.id] = id } }
    let known = Set(later.lazy.map(\.id))
    return later.allSatisfy { mark in
      guard mark.isByRule else { return true }
      let isRedo = if case .redo = mark.content { true } else { false }
      return mark.targets.dropFirst().allSatisfy { id in
        guard let answered = answered[id] else { return !isRedo || known.contains(id) }
        return answered == mark.targets.first || known.contains(answered)
      }
    }
  }
}
