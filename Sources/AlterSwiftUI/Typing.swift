import AlterStore

/// The text of an ``EditedField``: the one that it shows, and the one that it sends when the editing ends.
struct Typing {
  typealias Action = @MainActor (String) -> Void

  /// An end of the editing that makes a change.
  struct End {
    /// The typed text.
    let text: String
    /// The action of the element for which the text was typed.
    let action: Action
  }

  private var editing: Editing<String>
  /// The text in the state when the user began to type.
  private var base: String
  /// The action of the element that was shown when the user began to type.
  private var action: Action?

  init(_ text: String) { (editing, base) = (Editing(text), text) }

  /// The text to show in the field.
  var shown: String { editing.shown }

  /// Continues the editing with a typed text, or begins it.
  ///
  /// - Parameters:
  ///   - new: The typed text.
  ///   - text: The text in the state of the element that is shown.
  ///   - action: The action of this element.
  mutating func type(_ new: String, over text: String, action: @escaping Action) {
    if editing.draft == nil {
      // A refused text may still be shown. The next one is compared with the text in the state.
      editing.refresh(text)
      (base, self.action) = (text, action)
    }
    editing.type(new)
  }

  /// Adopts another text of the state, or of another element. Typed text stays.
  mutating func refresh(_ text: String) { editing.refresh(text) }

  /// Ends the editing.
  ///
  /// - Parameters:
  ///   - text: The text in the state of the element that is shown.
  ///   - action: The action of this element.
  ///   - isReturn: Whether the user pressed Return, which sends a refused text again.
  /// - Returns: The change to make; nil if there is none.
  mutating func end(over text: String, action: @escaping Action, isReturn: Bool = false) -> End? {
    let shown = editing.shown
    guard editing.end() != nil || (isReturn && shown != text) else { return nil }
    // The state, or the element that the view shows, has changed since the user began to type.
    if text != base { editing.refresh(text) }
    return End(text: shown, action: self.action ?? action)
  }
}
