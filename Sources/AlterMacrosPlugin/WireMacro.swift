#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@Wire`: gives a hand-written enum of changes the compact stored form.
  struct WireMacro: ExtensionMacro {
    /// The generated text is laid out already: formatting it again would take half of the plug-in's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      var problems = Problems()
      guard let declaration = declaration.as(EnumDeclSyntax.self) else {
        problems.report("@Wire is for enums of changes: a struct is already stored by the names of its properties.", at: node)
        problems.show(in: context)
        return []
      }
      let cases = ChangeCase.all(of: declaration, &problems)
      ChangeCase.checkNames(of: cases.map { ($0, Syntax(declaration.name)) }, in: declaration.name.text, &problems)
      problems.show(in: context)
      guard problems.isEmpty else { return [] }
      let access = declaration.modifiers.memberAccess
      let name = type.trimmedDescription
      // The migrations of a model convert the changes of its enum `Change`.
      let model = name.hasSuffix(".Change") ? String(name.dropLast(".Change".count)) : nil
      // A conformance of the source's own is not repeated.
      let hasStoredForm =
        StoredCoding.isPossible(for: cases) && protocols.contains { $0.trimmedDescription.split(separator: ".").last == "StoredForm" }
      let code = """
        \(declaration.attributes.availability)nonisolated extension \(name): Codable\(hasStoredForm ? StoredCoding.conformance : "") {
        \(WireCoding.members(of: cases, changing: model, access: access, hasStoredForm: hasStoredForm).indented)
        }
        """
      return [DeclSyntax(stringLiteral: code).as(ExtensionDeclSyntax.self)].compactMap(\.self)
    }
  }
#endif
