#if Macros
  import SwiftSyntax

  extension AttributeListSyntax {
    /// Returns the attribute of a name, or nil if the list has none.
    func named(_ name: String) -> AttributeSyntax? {
      for case .attribute(let attribute) in self where attribute.plainName == name { return attribute }
      return nil
    }

    /// Returns all attributes of a name.
    func all(named name: String) -> [AttributeSyntax] {
      compactMap { element in
        guard case .attribute(let attribute) = element, attribute.plainName == name else { return nil }
        return attribute
      }
    }

    /// The `@available` attributes as source code, each on its own line.
    var availability: String {
      compactMap { element in
        guard case .attribute(let attribute) = element, attribute.plainName == "available" else { return nil }
        return attribute.trimmedDescription + "\n"
      }.joined()
    }
  }

  extension AttributeSyntax {
    /// The attribute's name, without a module qualifier.
    var plainName: String {
      let name = attributeName.trimmedDescription
      return name.split(separator: ".").last.map(String.init) ?? name
    }

    /// The arguments with their labels.
    var labelled: [(label: String?, value: ExprSyntax)] {
      guard case .argumentList(let list) = arguments else { return [] }
      return list.map { ($0.label?.text, $0.expression) }
    }

    /// The values of those arguments that are plain string literals.
    var strings: [String] { labelled.compactMap { $0.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue } }
  }

  extension ExprSyntax {
    /// The name of the type that the expression names, without its parents and its arguments: `Door` for `House.Door<Int>`.
    var typeName: String? {
      if let generic = self.as(GenericSpecializationExprSyntax.self) { return generic.expression.typeName }
      if let member = self.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text.unquoted }
      return self.as(DeclReferenceExprSyntax.self)?.baseName.text.unquoted
    }
  }

  extension DeclModifierListSyntax {
    /// The access modifier for the members of a type with these modifiers: `public `, `package ` or empty.
    var memberAccess: String {
      for modifier in self where modifier.detail == nil {
        switch modifier.name.tokenKind {
        case .keyword(.public), .keyword(.open): return "public "
        case .keyword(.package): return "package "
        default: continue
        }
      }
      return ""
    }

    /// Whether the list contains an access modifier.
    var hasAccess: Bool {
      contains { modifier in
        modifier.detail == nil && ["public", "open", "package", "internal", "fileprivate", "private"].contains(modifier.name.text)
      }
    }
  }

  extension SyntaxProtocol {
    /// The lines of the documentation comment before a declaration.
    var documentation: [String] {
      leadingTrivia.compactMap { piece in
        if case .docLineComment(let text) = piece { text } else if case .docBlockComment(let text) = piece { text } else { nil }
      }
    }
  }
#endif
