#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  // Controls for user actions. The payload of an action is the value of its control.

  extension Button where Label == Text {
    /// A button that performs an action.
    @MainActor
    init(_ title: String, role: ButtonRole? = nil, action: UserAction<Void>) {
      self.init(title, role: role) { _ = action() }
    }
  }

  extension Toggle where Label == Text {
    /// A toggle whose action receives the new value.
    @MainActor
    init(_ title: String, isOn: Bool, action: UserAction<Bool>) {
      self.init(title, isOn: .of(isOn, action))
    }
  }

  extension Picker where Label == Text, SelectionValue: Sendable {
    /// A picker whose action receives the selected value.
    @MainActor
    init(_ title: String, selection: SelectionValue, action: UserAction<SelectionValue>, @ViewBuilder content: () -> Content) {
      self.init(title, selection: .of(selection, action), content: content)
    }
  }

  extension DatePicker where Label == Text {
    /// A picker of a day whose action receives the selected date.
    @MainActor
    init(_ title: LocalizedStringKey, day: Date, action: UserAction<Date>) {
      self.init(title, selection: .of(day, action), displayedComponents: .date)
    }
  }

  extension EditedField {
    /// A text field whose action receives the parsed text, once the editing ends.
    ///
    /// - Parameters:
    ///   - title: The label.
    ///   - text: The text in the state.
    ///   - action: The action.
    ///   - refusals: Receives the error of a text that can't be parsed. No change is made then.
    ///   - payload: Parses the text.
    init<Payload>(
      _ title: String, text: String, action: UserAction<Payload>, _ refusals: Refusals?,
      payload: @escaping @MainActor (String) throws -> Payload
    ) {
      self.init(title, text: text) { typed in
        do { _ = action(try payload(typed)) } catch { refusals?.message = "\(error)" }
      }
    }
  }

  extension Binding where Value: Sendable {
    /// A binding whose setter performs an action.
    @MainActor
    fileprivate static func of(_ value: Value, _ action: UserAction<Value>) -> Binding<Value> {
      Binding(get: { value }, set: { _ = action($0) })
    }
  }
#endif
