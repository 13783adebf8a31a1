#if Macros
  import SwiftSyntax

  extension Property.Role {
    /// Determines the role of a property from its attributes.
    ///
    /// - Returns: The role, or nil if it cannot be determined; the problem is reported then.
    static func parse(
      _ name: String, _ type: TypeSyntax, _ line: VariableDeclSyntax, of model: Property.Owner, olderNames: [String],
      _ problems: inout Problems
    ) -> Property.Role? {
      let roles = ["Fixed", "Nested", "Each", "Stamped", "Changes"].compactMap { line.attributes.named($0) }
      if roles.count > 1 {
        problems.report("@\(roles[0].plainName) and @\(roles[1].plainName) exclude each other: remove one of them.", at: roles[1])
        return nil
      }
      guard let attribute = roles.first else {
        return name == "id" || model.changesMarked ? .fixed : .plain([.set: type.trimmedDescription])
      }
      switch attribute.plainName {
      case "Fixed": return .fixed
      case "Changes":
        let forms = ChangeForm.listed(in: attribute, for: name.unquoted, type, isComparable: model.isComparable, &problems)
        return .plain(Dictionary(uniqueKeysWithValues: forms.map { ($0, type.value(of: $0)) }))
      case "Nested":
        guard !type.isOptional else {
          problems.report(
            """
            @Nested needs a type that is not optional: a change to '\(name)' could find nil. Without @Nested, the change sets the whole value: \
            .\(name)(nil).
            """, at: type)
          return nil
        }
        return .nested
      case "Stamped":
        problems.checkConstant(attribute, ["always", "once"])
        let text = String(type.trimmedDescription.split { ".:".contains($0) }.last ?? "")
        let isOnce = attribute.labelled.first?.value.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "once"
        guard ["Date?", "Optional<Date>"].contains(text) || !isOnce && text == "Date" else {
          problems.report(
            isOnce
              ? "@Stamped(.once) sets a time once: '\(name)' must be a Date?, which is nil until a collection contains the value."
              : "@Stamped sets a time: '\(name)' must be a Date, or a Date? that is nil until the first change.", at: type)
          return nil
        }
        return isOnce ? .stampedOnce : .stamped
      default: return each(name, type, attribute, line, olderNames, &problems)
      }
    }

    private static func each(
      _ name: String, _ type: TypeSyntax, _ attribute: AttributeSyntax, _ line: VariableDeclSyntax, _ olderNames: [String],
      _ problems: inout Problems
    ) -> Property.Role? {
      guard let element = type.identityArrayElement else {
        problems.reportNoIdentityArray(name, type)
        return nil
      }
      guard let one = attribute.strings.first ?? singular(of: name.unquoted) else {
        let one = element.elementName ?? "one"
        let listed = attribute.labelled.map { ", " + $0.value.trimmedDescription }.joined()
        let named = AttributeSyntax(stringLiteral: "@Each(\"\(one)\"\(listed))").with(\.leadingTrivia, attribute.leadingTrivia)
          .with(\.trailingTrivia, attribute.trailingTrivia)
        problems.report(
          "the singular of '\(name)' can't be derived: write it, as in @Each(\"\(one)\").", at: attribute,
          fixes: [.replacing(attribute, with: named, "write '@Each(\"\(one)\"\(listed))'")])
        return .each(element: element, singular: one, olderSingulars: [], verbs: Verb.listed(in: attribute, &problems))
      }
      guard one.isName else {
        problems.report("'\(one)' can't be the name of a case: use letters, digits and '_'.", at: attribute)
        return nil
      }
      let renamed = line.attributes.named("Renamed")
      let explicit = renamed?.labelled.first { $0.label == "each" }?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      var olderSingulars: [String] = []
      for older in olderNames {
        guard let olderOne = explicit ?? singular(of: older) else {
          problems.report(
            "the singular of the older name '\(older)' can't be derived: write @Renamed(from: \"\(older)\", each: \"one\").",
            at: renamed ?? attribute)
          return nil
        }
        if olderOne != one { olderSingulars.append(olderOne) }
      }
      return .each(element: element, singular: one, olderSingulars: olderSingulars, verbs: Verb.listed(in: attribute, &problems))
    }
  }

  extension String {
    /// The name of a type as the name of one of its values: 'todoItem' for `Models.TodoItem`; nil for a type that is not a plain name.
    var elementName: String? {
      guard let name = split(separator: ".").last, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
      // The letters of an acronym at the beginning: 'URLRecord' gives 'urlRecord'.
      let capitals = name.prefix { $0.isUppercase }.count
      let lowered = capitals > 1 && capitals < name.count ? capitals - 1 : max(1, capitals)
      return name.prefix(lowered).lowercased() + name.dropFirst(lowered)
    }
  }

  extension TypeSyntax {
    /// The element type of an `IdentityArray`: 'TodoItem' for `IdentityArray<TodoItem>`, nil for any other type.
    var identityArrayElement: String? {
      let clause: GenericArgumentClauseSyntax?
      if let plain = self.as(IdentifierTypeSyntax.self), plain.name.text == "IdentityArray" {
        clause = plain.genericArgumentClause
      } else if let member = self.as(MemberTypeSyntax.self), member.name.text == "IdentityArray" {
        clause = member.genericArgumentClause
      } else {
        clause = nil
      }
      guard let clause, clause.arguments.count == 1, let argument = clause.arguments.first else { return nil }
      return argument.argument.trimmedDescription
    }

    /// The element type of an array: 'TodoItem' for `[TodoItem]`, nil for any other type.
    var arrayElement: String? {
      if let array = self.as(ArrayTypeSyntax.self) { return array.element.trimmedDescription }
      guard let plain = self.as(IdentifierTypeSyntax.self), plain.name.text == "Array" else { return nil }
      return plain.genericArgumentClause?.arguments.first?.argument.trimmedDescription
    }
  }
#endif
