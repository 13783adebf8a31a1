#if Macros
  import SwiftSyntax

  extension Model {
    /// The type aliases through which the compiler checks that the properties can be stored; nil if all are known to be.
    var storedTypes: String? {
      isBroken
        ? nil : StoredCoding.types(properties.compactMap { property in property.checked.map { ($0, property.type) } }, of: "properties")
    }

    /// The struct with the same properties as variables; a change of `let` properties is made through it. Nil if it is not needed or not
    /// possible.
    var fieldsType: String? {
      guard access == .fields, !isBroken else { return nil }
      let lines = properties.map { "\($0.isAlterable ? "var" : "let") \($0.name): \($0.type)" }
      return """
        /// The same properties in the same order, open to a change.
        private nonisolated struct _Fields {
        \(lines.joined(separator: "\n").indented)
        }
        """
    }
  }

  extension StructDeclSyntax {
    /// Whether the struct's stored properties are exactly the ones written in its declaration, with the types written there.
    ///
    /// Only for such a struct can the macro generate another one with the same layout. A macro or a property wrapper may store more, or
    /// other types, and `@Alterable` cannot see which.
    var showsItsLayout: Bool {
      attributes.areHarmless && memberBlock.members.allSatisfy { $0.decl.showsWhatItStores }
    }
  }

  extension DeclSyntax {
    fileprivate var showsWhatItStores: Bool {
      if self.is(MacroExpansionDeclSyntax.self) { return false }
      if let condition = self.as(IfConfigDeclSyntax.self) {
        // A stored property directly under the condition is reported as an error elsewhere.
        return condition.clauses.allSatisfy { clause in
          guard case .decls(let members) = clause.elements else { return clause.elements == nil }
          return members.allSatisfy { !$0.decl.is(IfConfigDeclSyntax.self) && $0.decl.showsWhatItStores }
        }
      }
      if let attributed = asProtocol(WithAttributesSyntax.self), !attributed.attributes.areHarmless { return false }
      guard let modifiers = self.as(VariableDeclSyntax.self)?.modifiers else { return true }
      // `weak` and `unowned` store another type than the written one.
      let known = ["public", "package", "internal", "fileprivate", "private", "static", "nonisolated", "mutating", "nonmutating"]
      return modifiers.allSatisfy { known.contains($0.name.text) && ["set", nil].contains($0.detail?.detail.text) }
    }
  }

  extension AttributeListSyntax {
    /// Whether no attribute in the list can be a macro or a property wrapper that stores something.
    fileprivate var areHarmless: Bool {
      allSatisfy { element in
        guard case .attribute(let attribute) = element else { return false }
        let name = attribute.attributeName.trimmedDescription
        return Self.harmless.contains(name) || Self.ours.contains(name)
          || Self.ours.contains { name == "Alter.\($0)" || name == "AlterMacros.\($0)" }
      }
    }

    private static let ours: Set = ["Alterable", "Changes", "Default", "Each", "Fixed", "Nested", "Renamed", "Stamped", "Wire"]
    private static let harmless: Set = [
      "_spi", "available", "discardableResult", "dynamicMemberLookup", "frozen", "inlinable", "inline", "MainActor", "preconcurrency",
      "Sendable",
      "usableFromInline",
    ]
  }
#endif
