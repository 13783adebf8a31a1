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

    @Test("a number that does not fit is reported with its place")
    func number() throws {
      let error = try #require(
        #expect(throws: DecodingError.self) { try JournalCoding.decode(Counted.self, from: Data(#"{"count":1.5}"#.utf8)) })
      #expect("\(error)".contains("the number does not fit Int"))
      #expect("\(error)".contains("count"))
    }
  }
#endif
