#if Macros
  import SwiftSyntax

  extension AttributeListSyntax {
    /// The attribute with a name, if it is there.
    func named(_ name: String) -> AttributeSyntax? {
      for case .attribute(let attribute) in self where attribute.plainName == name { return attribute }
      return nil
    }

    /// The `@available` attributes, each on its line.
    var availability: String {
      compactMap { element in
        guard case .attribute(let attribute) = element, attribute.plainName == "available" else { return nil }
        return attribute.trimmedDescription + "\n"
      }.joined()
    }
  }

  extension AttributeSyntax {
    /// Its name, without the module that it may be qualified with.
    var plainName: String {
      let name = attributeName.trimmedDescription
      return name.split(separator: ".").last.map(String.init) ?? name
    }

    /// Its arguments.
    var labelled: [(label: String?, value: ExprSyntax)] {
      guard case .argumentList(let list) = arguments else { return [] }
      return list.map { ($0.label?.text, $0.expression) }
    }

    /// Its arguments that are plain string literals.
    var strings: [String] { labelled.compactMap { $0.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue } }
  }

  extension DeclModifierListSyntax {
    /// `public `, `package ` or nothing: what stands before a member of such a type.
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

    /// Whether it says who may see the declaration.
    var hasAccess: Bool {
      contains { modifier in
        modifier.detail == nil && ["public", "open", "package", "internal", "fileprivate", "private"].contains(modifier.name.text)
      }
    }
  }

  extension SyntaxProtocol {
    /// The documentation comment before a declaration, line by line.
    var documentation: [String] {
      leadingTrivia.compactMap { piece in
        if case .docLineComment(let text) = piece { text } else if case .docBlockComment(let text) = piece { text } else { nil }
      }
    }
  }
#endif
