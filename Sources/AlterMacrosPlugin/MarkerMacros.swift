#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// An attribute that generates no code. It carries information for `@Alterable` or `@Wire`.
  struct MarkerMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
  }

  /// `@Nested`: generates a type alias through which the compiler checks, at the property, that its type is Alterable.
  struct NestedMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if let line = declaration.as(EnumCaseDeclSyntax.self) {
        return line.elements.compactMap { element in
          guard let values = element.parameterClause?.parameters, values.count == 1, let type = values.first?.type, !type.isOptional else {
            return nil
          }
          return check("_nested_", element.name.text, "_NestedIsAlterable<\(type.trimmedDescription)>")
        }
      }
      guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first, let type = binding.typeAnnotation?.type, !type.isOptional
      else { return [] }
      return [check("_nested_", binding.pattern.trimmedDescription, "_NestedIsAlterable<\(type.trimmedDescription)>")]
    }
  }

  /// `@Each`: generates a type alias through which the compiler checks, at the property, that its elements are Alterable.
  struct EachMacro: PeerMacro {
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
    DeclSyntax(stringLiteral: "private typealias \(prefix)\(name.unquoted) = AlterMacros.\(type)")
  }
#endif
