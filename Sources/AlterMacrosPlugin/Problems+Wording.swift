#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  // The checks of single properties, with their errors and fix-its.
  extension Problems {
    /// Reports a property that code outside the model could set.
    ///
    /// - Parameter access: The access of the model's changes. In a public or package model, a variable has none.
    mutating func checkSeal(of name: String, isLet: Bool, access: String, _ line: VariableDeclSyntax) {
      let isSealed = line.modifiers.contains { modifier in
        let isSetter = modifier.detail?.detail.text == "set"
        return ["private", "fileprivate"].contains(modifier.name.text) && (isSetter || modifier.detail == nil)
      }
      let isLazy = line.modifiers.contains { $0.name.text == "lazy" }
      if isLazy {
        report("'\(name)' is lazy: a value that changes when it is read can't be journaled. Make it computed, or a 'let'.", at: line)
      }
      guard !isLet, !isSealed, !isLazy else { return }
      var constant = line
      constant.bindingSpecifier = .keyword(
        .let, leadingTrivia: line.bindingSpecifier.leadingTrivia, trailingTrivia: line.bindingSpecifier.trailingTrivia)
      var sealed = line
      let setter = DeclModifierSyntax(
        name: .keyword(.private), detail: DeclModifierDetailSyntax(detail: .identifier("set")), trailingTrivia: .space)
      if sealed.modifiers.isEmpty {
        let trivia = sealed.bindingSpecifier.leadingTrivia
        sealed.bindingSpecifier = sealed.bindingSpecifier.with(\.leadingTrivia, [])
        sealed.modifiers = [setter.with(\.leadingTrivia, trivia)]
      } else {
        sealed.modifiers.append(setter)
      }
      var fixes: [FixIt] = [.replacing(line, with: sealed, "make it 'private(set) var'")]
      if line.bindings.allSatisfy({ $0.initializer == nil && $0.accessorBlock == nil }) {
        fixes.insert(.replacing(line, with: constant, "make it 'let'"), at: 0)
      }
      let limit = access.isEmpty ? "" : " if only changes of its own set it"
      report(
        "'\(name)' could be set without a Change. Seal it: 'let', or 'private(set) var'\(limit).", at: line.bindingSpecifier, fixes: fixes)
    }

    /// Reports a `Failure` that the generated method, which throws a `Refusal`, can't have.
    mutating func checkFailure(_ failure: String?, of model: String, at node: some SyntaxProtocol) {
      guard let failure, failure.split(separator: ".").last != "Refusal" else { return }
      report(
        """
        '\(model)' refuses changes with a Refusal, but its Failure is \(failure): remove Failure, or write 'mutating func apply(_ change: Change, \
        at stamp: Stamp) throws(\(failure))' that calls applyGenerated(_:at:) and throws \(failure) instead of its Refusal.
        """, at: node)
    }

    /// Reports an argument that is not one of these members: the macro sees no values, and would take a constant for the default.
    mutating func checkConstant(_ attribute: AttributeSyntax, label: String? = nil, _ names: [String]) {
      guard let value = attribute.labelled.first(where: { $0.label == label })?.value else { return }
      if let name = value.as(MemberAccessExprSyntax.self)?.declName.baseName.text, names.contains(name) { return }
      guard !names.isEmpty else {
        report("'\(label ?? "")' is for the properties of a struct: remove it.", at: value)
        return
      }
      report(
        "@\(attribute.plainName) can't read '\(value.trimmedDescription)': write \(names.map { ".\($0)" }.joined(separator: " or ")).",
        at: value)
    }

    /// Reports a value that each new element would bring as its time, so that it would never be set.
    mutating func checkUnset(_ value: ExprSyntax?, of name: String) {
      guard let value, !value.is(NilLiteralExprSyntax.self),
        value.as(MemberAccessExprSyntax.self)?.declName.baseName.text != "none"
      else { return }
      report(
        """
        @Stamped(.once) sets '\(name)' only if it is nil: with \(value.trimmedDescription) in each new value, it would never be set. Remove this value.
        """, at: value)
    }

    /// Reports the cases of an enum under `#if`, which no macro can read.
    mutating func checkCondition(_ member: DeclSyntax) {
      guard let condition = member.as(IfConfigDeclSyntax.self) else { return }
      for clause in condition.clauses {
        guard case .decls(let members) = clause.elements else { continue }
        for case let line? in members.map({ $0.decl.as(EnumCaseDeclSyntax.self) }) {
          report("a case under #if would make two builds of an app disagree about their journal: move it out of the condition.", at: line)
        }
      }
    }

    /// Reports attributes of properties at states, where nothing reads them.
    mutating func checkStates(of declaration: EnumDeclSyntax) {
      for line in declaration.memberBlock.members.compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }) {
        for name in ["Changes", "Default", "Each", "Fixed", "Stamped"] {
          guard let attribute = line.attributes.named(name) else { continue }
          report("@\(name) is for a property of a struct: at a case, nothing reads it. Remove it.", at: attribute)
        }
      }
    }

    /// Reports a property that can't be stored by its name alone, and attributes that only `@Alterable` reads.
    mutating func checkStorage(of name: String, _ line: VariableDeclSyntax) {
      if line.modifiers.contains(where: { $0.name.text == "lazy" }) {
        report("'\(name)' is lazy: it has no value that could be stored. Make it computed, or give it a value.", at: line)
      }
      for role in ["Changes", "Each", "Fixed", "Nested", "Stamped"] {
        guard let attribute = line.attributes.named(role) else { continue }
        report("@\(role) is for the changes that @Alterable generates: @Wire does not read it. Remove it.", at: attribute)
      }
    }

    /// Reads the older names of a property or a case. Reports those that can't be read: without an error, older data would be lost.
    mutating func olderNames(in attributes: AttributeListSyntax) -> [String] {
      let renamed = attributes.all(named: "Renamed")
      for attribute in renamed.dropFirst() {
        report(#"Write all older names in one @Renamed: @Renamed(from: "second", "first")."#, at: attribute)
      }
      for attribute in renamed {
        for (_, value) in attribute.labelled where value.as(StringLiteralExprSyntax.self)?.representedLiteralValue == nil {
          report("Write the older name as a literal: a macro sees the source '\(value.trimmedDescription)', not its value.", at: value)
        }
      }
      return renamed.flatMap { attribute in
        attribute.labelled.filter { $0.label != "each" }.compactMap { $0.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
      }
    }

    /// Reports a type that the compiler stores as its raw value.
    mutating func checkRawValue(of declaration: some DeclGroupSyntax) {
      for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] {
        let name = inherited.type.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
        let isRaw = name == "RawRepresentable" || name == "OptionSet" || declaration.is(EnumDeclSyntax.self) && Self.rawTypes.contains(name)
        guard isRaw else { continue }
        report(
          "Codable stores a type with raw values as the bare raw value, @Wire would not: write 'Codable, StoredForm' instead of @Wire.",
          at: inherited)
      }
    }

    /// Reports another source of the stored form.
    mutating func checkOtherCoding(of declaration: some DeclGroupSyntax) {
      if let other = declaration.attributes.named("Alterable") {
        report("@Alterable generates the stored form, too: remove @Wire.", at: other)
      }
      for inherited in declaration.inheritanceClause?.inheritedTypes ?? []
      where ["Codable", "Decodable", "Encodable"].contains(inherited.type.trimmedDescription) {
        report("@Wire generates the conformance to Codable: remove '\(inherited.type.trimmedDescription)'.", at: inherited)
      }
    }

    /// Reports names of its own, which the generated coding would not use.
    ///
    /// - Returns: Whether there are any.
    @discardableResult
    mutating func checkCodingKeys(in members: MemberBlockItemListSyntax, by macro: String) -> Bool {
      var isFound = false
      for member in members {
        if member.decl.declaredName == "CodingKeys" {
          isFound = true
          report(
            "@\(macro) stores each property or case by its own name: remove CodingKeys (@Renamed reads older names), or remove @\(macro).",
            at: member.decl)
        }
        for case .decls(let members)? in member.decl.as(IfConfigDeclSyntax.self)?.clauses.map(\.elements) ?? [] {
          if checkCodingKeys(in: members, by: macro) { isFound = true }
        }
      }
      return isFound
    }

    /// Reports an optional of an optional, anywhere in a type.
    mutating func checkOptionals(in type: TypeSyntax, of name: String) {
      guard let twice = type.optionalOfOptional else { return }
      report(
        """
        '\(name)' has the optional of an optional, '\(twice.trimmedDescription)': JSON has one null, so that .some(nil) would be read as nil. Use an \
        enum with a case for each meaning.
        """, at: twice)
    }

    private static let rawTypes: Set = [
      "String", "Character", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    /// Reports a stored name that two properties would have.
    mutating func checkStoredNames(of properties: [Property], in model: String) {
      var owners: [String: String] = [:]
      for property in properties {
        for wireName in [property.wireName] + property.olderNames {
          if let other = owners[wireName], other != property.wireName {
            report(
              "'\(wireName)' would be the stored name of two properties of \(model): of '\(other)' and of '\(property.wireName)'. Rename one.",
              at: property.node)
          }
          owners[wireName] = property.wireName
        }
      }
    }

    /// Reports a property that is less visible than its public or package model: the generated initialiser and changes would expose it.
    mutating func checkAccess(of name: String, _ line: VariableDeclSyntax, in model: String, access: String) {
      guard !access.isEmpty, !line.attributes.contains(where: { $0.as(AttributeSyntax.self)?.plainName == "usableFromInline" }) else {
        return
      }
      let own = line.modifiers.memberAccess
      guard own.isEmpty || (access == "public " && own == "package ") else { return }
      var wider = line
      let keyword: Keyword = access == "public " ? .public : .package
      let hidden = line.modifiers.firstIndex { modifier in
        modifier.detail == nil && ["internal", "private", "fileprivate", "package"].contains(modifier.name.text)
      }
      if let index = hidden {
        let first = line.modifiers[index]
        wider.modifiers[index].name = .keyword(
          keyword, leadingTrivia: first.name.leadingTrivia, trailingTrivia: first.name.trailingTrivia)
      } else if line.modifiers.isEmpty {
        wider.bindingSpecifier = line.bindingSpecifier.with(\.leadingTrivia, [])
        wider.modifiers = [
          DeclModifierSyntax(name: .keyword(keyword, leadingTrivia: line.bindingSpecifier.leadingTrivia, trailingTrivia: .space))
        ]
      } else {
        wider.modifiers = [
          DeclModifierSyntax(name: .keyword(keyword, leadingTrivia: line.modifiers.leadingTrivia, trailingTrivia: .space))
        ]
        wider.modifiers += line.modifiers.with(\.leadingTrivia, [])
      }
      let word = access.dropLast()
      report(
        """
        '\(model)' is \(word) and '\(name)' is not: the initialiser and the changes that @Alterable generates would expose it. \
        Make '\(name)' \(word), or '\(model)' less visible.
        """, at: line.bindingSpecifier, fixes: [.replacing(line, with: wider, "make it '\(word)'")])
    }

    /// Reports a property without a written type.
    mutating func reportMissingType(of name: String, _ binding: PatternBindingSyntax) {
      var fixes: [FixIt] = []
      if let type = binding.initializer?.value.literalType {
        var typed = binding
        typed.pattern = binding.pattern.with(\.trailingTrivia, [])
        typed.typeAnnotation = TypeAnnotationSyntax(
          colon: .colonToken(trailingTrivia: .space), type: TypeSyntax(stringLiteral: type), trailingTrivia: .space)
        fixes = [.replacing(binding, with: typed, "write ': \(type)'")]
      }
      report("'\(name)' needs a written type: a macro can't see the type that the compiler infers.", at: binding.pattern, fixes: fixes)
    }

    /// Reports a default like `.dark`: an attribute gives the compiler nothing to infer its type from.
    mutating func checkDefault(_ value: ExprSyntax, of type: TypeSyntax) {
      let member = (value.as(FunctionCallExprSyntax.self)?.calledExpression ?? value).as(MemberAccessExprSyntax.self)
      guard let member, member.base == nil else { return }
      let base = type.as(OptionalTypeSyntax.self)?.wrappedType.trimmedDescription ?? type.trimmedDescription
      let named = ExprSyntax(stringLiteral: base + value.trimmedDescription)
      report(
        "@Default can't infer a type here: name it, as in @Default(\(named)).", at: value,
        fixes: [.replacing(value, with: named, "write '\(named)'")])
    }

    /// Reports a `let` with an initial value: neither a change nor stored data could give it another one.
    mutating func reportConstant(
      _ name: String, _ value: InitializerClauseSyntax, _ binding: PatternBindingSyntax, _ line: VariableDeclSyntax
    ) {
      var fixes: [FixIt] = []
      if line.bindings.count == 1, line.attributes.named("Default") == nil {
        var marked = line
        let trivia = line.leadingTrivia
        marked.leadingTrivia = []
        var plain = binding
        plain.initializer = nil
        marked.bindings = [plain.with(\.trailingTrivia, [])]
        marked = marked.with(\.leadingTrivia, [])
        let attribute = AttributeSyntax(stringLiteral: "@Default(\(value.value.trimmedDescription))")
        let list = AttributeListSyntax([.attribute(attribute.with(\.leadingTrivia, trivia).with(\.trailingTrivia, .space))])
        marked.attributes = AttributeListSyntax(Array(list) + Array(marked.attributes))
        fixes = [.replacing(line, with: marked, "write '@Default(\(value.value.trimmedDescription))'")]
      }
      report(
        "'\(name)' is a constant with a value: nothing could set it. Write its initial value as @Default.", at: value, fixes: fixes)
    }

    /// Reports `@Each` on a collection that is not an `IdentityArray`.
    mutating func reportNoIdentityArray(_ name: String, _ type: TypeSyntax) {
      var fixes: [FixIt] = []
      if let element = type.arrayElement {
        let identified = TypeSyntax(stringLiteral: "IdentityArray<\(element)>").with(\.trailingTrivia, type.trailingTrivia)
        fixes = [.replacing(type, with: identified, "make it 'IdentityArray<\(element)>'")]
      }
      report(
        "@Each needs a collection that finds its elements by id: '\(name)' must be an IdentityArray, not '\(type.trimmedDescription)'.",
        at: type, fixes: fixes)
    }
  }

  extension ExprSyntax {
    /// The default type of a literal; nil for any other expression.
    fileprivate var literalType: String? {
      switch kind {
      case .integerLiteralExpr: "Int"
      case .floatLiteralExpr: "Double"
      case .booleanLiteralExpr: "Bool"
      case .stringLiteralExpr: "String"
      default: nil
      }
    }
  }
#endif
