#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Collects the errors in a declaration, and reports each at its position in the source.
  struct Problems {
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether no error was reported.
    var isEmpty: Bool { diagnostics.isEmpty }

    /// Records an error.
    mutating func report(_ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
      diagnostics.append(Diagnostic(node: Syntax(node), message: MacroExpansionErrorMessage(message), fixIts: fixes))
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
