#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// An attribute that generates no code. It carries information for `@Alterable` or `@Wire`.
  struct MarkerMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
  }

  /// `@Refused` and `@Ignored`: report a place where `@Alterable` does not read them, so that no refusal is lost there.
  struct StateListMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let owners = context.lexicalContext.prefix(2).map { $0.as(EnumDeclSyntax.self) }
      guard declaration.is(EnumCaseDeclSyntax.self), owners.count == 2, owners[0]?.name.text == "OwnChange",
        owners[1]?.attributes.named("Alterable") != nil
      else {
        var problems = Problems()
        problems.report(
          "@\(node.plainName) is for a case of the enum OwnChange in an enum with @Alterable: nothing reads it here.", at: node)
        problems.show(in: context)
        return []
      }
      return []
    }
  }

  /// `@Nested`: generates a type alias through which the compiler checks, at the property, that its type is Alterable.
  struct NestedMacro: PeerMacro {
    /// The generated text is laid out already: formatting it again would take half of the plug-in's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if let line = declaration.as(EnumCaseDeclSyntax.self) {
        // On a line with several cases, the compiler expands the attribute for each of them and accepts only its name: the names are made.
        let isAlone = line.elements.count == 1
        return line.elements.compactMap { element in
          guard let values = element.parameterClause?.parameters, values.count == 1, let type = values.first?.type, !type.isOptional else {
            return nil
          }
          let name = isAlone ? "_nested_\(element.name.text.unquoted)" : context.makeUniqueName("nested").text
          // A function, because the compiler checks a type alias when it looks up a case, which may be before the payload's own macro.
          return """
            private nonisolated static func \(raw: name.quotedIfNecessary)() { _ = AlterMacros._NestedIsAlterable<\(raw: type.trimmedDescription)>.self }
            """
        }
      }
      guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first, let type = binding.typeAnnotation?.type, !type.isOptional
      else { return [] }
      return [check("_nested_", binding.pattern.trimmedDescription, "_NestedIsAlterable<\(type.trimmedDescription)>")]
    }
  }

  /// `@Each`: generates a type alias through which the compiler checks, at the property, that its elements are Alterable.
  struct EachMacro: PeerMacro {
    /// The generated text is laid out already: formatting it again would take half of the plug-in's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first,
        let element = binding.typeAnnotation?.type.identityArrayElement
      else { return [] }
      return [check("_each_", binding.pattern.trimmedDescription, "_EachIsAlterable<\(element)>")]
    }
  }

  private func check(_ prefix: String, _ name: String, _ type: String) -> DeclSyntax {
    DeclSyntax(stringLiteral: "private typealias \((prefix + name.unquoted).quotedIfNecessary) = AlterMacros.\(type)")
  }
#endif
