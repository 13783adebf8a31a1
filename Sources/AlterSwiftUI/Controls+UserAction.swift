#if canImport(SwiftUI)
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  // Controls for user actions. The payload of an action is the value of its control.

  extension Button where Label == Text {
    /// Creates a button that performs an action.
    ///
    /// - Parameters:
    ///   - title: The label, which is not localized.
    ///   - role: The role of the button.
    ///   - action: The action.
    @MainActor
    public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: UserAction<Void>) {
      self.init(title, role: role) { action() }
    }
  }

  extension Toggle where Label == Text {
    /// Creates a toggle whose action receives the new value.
    ///
    /// - Parameters:
    ///   - title: The label, which is not localized.
    ///   - isOn: The value in the state.
    ///   - action: The action.
    @MainActor
    public init(_ title: some StringProtocol, isOn: Bool, action: UserAction<Bool>) {
      self.init(title, isOn: .of(isOn, action))
    }
  }

  extension Picker where Label == Text, SelectionValue: Sendable {
    /// Creates a picker whose action receives the selected value.
    ///
    /// - Parameters:
    ///   - title: The label, which is not localized.
    ///   - selection: The value in the state.
    ///   - action: The action.
    ///   - content: The values, as views.
    @MainActor
    public init(
      _ title: some StringProtocol, selection: SelectionValue, action: UserAction<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
      self.init(title, selection: .of(selection, action), content: content)
    }
  }

  extension DatePicker where Label == Text {
    /// Creates a picker of a day whose action receives the selected date.
    ///
    /// - Parameters:
    ///   - titleKey: The label, a key of the app's string catalog.
    ///   - day: The date in the state.
    ///   - action: The action.
    @MainActor
    public init(_ titleKey: LocalizedStringKey, day: Date, action: UserAction<Date>) {
      self.init(titleKey, selection: .of(day, action), displayedComponents: .date)
    }
  }

  extension Binding where Value: Sendable {
    /// A binding whose setter performs an action.
    @MainActor
    fileprivate static func of(_ value: Value, _ action: UserAction<Value>) -> Binding<Value> {
      Binding(get: { value }, set: { @MainActor in action($0) })
    }
  }
#endif
