#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoViewModels

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
    private let parse: @Sendable (String) throws(Problem) -> Payload
    @State private var problem = FieldProblem()

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - title: The label.
    ///   - text: The text in the state.
    ///   - action: The action.
    ///   - parse: Parses the text.
    init(_ title: String, text: String, action: UserAction<Payload>, parse: @escaping @Sendable (String) throws(Problem) -> Payload) {
      (self.title, self.text, self.action, self.parse) = (title, text, action, parse)
    }

    var body: some View {
      VStack(alignment: .leading) {
        EditedField(title, text: text) { problem.perform($0, action, parse: parse) }
        if let problem = problem.text { Text(problem).font(.caption).foregroundStyle(Color.red) }
      }
    }
  }

  /// A field for a new element. Return makes it and empties the field. A text that can't be parsed stays, with the reason.
  struct NewTextField<Payload, Problem: Error & CustomStringConvertible>: View {
    private let title: String
    private let add: UserAction<Payload>
    private let parse: @Sendable (String) throws(Problem) -> Payload
    @State private var new = NewText()

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - title: The label.
    ///   - add: The action. If it is refused, the text stays.
    ///   - parse: Parses the text.
    init(_ title: String, add: UserAction<Payload>, parse: @escaping @Sendable (String) throws(Problem) -> Payload) {
      (self.title, self.add, self.parse) = (title, add, parse)
    }

    var body: some View {
      VStack(alignment: .leading) {
        TextField(title, text: $new.text).onSubmit { new.submit(add, parse: parse) }
        if let problem = new.problem { Text(problem).font(.caption).foregroundStyle(Color.red) }
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
