#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@Wire`: gives a hand-written enum the compact stored form, and a hand-written struct the form of its properties.
  struct WireMacro: ExtensionMacro {
    /// The generated text is laid out already: formatting it again would take half of the plug-in's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      var problems = Problems()
      let name = type.trimmedDescription
      let access = declaration.access(in: context)
      problems.checkRawValue(of: declaration)
      problems.checkOtherCoding(of: declaration)
      problems.checkCodingKeys(in: declaration.memberBlock.members, by: "Wire")
      // A conformance of the source's own is not repeated.
      let mayHaveStoredForm = protocols.contains { $0.trimmedDescription.split(separator: ".").last == "StoredForm" }
      let hasStoredForm: Bool
      let members: [String]
      if let declaration = declaration.as(EnumDeclSyntax.self) {
        let cases = ChangeCase.all(of: declaration, &problems)
        ChangeCase.checkNames(of: cases.map { ($0, Syntax(declaration.name)) }, in: declaration.name.text, &problems)
        hasStoredForm = mayHaveStoredForm && StoredCoding.isPossible(for: cases)
        // The migrations of a model convert the changes of its enum `Change`.
        let model = name.hasSuffix(".Change") ? String(name.dropLast(".Change".count)) : nil
        members = [WireCoding.members(of: cases, changing: model, access: access, hasStoredForm: hasStoredForm)]
      } else if let declaration = declaration.as(StructDeclSyntax.self) {
        let coding = PropertyCoding(properties: Property.all(of: declaration, &problems), access: access)
        hasStoredForm = mayHaveStoredForm && coding.hasStoredForm
        members = coding.members(withStoredForm: hasStoredForm)
      } else {
        problems.report("@Wire is for values: make this a struct or an enum.", at: node)
        (hasStoredForm, members) = (false, [])
      }
      problems.show(in: context)
      guard problems.isEmpty else { return [] }
      let code = """
        \(declaration.attributes.availability)nonisolated extension \(name): Codable\(hasStoredForm ? StoredCoding.conformance : "") {
        \((members + [StoredCoding.codingKeys]).joined(separator: "\n").indented)
        }
        """
      return [DeclSyntax(stringLiteral: code).as(ExtensionDeclSyntax.self)].compactMap(\.self)
    }
  }

  extension Property {
    /// Reads the stored properties of a struct that `@Wire` is attached to.
    fileprivate static func all(of declaration: StructDeclSyntax, _ problems: inout Problems) -> [Property] {
      var properties: [Property] = []
      for member in declaration.memberBlock.members {
        if let variable = member.decl.as(VariableDeclSyntax.self) {
          properties += parse(variable, of: nil, &problems)
        } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
          refuse(in: condition, &problems)
        }
      }
      if properties.isEmpty, problems.isEmpty {
        problems.report("'\(declaration.name.text)' has no stored property: nothing would be stored. Remove @Wire.", at: declaration.name)
      }
      problems.checkStoredNames(of: properties, in: declaration.name.text)
      return properties
    }
  }
#endif
