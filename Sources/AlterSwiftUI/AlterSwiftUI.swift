#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // This file is not compiled on Linux. `Observed` and `Editing`, which contain the logic, are.

  extension Observed {
    /// Returns a binding whose setter sends a change, for toggles, pickers and steppers, where each step is a change of its own.
    ///
    /// ```swift
    /// Toggle("Done", isOn: item.binding(\.isDone) { .item(id, .done($0)) })
    /// ```
    ///
    /// For text use ``EditedField``: this binding would make one change per keystroke.
    ///
    /// - Parameters:
    ///   - part: The part of the value that the control shows.
    ///   - change: Returns the change to a new value of the part.
    @MainActor
    public func binding<Part>(
      _ part: KeyPath<Value, Part> & Sendable, _ change: @escaping @MainActor @Sendable (Part) -> State.Change
    ) -> Binding<Part> {
      Binding(
        get: { @MainActor in self.value[keyPath: part] },
        set: { @MainActor new in self.send(change(new)) })
    }
  }

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
    @SwiftUI.State private var editing: Editing<String>
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
      _editing = SwiftUI.State(initialValue: Editing(text))
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

  extension Store {
    /// Creates a store in memory for a preview: a state, and the changes that lead to the state to show.
    ///
    /// ```swift
    /// #Preview("Overdue") { ListView(store: .preview(AppState(), .add(.item(overdue)))) }
    /// ```
    ///
    /// A refused change stops the preview with the reason.
    public static func preview(_ state: State, _ changes: State.Change...) -> Store {
      let store = Store(state)
      for change in changes {
        do { try store.change(change) } catch { preconditionFailure("A preview's change can't be made: \(error)") }
      }
      return store
    }
  }
#endif
