#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

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
#endif
