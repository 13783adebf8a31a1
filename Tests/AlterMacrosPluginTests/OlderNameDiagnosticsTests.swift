#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite("Names of older data")
  struct OlderNameDiagnosticsTests {
    @Test("are literals in one attribute, because a macro can't read the value of an expression")
    func literals() {
      expectProblems(
        of: """
          @Wire struct A {
            @Renamed(from: Names.old) var name: String?
            @Renamed(from: "title") @Renamed(from: "label") var text: String?
          }
          """,
        diagnostics: [
          .init(
            message: "Write the older name as a literal: a macro sees the source 'Names.old', not its value.", line: 2, column: 18),
          .init(message: #"Write all older names in one @Renamed: @Renamed(from: "second", "first")."#, line: 3, column: 27),
        ])
    }

    @Test("belong to one stored form: another one beside @Wire is an error")
    func oneForm() {
      expectProblems(
        of: "@Wire struct A: RawRepresentable { var rawValue: String }",
        diagnostics: [
          .init(
            message:
              "Codable stores a type with raw values as the bare raw value, @Wire would not: write 'Codable, StoredForm' instead of @Wire.",
            line: 1, column: 17)
        ])
      expectProblems(
        of: "@Wire struct A: Codable { var name: String }",
        diagnostics: [.init(message: "@Wire generates the conformance to Codable: remove 'Codable'.", line: 1, column: 17)])
    }
  }
#endif
