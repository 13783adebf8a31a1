#if Macros
  import SwiftSyntax

  extension Model {
    /// The struct with the properties as variables, through which a change is made in place.
    var fieldsType: String? {
      guard access == .fields else { return nil }
      let lines = properties.map { "\($0.isAlterable ? "var" : "let") \($0.name): \($0.type)" }
      return """
        /// The same properties in the same order, open to a change.
        private struct _Fields {
        \(lines.joined(separator: "\n").indented)
        }
        """
    }
  }

  extension StructDeclSyntax {
    /// Whether it stores what is written in it as a stored property, as it is written, and nothing else.
    ///
    /// Only of such a struct another one with the same layout can be written. A macro or a property wrapper may store more, or
    /// something else, and what that is can't be seen from here.
    var showsItsLayout: Bool {
      attributes.areHarmless && memberBlock.members.allSatisfy { $0.decl.showsWhatItStores }
    }
  }

  extension DeclSyntax {
    fileprivate var showsWhatItStores: Bool {
      if self.is(MacroExpansionDeclSyntax.self) { return false }
      if let condition = self.as(IfConfigDeclSyntax.self) {
        // A stored property on its first level is refused.
        return condition.clauses.allSatisfy { clause in
          guard case .decls(let members) = clause.elements else { return clause.elements == nil }
          return members.allSatisfy { !$0.decl.is(IfConfigDeclSyntax.self) && $0.decl.showsWhatItStores }
        }
      }
      if let attributed = asProtocol(WithAttributesSyntax.self), !attributed.attributes.areHarmless { return false }
      guard let modifiers = self.as(VariableDeclSyntax.self)?.modifiers else { return true }
      // `weak` and `unowned` store something else than the type says.
      let known = ["public", "package", "internal", "fileprivate", "private", "static", "nonisolated", "mutating", "nonmutating"]
      return modifiers.allSatisfy { known.contains($0.name.text) && ["set", nil].contains($0.detail?.detail.text) }
    }
  }

  extension AttributeListSyntax {
    /// Whether none of them can be a macro or a property wrapper that stores something.
    fileprivate var areHarmless: Bool {
      allSatisfy { element in
        guard case .attribute(let attribute) = element else { return false }
        let name = attribute.attributeName.trimmedDescription
        return Self.harmless.contains(name) || Self.ours.contains(name)
          || Self.ours.contains { name == "Alter.\($0)" || name == "AlterMacros.\($0)" }
      }
    }

    private static let ours: Set = ["Alterable", "Default", "Each", "Fixed", "Nested", "Renamed", "Stamped", "Wire"]
    private static let harmless: Set = [
      "_spi", "available", "discardableResult", "dynamicMemberLookup", "frozen", "inlinable", "inline", "MainActor", "preconcurrency",
      "Sendable",
      "usableFromInline",
    ]
  }
#endif
