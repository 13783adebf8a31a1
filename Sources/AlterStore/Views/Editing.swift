/// What somebody is editing: kept apart from the state until they are done, so that it becomes one change and not one a keystroke.
///
/// ```swift
/// var title = Editing(item.title)
/// title.type("Buy m")
/// title.type("Buy milk")
/// if let text = title.end() { list.send(.item(item.id, .title(text))) }   // one change; none when nothing is altered
/// ```
///
/// A pure value: the same for a text field of SwiftUI, a line of a terminal or an input of a page.
public struct Editing<Value: Equatable & Sendable>: Sendable, Equatable {
  /// What the state says.
  public private(set) var current: Value
  /// What is typed; nil while nobody edits.
  public private(set) var draft: Value?

  /// Nobody edits yet.
  ///
  /// - Parameter current: What the state says.
  public init(_ current: Value) { self.current = current }

  /// What the field shows.
  public var shown: Value { draft ?? current }

  /// Takes what was typed.
  public mutating func type(_ value: Value) { draft = value }

  /// Takes what the state says now. What is being typed stays.
  public mutating func refresh(_ value: Value) { current = value }

  /// Ends the editing.
  ///
  /// - Returns: What is to become of it; nil when that is what the state says already.
  public mutating func end() -> Value? {
    defer { draft = nil }
    guard let draft, draft != current else { return nil }
    // Until the state says so, too, the field shows what was typed.
    current = draft
    return draft
  }

  /// Leaves the value as it is.
  public mutating func cancel() { draft = nil }
}
