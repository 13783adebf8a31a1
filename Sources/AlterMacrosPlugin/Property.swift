#if Macros
  import SwiftParser
  import SwiftSyntax

  /// A stored property of a model.
  struct Property {
    /// The facts about the model that its properties depend on.
    struct Owner {
      let name: String
      /// The access of its generated members.
      let access: String
      /// Whether its values can be compared, and therefore those of its properties.
      let isComparable: Bool
      /// Whether only marked properties change.
      let changesMarked: Bool
    }

    /// The effect that a change can have on a property.
    enum Role {
      /// No change alters the property.
      case fixed
      /// Changes replace the value, or depend on it: the types of their values by form.
      case plain([ChangeForm: String])
      /// A change is made to the value itself, by the `Change` of its type.
      case nested
      /// Elements are added, removed and changed, and what else the model's author has chosen.
      case each(element: String, singular: String, olderSingulars: [String], verbs: Set<Verb>)
      /// Every change sets the property from its stamp.
      case stamped
      /// The change that adds the value to a collection sets the property from its stamp; no later change alters it.
      case stampedOnce
    }

    /// The name as in the source, with backticks if it has them there.
    let name: String
    let type: String
    let role: Role
    let isLet: Bool
    let isOptional: Bool
    /// Whether the type is written as one that can be stored.
    let isKnown: Bool
    /// Whether the type is written as a number.
    let isNumber: Bool
    /// The name of its changes.
    let changeName: String
    /// The expression in its `@Default`; nil if it has none.
    let standIn: String?
    /// The initial value in the declaration, as an expression; nil if it has none.
    let initialValue: String?
    let olderNames: [String]
    /// The lines of its documentation comment; empty if it has none.
    let documentation: [String]
    let node: Syntax

    /// The name in stored data.
    var wireName: String { name.unquoted }

    /// The names of its changes in older data.
    var olderChangeNames: [String] { (changeName == wireName ? [] : [wireName]) + olderNames.filter { $0 != changeName } }

    /// The name as the label of an argument: a keyword must stand there without backticks.
    var label: String {
      let isPlain = wireName.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && wireName.first?.isNumber != true
      return isPlain ? wireName : wireName.quotedIfNecessary
    }

    /// The default argument of the memberwise initialiser; nil if the caller must pass the argument.
    var defaultArgument: String? {
      if let standIn { return standIn }
      if let initialValue { return initialValue }
      if isOptional { return "nil" }
      if case .each = role { return "[]" }
      return nil
    }

    /// A private type alias for the type; nil if it is known to be stored, or has another one.
    var checked: String? {
      switch role {
      case .nested, .each, .stamped, .stampedOnce: nil
      case .fixed, .plain: isKnown ? nil : "_Stored.\("_\(wireName)".quotedIfNecessary)"
      }
    }

    /// A member of the type alias that `@Nested` or `@Each` declares beside the property.
    func alias(_ prefix: String, _ member: String) -> String { "\((prefix + wireName).quotedIfNecessary).\(member)" }

    /// Whether a change can modify the property.
    var isAlterable: Bool { if case .fixed = role { false } else { true } }
  }

  extension String {
    /// The name without the backticks around it.
    var unquoted: String { hasPrefix("`") ? String(dropFirst().dropLast()) : self }

    /// The name, with backticks around it if it is a keyword or has other characters than an identifier.
    var quotedIfNecessary: String { isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }
  }
#endif
