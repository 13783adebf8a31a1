import AlterCore
import AlterStore

/// The part of an undo manager that an ``UndoMirror`` uses.
@MainActor
protocol UndoStack: AnyObject {
  var groupsByEvent: Bool { get set }
  var groupingLevel: Int { get }
  func beginUndoGrouping()
  func endUndoGrouping()
  func removeAllActions(withTarget target: Any)
  /// Registers an action, whose target is not retained.
  func register<Target: AnyObject & Sendable>(_ target: Target, _ action: @escaping @MainActor @Sendable (Target) -> Void)
}

/// Keeps the actions of an undo manager equal to the steps of a store. It is the target of these actions.
@MainActor
final class UndoMirror<Model: Alterable> {
  private let store: Store<Model>
  private let stack: any UndoStack
  private let onFailure: (UndoError) -> Void
  /// The steps for which the manager has actions; nil if it has others.
  private var known: UndoSteps? = UndoSteps()
  private var isFollowing = true

  init(of store: Store<Model>, in stack: any UndoStack, onFailure: @escaping (UndoError) -> Void) {
    (self.store, self.stack, self.onFailure) = (store, stack, onFailure)
  }

  /// Follows the store until it ends or the task is cancelled.
  func follow() async {
    // The manager does not retain its targets.
    defer {
      isFollowing = false
      stack.removeAllActions(withTarget: self)
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
    if news == nil { stack.removeAllActions(withTarget: self) }
    for _ in 0..<(news ?? steps.undoable.count) { register() }
    known = steps
  }

  /// Registers an action in a group of its own. By default, all actions of one event are one group, but each entry is a step.
  private func register() {
    let groupsByEvent = stack.groupsByEvent
    // If something else, such as the typing in a field, was registered in this event, its group ends here, as `undo()` would end it.
    if groupsByEvent, stack.groupingLevel == 1 { stack.endUndoGrouping() }
    stack.groupsByEvent = false
    stack.beginUndoGrouping()
    registerAction(redo: false)
    stack.endUndoGrouping()
    stack.groupsByEvent = groupsByEvent
  }

  private func registerAction(redo: Bool) { stack.register(self) { $0.takeBack(redo: redo) } }

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
