package import SwiftUI

/// An alert on the screen.
package struct ShownAlert: Equatable {
  package var title: String
  package var message: String
  /// The labels of the buttons; 'OK' if the alert declares none.
  package var buttons: [String]

  package init(title: String, message: String, buttons: [String]) {
    (self.title, self.message, self.buttons) = (title, message, buttons)
  }
}

extension Screen {
  /// All texts, in order, those of labels included.
  package var texts: [String] {
    settle()
    return texts(below: root)
  }

  /// The innermost title of the navigation.
  package var title: String? {
    settle()
    var title: String?
    visit(root) { node, _ in
      for case .title(let text) in node.element?.effects ?? [] { title = text }
    }
    return title
  }

  // Controls, found by their label. A label that no control has is an error of the test.

  /// Presses a button.
  package func press(_ label: String) {
    operate(label, "button") { kind, _ in
      guard case .button(_, let action) = kind else { return false }
      action()
      return true
    }
  }

  /// Whether a toggle is on.
  package func isOn(_ label: String) -> Bool {
    var isOn = false
    operate(label, "toggle") { kind, _ in
      guard case .toggle(let binding) = kind else { return false }
      isOn = binding.wrappedValue
      return true
    }
    return isOn
  }

  /// Turns a toggle on or off.
  package func turn(_ label: String, on isOn: Bool) {
    operate(label, "toggle") { kind, _ in
      guard case .toggle(let binding) = kind else { return false }
      binding.wrappedValue = isOn
      return true
    }
  }

  /// The text that a field shows.
  package func field(_ label: String) -> String {
    var text = ""
    operate(label, "field") { kind, _ in
      guard case .field(let binding) = kind else { return false }
      text = binding.wrappedValue
      return true
    }
    return text
  }

  /// Moves the focus to a field and replaces its text.
  package func enter(_ text: String, into label: String) {
    operate(label, "field") { kind, effects in
      guard case .field(let binding) = kind else { return false }
      for case .focus(_, let set) in effects { set(true) }
      binding.wrappedValue = text
      return true
    }
  }

  /// Presses Return in a field.
  package func submit(_ label: String) {
    operate(label, "field") { kind, effects in
      guard case .field = kind else { return false }
      for case .submit(let action) in effects { action() }
      return true
    }
  }

  /// Takes the focus from a field.
  package func leave(_ label: String) {
    operate(label, "field") { kind, effects in
      guard case .field = kind else { return false }
      for case .focus(_, let set) in effects { set(false) }
      return true
    }
  }

  /// Selects a value in a picker, by its tag.
  package func choose(_ value: some Hashable, in label: String) {
    operate(label, "picker") { kind, _ in
      guard case .picker(let select, _) = kind else { return false }
      select(AnyHashable(value))
      return true
    }
  }

  /// Presses a stepper's plus (1) or minus (-1).
  package func step(_ label: String, by direction: Int) {
    operate(label, "stepper") { kind, _ in
      guard case .stepper(let increment, let decrement) = kind else { return false }
      (direction > 0 ? increment : decrement)?()
      return true
    }
  }

  /// Follows a link of a navigation stack.
  package func follow(_ label: String) {
    settle()
    var target: (link: Pushed, stack: Node)?
    var stacks: [Node] = []
    visit(root) { node, _ in
      if case .stack? = node.element?.kind { stacks.append(node) }
      if target == nil, case .link(let link?)? = node.element?.kind, let stack = stacks.last,
        texts(below: node).joined(separator: " ") == label
      {
        target = (link, stack)
      }
    }
    guard let (link, stack) = target else { preconditionFailure("The screen has no link '\(label)'. It shows: \(texts)") }
    change(stack) { path in
      if case .value(let value) = link, let path { path.append(value) } else { stack.path.append(link) }
    }
  }

  /// Goes back to the screen below on the innermost navigation stack.
  package func back() {
    settle()
    var stacks: [Node] = []
    visit(root) { node, _ in if case .stack? = node.element?.kind, node.children.count > 1 { stacks.append(node) } }
    guard let stack = stacks.last else { preconditionFailure("The screen is the lowest one.") }
    change(stack) { path in if let path { path.removeLast() } else { stack.path.removeLast() } }
  }

  private func change(_ stack: Node, _ action: (PathAccess?) -> Void) {
    guard case .stack(let path)? = stack.element?.kind, let view = stack.view else { return }
    action(path)
    if path == nil { update(stack, with: view, in: stack.environment, environmentChanged: false) }
    settle()
  }

  /// Whether the screen has a list that can move rows.
  package var canMove: Bool {
    settle()
    var canMove = false
    visit(root) { node, _ in
      if case .rows(_?, _)? = node.element?.kind { canMove = true }
    }
    return canMove
  }

  /// Moves rows of the first list that can move them.
  package func move(_ source: IndexSet, to destination: Int) {
    rows { move, _ in
      move?(source, destination)
      return move != nil
    }
  }

  /// Deletes rows of the first list that can delete them.
  package func delete(_ offsets: IndexSet) {
    rows { _, delete in
      delete?(offsets)
      return delete != nil
    }
  }

  // Alerts

  /// The alert on the screen; nil if none is presented.
  package var alert: ShownAlert? {
    settle()
    guard let parts = presented else { return nil }
    let buttons = (parts.actions.map { self.buttons(of: $0) } ?? []).map(\.label)
    let message = parts.message.map { texts(below: detached($0)).joined(separator: " ") } ?? ""
    return ShownAlert(title: parts.title, message: message, buttons: buttons.isEmpty ? ["OK"] : buttons)
  }

  /// Presses a button of the alert, which dismisses it.
  package func pressInAlert(_ label: String) {
    settle()
    guard let parts = presented else { preconditionFailure("No alert is presented.") }
    let buttons = parts.actions.map { self.buttons(of: $0) } ?? []
    if let button = buttons.first(where: { $0.label == label }) {
      button.action()
    } else {
      precondition(buttons.isEmpty && label == "OK", "The alert has no button '\(label)'. It has: \(buttons.map(\.label))")
    }
    parts.isPresented.wrappedValue = false
    settle()
  }

  // The search

  private var presented: AlertParts? {
    var found: AlertParts?
    visit(root) { node, _ in
      for case .alert(let parts) in node.element?.effects ?? [] where found == nil && parts.isPresented.wrappedValue && parts.actions != nil
      {
        found = parts.hasData ? node.shownAlert ?? parts : parts
      }
    }
    return found
  }

  private func detached(_ view: any View) -> Node {
    let node = Node(depth: 0)
    update(node, with: view, in: EnvironmentValues(), environmentChanged: false)
    return node
  }

  private func buttons(of view: any View) -> [(label: String, action: @MainActor () -> Void)] {
    let node = detached(view)
    var buttons: [(label: String, action: @MainActor () -> Void)] = []
    visit(node) { node, _ in
      if case .button(_, let action)? = node.element?.kind { buttons.append((texts(below: node).joined(separator: " "), action)) }
    }
    return buttons
  }

  private func texts(below node: Node) -> [String] {
    var texts: [String] = []
    visit(node) { node, _ in if case .text(let text)? = node.element?.kind { texts.append(text) } }
    return texts
  }

  /// Visits all nodes below one, with the effects of the modifiers around them, the innermost last.
  private func visit(_ node: Node, _ effects: [Effect] = [], _ action: (Node, [Effect]) -> Void) {
    let effects = effects + (node.element?.effects ?? [])
    action(node, effects)
    // Of a navigation stack, only the upmost screen is shown.
    if case .stack? = node.element?.kind, let last = node.children.last { return visit(last.node, effects, action) }
    for child in node.children { visit(child.node, effects, action) }
  }

  private func operate(_ label: String, _ name: String, _ action: (Kind, [Effect]) -> Bool) {
    settle()
    var matches: [(Kind, [Effect])] = []
    visit(root) { node, effects in
      guard let kind = node.element?.kind else { return }
      switch kind {
      case .button, .toggle, .field, .picker, .stepper:
        // A picker's label is its first subview; the others are its options.
        let labelled = if case .picker = kind, let first = node.children.first { first.node } else { node }
        if texts(below: labelled).joined(separator: " ") == label { matches.append((kind, effects)) }
      default: break
      }
    }
    guard let (_, effects) = matches.first(where: { action($0.0, $0.1) }) else {
      preconditionFailure("The screen has no \(name) '\(label)'. It shows: \(texts)")
    }
    for case .disabled(true) in effects { preconditionFailure("The \(name) '\(label)' is disabled.") }
    settle()
  }

  private func rows(_ action: (((IndexSet, Int) -> Void)?, ((IndexSet) -> Void)?) -> Bool) {
    settle()
    var isDone = false
    visit(root) { node, _ in
      if !isDone, case .rows(let move, let delete)? = node.element?.kind { isDone = action(move, delete) }
    }
    precondition(isDone, "No list on the screen can do that.")
    settle()
  }
}
