/// Whether rows are those of the state, and the reason if they are not.
public enum RowsStatus: Sendable {
  /// The rows are those of the state.
  case current
  /// The rows lack the last entries: their number. It is at least 1: a synced journal may have other pending changes at the same entry.
  case behind(by: Int)
  /// The rows can't be written at present: the reason. They are tried again, with growing pauses up to one second.
  case waiting(any Error)
  /// A newer build has written the rows. This one writes nothing.
  case outdated
  /// The rows were closed.
  case closed
}
