#if Macros
  import SwiftSyntax

  /// A case of an enum of changes, with its stored form.
  struct ChangeCase {
    /// One value of the payload.
    struct Value {
      /// The label in the source; nil if the value has none.
      let label: String?
      let type: String
      /// The name of the value in stored data. Only a payload of several values uses it.
      let wireName: String
      let defaultValue: String?
      /// A private type alias for the type, which is an error if the type can't be stored. In expressions with it, the compiler reports nothing
      /// else. Nil if the type is known to be stored.
      var checked: String?

      /// The type alias behind an expression of the type.
      var cast: String { checked.map { " as \($0)" } ?? "" }
      /// The type alias as an argument.
      var metatype: String { checked.map { "\($0).self" } ?? "" }
    }

    /// The name as source code, with backticks if it needs them.
    let name: String
    /// The name in stored data.
    let wireName: String
    let olderNames: [String]
    let values: [Value]
    let isIndirect: Bool
    let documentation: [String]

    init(
      _ name: String, olderNames: [String] = [], _ values: [Value] = [], isIndirect: Bool = false, documentation: [String] = []
    ) {
      self.wireName = name.unquoted
      self.name = name.unquoted.quotedIfNecessary
      self.olderNames = olderNames
      self.values = values
      self.isIndirect = isIndirect
      self.documentation = documentation
    }

    /// Whether the payload is an id and a change of the element with that id.
    var isPath: Bool { values.map(\.wireName) == ["id", "change"] && values.allSatisfy { $0.label == nil } }

    /// The declaration of the case, with its documentation.
    var declaration: String {
      let values = values.map { value in
        (value.label.map { "\($0): " } ?? "") + value.type + (value.defaultValue.map { " = \($0)" } ?? "")
      }
      let payload = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
      return (documentation + ["\(isIndirect ? "indirect " : "")case \(name)\(payload)"]).joined(separator: "\n")
    }

    /// Names that bind the values of the payload in a pattern.
    var bindings: [String] {
      if values.count == 1 { return ["value"] }
      return values.map(\.wireName.quotedIfNecessary)
    }

    /// A pattern that binds the payload: `.item(let id, let change)`.
    var pattern: String { values.isEmpty ? ".\(name)" : ".\(name)(\(bindings.map { "let \($0)" }.joined(separator: ", ")))" }

    /// An expression that makes the case from its arguments: `.item(id, change)`. Labels are included.
    func construction(_ arguments: [String]) -> String {
      guard !values.isEmpty else { return ".\(name)" }
      let labelled = zip(values, arguments).map { value, argument in (value.label.map { "\($0): " } ?? "") + argument }
      return ".\(name)(\(labelled.joined(separator: ", ")))"
    }
  }
#endif
