// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The class of Foundation, which exists only on Apple's platforms. Here it keeps two stacks of groups of actions.
// Isolated to the main actor since the SDK 27.1; before, the class is not isolated. The run loop ends an event there; here a test does, by
// `endEvent()`.
// The compiler flag SDK_18 declares it as before.
#if !SDK_18
  @MainActor
#endif
open class UndoManager {
  private struct Action {
    let target: ObjectIdentifier
    let perform: Perform
  }

  #if SDK_18
    private typealias Perform = () -> Void
  #else
    private typealias Perform = @MainActor () -> Void
  #endif

  private struct Group {
    var name = ""
    var actions: [Action] = []
  }

  private var undos: [Group] = []
  private var redos: [Group] = []
  /// The groups that are not closed yet, the innermost last.
  private var unclosed: [Group] = []
  public private(set) var isUndoing = false
  public private(set) var isRedoing = false
  public var groupsByEvent = true

  nonisolated public init() {}

  public var canUndo: Bool { !undos.isEmpty || unclosed.contains { !$0.actions.isEmpty } }
  public var canRedo: Bool { !redos.isEmpty }
  public var undoActionName: String { (unclosed.first ?? undos.last)?.name ?? "" }
  public var redoActionName: String { redos.last?.name ?? "" }
  public var groupingLevel: Int { unclosed.count }

  public func beginUndoGrouping() {
    if groupsByEvent, unclosed.isEmpty { unclosed.append(Group()) }
    unclosed.append(Group())
  }

  public func endUndoGrouping() {
    guard let group = unclosed.popLast() else { preconditionFailure("endUndoGrouping called with no matching begin") }
    if unclosed.isEmpty {
      guard !group.actions.isEmpty else { return }
      if isUndoing { redos.append(group) } else { undos.append(group) }
    } else {
      unclosed[unclosed.count - 1].actions += group.actions
    }
  }

  /// The number of groups to undo.
  package var undoDepth: Int { undos.count }

  /// Closes the group of an event, as the run loop does at the end of the event.
  package func endEvent() {
    if groupsByEvent, unclosed.count == 1 { endUndoGrouping() }
  }

  #if SDK_18
    // The page of the SDK 18.4 shows `@preconcurrency`, which leaves `@Sendable` out, as it does for `Binding`.
    @preconcurrency
    public func registerUndo<TargetType>(withTarget target: TargetType, handler: @escaping @Sendable (TargetType) -> Void)
    where TargetType: AnyObject {
      register(target) { [unowned target] in handler(target) }
    }
  #else
    @preconcurrency
    public func registerUndo<TargetType>(withTarget target: TargetType, handler: @escaping @MainActor (TargetType) -> Void)
    where TargetType: AnyObject {
      register(target) { [unowned target] in handler(target) }
    }
  #endif

  #if !SDK_18
    @MainActor
  #endif
  private func register(_ target: AnyObject, _ perform: @escaping Perform) {
    if unclosed.isEmpty {
      precondition(groupsByEvent, "must begin a group before registering undo")
      unclosed.append(Group())
    }
    unclosed[unclosed.count - 1].actions.append(Action(target: ObjectIdentifier(target), perform: perform))
    if !isUndoing, !isRedoing { redos = [] }
  }

  public func setActionName(_ actionName: String) {
    if unclosed.isEmpty {
      if !undos.isEmpty { undos[undos.count - 1].name = actionName }
    } else {
      unclosed[0].name = actionName
    }
  }

  public func undo() {
    endEvent()
    precondition(unclosed.isEmpty, "undo was called with too many nested undo groups")
    guard let last = undos.popLast() else { return }
    isUndoing = true
    perform(last)
    isUndoing = false
  }

  public func redo() {
    endEvent()
    precondition(unclosed.isEmpty, "redo was called with too many nested undo groups")
    guard let last = redos.popLast() else { return }
    isRedoing = true
    perform(last)
    isRedoing = false
  }

  private func perform(_ group: Group) {
    unclosed.append(Group(name: group.name))
    for action in group.actions.reversed() { action.perform() }
    endUndoGrouping()
  }

  public func removeAllActions() { (undos, redos, unclosed) = ([], [], []) }

  public func removeAllActions(withTarget target: Any) {
    let id = ObjectIdentifier(target as AnyObject)
    func without(_ groups: [Group]) -> [Group] {
      groups.map { group in
        var group = group
        group.actions.removeAll { $0.target == id }
        return group
      }
    }
    undos = without(undos).filter { !$0.actions.isEmpty }
    redos = without(redos).filter { !$0.actions.isEmpty }
    unclosed = without(unclosed)
  }
}
