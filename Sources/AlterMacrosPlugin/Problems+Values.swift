#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  // The checks of values that must stay the same: defaults and identities; and of code that would run for some changes alone.
  extension Problems {
    /// Reports a default that may have another value at each call: data without the property would have another value at each opening.
    mutating func checkConstancy(of value: ExprSyntax, for name: String) {
      guard !value.isConstant else { return }
      report(
        """
        @Default(\(value.trimmedDescription)) may be another value at each call: data without '\(name)' would be read differently at each opening. \
        Write a literal or a member of a type, or make the property an optional; if the value is always the same, write @Default(constant: …). A \
        new value gets its id or date from its creator, or from the stamp.
        """, at: value)
    }

    /// Reports `willSet` and `didSet`.
    mutating func checkObservers(of name: String, _ binding: PatternBindingSyntax) {
      guard let block = binding.accessorBlock else { return }
      report(
        """
        '\(name)' has observers, which would run for some changes only: a property beside a 'let' changes in place. Remove them, and write \
        'mutating func apply(_ change: Change, at stamp: Stamp)' that calls applyGenerated(_:at:) and does their work.
        """, at: block)
    }

    /// Reports each property that a change could set, and that the computed `id` reads: the change would give the value another identity.
    mutating func checkIdentity(of properties: [Property], in declaration: StructDeclSyntax) {
      let read = declaration.namesThatIdentityReads
      for property in properties where property.isAlterable && read.contains(property.wireName) {
        var fixes: [FixIt] = []
        // `ancestorOrSelf` is not public in swift-syntax 600.
        let line = sequence(first: Syntax(property.node)) { $0.parent }.lazy.compactMap { $0.as(VariableDeclSyntax.self) }.first
        if case .plain = property.role, let line, line.bindings.count == 1 {
          var fixed = line.with(\.leadingTrivia, [])
          let attribute = AttributeSyntax(stringLiteral: "@Fixed").with(\.leadingTrivia, line.leadingTrivia).with(\.trailingTrivia, .space)
          fixed.attributes = AttributeListSyntax([.attribute(attribute)] + Array(fixed.attributes))
          fixes = [.replacing(line, with: fixed, "write '@Fixed'")]
        }
        report(
          """
          The id of '\(declaration.name.text)' reads '\(property.wireName)', so that a change of it would give the value another identity: mark it \
          @Fixed.
          """, at: property.node, fixes: fixes)
      }
    }
  }

  extension StructDeclSyntax {
    /// The names that the computed `id` reads, and those that other computed properties and methods read for it; empty if `id` is stored.
    fileprivate var namesThatIdentityReads: Set<String> {
      var bodies: [String: [Syntax]] = [:]
      for member in memberBlock.members {
        if let function = member.decl.as(FunctionDeclSyntax.self), let body = function.body {
          bodies[function.name.text.unquoted, default: []].append(Syntax(body))
        }
        for binding in member.decl.as(VariableDeclSyntax.self)?.bindings ?? [] {
          guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text, binding.isComputed,
            let block = binding.accessorBlock
          else { continue }
          bodies[name.unquoted, default: []].append(Syntax(block))
        }
      }
      let references = References(viewMode: .sourceAccurate)
      var waiting = bodies["id"] == nil ? [] : ["id"]
      var seen = Set(waiting)
      while let name = waiting.popLast() {
        for body in bodies[name] ?? [] { references.walk(body) }
        for name in references.names where seen.insert(name).inserted { waiting.append(name) }
      }
      return references.names
    }
  }

  /// Collects the names of members that code refers to by the bare name or on `self`.
  private final class References: SyntaxVisitor {
    private(set) var names: Set<String> = []

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      if let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id,
        access.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind != .keyword(.self)
      {
        return .visitChildren
      }
      names.insert(node.baseName.text.unquoted)
      return .visitChildren
    }
  }

  extension ExprSyntax {
    /// Whether the expression shows that it has the same value at each call.
    fileprivate var isConstant: Bool {
      switch self.as(ExprSyntaxEnum.self) {
      case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr, .binaryOperatorExpr: return true
      case .stringLiteralExpr(let text): return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
      case .arrayExpr(let array): return array.elements.allSatisfy(\.expression.isConstant)
      case .dictionaryExpr(let dictionary):
        guard case .elements(let elements) = dictionary.content else { return true }
        return elements.allSatisfy { $0.key.isConstant && $0.value.isConstant }
      case .tupleExpr(let tuple): return tuple.elements.allSatisfy(\.expression.isConstant)
      case .prefixOperatorExpr(let prefixed): return prefixed.expression.isConstant
      case .sequenceExpr(let sequence): return sequence.elements.allSatisfy(\.isConstant)
      case .forceUnwrapExpr(let unwrapped): return unwrapped.expression.isConstant
      case .declReferenceExpr: return true
      case .memberAccessExpr(let member): return member.declName.baseName.text != "now" && member.base?.isConstant != false
      case .genericSpecializationExpr(let generic): return generic.expression.isConstant
      case .functionCallExpr(let call):
        // Without arguments, `UUID()` and `Date()` are other values at each call.
        return call.trailingClosure == nil && call.arguments.allSatisfy(\.expression.isConstant)
          && call.calledExpression.isConstantInitialiser(of: call.arguments.map { $0.label?.text })
      default: return false
      }
    }

    /// Whether the expression names an initialiser or a method of a standard type that gives the same value for the same arguments.
    private func isConstantInitialiser(of labels: [String?]) -> Bool {
      if self.is(ArrayExprSyntax.self) || self.is(DictionaryExprSyntax.self) { return labels.isEmpty }
      var called = self
      if let member = called.as(MemberAccessExprSyntax.self), let base = member.base {
        let name = member.declName.baseName.text
        if base.typeName == "Duration" { return name != "now" }
        if name == "init" { called = base }
      }
      guard let type = called.typeName, called.as(MemberAccessExprSyntax.self)?.base?.isType != false else { return false }
      switch type {
      case "Date": return labels == ["timeIntervalSince1970"] || labels == ["timeIntervalSinceReferenceDate"] || labels == ["microseconds"]
      case "UUID": return labels == ["uuidString"] || labels == ["uuid"]
      case "Array", "Bool", "Character", "Data", "Decimal", "Dictionary", "Double", "Float", "IdentityArray", "Identifier", "Int", "Int8",
        "Int16", "Int32", "Int64", "Set", "String", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "URL":
        return true
      default: return false
      }
    }

    /// Whether the expression is written as a module or a type: with a capital letter.
    private var isType: Bool { typeName?.first?.isUppercase == true }
  }
#endif
