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
      self.init(title, role: role) { action() }
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

  /// A text field whose action receives the parsed text, once the editing ends. A text that can't be parsed makes no change; the field shows
  /// the reason.
  struct ParsedField<Payload, Problem: Error & CustomStringConvertible>: View {
    private let title: String
    private let text: String
    private let action: UserAction<Payload>
    private let payload: @MainActor (String) throws(Problem) -> Payload
    @State private var problem: String?

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - title: The label.
    ///   - text: The text in the state.
    ///   - action: The action.
    ///   - payload: Parses the text.
    init(_ title: String, text: String, action: UserAction<Payload>, payload: @escaping @MainActor (String) throws(Problem) -> Payload) {
      (self.title, self.text, self.action, self.payload) = (title, text, action, payload)
    }

    var body: some View {
      VStack(alignment: .leading) {
        EditedField(title, text: text) { end($0) }
        if let problem { Text(problem).font(.caption).foregroundStyle(Color.red) }
      }
    }

    private func end(_ typed: String) {
      do throws(Problem) {
        action(try payload(typed))
        problem = nil
      } catch {
        problem = error.description
      }
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
