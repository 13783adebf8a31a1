#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// What the compiler loads: the list of our macros.
  @main
  struct AlterMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [AlterableMacro.self, WireMacro.self, MarkerMacro.self, NestedMacro.self, EachMacro.self]
  }
#else
  /// Without the trait `Macros` there is nothing to load.
  @main
  struct AlterMacrosPlugin {
    static func main() {}
  }
#endif
