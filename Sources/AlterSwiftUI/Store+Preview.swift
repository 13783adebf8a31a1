public import AlterCore
public import AlterStore

extension Store {
  /// Creates a store in memory for a preview: a state, and the changes that lead to the state to show.
  ///
  /// ```swift
  /// #Preview("Overdue") { ListView(store: .preview(AppState(), .add(.item(overdue)))) }
  /// ```
  ///
  /// With a status, the preview shows a screen that can't save. After `failed` and `closed` the store rejects every further change:
  ///
  /// ```swift
  /// #Preview("Disk full") { ListView(store: .preview(AppState(), status: .failed(fullDisk))) }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - changes: The changes, in order, each a step to undo. A refused one stops the preview with the reason.
  ///   - status: The status that the store shows after the changes; `open` by default.
  public static func preview(_ state: State, _ changes: State.Change..., status: StoreStatus = .open) -> Store {
    let store = Store(state)
    for change in changes {
      do { try store.change(change) } catch { preconditionFailure("A preview's change can't be made: \(error)") }
    }
    store.show(status)
    return store
  }
}
