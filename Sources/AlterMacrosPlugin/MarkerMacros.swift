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
      guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first, let type = binding.typeAnnotation?.type, !type.isOptional
      else { return [] }
      return [check("_nested_", binding, "_NestedIsAlterable<\(type.trimmedDescription)>")]
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
      return [check("_each_", binding, "_EachIsAlterable<\(element)>")]
    }
  }

  private func check(_ prefix: String, _ binding: PatternBindingSyntax, _ type: String) -> DeclSyntax {
    let name = binding.pattern.trimmedDescription.unquoted
    return DeclSyntax(stringLiteral: "private typealias \(prefix)\(name) = AlterMacros.\(type)")
  }
#endif
