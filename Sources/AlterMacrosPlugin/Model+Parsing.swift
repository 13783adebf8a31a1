#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  extension Model {
    /// Reads the declaration that `@Alterable` is attached to.
    ///
    /// - Returns: The model, or nil if the declaration is not a struct. The model is complete only if no problem was reported.
    static func parse(
      _ declaration: some DeclGroupSyntax, at attribute: AttributeSyntax, in context: some MacroExpansionContext,
      _ problems: inout Problems
    ) -> Model? {
      guard let declaration = declaration.as(StructDeclSyntax.self) else {
        problems.report(refusal(of: declaration), at: attribute)
        return nil
      }
      let name = declaration.name.text
      let access = declaration.access(in: context)
      let declaresCodingKeys = problems.checkCodingKeys(in: declaration.memberBlock.members, by: "Alterable")
      let owner = Property.Owner(
        name: name, access: access, isComparable: declaration.comparesByProperties,
        changesMarked: attribute.member("changing") == "marked")
      var properties: [Property] = []
      var ownChange: EnumDeclSyntax?
      // An `apply` of `OwnChange` that is not found here is in an extension, and may throw.
      var ownCasesRefuse = true
      var showsOwnApply = false
      var ownApplyThrows: String?
      // Methods that are not called because their signature is another one.
      var similar: [(change: String, function: FunctionDeclSyntax)] = []
      var ownFailure: String?
      var declaresChange = false
      var initialisers: [[String]] = []
      for member in declaration.memberBlock.members {
        if let variable = member.decl.as(VariableDeclSyntax.self) {
          properties += Property.parse(variable, of: owner, &problems)
        } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
          Property.refuse(in: condition, &problems)
        } else if let type = member.decl.as(EnumDeclSyntax.self), type.name.text == "OwnChange" {
          ownChange = type
        } else if member.decl.declaredName == "Change" {
          problems.report(
            "@Alterable generates the enum Change: declare additional cases in an enum OwnChange, or remove the macro.",
            at: member.decl.nameNode)
          declaresChange = true
        } else if let function = member.decl.as(FunctionDeclSyntax.self), function.isApply(of: "Change", in: name) {
          ownApplyThrows = function.thrown
          problems.checkApply(function, of: "Change")
        } else if let function = member.decl.as(FunctionDeclSyntax.self), function.isApply(of: "OwnChange", in: name) {
          ownCasesRefuse = !function.thrown.isEmpty
          showsOwnApply = true
          problems.checkApply(function, of: "OwnChange")
        } else if let function = member.decl.as(FunctionDeclSyntax.self) {
          similar += ["Change", "OwnChange"].filter { function.resemblesApply(of: $0, in: name) }.map { ($0, function) }
        } else if let initialiser = member.decl.as(InitializerDeclSyntax.self) {
          initialisers.append(initialiser.signature.parameterClause.parameters.map(\.firstName.text.unquoted))
        } else if member.decl.declaredName == "Failure" {
          ownFailure = member.decl.as(TypeAliasDeclSyntax.self)?.initializer.value.trimmedDescription ?? "Failure"
        }
      }
      for (change, function) in similar where change == "Change" ? ownApplyThrows == nil : ownChange != nil && !showsOwnApply {
        problems.reportSimilarApply(function, of: change)
      }
      var model = Model(
        name: name, visibility: access, changeProtocols: "Sendable, \(declaration.equality)Codable",
        seesTypeParameters: declaration.genericParameterClause != nil || context.lexicalContext.contains(where: \.canHaveTypeParameters),
        properties: properties, showsItsLayout: declaration.showsItsLayout,
        ownCases: ownChange.map { own in problems.leavingToWire(own) { ChangeCase.all(of: own, &$0) } },
        showsOwnApply: showsOwnApply, ownCasesRefuse: ownChange != nil && ownCasesRefuse,
        ownApplyThrows: ownApplyThrows,
        ownFailure: ownFailure, initialisers: initialisers, declaresChange: declaresChange,
        isNounFirst: attribute.spelling == "nounFirst")
      problems.checkConstant(attribute, ["verbFirst", "nounFirst"])
      problems.checkConstant(attribute, label: "changing", ["all", "marked"])
      if !declaration.canBeElement, let once = model.stampedOnce.first {
        problems.report(
          """
          @Stamped(.once) sets a time when the value is added to an @Each collection, but '\(name)' shows no id. If collections contain it, write \
          ': Identifiable' in its declaration; if not, write '@Fixed let \(once.name): Date', and pass the date to the initialiser.
          """, at: once.node)
      }
      problems.checkIdentity(of: properties, in: declaration)
      model.check(ownChange, at: attribute, &problems)
      model.isBroken = !problems.isEmpty
      model.declaresCodingKeys = declaresCodingKeys
      model.hasSimilarApply = similar.contains { $0.change == "Change" } && ownApplyThrows == nil
      return model
    }

    private static func refusal(of declaration: some DeclGroupSyntax) -> String {
      let kind = declaration.is(ActorDeclSyntax.self) ? "an actor" : declaration.is(ClassDeclSyntax.self) ? "a class" : "not a struct"
      return "@Alterable is for values: this is \(kind), and other code could see it change. Make it a struct."
    }

    /// Reports problems that concern several properties or the whole struct.
    private func check(_ ownChange: EnumDeclSyntax?, at attribute: AttributeSyntax, _ problems: inout Problems) {
      guard problems.isEmpty else { return }
      if refuses, ownApplyThrows == nil { problems.checkFailure(ownFailure, of: name, at: attribute) }
      if isNounFirst, each.isEmpty {
        problems.report("'\(name)' has no @Each collection whose changes could be written noun first: write @Alterable.", at: attribute)
      }
      if cases.isEmpty {
        problems.report(
          """
          '\(name)' has no property that a change could set: remove @Alterable. If '\(name)' is an element of an @Each collection, conform to \
          Alterable and Codable by hand, with a Change that has a case: 'Never' does not compile there.
          """, at: attribute)
      }
      // The order decides which case an error names: the shared verbs, the cases of the properties in their order, then those of
      // `OwnChange`.
      var named: [(ChangeCase, node: Syntax)] = []
      for property in properties { named += propertyCases(of: property).map { ($0, property.node) } }
      named = verbCases.map { ($0, Syntax(attribute)) } + named
      if let ownChange { named += (ownCases ?? []).map { ($0, Syntax(ownChange.name)) } }
      ChangeCase.checkNames(of: named, in: name, &problems)
      // Names that two changes share are reported once.
      if problems.isEmpty { problems.checkStoredNames(of: properties, in: name) }
    }
  }

  extension DeclGroupSyntax {
    /// The access modifier of the generated members: `public `, `package ` or empty.
    func access(in context: some MacroExpansionContext) -> String {
      if !modifiers.hasAccess, let outer = context.lexicalContext.first?.as(ExtensionDeclSyntax.self) {
        return outer.modifiers.memberAccess
      }
      return modifiers.memberAccess
    }

    /// The protocol of the generated enums: that of the declaration.
    var equality: String {
      let inherited = Set(inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? [])
      return inherited.contains("Hashable") ? "Hashable, " : inherited.contains("Equatable") ? "Equatable, " : ""
    }
  }

  extension StructDeclSyntax {
    /// Whether the compiler generates the comparison of values: then the values of all stored properties can be compared.
    fileprivate var comparesByProperties: Bool {
      !equality.isEmpty && !memberBlock.members.contains { $0.decl.as(FunctionDeclSyntax.self)?.name.text == "==" }
    }
  }

  extension Syntax {
    /// Whether the declaration around a struct has type parameters, or is an extension, which does not show whether it has some.
    fileprivate var canHaveTypeParameters: Bool {
      self.is(ExtensionDeclSyntax.self) || asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
  }

  extension StructDeclSyntax {
    /// Whether the struct shows that its values have an identity, so that they can be elements of a collection.
    fileprivate var canBeElement: Bool {
      let inherited = inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription.split(separator: ".").last ?? "" } ?? []
      return inherited.contains("Identifiable")
        || memberBlock.members.contains { member in
          member.decl.as(VariableDeclSyntax.self)?.bindings.contains { $0.pattern.trimmedDescription == "id" } == true
        }
    }
  }

  extension AttributeSyntax {
    /// The spelling that `@Alterable` names; nil if it names none.
    var spelling: String? { member(nil) }

    /// The member that the argument with a label names; nil if there is none.
    func member(_ label: String?) -> String? {
      labelled.first { $0.label == label }?.value.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
  }

  extension FunctionDeclSyntax {
    /// Whether this is the model's own `apply(_ change: Change, at stamp: Stamp)`, or the one of its `OwnChange` or `Step`.
    ///
    /// - Parameters:
    ///   - change: The name of the type of the first parameter.
    ///   - owner: The name of the model.
    func isApply(of change: String, in owner: String) -> Bool {
      let parameters = signature.parameterClause.parameters
      guard takesChange(change, in: owner), parameters.count == 2, let first = parameters.first, let last = parameters.last else {
        return false
      }
      return first.firstName.text == "_" && last.firstName.text == "at" && !isAsynchronous && !isStatic
    }

    /// Whether this is probably meant to be the `apply` of a change, but has another signature: it would never be called.
    func resemblesApply(of change: String, in owner: String) -> Bool {
      let parameters = signature.parameterClause.parameters
      guard takesChange(change, in: owner), parameters.count <= 2, let last = parameters.last else { return false }
      return parameters.count == 1 || last.firstName.text == "at" || last.type.lastName == "Stamp"
    }

    /// Whether this is a method `apply` whose first parameter is a change.
    private func takesChange(_ change: String, in owner: String) -> Bool {
      guard name.text == "apply", let first = signature.parameterClause.parameters.first else { return false }
      // The type can stand behind its parents, `House.Door.Change` or `Self.Change`, and behind `consuming`.
      var type = first.type
      while let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType }
      return
        type.as(IdentifierTypeSyntax.self)?.name.text.unquoted == change
        || type.as(MemberTypeSyntax.self).map { $0.name.text.unquoted == change && ["Self", owner].contains($0.baseType.lastName) } == true
    }

    /// Whether the method is `mutating`.
    var isMutating: Bool { modifiers.contains { $0.name.text == "mutating" } }

    private var isStatic: Bool { modifiers.contains { $0.name.text == "static" } }

    private var isAsynchronous: Bool { signature.effectSpecifiers?.asyncSpecifier != nil }

    /// The type of the errors that the function throws: 'any Error' for plain `throws`, empty if it throws nothing.
    var thrown: String {
      guard let clause = signature.effectSpecifiers?.throwsClause else { return "" }
      return clause.type?.trimmedDescription ?? "any Error"
    }
  }

  extension TypeSyntax {
    /// The name of the type without its parents and its arguments: `Door` for `House.Door<Int>`.
    var lastName: String? {
      (self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name)?.text.unquoted
    }
  }

  extension DeclSyntax {
    /// The name of a nested type or type alias.
    var declaredName: String? {
      self.as(TypeAliasDeclSyntax.self)?.name.text ?? self.as(EnumDeclSyntax.self)?.name.text ?? self.as(StructDeclSyntax.self)?.name.text
    }

    /// The name in the declaration; the declaration, if it has none.
    var nameNode: Syntax { asProtocol((any NamedDeclSyntax).self).map { Syntax($0.name) } ?? Syntax(self) }
  }
#endif
