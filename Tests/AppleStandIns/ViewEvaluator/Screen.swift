package import SwiftUI

/// Evaluates a tree of views as SwiftUI would, without drawing it: for tests of views on Linux.
///
/// The screen keeps the state of each view by its identity, evaluates a body again when a value that it has read changes, and counts the
/// evaluations. Tests look at the texts and operate the controls by their labels.
///
/// ## Differences from SwiftUI
///
/// - An update happens when a test reads the screen or operates a control, not with the next frame.
/// - A view is evaluated again at a render of its parent unless all its stored properties are known to be equal. Closures and bindings
///   never are. SwiftUI may know more.
/// - A stack shows only its upmost screen; those below keep their state. A link pushes, and ``Screen/back()`` pops.
/// - A write to a `@State` property evaluates its view again even if its body has not read the property.
/// - `update()` of a custom dynamic property runs on a copy: only its effects on objects last.
@MainActor
package final class Screen {
  private let make: @MainActor () -> any View
  private let environment: EnvironmentValues
  let root = Node(depth: 0)
  let invalidations = Invalidations()
  /// The actions to run when the tree is complete: those of new views and of changed values.
  var actions: [() -> Void] = []
  private var counts: [ObjectIdentifier: Int] = [:]

  /// Evaluates a view.
  ///
  /// - Parameters:
  ///   - environment: The environment of the view.
  ///   - view: Makes the view. It runs at each ``render()``, like the body of a parent.
  package init(environment: EnvironmentValues = EnvironmentValues(), _ view: @escaping @MainActor () -> any View) {
    (make, self.environment) = (view, environment)
    render()
  }

  /// Makes the view again, as a parent does whose body is evaluated, and updates the screen.
  package func render() {
    update(root, with: make(), in: environment, environmentChanged: false)
    settle()
  }

  /// The number of evaluations of the bodies of all views of a type.
  package func bodies<V: View>(of type: V.Type) -> Int { counts[ObjectIdentifier(type)] ?? 0 }

  /// Sets all counts to zero.
  package func resetCounts() { counts = [:] }

  /// Evaluates the bodies whose values have changed, until nothing changes any more.
  package func settle() {
    for _ in 0..<1000 {
      let due = actions
      actions = []
      for action in due { action() }
      let dirty = invalidations.take().filter { $0.key.isAlive && $0.key.generation == $0.value }.keys.sorted { $0.depth < $1.depth }
      for node in dirty where node.isAlive {
        node.isDirty = true
        if let view = node.view { update(node, with: view, in: node.environment, environmentChanged: false) }
      }
      if dirty.isEmpty, actions.isEmpty { return }
    }
    preconditionFailure("The views change each other for ever.")
  }

  /// Waits until a value that a body has read changes, and updates the screen. Returns at once if one has changed already.
  package func nextChange() async {
    await invalidations.wait()
    settle()
  }

  /// Removes all views, as when a window closes.
  package func close() { remove(root) }

  // The update of one view

  func update(_ node: Node, with view: any View, in environment: EnvironmentValues, environmentChanged: Bool) {
    func open<V: View>(_ view: V) {
      if let primitive = view as? any Primitive {
        updatePrimitive(node, view, primitive.element, environment, environmentChanged)
      } else {
        updateComposite(node, view, environment, environmentChanged)
      }
    }
    open(view)
  }

  private func updateComposite<V: View>(_ node: Node, _ view: V, _ environment: EnvironmentValues, _ environmentChanged: Bool) {
    let isSame = node.view.map { isUnchanged($0, view) } ?? false
    node.environment = environment
    guard !isSame || node.isDirty || (environmentChanged && node.readsEnvironment) else {
      if environmentChanged, let child = node.children.first, let view = child.node.view {
        update(child.node, with: view, in: environment, environmentChanged: true)
      }
      return
    }
    node.view = view
    node.isDirty = false
    node.generation += 1
    let generation = node.generation
    node.readsEnvironment = false
    connect(view, to: node, path: "")
    counts[ObjectIdentifier(V.self), default: 0] += 1
    let invalidations = invalidations
    let body = withObservationTracking {
      view.body
    } onChange: {
      invalidations.add(node, generation)
    }
    reconcile(node, [Child("body", body)], environment, environmentChanged)
  }

  private func updatePrimitive(
    _ node: Node, _ view: any View, _ element: Element, _ environment: EnvironmentValues, _ environmentChanged: Bool
  ) {
    var (inner, isChanged) = (environment, environmentChanged)
    let isNew = node.view == nil
    let before = node.element
    (node.view, node.element, node.environment) = (view, element, environment)
    for (index, effect) in element.effects.enumerated() {
      switch effect {
      case .environment(let change):
        change(&inner)
        isChanged = true
      case .appear(let action): if isNew { actions.append(action) }
      case .change(let new, let isInitial, let action):
        if isNew {
          if isInitial { actions.append { action(new, new) } }
        } else if case .change(let old, _, _)? = before?.effects[index], !isEqual(old, new) {
          actions.append { action(old, new) }
        }
      case .alert(let parts):
        // The data of an alert is that of the moment when it appears: SwiftUI ignores later changes.
        if !parts.isPresented.wrappedValue || parts.actions == nil {
          node.shownAlert = nil
        } else if node.shownAlert == nil {
          node.shownAlert = parts
        }
      case .task(let id, let job):
        if isNew || node.taskID != id {
          node.task?.cancel()
          node.taskID = id
          node.task = Task { await job.run() }
        }
      default: break
      }
    }
    reconcile(node, element.children, inner, isChanged)
    guard case .stack(let path) = element.kind else { return }
    // The screens on the stack. Each may declare destinations for those above it.
    var children = element.children
    for (index, target) in (path?.get().map(Pushed.value) ?? node.path).enumerated() {
      let view = target.view { value in destination(of: value, below: node) }
      children.append(Child(index, view))
      reconcile(node, children, inner, isChanged)
    }
  }

  private func destination(of value: AnyHashable, below node: Node) -> (any View)? {
    for case .destination(let make) in node.element?.effects ?? [] {
      if let view = make(value) { return view }
    }
    return node.children.lazy.compactMap { self.destination(of: value, below: $0.node) }.first
  }

  /// Gives each subview its node: the present one if the identity and the type are the same.
  private func reconcile(_ node: Node, _ children: [Child], _ environment: EnvironmentValues, _ environmentChanged: Bool) {
    let present = Dictionary(node.children.map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    var kept: Set<ObjectIdentifier> = []
    var next: [(key: AnyHashable, node: Node)] = []
    for child in children {
      var subnode = Node(depth: node.depth + 1)
      if let old = present[child.key], old.view.map({ type(of: $0) == type(of: child.view) }) ?? false,
        kept.insert(ObjectIdentifier(old)).inserted
      {
        subnode = old
      }
      next.append((child.key, subnode))
    }
    for old in node.children where !kept.contains(ObjectIdentifier(old.node)) { remove(old.node) }
    node.children = next
    for (child, entry) in zip(children, next) {
      update(entry.node, with: child.view, in: environment, environmentChanged: environmentChanged)
    }
  }

  private func remove(_ node: Node) {
    node.isAlive = false
    node.task?.cancel()
    for child in node.children { remove(child.node) }
    for case .disappear(let action)? in node.element?.effects.map(Optional.some) ?? [] { action() }
    // The registrations of observed objects keep the node, which must not keep the objects.
    (node.view, node.element, node.shownAlert) = (nil, nil, nil)
    (node.children, node.slots, node.path) = ([], [:], [])
  }

  /// Connects the dynamic properties of a view to the storage of its identity.
  private func connect(_ value: Any, to node: Node, path: String) {
    for (index, property) in Mirror(reflecting: value).children.enumerated() {
      let path = "\(path).\(property.label ?? String(index))"
      if let linked = property.value as? any Linked {
        let invalidations = invalidations
        // A task may write to the state of a view that has disappeared.
        node.slots[path] = linked.connect(node.slots[path]) { [weak node] in
          MainActor.assumeIsolated { if let node { invalidations.add(node, node.generation) } }
        }
      } else if let reader = property.value as? any EnvironmentReader {
        reader.receive(node.environment)
        node.readsEnvironment = true
      } else if let dynamic = property.value as? any DynamicProperty {
        connect(dynamic, to: node, path: path)
        var copy = dynamic
        copy.update()
      }
    }
  }

  /// Whether all stored properties of two views are known to be equal. Their state and their environment belong to the identity.
  private func isUnchanged(_ one: any View, _ other: any View) -> Bool {
    guard type(of: one) == type(of: other) else { return false }
    let pairs = zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children)
    return pairs.allSatisfy { one, other in
      one.value is any Linked || one.value is any EnvironmentReader || isEqual(one.value, other.value)
    }
  }
}

/// The place of a view in the tree: its identity.
@MainActor
final class Node {
  nonisolated let depth: Int
  var view: (any View)?
  var element: Element?
  var environment = EnvironmentValues()
  var children: [(key: AnyHashable, node: Node)] = []
  /// The storage of its states, by the path of the property.
  var slots: [String: AnyObject] = [:]
  var isAlive = true
  var isDirty = false
  var readsEnvironment = false
  /// The number of evaluations of its body: a change of a value that only an earlier evaluation has read means nothing.
  var generation = 0
  var task: Task<Void, Never>?
  var taskID: AnyHashable?
  /// The screens on a navigation stack whose path the app does not keep.
  var path: [Pushed] = []
  /// The alert as it was when it appeared.
  var shownAlert: AlertParts?

  init(depth: Int) { self.depth = depth }
}

extension Node: Hashable {
  nonisolated static func == (one: Node, other: Node) -> Bool { one === other }
  nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Pushed {
  /// The view of the screen. As in SwiftUI, a value without a destination shows no error, but a warning sign.
  func view(_ destination: (AnyHashable) -> (any View)?) -> any View {
    switch self {
    case .value(let value): destination(value) ?? Text(verbatim: "No destination for '\(value)'")
    case .view(let view): view
    }
  }
}

/// The nodes whose body has to be evaluated again. Changes come from any thread.
final class Invalidations: @unchecked Sendable {
  private let lock = NSLock()
  private var nodes: [Node: Int] = [:]
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func add(_ node: Node, _ generation: Int) {
    lock.lock()
    nodes[node] = max(nodes[node] ?? 0, generation)
    let woken = waiting
    waiting = []
    lock.unlock()
    for continuation in woken { continuation.resume() }
  }

  func take() -> [Node: Int] {
    lock.withLock {
      defer { nodes = [:] }
      return nodes
    }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isDue = lock.withLock {
        if nodes.isEmpty { waiting.append(continuation) }
        return !nodes.isEmpty
      }
      if isDue { continuation.resume() }
    }
  }
}
