#if canImport(SwiftUI)
  import Alter

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  extension Observed {
    /// An action that makes changes and shows them in this object before it returns.
    ///
    /// The observed value follows an action of the store alone a moment later. A toggle would show its old value in between.
    ///
    /// - Parameters:
    ///   - store: The store of this object.
    ///   - refusals: Receives the reason if no change was made.
    func sender(in store: Store<State>, _ refusals: Refusals?) -> UserAction<[State.Change]> {
      let change = UserAction(store, changes: { (changes: [State.Change]) in changes })
      return UserAction { changes in
        // SwiftUI calls the actions of controls on the main actor.
        MainActor.assumeIsolated {
          refusals.report(change(changes))
          // No changes make no entry, but refresh the value.
          self.send()
        }
      }
    }
  }
#endif
