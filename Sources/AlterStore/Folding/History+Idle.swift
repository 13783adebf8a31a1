import AlterCore
import AlterJournal

/// The knowledge of a history about the records after one of its kept states: which of them make no difference.
///
/// Copies of a history share it, and continue with other records. So each record is known by its id, and the knowledge counts up to the first
/// record that differs. When the marks of these records change, the history takes a new object.
@usableFromInline
final class KnownIdle: Sendable {
  /// The records from the kept state on; nil for those that were not requested.
  fileprivate let records = Lock<[(id: EntryID, isIdle: Bool?)]>([])

  @usableFromInline init() {}
}

// Entries that make no difference, which undo and redo pass over.
//
// An entry is *idle* if the state is the same before and after it, where it stands: the fold of the active entries before it is compared with
// the same fold and this entry. So an entry is idle as a whole, with all of its changes; if the state refuses it; and if a migration has left it
// without changes. An entry of the undo window is idle in one replica if it is in another, because both have the entries of the window, and the
// same state before them.
extension History {
  /// Returns whether the record at an index is idle.
  ///
  /// - Complexity: O(``spacing``) and one comparison of states; O(1) if it is known.
  func isIdle(_ place: Int) -> Bool { !idle(among: [place]).isEmpty }

  /// Returns those of some records that are idle.
  ///
  /// - Parameter places: The indices of the records, in ascending order.
  /// - Complexity: O(records from the kept state before the first one), and a comparison of states for each that is not known.
  func idle(among places: [Int]) -> Set<Int> {
    var idle: Set<Int> = []
    var rest = places[...]
    while let first = rest.first, let kept = checkpoints.lastIndex(where: { $0.revision < records.revision(at: first) }) {
      let end = kept + 1 < checkpoints.count ? records.place(after: checkpoints[kept + 1].revision) : records.count
      let wanted = rest.prefix { $0 < end }
      rest = rest.dropFirst(wanted.count)
      idle.formUnion(self.idle(among: Set(wanted), after: checkpoints[kept]))
    }
    return idle
  }

  private func idle(among wanted: Set<Int>, after kept: Checkpoint) -> Set<Int> {
    let start = records.place(after: kept.revision)
    var known = kept.idle.records.withLock { $0 }
    if let other = known.indices.first(where: { start + $0 < records.count && known[$0].id != records[start + $0].id }) {
      known.removeSubrange(other...)
    }
    let unknown = wanted.filter { $0 - start >= known.count || known[$0 - start].isIdle == nil }
    if let last = unknown.max() {
      var fold = Fold(kept.state)
      for place in start...last {
        let record = records[place]
        if place - start == known.count { known.append((record.id, nil)) }
        let before = unknown.contains(place) ? fold.state : nil
        if !inactive.contains(record.id) {
          let failure = fold.apply(record)
          if let before { known[place - start].isIdle = failure != nil || StateComparison.haveNoDifference(before, fold.state) }
        } else if var after = before {
          let isRefused = (try? after.apply(record.content, indices: record.indices, at: record.stamp)) == nil
          known[place - start].isIdle = isRefused || StateComparison.haveNoDifference(fold.state, after)
        }
      }
      kept.idle.records.withLock { [known] in $0 = known }
    }
    return wanted.filter { known[$0 - start].isIdle == true }
  }
}
