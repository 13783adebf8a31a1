import AlterCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("A revision")
struct RevisionTests {
  @Test("counts without gaps from the first, after zero")
  func counting() {
    #expect(Revision.zero.next == 1)
    #expect(Revision(5).previous == 4)
    #expect(Revision(5) + 3 == 8)
    #expect(Revision(8) - Revision(5) == 3)
    #expect(Revision(5) - Revision(8) == -3)
    #expect([Revision(3), 1, 2].sorted() == [1, 2, 3])
    #expect("\(Revision(1_042))" == "1042")
  }

  @Test("is read from what a person types")
  func text() {
    #expect(Revision("1042") == 1_042)
    #expect(Revision("-1") == nil && Revision("1 ") == nil && Revision("") == nil && Revision("99999999999999999999") == nil)
  }

  @Test("is stored as a bare number")
  func coding() throws {
    let json = try JSONEncoder().encode([Revision(42), 9_007_199_254_740_993])
    #expect(String(decoding: json, as: UTF8.self) == "[42,9007199254740993]")
    #expect(try JSONDecoder().decode([Revision].self, from: json) == [42, 9_007_199_254_740_993])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Revision].self, from: Data(#"["42"]"#.utf8)) }
  }
}

@Suite("A refusal")
struct RefusalTests {
  static let texts: [(Refusal, String)] = [
    (.missing("item", 7), "There is no item '7'."), (.duplicate("tag", "a1"), "The tag 'a1' is there already."),
    (.illegal(from: "done", change: "start"), "'start' can't happen in the state 'done'."),
    (.custom("The list is full."), "The list is full."),
    (.custom(code: "full", message: "No room."), "No room."),
  ]

  @Test("says what is wrong, in a sentence", arguments: texts)
  func wording(refusal: Refusal, text: String) {
    #expect(refusal.message == text)
    #expect("\(refusal)" == text)
  }

  @Test("can be compared by a program, without looking at the sentence")
  func comparison() {
    #expect(Refusal.missing("item", 7) == .missing(kind: "item", id: "7"))
    #expect(Refusal.missing("item", 7) != .missing("tag", 7))
    #expect(Refusal.custom("x") == .custom(code: "refused", message: "x"))
  }

  @Test("can be stored and read again", arguments: texts.map(\.0))
  func coding(refusal: Refusal) throws {
    #expect(try JSONDecoder().decode(Refusal.self, from: JSONEncoder().encode(refusal)) == refusal)
  }
}
