// This is not SwiftUI. The parts of this file are for the evaluator of views; code that only imports the module does not see them.

/// A view without a body of its own: it describes itself to the evaluator.
package protocol Primitive {
  var element: Element { get }
}

/// The description of a primitive view: its kind, its subviews with their identities, and what it does on events.
package struct Element {
  package var kind: Kind
  package var children: [Child]
  package var effects: [Effect]

  package init(_ kind: Kind, _ children: [Child] = [], effects: [Effect] = []) {
    (self.kind, self.children, self.effects) = (kind, children, effects)
  }
}

/// A subview, and its identity among its siblings.
package struct Child {
  package var key: AnyHashable
  package var view: any View

  package init(_ key: some Hashable, _ view: any View) { (self.key, self.view) = (AnyHashable(key), view) }
}

/// The kinds of primitive views that a test can find.
package enum Kind {
  case group
  case text(String)
  case image(String)
  case button(role: ButtonRole?, action: @MainActor () -> Void)
  case toggle(Binding<Bool>)
  case field(Binding<String>)
  case picker(select: (AnyHashable) -> Void, selected: () -> AnyHashable)
  case stepper(increment: (() -> Void)?, decrement: (() -> Void)?)
  case link(Pushed?)
  case stack(path: PathAccess?)
  case progress
  case rows(move: ((IndexSet, Int) -> Void)?, delete: ((IndexSet) -> Void)?)
}

/// An effect of a modifier on the view that it modifies.
package enum Effect {
  case appear(() -> Void)
  case disappear(() -> Void)
  case change(any Equatable, isInitial: Bool, action: (any Equatable, any Equatable) -> Void)
  case task(id: AnyHashable, action: Job)
  case alert(AlertParts)
  case submit(() -> Void)
  case focus(isFocused: () -> Bool, set: (Bool) -> Void)
  case environment((inout EnvironmentValues) -> Void)
  case destination((AnyHashable) -> (any View)?)
  case title(String)
  case tag(AnyHashable)
  case disabled(Bool)
  case other
}

/// An alert or a sheet: shown while its binding is true.
package struct AlertParts {
  package var title: String
  package var isPresented: Binding<Bool>
  package var actions: (any View)?
  package var message: (any View)?
  /// Whether the actions and the message are functions of data.
  package var hasData = false
}

/// A screen on a navigation stack.
package enum Pushed {
  case value(AnyHashable)
  case view(any View)
}

/// The path of a navigation stack that the app keeps.
package struct PathAccess {
  package var get: () -> [AnyHashable]
  package var append: (AnyHashable) -> Void
  package var removeLast: () -> Void
}

/// The action of a task.
package final class Job: @unchecked Sendable {
  private let action: @isolated(any) () async -> Void
  package init(_ action: sending @escaping @isolated(any) () async -> Void) { self.action = action }
  package func run() async { await action() }
}

/// A view, and one effect of a modifier.
nonisolated package struct Modified<Content: View>: View, Primitive {
  let content: Content
  let effect: Effect
  package var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child("content", content)], effects: [effect]) }
}

extension View {
  nonisolated func modified(_ effect: Effect) -> Modified<Self> { Modified(content: self, effect: effect) }
}

/// The body of a view that has none.
nonisolated package func primitiveBody() -> Never { preconditionFailure("A primitive view has no body.") }
