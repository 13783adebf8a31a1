import AlterCore
import AlterJournal

// Undo and redo as marks: the active records, and the state that follows from them.
extension History {
  /// Appends an undo or a redo and folds again under the new marks.
  ///
  /// - Returns: The ids that it names and that are not kept. If there are any, nothing has changed.
  mutating func retarget(_ record: Record<State>, ignoring missing: Set<EntryID>) -> Set<EntryID> {
    records.append(record)
    let marks = records.takenBack()
    let changed = marks.symmetricDifference(inactive)
    let concerned = records.indices(of: changed)
    if !isComplete, concerned.count != changed.count {
      let beyond = changed.subtracting(concerned.keys).subtracting(absent).subtracting(missing)
      guard beyond.isEmpty else {
        records.removeLast()
        return beyond
      }
      if !missing.isEmpty { absent.formUnion(missing.intersection(changed)) }
    }
    inactive = marks
    revision = record.revision
    if let earliest = concerned.values.min() { refold(from: records.revision(at: earliest)) }
    return []
  }

  /// Folds the active records again from the last kept state before a revision.
  ///
  /// - Returns: The records that the state refuses.
  @discardableResult
  mutating func refold(from earliest: Revision) -> [Refused] {
    let kept = checkpoints.lastIndex { $0.revision < earliest } ?? 0
    checkpoints.removeSubrange((kept + 1)...)
    checkpoints[kept].idle = KnownIdle()
    let start = checkpoints[kept]
    if !suppressed.isEmpty { suppressed = suppressed.filter { $0 <= start.revision } }
    fast.start = revision + 2 * Self.wideSpacing
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
}
