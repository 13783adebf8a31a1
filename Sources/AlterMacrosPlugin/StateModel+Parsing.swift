#if Macros
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxMacros

  extension StateModel {
    /// Reads the enum that `@Alterable` is attached to. The model is complete only if no problem was reported.
    static func parse(
      _ declaration: EnumDeclSyntax, at attribute: AttributeSyntax, in context: some MacroExpansionContext, _ problems: inout Problems
    ) -> StateModel {
      let name = declaration.name.text
      let states = ChangeCase.all(of: declaration, isChecked: true, &problems)
      var ownChange: EnumDeclSyntax?
      var thrown: [String: String] = [:]
      // Methods that are not called because their signature is another one.
      var similar: [(change: String, function: FunctionDeclSyntax)] = []
      var ownFailure: String?
      var declaresChange = false
      problems.checkStates(of: declaration)
      let declaresCodingKeys = problems.checkCodingKeys(in: declaration.memberBlock.members, by: "Alterable")
      problems.checkConstant(attribute, ["verbFirst", "nounFirst"])
      problems.checkConstant(attribute, label: "changing", [])
      for member in declaration.memberBlock.members {
        if let type = member.decl.as(EnumDeclSyntax.self), type.name.text == "OwnChange" {
          ownChange = type
        } else if member.decl.declaredName == "Change" {
          problems.report("@Alterable generates the enum Change: rename yours to OwnChange, or remove the macro.", at: member.decl.nameNode)
          declaresChange = true
        } else if let function = member.decl.as(FunctionDeclSyntax.self) {
          for type in ["Change", "OwnChange", "Step"] {
            if function.isApply(of: type, in: name) {
              thrown[type] = function.thrown
              problems.checkApply(function, of: type)
            } else if function.resemblesApply(of: type, in: name) {
              similar.append((type, function))
            }
          }
        } else if member.decl.declaredName == "Failure" {
          ownFailure = member.decl.as(TypeAliasDeclSyntax.self)?.initializer.value.trimmedDescription ?? "Failure"
        }
      }
      for (change, function) in similar where thrown[change] == nil { problems.reportSimilarApply(function, of: change) }
      let ownCases = ownChange.map { changes(of: $0, in: declaration, states, &problems) } ?? []
      let equality = declaration.equality
      var model = StateModel(
        name: name, visibility: declaration.access(in: context), changeProtocols: "Sendable, \(equality)Codable", states: states,
        parts: parts(of: declaration, states, &problems), ownCases: ownCases,
        ownCasesRefuse: ownChange != nil
          && thrown[ownCases.contains { !$0.refused.isEmpty || !$0.ignored.isEmpty } ? "Step" : "OwnChange"] != "",
        ownApplyThrows: thrown["Change"], ownFailure: ownFailure, declaresChange: declaresChange)
      model.check(ownChange, thrown, at: attribute, &problems)
      model.isBroken = !problems.isEmpty
      model.declaresCodingKeys = declaresCodingKeys
      model.hasSimilarApply = similar.contains { $0.change == "Change" } && thrown["Change"] == nil
      return model
    }

    private static func parts(of declaration: EnumDeclSyntax, _ states: [ChangeCase], _ problems: inout Problems) -> [Part] {
      var parts: [Part] = []
      for member in declaration.memberBlock.members {
        guard let line = member.decl.as(EnumCaseDeclSyntax.self), let attribute = line.attributes.named("Nested") else { continue }
        for element in line.elements {
          guard let state = states.first(where: { $0.wireName == element.name.text.unquoted }) else { continue }
          guard let value = state.values.first, state.values.count == 1, element.parameterClause?.parameters.first?.type.isOptional == false
          else {
            problems.report(
              "@Nested needs a case with one value that is not an optional: '\(state.wireName)' has no such payload to change.", at: element
            )
            continue
          }
          guard let name = attribute.strings.first ?? value.label?.unquoted ?? value.type.elementName else {
            problems.report(
              "the name of the change can't be derived from '\(value.type)': write it, as in @Nested(\"part\").", at: attribute)
            continue
          }
          if let other = parts.first(where: { $0.name == name && $0.type != value.type }) {
            problems.report(
              "'\(name)' would be the change of two types, \(other.type) and \(value.type): name one of them, as in @Nested(\"other\").",
              at: attribute)
            continue
          }
          parts.append(Part(state: state, name: name, type: value.type))
        }
      }
      return parts
    }

    private static func changes(
      of declaration: EnumDeclSyntax, in owner: EnumDeclSyntax, _ states: [ChangeCase], _ problems: inout Problems
    ) -> [OwnCase] {
      let cases = problems.leavingToWire(declaration) { ChangeCase.all(of: declaration, &$0) }
      let taken = takenChanges(in: owner, cases, &problems)
      var lists: [String: (refused: Set<String>, ignored: Set<String>)] = [:]
      let known = Set(states.map(\.wireName))
      for member in declaration.memberBlock.members {
        guard let line = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
        func listed(_ attribute: String) -> Set<String> {
          var names: Set<String> = []
          for argument in line.attributes.all(named: attribute).flatMap(\.labelled) {
            let called = argument.value.as(FunctionCallExprSyntax.self)?.calledExpression ?? argument.value
            guard let member = called.as(MemberAccessExprSyntax.self), known.contains(member.declName.baseName.text.unquoted),
              member.base?.typeName == owner.name.text
            else {
              problems.report(
                "@\(attribute) needs states, as in @\(attribute)(in: \(owner.name.text).state): this is none of the cases.",
                at: argument.value)
              continue
            }
            names.insert(member.declName.baseName.text.unquoted)
          }
          return names
        }
        let (refused, ignored) = (listed("Refused"), listed("Ignored"))
        if let both = refused.intersection(ignored).min() {
          problems.report("the change is both refused and ignored in '\(both)': remove it from one of the lists.", at: line)
        }
        for element in line.elements { lists[element.name.text.unquoted] = (refused, ignored.subtracting(refused)) }
      }
      return cases.map { change in
        var (refused, ignored) = lists[change.wireName] ?? ([], [])
        if let taken {
          if !refused.isEmpty {
            problems.report("@Takes lists what each state takes, so that @Refused has no use here: remove it.", at: declaration.name)
          }
          refused = known.filter { taken[$0]?.contains(change.wireName) != true }
          if refused == known {
            problems.report("no state takes '\(change.wireName)': list it in a @Takes, or remove it.", at: declaration.name)
          }
          if let both = ignored.subtracting(refused).min() {
            problems.report(
              "'\(both)' takes '\(change.wireName)', which is ignored there: remove it from one of the lists.", at: declaration.name)
          }
          refused.subtract(ignored)
        }
        return OwnCase(change: change, refused: refused, ignored: ignored)
      }
    }

    /// The changes that each state takes; nil if no state has a list.
    private static func takenChanges(in owner: EnumDeclSyntax, _ cases: [ChangeCase], _ problems: inout Problems) -> [String: Set<String>]?
    {
      let lines = owner.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      guard lines.contains(where: { $0.attributes.named("Takes") != nil }) else { return nil }
      let known = Set(cases.map(\.wireName))
      var taken: [String: Set<String>] = [:]
      for line in lines {
        let attributes = line.attributes.all(named: "Takes")
        guard !attributes.isEmpty else {
          let names = line.elements.map { "'\($0.name.text.unquoted)'" }.joined(separator: ", ")
          problems.report("\(names) has no list of changes, as other states have: write @Takes(…), or @Takes() if it takes none.", at: line)
          continue
        }
        var names: Set<String> = []
        for argument in attributes.flatMap(\.labelled) {
          let called = argument.value.as(FunctionCallExprSyntax.self)?.calledExpression ?? argument.value
          if let member = called.as(MemberAccessExprSyntax.self), known.contains(member.declName.baseName.text.unquoted),
            member.base?.typeName == "OwnChange"
          {
            names.insert(member.declName.baseName.text.unquoted)
          } else {
            problems.report(
              "@Takes needs changes, as in @Takes(OwnChange.name): this is none of the cases of OwnChange.", at: argument.value)
          }
        }
        for element in line.elements { taken[element.name.text.unquoted] = names }
      }
      return taken
    }

    private func check(_ ownChange: EnumDeclSyntax?, _ thrown: [String: String], at attribute: AttributeSyntax, _ problems: inout Problems)
    {
      guard problems.isEmpty else { return }
      if attribute.spelling == "nounFirst" {
        problems.report("'\(name)' has no @Each collection whose changes could be written noun first: write @Alterable.", at: attribute)
      }
      if refuses, thrown["Change"] == nil { problems.checkFailure(ownFailure, of: name, at: attribute) }
      if states.isEmpty || cases.isEmpty {
        problems.report(
          states.isEmpty
            ? "'\(name)' has no case, and so no state: remove @Alterable."
            : """
            '\(name)' has no change: declare them in an enum OwnChange inside it (an extension is invisible to the macro), or mark a case whose \
            payload changes with @Nested.
            """,
          at: attribute)
      }
      ChangeCase.checkNames(of: states.map { ($0, Syntax(attribute)) }, in: "the states of \(name)", &problems)
      ChangeCase.checkNames(of: cases.map { ($0, ownChange.map { Syntax($0.name) } ?? Syntax(attribute)) }, in: name, &problems)
      if hasSteps { checkStepNames(at: attribute, &problems) }
      if let ownChange, problems.isEmpty { checkMethod(thrown, of: ownChange, &problems) }
    }

    /// Reports that the source lacks the method for the changes of `OwnChange`.
    ///
    /// The method has to stand in the enum. An extension is invisible to the macro, and without the method the compiler crashes in the generated code
    /// (Swift 6.3.1) instead of reporting it.
    private func checkMethod(_ thrown: [String: String], of ownChange: EnumDeclSyntax, _ problems: inout Problems) {
      let (needed, other) = hasSteps ? ("Step", "OwnChange") : ("OwnChange", "Step")
      guard thrown[needed] == nil else { return }
      let method = "'mutating func apply(_ \(hasSteps ? "step" : "change"): \(needed), at stamp: Stamp) throws(Refusal)'"
      problems.report(
        thrown[other] == nil
          ? "'\(name)' needs a method for its changes: write \(method) in the enum itself. An extension is invisible to the macro."
          : hasSteps
            ? "with @Refused or @Ignored, '\(name)' makes steps: write \(method) instead of the 'apply' of OwnChange, and switch over the step."
            : "without @Refused or @Ignored, '\(name)' makes no steps: write \(method) instead of the 'apply' of Step, and switch over the change.",
        at: ownChange.name)
    }

    /// Reports each payload type that a generated type would hide. No payload can mean the generated one, which is not `Codable`.
    private func checkStepNames(at attribute: AttributeSyntax, _ problems: inout Problems) {
      var owners: [String: String] = [:]
      for state in states where ownCases.contains(where: { $0.isRelevant(in: state) }) {
        if let other = owners.updateValue(state.wireName, forKey: stepType(of: state)) {
          problems.report(
            "'\(stepType(of: state))' would be the type of the changes in two states, '\(other)' and '\(state.wireName)': rename one of them.",
            at: attribute)
        }
      }
      let hiding = Set(owners.keys).union(["Step"])
      var reported: Set<String> = []
      for one in states + ownCases.map(\.change) {
        for name in one.values.flatMap(\.type.outermostNames) where hiding.contains(name) && reported.insert(name).inserted {
          problems.report(
            """
            the macro generates a type '\(name)', which hides the one in the payload of '\(one.wireName)': \
            \(name == "Step" ? "rename that type" : "rename that type or the state"), or write its module in front.
            """, at: attribute)
        }
      }
    }
  }

  extension String {
    /// The names in a type that are looked up from where it stands: `List` and `Step` for `List<Step.ID>`.
    var outermostNames: [String] {
      var parser = Parser(self)
      return TypeSyntax.parse(from: &parser).tokens(viewMode: .sourceAccurate).compactMap { token in
        guard case .identifier = token.tokenKind, token.previousToken(viewMode: .sourceAccurate)?.tokenKind != .period else { return nil }
        return token.text.unquoted
      }
    }
  }
#endif
