import AlterCollections
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("The stored form of an identity array")
struct IdentityArrayCodingTests {
  @Test("is a plain array of the elements")
  func plainArray() throws {
    let people: IdentityArray = [Person(2, "b"), Person(1, "a")]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(people)
    #expect(String(decoding: json, as: UTF8.self) == #"[{"id":2,"name":"b","salary":0},{"id":1,"name":"a","salary":0}]"#)
    #expect(try JSONDecoder().decode(IdentityArray<Person>.self, from: json) == people)
    #expect(try JSONDecoder().decode([Person].self, from: json) == people.all)
    #expect(try JSONDecoder().decode(IdentityArray<Person>.self, from: Data("[]".utf8)).isEmpty)
  }

  @Test("is refused when two elements have one id, and the error names the id and the place")
  func duplicate() throws {
    let json = #"{"people":[{"id":1,"value":0},{"id":2,"value":0},{"id":1,"value":5}]}"#
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([String: IdentityArray<Item<Int>>].self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(
      context.debugDescription
        == "a second Item<Int> with the id 1 (the first is at [0]): an identity array holds one per id. Remove one of the two")
    #expect(context.codingPath.last?.intValue == 2)
    #expect(context.codingPath.first?.stringValue == "people")
  }

  @Test(
    "is refused when it is no array, or an element can't be read", arguments: ["{}", "null", #"[{"id":1}]"#, #"[{"id":1,"value":1},7]"#])
  func malformed(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(IdentityArray<Item<Int>>.self, from: Data(json.utf8)) }
  }
}
