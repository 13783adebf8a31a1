#if Macros
  import SwiftSyntax

  // The checks of types and signatures that the syntax shows. Otherwise the compiler would report each of them many times, in generated code.
  extension Problems {
    /// Reports a name that Swift reads as something else behind a dot: `.self(…)`.
    mutating func checkName(_ name: String, at node: some SyntaxProtocol) {
      let name = name.unquoted
      guard ["self", "Self", "Type", "Protocol"].contains(name) else { return }
      report("'\(name)' can't be the name of a change: Swift does not read '.\(name)' as a name. Rename it.", at: node)
    }

    /// Returns the name that `@Changes` or `@Nested` gives to the changes of a property; nil if it gives none. Reports one that no case can have.
    mutating func changeName(in attributes: AttributeListSyntax) -> String? {
      guard let attribute = attributes.named("Changes") ?? attributes.named("Nested"), let name = attribute.strings.first else {
        return nil
      }
      guard name.isName else {
        report("'\(name)' can't be the name of a case: use letters, digits and '_'.", at: attribute)
        return nil
      }
      checkName(name, at: attribute)
      return name
    }

    /// Reports a type that is not `Codable`, whatever it is in detail: `any P`, a function, a tuple.
    mutating func checkStored(_ type: TypeSyntax, of name: String) {
      guard let (part, kind) = type.unstorable else { return }
      report(
        "'\(name)' can't be stored: '\(part.trimmedDescription)' is \(kind).", at: part)
    }

    /// Reports a default of another type than that of the property, if the syntax shows both.
    ///
    /// - Returns: Whether it has another type.
    mutating func checkType(of value: ExprSyntax, _ type: TypeSyntax) -> Bool {
      guard let (kind, types) = value.literal else { return false }
      if value.is(NilLiteralExprSyntax.self), type.isOptional { return false }
      let name = type.withoutOptional.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
      guard Self.scalars.contains(name), !types.contains(name) else { return false }
      report("@Default has \(kind) for '\(type.trimmedDescription)': write a value of the property's type.", at: value)
      return true
    }

    /// Types that are written by one name, and whose literals are known.
    fileprivate static let scalars: Set =
      integers.union(fractions).union(["Bool", "String", "Date", "UUID"])
    static let integers: Set = [
      "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
    ]
    static let fractions: Set = ["Double", "Float", "Float16", "CGFloat", "Decimal"]

    /// Reports the model's own `apply` if it can't be the one that is called.
    mutating func checkApply(_ function: FunctionDeclSyntax, of change: String) {
      let isStamped = function.signature.parameterClause.parameters.last?.type.lastName == "Stamp"
      if !function.isMutating || !isStamped { reportSimilarApply(function, of: change) }
    }

    /// Reports a method that is meant to be the `apply` of a change, but would never be called.
    mutating func reportSimilarApply(_ function: FunctionDeclSyntax, of change: String) {
      report(
        """
        this 'apply' has another signature than the one that is called: write 'mutating func apply(_ change: \(change), at stamp: Stamp) \
        throws(Refusal)', or give it another name.
        """, at: function.name)
    }
  }

  extension String {
    /// Whether the text can be the name of a case.
    var isName: Bool { allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && first?.isNumber == false }
  }

  extension TypeSyntax {
    /// The type without its optional: 'Int' for `Int?`.
    var withoutOptional: TypeSyntax { self.as(OptionalTypeSyntax.self)?.wrappedType.withoutOptional ?? self }

    /// A part of the type that is stored with it and can't be, with the reason.
    fileprivate var unstorable: (part: TypeSyntax, kind: String)? {
      switch self.as(TypeSyntaxEnum.self) {
      case .optionalType(let type): return type.wrappedType.unstorable
      case .implicitlyUnwrappedOptionalType(let type): return type.wrappedType.unstorable
      case .arrayType(let type): return type.element.unstorable
      case .dictionaryType(let type): return type.key.unstorable ?? type.value.unstorable
      case .attributedType(let type): return type.baseType.unstorable
      case .tupleType(let type):
        guard type.elements.count != 1 else { return type.elements.first?.type.unstorable }
        return (self, "a tuple. Write a struct with @Wire")
      case .functionType: return (self, "a function. Store the data that it depends on")
      case .someOrAnyType(let type) where type.someOrAnySpecifier.tokenKind == .keyword(.any):
        return (self, "of any type, and a decoder can't know which. Write an enum with @Wire and a case for each type")
      case .identifierType(let type) where ["Any", "AnyObject", "AnyHashable"].contains(type.name.text):
        return (self, "of any type, and a decoder can't know which. Write an enum with @Wire and a case for each type")
      default: return nil
      }
    }
  }

  extension TypeSyntax {
    /// The type, in which the compiler checks each part that is not known to be stored. The parts of a collection are checked by themselves,
    /// because the compiler reports a collection of them twice.
    var checked: String {
      if isKnown { return trimmedDescription }
      switch self.as(TypeSyntaxEnum.self) {
      case .optionalType(let type): return type.wrappedType.checked + "?"
      case .implicitlyUnwrappedOptionalType(let type): return type.wrappedType.checked + "?"
      case .arrayType(let type): return "[\(type.element.checked)]"
      case .dictionaryType(let type): return "[\(type.key.checked): \(type.value.checked)]"
      default: return "AlterMacros._StoredIsCodable<\(trimmedDescription)>.Value"
      }
    }

    /// Whether the type is written as one of the standard types that can be stored, or as a collection of them.
    var isKnown: Bool {
      switch self.as(TypeSyntaxEnum.self) {
      case .optionalType(let type): type.wrappedType.isKnown
      case .implicitlyUnwrappedOptionalType(let type): type.wrappedType.isKnown
      case .arrayType(let type): type.element.isKnown
      case .dictionaryType(let type): type.key.isKnown && type.value.isKnown
      case .identifierType(let type):
        if let arguments = type.genericArgumentClause?.arguments {
          ["Array", "Optional", "Set"].contains(type.name.text)
            && arguments.allSatisfy { Syntax($0.argument).as(TypeSyntax.self)?.isKnown == true }
        } else {
          Problems.scalars.contains(type.name.text) || ["Data", "Duration", "URL"].contains(type.name.text)
        }
      default: false
      }
    }
  }

  extension ExprSyntax {
    /// The kind of a literal, and the types that it can have; nil for any other expression.
    fileprivate var literal: (kind: String, types: Set<String>)? {
      switch self.as(ExprSyntaxEnum.self) {
      case .integerLiteralExpr: ("an integer", Problems.integers.union(Problems.fractions))
      case .floatLiteralExpr: ("a number with a fraction", Problems.fractions)
      case .booleanLiteralExpr: ("a Bool", ["Bool"])
      case .stringLiteralExpr: ("a text", ["String"])
      case .arrayExpr: ("an array", [])
      case .dictionaryExpr: ("a dictionary", [])
      case .nilLiteralExpr: ("nil", [])
      case .prefixOperatorExpr(let prefixed): prefixed.expression.literal
      default: nil
      }
    }
  }
#endif
