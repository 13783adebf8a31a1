#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

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

    /// Returns a binding of a row's control: it shows a value that the row has been given, and its setter sends a change.
    ///
    /// ```swift
    /// List(list.open) { item in
    ///   Toggle(item.title, isOn: $list.binding(for: item.isDone) { .item(item.id, .done($0)) })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - part: The value that the control shows. It is the same until the row is evaluated again.
    ///   - change: Returns the change to a new value.
    @MainActor
    public func binding<Part: Sendable>(
      for part: Part, _ change: @escaping @MainActor @Sendable (Part) -> State.Change
    ) -> Binding<Part> {
      Binding(get: { part }, set: { @MainActor new in self.send(change(new)) })
    }
  }
#endif
