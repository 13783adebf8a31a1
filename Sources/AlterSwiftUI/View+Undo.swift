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
          await UndoLink(store, manager) { failure = $0 }.follow()
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

  /// Keeps the actions of an undo manager equal to the steps of a store. It is the target of these actions.
  @MainActor
  private final class UndoLink<Model: Alterable> {
    private let store: Store<Model>
    private let manager: UndoManager
    private let onFailure: (UndoError) -> Void
    /// The steps for which the manager has actions; nil if it has others.
    private var known: UndoSteps? = UndoSteps()
    private var isFollowing = true

    init(_ store: Store<Model>, _ manager: UndoManager, onFailure: @escaping (UndoError) -> Void) {
      (self.store, self.manager, self.onFailure) = (store, manager, onFailure)
    }

    /// Follows the store until it ends or the task is cancelled.
    func follow() async {
      // The manager does not retain its targets.
      defer {
        isFollowing = false
        manager.removeAllActions(withTarget: self)
      }
      while !Task.isCancelled {
        // A store of `Stores` reads its undo window here. If it cannot, the menu is empty, and the next change is another attempt.
        if store.lacksUndoWindow { try? await store.loadUndoWindow() }
        let (version, steps) = store.undoSteps
        show(steps)
        do { try await store.waitForChange(past: version) } catch { return }
      }
    }

    /// Registers actions for new entries. After any other difference all actions are registered again, without those to redo.
    private func show(_ steps: UndoSteps) {
      let news = known.flatMap { steps.news(since: $0) }
      if news == nil { manager.removeAllActions(withTarget: self) }
      for _ in 0..<(news ?? steps.undoable.count) { register() }
      known = steps
    }

    /// Registers an action in a group of its own. By default, all actions of one event are one group, but each entry is a step.
    private func register() {
      let groupsByEvent = manager.groupsByEvent
      // If something else, such as the typing in a field, was registered in this event, its group ends here, as `undo()` would end it.
      if groupsByEvent, manager.groupingLevel == 1 { manager.endUndoGrouping() }
      manager.groupsByEvent = false
      manager.beginUndoGrouping()
      registerAction(redo: false)
      manager.endUndoGrouping()
      manager.groupsByEvent = groupsByEvent
    }

    private func registerAction(redo: Bool) {
      // Before the SDK 27, the handler is not declared as isolated to the main actor, on which menus, keys and gestures call it.
      manager.registerUndo(withTarget: self) { link in MainActor.assumeIsolated { link.takeBack(redo: redo) } }
    }

    /// The action: the store undoes or redoes. During an undo, the manager takes the new action as the redo, and the other way round.
    private func takeBack(redo: Bool) {
      do {
        try store.takeBackAtOnce(redo: redo)
        registerAction(redo: !redo)
        let steps = store.undoSteps.steps
        // Otherwise another writer's entry came in between, and the loop registers all actions again.
        known = known.flatMap { steps.areOneStep(after: $0, redo: redo) ? steps : nil }
      } catch {
        onFailure(error)
        known = nil
        // The manager has removed the action, but the store has not changed.
        Task { if isFollowing { show(store.undoSteps.steps) } }
      }
    }
  }
#endif
