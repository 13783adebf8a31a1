/// A value that the user is editing. The draft is kept apart from the state until the editing ends, so that it becomes one change, not one
/// per keystroke.
///
/// ```swift
/// var title = Editing(item.title)
/// title.type("Buy m")
/// title.type("Buy milk")
/// if let text = title.end() { list.send(.item(item.id, .title(text))) }   // one change; none if the title is the same
/// ```
///
/// This is a pure value: it serves a SwiftUI text field, a line of a terminal, or an input of a page.
public struct Editing<Value: Equatable & Sendable>: Sendable, Equatable {
  /// The value in the state.
  package private(set) var current: Value
  /// The value that the user has typed; nil unless the user is editing.
  package private(set) var draft: Value?
  /// The value in the state when the editing began.
  private var beginning: Value?

  /// Creates a value that is not being edited.
  ///
  /// - Parameter current: The value in the state.
  public init(_ current: Value) { self.current = current }

  /// The value to show in the field: the draft during editing, otherwise the value in the state.
  public var shown: Value { draft ?? current }

  /// Begins or continues the editing with the value that the user has typed.
  public mutating func type(_ value: Value) {
    if draft == nil { beginning = current }
    draft = value
  }

  /// Adopts a new value of the state. The draft stays.
  public mutating func refresh(_ value: Value) { current = value }

  /// Ends the editing.
  ///
  /// - Returns: The value to send as a change; nil if nothing was typed, if the typed value is the one with which the editing began, or if the state
  ///   has it already. So a value that is changed and changed back does not overwrite the value of another writer.
  public mutating func end() -> Value? {
    defer { (draft, beginning) = (nil, nil) }
    guard let draft, draft != current, draft != beginning else { return nil }
    // Until the state has the new value, the field shows the typed one.
    current = draft
    return draft
  }

  /// Ends the editing and discards the draft.
  public mutating func cancel() { (draft, beginning) = (nil, nil) }
}
