#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Collects the errors in a declaration, and reports each at its position in the source.
  struct Problems {
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether another macro reports an error of the declaration.
    private var hasOthers = false

    /// Whether the declaration has no error.
    var isEmpty: Bool { diagnostics.isEmpty && !hasOthers }

    /// Records an error.
    mutating func report(_ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
      diagnostics.append(Diagnostic(node: Syntax(node), message: MacroExpansionErrorMessage(message), fixIts: fixes))
    }

    /// Leaves the errors that are found in a declaration with `@Wire` to that macro, so that none is reported twice.
    mutating func leavingToWire<Result>(_ declaration: EnumDeclSyntax, _ read: (inout Problems) -> Result) -> Result {
      guard declaration.attributes.named("Wire") != nil else { return read(&self) }
      var others = Problems()
      defer { hasOthers = hasOthers || !others.isEmpty }
      return read(&others)
    }

    /// Passes all errors to the compiler.
    func show(in context: some MacroExpansionContext) {
      for diagnostic in diagnostics { context.diagnose(diagnostic) }
    }
  }

  extension FixIt {
    /// A fix-it that replaces one piece of code with another.
    static func replacing<Node: SyntaxProtocol>(_ old: Node, with new: some SyntaxProtocol, _ message: String) -> FixIt {
      FixIt(
        message: MacroExpansionFixItMessage(message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
  }
#endif
