import Alter
import AlterTesting
import Foundation
import Testing
import TodoCore

@Suite("The name of an item") struct ItemNameTests {
  /// A list of items whose ids begin with the given texts.
  private func list(_ beginnings: String...) throws -> (state: AppState, ids: [UUID]) {
    let ids = try beginnings.map { beginning in
      let rest = "00000000-0000-4000-8000-000000000000".dropFirst(beginning.count)
      return try #require(UUID(uuidString: beginning + rest))
    }
    return (try AppState().alter(ids.enumerated().map { .add(.item(TodoItem(id: $1, text: "Item \($0 + 1)"))) }), ids)
  }

  @Test("is its number in the list, or the beginning of its id, in capitals or not") func find() throws {
    let (state, ids) = try list("abcd", "beef", "12ab")
    #expect(try ItemName.find("1", in: state) == ids[0])
    #expect(try ItemName.find("03", in: state) == ids[2])
    #expect(try ItemName.find("beef", in: state) == ids[1])
    #expect(try ItemName.find("BEEF0000-", in: state) == ids[1])
    #expect(try ItemName.find(ids[2].uuidString, in: state) == ids[2])
  }

  @Test("of digits alone is always a number, so an id that begins with digits is shown up to where it can't be taken for one") func digits()
    throws
  {
    let (state, ids) = try list("12345678", "1234a678", "00000000")
    let short = ItemName.short(in: state)
    #expect(ids.map { short[$0] } == ["12345678-", "1234a", "00000000-"])
    for id in ids { #expect(try ItemName.find(try #require(short[id]), in: state) == id) }
    #expect(throws: ItemName.Problem.noNumber("12345678", count: 3)) { try ItemName.find("12345678", in: state) }
    #expect(ItemName.likely(ids[0]) == "12345678-")
    #expect(ItemName.likely(ids[1]) == "1234a678")
  }

  @Test("is refused when it fits several items, none, or is too short to tell") func problems() throws {
    let (state, _) = try list("abcde", "abcdf", "beef")
    #expect(throws: ItemName.Problem.ambiguous("abcd", ["abcde  Item 1", "abcdf  Item 2"])) { try ItemName.find("abcd", in: state) }
    #expect(throws: ItemName.Problem.noID("cafe")) { try ItemName.find("cafe", in: state) }
    for name in ["", "a", "abc"] { #expect(throws: ItemName.Problem.tooShort(name)) { try ItemName.find(name, in: state) } }
    for name in ["0", "4", "99999999999999999999999"] {
      #expect(throws: ItemName.Problem.noNumber(name, count: 3)) { try ItemName.find(name, in: state) }
    }
    #expect(ItemName.Problem.ambiguous("abcd", ["abcde  Item 1"]).description.hasSuffix("ids: give more of it\n  abcde  Item 1"))
  }
}
