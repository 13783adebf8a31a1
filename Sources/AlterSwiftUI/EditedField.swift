#if canImport(SwiftUI)
  import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// A text field that makes one change when the editing ends: by Return, when the field loses focus, or when the view disappears.
  ///
  /// ```swift
  /// EditedField("Title", text: item.title) { list.send(.item(item.id, .title($0))) }
  /// ```
  @MainActor
  public struct EditedField: View {
    private let title: String
    private let text: String
    private let onEnd: @MainActor (String) -> Void
    @State private var editing: Editing<String>
    @FocusState private var isFocused: Bool

    /// Creates a text field.
    ///
    /// - Parameters:
    ///   - title: The label of the field.
    ///   - text: The text in the state. If it changes while the user is typing, the typed text stays.
    ///   - onEnd: Called once when the editing ends, with the new text; not called if the text is the same as in the state.
    public init(_ title: String, text: String, onEnd: @escaping @MainActor (String) -> Void) {
      self.title = title
      self.text = text
      self.onEnd = onEnd
      // Last, and not through `State(initialValue:)`: this form is documented for the wrapper of Xcode 26 and for the macro of Xcode 27.
      editing = Editing(text)
    }

    /// The text field.
    public var body: some View {
      TextField(title, text: Binding(get: { @MainActor in editing.shown }, set: { @MainActor in editing.type($0) }))
        .focused($isFocused)
        .onSubmit { end() }
        .onChange(of: isFocused) { _, isFocused in if !isFocused { end() } }
        .onChange(of: text) { _, text in editing.refresh(text) }
        .onDisappear { end() }
    }

    private func end() {
      if let text = editing.end() { onEnd(text) }
    }
  }
#endif
