#if Macros
  import SwiftParser
  import SwiftSyntax

  /// A case of an enum of changes, and its stored form.
  struct ChangeCase {
    /// A value of its payload.
    struct Value {
      /// As in the source; nil when it has none.
      let label: String?
      let type: String
      /// Its name in stored data, where there are several.
      let wireName: String
      let defaultValue: String?
    }

    /// As it must be written in source.
    let name: String
    let olderNames: [String]
    let values: [Value]
    let isIndirect: Bool
    let documentation: [String]

    init(
      _ name: String, olderNames: [String] = [], _ values: [Value] = [], isIndirect: Bool = false, documentation: [String] = []
    ) {
      self.name = name.unquoted.isValidSwiftIdentifier(for: .variableName) ? name.unquoted : "`\(name.unquoted)`"
      self.olderNames = olderNames
      self.values = values
      self.isIndirect = isIndirect
      self.documentation = documentation
    }

    var wireName: String { name.unquoted }

    /// Whether it says whom it is about, and what happens there.
    var isPath: Bool { values.map(\.wireName) == ["id", "change"] && values.allSatisfy { $0.label == nil } }

    /// Its declaration, with its documentation.
    var declaration: String {
      let values = values.map { value in
        (value.label.map { "\($0): " } ?? "") + value.type + (value.defaultValue.map { " = \($0)" } ?? "")
      }
      let payload = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
      return (documentation + ["\(isIndirect ? "indirect " : "")case \(name)\(payload)"]).joined(separator: "\n")
    }

    /// Names for the payload's values, for a pattern.
    var bindings: [String] {
      if values.count == 1 { return ["value"] }
      return values.map { $0.wireName.isValidSwiftIdentifier(for: .variableName) ? $0.wireName : "`\($0.wireName)`" }
    }

    /// `.item(let id, let change)`
    var pattern: String { values.isEmpty ? ".\(name)" : ".\(name)(\(bindings.map { "let \($0)" }.joined(separator: ", ")))" }

    /// `.item(id, change)`, with the labels that a call needs.
    func construction(_ arguments: [String]) -> String {
      guard !values.isEmpty else { return ".\(name)" }
      let labelled = zip(values, arguments).map { value, argument in (value.label.map { "\($0): " } ?? "") + argument }
      return ".\(name)(\(labelled.joined(separator: ", ")))"
    }
  }
#endif
