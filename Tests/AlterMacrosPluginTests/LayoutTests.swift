#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import Testing

  @testable import AlterMacrosPlugin

  @Suite("A constant is changed where it is")
  struct LayoutTests {
    @Test(
      "if the macro sees all that is stored",
      arguments: [
        ("struct A { let a: Int }", true),
        ("@available(macOS 15, *) @Alterable public struct A { @Fixed public let a: Int, b: Int }", true),
        ("@Alter.Alterable struct A { @AlterMacros.Default(1) let a: Int }", true),
        ("struct A<B> { let a: B; private(set) var b: Int = 1 { didSet { print(b) } }; public internal(set) var c: Int }", true),
        ("struct A { let a: Int; static let b = 1; var c: Int { 2 }; @inlinable func d() {}; nonisolated let e: Int }", true),
        ("struct A { let a: Int\n#if DEBUG\n static let b = 1\n #else\n static let b = 2\n#endif\n }", true),
        ("struct A { let a: Int\n#if DEBUG\n#endif\n }", true),
        ("struct A { let a: Int\n#if DEBUG\n #if os(Linux)\n var b = 1\n #endif\n#endif\n }", false),
        ("struct A { @Clamped private(set) var a: Int }", false),
        ("struct A { @Other.Default(1) let a: Int }", false),
        ("struct A {\n#if DEBUG\n@Clamped\n#endif\nprivate(set) var a: Int }", false),
        ("struct A { private(set) weak var a: B? }", false),
        ("struct A { unowned let a: B }", false),
        ("struct A { nonisolated(unsafe) let a: B }", false),
        ("struct A { let a: Int; #members }", false),
        ("struct A { let a: Int; @AddsStorage func b() {} }", false),
        ("@Observed struct A { let a: Int }", false),
      ])
    func layout(source: String, isKnown: Bool) throws {
      #expect(try #require(DeclSyntax(stringLiteral: source).as(StructDeclSyntax.self)).showsItsLayout == isKnown)
    }
  }
#endif
