#if canImport(SwiftUI)
  import AlterCore
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  extension View {
    /// Lets the Edit menu, the keyboard, a shake and the gestures of the system undo and redo a store's entries.
    ///
    /// ```swift
    /// ListView(store: store).undo(by: store, failure: "Can't undo")
    /// ```
    ///
    /// The store's own undo stays the truth: the environment's `UndoManager` gets one action for each entry of the store's scope that can
    /// be undone, including those of earlier launches and of other processes, and each action calls the store. If the last entry can't be
    /// undone, an alert shows the reason.
    ///
    /// Attach it once to a window's screen. An undo that is made elsewhere, for example by ``/AlterStore/Store/undo()``, also changes the
    /// menu; its redo is then only possible by ``/AlterStore/Store/redo()``, because an `UndoManager` redoes only its own undos.
    ///
    /// - Parameters:
    ///   - store: The store. ``/AlterStore/StoreOptions/scope`` determines which entries belong to the user.
    ///   - failure: The title of the alert.
    /// - Complexity: O(undo window) for each change of the state, at most once per turn of the main actor.
    @MainActor
    public func undo<State>(by store: Store<State>, failure: LocalizedStringKey) -> some View {
      UndoView(content: self, store: store, title: failure)
    }
  }

  private struct UndoView<Content: View, Model: Alterable>: View {
    let content: Content
    let store: Store<Model>
    let title: LocalizedStringKey
    @Environment(\.undoManager) private var manager
    @State private var failure: UndoError?

    var body: some View {
      content
        .task(id: [ObjectIdentifier(store), manager.map { ObjectIdentifier($0) }]) {
          guard let manager else { return }
          await UndoMirror(of: store, in: manager) { failure = $0 }.follow()
        }
        .alert(
          title,
          isPresented: Binding(get: { @MainActor in failure != nil }, set: { @MainActor in if !$0 { failure = nil } }),
          presenting: failure
        ) { _ in
          // Without a button of ours, SwiftUI shows 'OK' in the user's language.
        } message: { failure in
          Text(verbatim: failure.description)
        }
    }
  }

  extension UndoManager: UndoStack {
    @MainActor
    func register<Target: AnyObject & Sendable>(_ target: Target, _ action: @escaping @MainActor @Sendable (Target) -> Void) {
      // Before the SDK 27, the handler is not declared as isolated to the main actor, on which menus, keys and gestures call it.
      registerUndo(withTarget: target) { target in MainActor.assumeIsolated { action(target) } }
    }
  }
#endif
