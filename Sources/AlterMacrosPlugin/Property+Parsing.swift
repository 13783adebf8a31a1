#if Macros
  import SwiftSyntax

  extension Property {
    /// Reads the stored properties of one declaration: `let a, b: Int` has two.
    ///
    /// - Parameters:
    ///   - line: The declaration.
    ///   - model: The model; nil for a struct that is stored, and has no changes.
    ///   - problems: The problems.
    static func parse(
      _ line: VariableDeclSyntax, of model: Owner?, _ problems: inout Problems
    ) -> [Property] {
      let modifiers = line.modifiers
      if modifiers.contains(where: { $0.name.text == "static" }) { return [] }
      let bindings = Array(line.bindings)
      // In `let a, b: Int`, only the last binding has a type.
      var types: [TypeSyntax?] = bindings.map { $0.typeAnnotation?.type }
      for index in types.indices.reversed() where types[index] == nil && bindings[index].initializer == nil && index + 1 < types.count {
        types[index] = types[index + 1]
      }
      return zip(bindings, types).compactMap { binding, type in
        binding.isComputed ? nil : parse(binding, type, line, of: model, &problems)
      }
    }

    private static func parse(
      _ binding: PatternBindingSyntax, _ type: TypeSyntax?, _ line: VariableDeclSyntax, of model: Owner?,
      _ problems: inout Problems
    ) -> Property? {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
        problems.report(
          "@\(model == nil ? "Wire" : "Alterable") needs a name for each property: write the elements of this tuple as separate properties.",
          at: binding.pattern)
        return nil
      }
      guard let type else {
        problems.reportMissingType(of: name, binding)
        return nil
      }
      let isLet = line.bindingSpecifier.tokenKind == .keyword(.let)
      if let model {
        problems.checkSeal(of: name, isLet: isLet, access: model.access, line)
        problems.checkObservers(of: name, binding)
        problems.checkAccess(of: name, line, in: model.name, access: model.access)
      } else {
        problems.checkStorage(of: name, line)
      }
      if isLet, let value = binding.initializer {
        problems.reportConstant(name, value, binding, line)
      }
      let text = type.trimmedDescription
      problems.checkOptionals(in: type, of: name.unquoted)
      problems.checkStored(type, of: name.unquoted)
      problems.checkName(name, at: binding.pattern)
      let standIn = line.attributes.named("Default")?.labelled.first
      var hasOtherType = false
      if let standIn {
        problems.checkDefault(standIn.value, of: type)
        hasOtherType = problems.checkType(of: standIn.value, type)
        if standIn.label != "constant" { problems.checkConstancy(of: standIn.value, for: name.unquoted) }
      }
      let older = problems.olderNames(in: line.attributes)
      let ownName = model == nil ? nil : problems.changeName(in: line.attributes)
      var role = model.map { Role.parse(name, type, line, of: $0, olderNames: older, &problems) } ?? .plain([.set: text])
      // A case of a public enum is public: it would let everyone set a property whose setter is not.
      if case .plain = role, let model, !model.access.isEmpty, !isLet, line.attributes.named("Changes") == nil { role = .fixed }
      if case .stampedOnce = role {
        problems.checkUnset(standIn?.value ?? binding.initializer?.value, of: name)
      }
      return Property(
        name: name, type: text, role: role ?? .plain([.set: text]), isLet: isLet, isOptional: type.isOptional,
        isKnown: model == nil || type.isKnown,
        isNumber: type.isNumber, changeName: ownName ?? name.unquoted,
        // A value of another type is reported, and not used.
        standIn: hasOtherType ? "{ fatalError() }()" : standIn?.value.trimmedDescription,
        initialValue: binding.initializer?.value.trimmedDescription, olderNames: older, documentation: line.documentation,
        node: Syntax(binding.pattern))
    }

    /// Reports each stored property that is declared under `#if`.
    static func refuse(in condition: IfConfigDeclSyntax, _ problems: inout Problems) {
      for clause in condition.clauses {
        guard case .decls(let members) = clause.elements else { continue }
        for member in members {
          guard let line = member.decl.as(VariableDeclSyntax.self), !line.modifiers.contains(where: { $0.name.text == "static" }),
            line.bindings.contains(where: { !$0.isComputed })
          else { continue }
          problems.report(
            "a stored property under #if would make two builds of an app disagree about their journal: move it out of the condition.",
            at: line)
        }
      }
    }
  }

  extension PatternBindingSyntax {
    /// Whether the binding has a getter, so that it stores nothing.
    var isComputed: Bool {
      switch accessorBlock?.accessors {
      case .getter: return true
      case .accessors(let list): return list.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      case nil: return false
      }
    }
  }

  extension TypeSyntax {
    /// Whether the type is written as an optional.
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// The type in a type that is written as an optional; nil for any other type.
    private var wrapped: TypeSyntax? {
      if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.withoutParentheses }
      if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.withoutParentheses }
      let plain = self.as(IdentifierTypeSyntax.self).map { ($0.name, $0.genericArgumentClause) }
      let member = self.as(MemberTypeSyntax.self).map { ($0.name, $0.genericArgumentClause) }
      guard let (name, arguments) = plain ?? member, name.text == "Optional", let first = arguments?.arguments.first else { return nil }
      return Syntax(first.argument).as(TypeSyntax.self)?.withoutParentheses
    }

    private var withoutParentheses: TypeSyntax {
      guard let elements = self.as(TupleTypeSyntax.self)?.elements, elements.count == 1, let only = elements.first else { return self }
      return only.type.withoutParentheses
    }

    /// The first optional of an optional in the type; nil if there is none.
    var optionalOfOptional: TypeSyntax? {
      func search(_ node: Syntax) -> TypeSyntax? {
        if let type = node.as(TypeSyntax.self), type.wrapped?.wrapped != nil { return type }
        for child in node.children(viewMode: .sourceAccurate) { if let found = search(child) { return found } }
        return nil
      }
      return search(Syntax(self))
    }
  }
#endif
