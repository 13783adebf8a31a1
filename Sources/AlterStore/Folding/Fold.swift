import AlterCore
import AlterJournal

/// A state to which records are applied one after the other. A refused record leaves no trace, wherever in `apply` it throws.
///
/// The fold keeps a state every ``History/spacing`` records. After a refusal it returns to the kept state and applies the records since
/// then again. A successful record needs no copy.
struct Fold<State: Alterable> {
  /// The state after the applied records.
  private(set) var state: State
  private var kept: State
  /// The records that were applied after ``kept``.
  private var since: [Record<State>] = []

  /// Creates a fold that begins with a state.
  init(_ state: State) {
    self.state = state
    kept = state
  }

  /// Applies a record. An undo or a redo changes nothing here, because it is a mark.
  ///
  /// - Returns: The reason for which the state refuses the record; nil if it was applied.
  /// - Complexity: that of its changes, in place; O(``History/spacing``) after a refusal.
  mutating func apply(_ record: Record<State>) -> State.Failure? {
    do throws(State.Failure) {
      try state.apply(record.content, indices: record.indices, at: record.stamp)
    } catch {
      state = kept
      for record in since { try? state.apply(record.content, indices: record.indices, at: record.stamp) }
      return error
    }
    since.append(record)
    if since.count >= History<State>.spacing {
      kept = state
      since = []
    }
    return nil
  }
}
