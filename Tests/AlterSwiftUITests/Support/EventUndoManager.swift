@testable import AlterSwiftUI

/// A model of Foundation's `UndoManager`, which exists only on Apple's platforms: two stacks of groups of actions. The run loop ends an event
/// there; here a test does, by ``endEvent()``.
@MainActor
final class EventUndoManager: UndoStack {
  private struct Action {
    let target: ObjectIdentifier
    let perform: @MainActor () -> Void
  }

  private typealias Group = [Action]

  private var undos: [Group] = []
  private var redos: [Group] = []
  /// The groups that are not closed yet, the innermost last.
  private var unclosed: [Group] = []
  private var isUndoing = false
  private var isRedoing = false
  var groupsByEvent = true

  var canUndo: Bool { !undos.isEmpty || unclosed.contains { !$0.isEmpty } }
  var canRedo: Bool { !redos.isEmpty }
  var groupingLevel: Int { unclosed.count }
  /// The number of groups to undo.
  var undoDepth: Int { undos.count }

  func beginUndoGrouping() {
    if groupsByEvent, unclosed.isEmpty { unclosed.append([]) }
    unclosed.append([])
  }

  func endUndoGrouping() {
    guard let group = unclosed.popLast() else { preconditionFailure("endUndoGrouping called with no matching begin") }
    if unclosed.isEmpty {
      guard !group.isEmpty else { return }
      if isUndoing { redos.append(group) } else { undos.append(group) }
    } else {
      unclosed[unclosed.count - 1] += group
    }
  }

  /// Closes the group of an event.
  func endEvent() {
    if groupsByEvent, unclosed.count == 1 { endUndoGrouping() }
  }

  func register<Target: AnyObject & Sendable>(_ target: Target, _ action: @escaping @MainActor @Sendable (Target) -> Void) {
    if unclosed.isEmpty {
      precondition(groupsByEvent, "must begin a group before registering undo")
      unclosed.append([])
    }
    unclosed[unclosed.count - 1].append(Action(target: ObjectIdentifier(target)) { [unowned target] in action(target) })
    if !isUndoing, !isRedoing { redos = [] }
  }

  func undo() {
    endEvent()
    precondition(unclosed.isEmpty, "undo was called with too many nested undo groups")
    guard let last = undos.popLast() else { return }
    isUndoing = true
    perform(last)
    isUndoing = false
  }

  func redo() {
    endEvent()
    precondition(unclosed.isEmpty, "redo was called with too many nested undo groups")
    guard let last = redos.popLast() else { return }
    isRedoing = true
    perform(last)
    isRedoing = false
  }

  private func perform(_ group: Group) {
    unclosed.append([])
    for action in group.reversed() { action.perform() }
    endUndoGrouping()
  }

  func removeAllActions(withTarget target: Any) {
    let id = ObjectIdentifier(target as AnyObject)
    func without(_ groups: [Group]) -> [Group] { groups.map { $0.filter { $0.target != id } } }
    undos = without(undos).filter { !$0.isEmpty }
    redos = without(redos).filter { !$0.isEmpty }
    unclosed = without(unclosed)
  }
}
