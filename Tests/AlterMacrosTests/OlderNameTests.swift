#if Macros
  import Alter
  import Foundation
  import Testing

  @Wire struct Quoted: Equatable {
    @Renamed(from: "ol\"d", "o\\d") let name: String?
  }

  @Wire struct Counted {
    let count: Int
  }

  @Suite("Names of older data")
  struct OlderNameTests {
    @Test("may contain quotation marks and backslashes", arguments: [#"{"ol\"d":"x"}"#, #"{"o\\d":"x"}"#, #"{"name":"x"}"#])
    func characters(json: String) throws {
      #expect(try JSONDecoder().decode(Quoted.self, from: Data(json.utf8)) == Quoted(name: "x"))
    }

    @Test("are literals in one attribute: what a macro can't read would lose data without an error")
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

    @Test("a number that does not fit is reported with its place")
    func number() throws {
      let error = try #require(
        #expect(throws: DecodingError.self) { try JournalCoding.decode(Counted.self, from: Data(#"{"count":1.5}"#.utf8)) })
      #expect("\(error)".contains("the number does not fit Int"))
      #expect("\(error)".contains("count"))
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
