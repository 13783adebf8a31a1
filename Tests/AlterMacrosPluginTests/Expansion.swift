#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @testable import AlterMacrosPlugin

  private let macros: [String: any Macro.Type] = [
    "Alterable": AlterableMacro.self, "Wire": WireMacro.self, "Nested": NestedMacro.self, "Each": EachMacro.self,
    "Fixed": MarkerMacro.self, "Stamped": MarkerMacro.self, "Default": MarkerMacro.self, "Renamed": MarkerMacro.self,
    "Refused": StateListMacro.self,
  ]

  /// The protocols that the compiler tells the macros to add.
  private let conformances = [
    "AlterJournal.Journaled", "AlterCore.StoredForm", "AlterMacros._Restamping", "AlterMacros._StampingOnce",
    "AlterCore.EmptyInitializable", "Codable",
  ]

  private func specs(_ conformances: [String]) -> [String: MacroSpec] {
    macros.mapValues { MacroSpec(type: $0, conformances: conformances.map { "\(raw: $0)" }) }
  }

  /// Returns the expansion of a source.
  func expansion(of source: String) -> String {
    SourceFileSyntax(stringLiteral: source).expand(
      macroSpecs: specs(conformances), contextGenerator: { BasicMacroExpansionContext(lexicalContext: $0.allMacroLexicalContexts()) },
      indentationWidth: .spaces(2)
    ).description
  }

  /// Checks the diagnostics of a source with mistakes, and the result of their fix-its, whatever is generated besides: see
  /// `MistakeMembersTests.members`.
  func expectProblems(
    of source: String, diagnostics: [DiagnosticSpec], applying fixIts: [String]? = nil, fixed: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    #expect(!diagnostics.isEmpty, sourceLocation: location)
    expectExpansion(
      of: source, expansion(of: source), diagnostics: diagnostics, applying: fixIts, fixed: fixed, at: location)
  }

  /// Checks the expansion of a source, its diagnostics, and the result of its fix-its.
  func expectExpansion(
    of source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [], applying fixIts: [String]? = nil, fixed: String? = nil,
    conformances: [String] = conformances,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    assertMacroExpansion(
      source, expandedSource: expanded, diagnostics: diagnostics,
      macroSpecs: specs(conformances),
      applyFixIts: fixIts, fixedSource: fixed, indentationWidth: .spaces(2),
      failureHandler: { failure in
        Issue.record(
          Comment(rawValue: failure.message), sourceLocation: location)
      })
  }
#endif
