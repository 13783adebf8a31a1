#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  extension Store {
    /// Creates a store in memory for a preview: a state, and the changes that lead to the state to show.
    ///
    /// ```swift
    /// #Preview("Overdue") { ListView(store: .preview(AppState(), .add(.item(overdue)))) }
    /// ```
    ///
    /// A refused change stops the preview with the reason.
    public static func preview(_ state: State, _ changes: State.Change...) -> Store {
      let store = Store(state)
      for change in changes {
        do { try store.change(change) } catch { preconditionFailure("A preview's change can't be made: \(error)") }
      }
      return store
    }
  }
#endif
