#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@Alterable`: reads the struct or the enum, then generates its members and conformances.
  struct AlterableMacro: MemberMacro, ExtensionMacro {
    /// The generated text is laid out already: formatting it again would take half of the plug-in's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      var problems = Problems()
      if let states = declaration.as(EnumDeclSyntax.self) {
        let model = StateModel.parse(states, at: node, in: context, &problems)
        problems.show(in: context)
        return model.members.map(DeclSyntax.init(stringLiteral:))
      }
      let model = Model.parse(declaration, at: node, in: context, &problems)
      problems.show(in: context)
      guard let model else { return [] }
      let members: [String?] =
        [
          model.declaresChange ? nil : model.changeEnum, model.failureType, model.storedTypes,
          model.declaresCodingKeys ? nil : StoredCoding.codingKeys, model.fieldsType, model.applyMethod, model.restampMethod,
          model.enterMethod, model.hasSimilarApply ? Model.applyGenerated(throws: model.refuses) : nil,
        ]
        + model.initialiserDeclarations + model.coding.members(withStoredForm: model.coding.hasStoredForm)
      return members.compactMap { $0.map(DeclSyntax.init(stringLiteral:)) }
    }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      var problems = Problems()
      var wanted = ["AlterJournal.Journaled"]
      if let states = declaration.as(EnumDeclSyntax.self) {
        if StoredCoding.isPossible(for: StateModel.parse(states, at: node, in: context, &problems).states) {
          wanted.append("AlterCore.StoredForm")
        }
      } else {
        guard let model = Model.parse(declaration, at: node, in: context, &problems) else { return [] }
        if model.coding.hasStoredForm { wanted.append("AlterCore.StoredForm") }
        if !model.stampedOnce.isEmpty {
          wanted += ["AlterMacros._Restamping", "AlterMacros._StampingOnce"]
        } else if !model.stamped.isEmpty {
          wanted.append("AlterMacros._Restamping")
        }
        if model.canBeEmpty { wanted.append("AlterCore.EmptyInitializable") }
      }
      // The compiler passes only the protocols that the source does not conform to already. Leave out the others.
      let missing = Set(protocols.map { $0.trimmedDescription.split(separator: ".").last ?? "" })
      let conformances = wanted.filter { missing.contains($0.split(separator: ".").last ?? "") }
      guard !conformances.isEmpty else { return [] }
      let code =
        "\(declaration.attributes.availability)nonisolated extension \(type.trimmedDescription): \(conformances.joined(separator: ", ")) {}"
      return [DeclSyntax(stringLiteral: code).as(ExtensionDeclSyntax.self)].compactMap(\.self)
    }
  }
#endif
