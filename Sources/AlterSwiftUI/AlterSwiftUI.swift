#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // Not compiled on Linux: the logic is in `Observed` and `Editing`, which are.

  extension Observed {
    /// A binding whose setter sends a change: for toggles, pickers and steppers, where each step is a change of its own.
    ///
    /// ```swift
    /// Toggle("Done", isOn: item.binding(\.isDone) { .item(id, .done($0)) })
    /// ```
    ///
    /// For text use ``EditedField``: a binding would make one change a keystroke.
    ///
    /// - Parameters:
    ///   - part: What the control shows.
    ///   - change: The change that makes it another.
    @MainActor
    public func binding<Part>(
      _ part: KeyPath<Value, Part> & Sendable, _ change: @escaping @MainActor @Sendable (Part) -> State.Change
    ) -> Binding<Part> {
      Binding(
        get: { @MainActor in self.value[keyPath: part] },
        set: { @MainActor new in self.send(change(new)) })
    }
  }

  /// A text field that makes one change when editing ends: by Return, by leaving the field, or when the view goes away.
  ///
  /// ```swift
  /// EditedField("Title", text: item.title) { list.send(.item(item.id, .title($0))) }
  /// ```
  @MainActor
  public struct EditedField: View {
    private let title: String
    private let text: String
    private let onEnd: @MainActor (String) -> Void
    @SwiftUI.State private var editing: Editing<String>
    @FocusState private var isFocused: Bool

    /// A text field.
    ///
    /// - Parameters:
    ///   - title: What it is called.
    ///   - text: What the state says. When it changes while somebody types, what they type stays.
    ///   - onEnd: Called once when editing ends, with the new text; not when it is as before.
    public init(_ title: String, text: String, onEnd: @escaping @MainActor (String) -> Void) {
      self.title = title
      self.text = text
      self.onEnd = onEnd
      _editing = SwiftUI.State(initialValue: Editing(text))
    }

    /// The field.
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

  extension Store {
    /// A store in memory for a preview: a state, and the changes that lead to what the preview shows.
    ///
    /// ```swift
    /// #Preview("Overdue") { ListView(store: .preview(AppState(), .add(.item(overdue)))) }
    /// ```
    ///
    /// A change that is refused stops the preview with its reason.
    public static func preview(_ state: State, _ changes: State.Change...) -> Store {
      let store = Store(state)
      for change in changes {
        do { try store.change(change) } catch { preconditionFailure("A preview's change can't be made: \(error)") }
      }
      return store
    }
  }
#endif
