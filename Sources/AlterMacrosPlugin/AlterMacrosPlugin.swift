#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The entry point that the compiler loads: the list of this package's macros.
  @main
  struct AlterMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      AlterableMacro.self, WireMacro.self, MarkerMacro.self, StateListMacro.self, NestedMacro.self, EachMacro.self,
    ]
  }
#else
  /// Without the trait `Macros` the plugin has no macros.
  @main
  struct AlterMacrosPlugin {
    static func main() {}
  }
#endif
