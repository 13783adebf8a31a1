#if canImport(SwiftUI)
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// A text field that makes one change when the editing ends: by Return, when the field loses focus, or when the view disappears.
  ///
  /// ```swift
  /// EditedField("Title", text: item.title) { list.send(.item(item.id, .title($0))) }
  /// ```
  ///
  /// If the change is refused, the typed text stays in the field until the state's text changes; Return sends it again.
  ///
  /// A view that can come to show another element, as the detail of a selection, gives the field the identity of its element: `.id(item.id)`.
  /// The typed text then goes to the element for which it was typed, and the field of the other one shows its own text at once.
  @MainActor
  public struct EditedField: View {
    private let title: Text
    private let text: String
    private let onEnd: @MainActor (String) -> Void
    @State private var typing: Typing
    @FocusState private var isFocused: Bool

    /// Creates a text field whose label is a key of the app's string catalog.
    ///
    /// - Parameters:
    ///   - titleKey: The label of the field.
    ///   - text: The text in the state. If it changes while the user is typing, the typed text stays.
    ///   - onEnd: Called once when the editing ends, with the new text; not called if the text is the same as in the state. The function
    ///     that the field had when the user began to type is called.
    public init(_ titleKey: LocalizedStringKey, text: String, onEnd: @escaping @MainActor (String) -> Void) {
      self.init(title: Text(titleKey), text: text, onEnd: onEnd)
    }

    /// Creates a text field whose label is a string that is not localized.
    ///
    /// - Parameters:
    ///   - title: The label of the field.
    ///   - text: The text in the state. If it changes while the user is typing, the typed text stays.
    ///   - onEnd: Called once when the editing ends, with the new text; not called if the text is the same as in the state. The function
    ///     that the field had when the user began to type is called.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, text: String, onEnd: @escaping @MainActor (String) -> Void) {
      self.init(title: Text(title), text: text, onEnd: onEnd)
    }

    private init(title: Text, text: String, onEnd: @escaping @MainActor (String) -> Void) {
      self.title = title
      self.text = text
      self.onEnd = onEnd
      // Last, and not through `State(initialValue:)`: this form is documented for the wrapper of Xcode 26 and for the macro of Xcode 27.
      typing = Typing(text)
    }

    /// The text field.
    public var body: some View {
      TextField(text: Binding(get: { @MainActor in typing.shown }, set: { @MainActor in type($0) })) { title }
        .focused($isFocused)
        .onSubmit { end(isReturn: true) }
        .onChange(of: isFocused) { _, isFocused in if !isFocused { end() } }
        .onChange(of: text) { _, text in typing.refresh(text) }
        .onDisappear { end() }
    }

    private func type(_ new: String) { typing.type(new, over: text, action: onEnd) }

    private func end(isReturn: Bool = false) {
      if let end = typing.end(over: text, action: onEnd, isReturn: isReturn) { end.action(end.text) }
    }
  }
#endif
