#if Macros
  import SwiftSyntax

  /// A change that `@Changes` gives to a property, in the order of the cases in `Change`.
  enum ChangeForm: String, CaseIterable {
    case set, by, adding, removing

    /// The end of the name of its case.
    var suffix: String { self == .set ? "" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The sentence that documents the change of a property.
    func documentation(of property: String) -> String {
      switch self {
      case .set: "Sets `\(property)`."
      case .by: "Adds to `\(property)`. Refused if the sum is out of range."
      case .adding: "Adds an element to `\(property)`."
      case .removing: "Removes an element from `\(property)`, if it is there."
      }
    }

    /// The forms that a `@Changes` attribute lists, or all that the type has.
    ///
    /// - Parameter isComparable: Whether the elements of an array can be compared.
    static func listed(
      in attribute: AttributeSyntax, for name: String, _ type: TypeSyntax, isComparable: Bool, _ problems: inout Problems
    ) -> Set<ChangeForm> {
      var forms: Set<ChangeForm> = []
      for (index, argument) in attribute.labelled.enumerated() {
        if index == 0, argument.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue != nil { continue }
        if let form = argument.value.as(MemberAccessExprSyntax.self).flatMap({ ChangeForm(rawValue: $0.declName.baseName.text) }) {
          if form != .set, type.isOptional {
            problems.report(
              """
              @Changes(.\(form)) needs a value to start from, and '\(name)' is an optional: write \
              '\(type.withoutOptional.trimmedDescription)' with a @Default.
              """, at: argument.value)
          } else if form == .removing, !isComparable, !type.isSet {
            problems.report(
              "@Changes(.removing) compares the elements of '\(name)': declare the model Equatable or Hashable.", at: argument.value)
          } else if form == .by ? type.isSet || type.arrayElement != nil : form != .set && type.isNumber {
            problems.report("'\(type.trimmedDescription)' has no form .\(form).", at: argument.value)
            continue
          }
          forms.insert(form)
        } else {
          problems.report(
            "@Changes can't read '\(argument.value.trimmedDescription)': write \(allCases.map { ".\($0)" }.joined(separator: ", ")), or a plain string.",
            at: argument.value)
        }
      }
      return forms.isEmpty ? all(of: type, isComparable: isComparable) : forms
    }

    private static func all(of type: TypeSyntax, isComparable: Bool) -> Set<ChangeForm> {
      if type.isNumber { return [.set, .by] }
      if type.isSet { return [.set, .adding, .removing] }
      if type.arrayElement != nil { return isComparable ? [.set, .adding, .removing] : [.set, .adding] }
      return [.set]
    }
  }

  extension TypeSyntax {
    /// Whether the type is written as a number, or as a `Duration`.
    var isNumber: Bool {
      lastName.map { Problems.integers.union(Problems.fractions).union(["Duration"]).contains($0) } == true && !isOptional
    }

    var isSet: Bool { elementOfSet != nil }

    /// The element type of a set: 'String' for `Set<String>`, nil for any other type.
    private var elementOfSet: String? {
      guard lastName == "Set" else { return nil }
      let clause = self.as(IdentifierTypeSyntax.self)?.genericArgumentClause ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
      return clause?.arguments.first?.argument.trimmedDescription
    }

    /// The type of the value that a form has.
    func value(of form: ChangeForm) -> String {
      switch form {
      case .set: trimmedDescription
      case .by: lastName?.hasPrefix("UInt") == true && isNumber ? "Swift.Int" : trimmedDescription
      case .adding, .removing: elementOfSet ?? arrayElement ?? "\(trimmedDescription).Element"
      }
    }
  }
#endif
