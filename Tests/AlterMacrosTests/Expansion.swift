#if Macros
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @testable import AlterMacrosPlugin

  private let macros: [String: any Macro.Type] = [
    "Alterable": AlterableMacro.self, "Wire": WireMacro.self, "Nested": NestedMacro.self, "Each": EachMacro.self,
    "Fixed": MarkerMacro.self, "Stamped": MarkerMacro.self, "Default": MarkerMacro.self, "Renamed": MarkerMacro.self,
  ]

  /// Checks the expansion of a source, its diagnostics, and the result of its fix-its.
  func expectExpansion(
    of source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [], applying fixIts: [String]? = nil, fixed: String? = nil,
    conformances: [String] = ["AlterJournal.Journaled", "AlterMacros._Restamping", "AlterCore.EmptyInitializable", "Codable"],
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    assertMacroExpansion(
      source, expandedSource: expanded, diagnostics: diagnostics,
      macroSpecs: macros.mapValues { MacroSpec(type: $0, conformances: conformances.map { "\(raw: $0)" }) },
      applyFixIts: fixIts, fixedSource: fixed, indentationWidth: .spaces(2),
      failureHandler: { failure in
        Issue.record(
          Comment(rawValue: failure.message), sourceLocation: location)
      })
  }
#endif
