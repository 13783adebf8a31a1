import AlterCore
import AlterJournal

/// A state to which records are applied one after the other, so that a refused record leaves nothing behind, wherever in `apply` it throws.
///
/// The fold keeps a state every ``History/spacing`` records. After a refusal it goes back to the kept state and applies the records since
/// then again: success pays for no copy.
struct Fold<State: Alterable> {
  /// The state after the records that were applied.
  private(set) var state: State
  private var kept: State
  /// The records that were applied to ``kept``.
  private var since: [Record<State>] = []

  /// A fold that begins with a state.
  init(_ state: State) {
    self.state = state
    kept = state
  }

  /// Applies a record. An undo or a redo changes nothing here: it is a mark.
  ///
  /// - Returns: Why the state refuses the record; nil when it was applied.
  /// - Complexity: that of its changes, in place; after a refusal, O(``History/spacing``).
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
