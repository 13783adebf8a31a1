#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Tells the user what is wrong with a declaration, at the place where it is.
  struct Problems {
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether there is an error.
    var isEmpty: Bool { diagnostics.isEmpty }

    /// Notes an error.
    mutating func report(_ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
      diagnostics.append(Diagnostic(node: Syntax(node), message: MacroExpansionErrorMessage(message), fixIts: fixes))
    }

    /// Shows them all.
    func show(in context: some MacroExpansionContext) {
      for diagnostic in diagnostics { context.diagnose(diagnostic) }
    }
  }

  extension FixIt {
    /// A fix-it that puts one piece of code in the place of another.
    static func replacing<Node: SyntaxProtocol>(_ old: Node, with new: some SyntaxProtocol, _ message: String) -> FixIt {
      FixIt(
        message: MacroExpansionFixItMessage(message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
  }
#endif
