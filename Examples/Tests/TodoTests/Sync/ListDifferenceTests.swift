import Alter
import Foundation
import Testing
import TodoCore

@Suite("The difference between a device's list and a server's") struct ListDifferenceTests {
  /// The server has 1, 2 and 3; the device has 1, another 2, and 4, with a tag and notes.
  private func lists() throws -> (mine: AppState, theirs: AppState) {
    let theirs = try list("Pay rent", "Buy bread", "Call home").alter(
      .tag("@home", .add(id(1))), .tag("@shop", .add(id(2))), .add(.entry(Note(id: id(11), text: "a"))),
      .add(.entry(Note(id: id(12), text: "b"))))
    let mine = try theirs.alter(
      .item(id(2), .text("Buy rye bread")), .remove(.item(id(3))), .add(.item(TodoItem(id: id(4), text: "Water"))),
      .tag("@home", .add(id(4))), .tag("@shop", .remove(id(2))), .entry(id(11), .text("A")), .remove(.entry(id(12))),
      .add(.entry(Note(id: id(13), text: "c"))))
    return (mine, theirs)
  }

  private func kept(_ choice: ListDifference.Choice) throws -> AppState {
    let (mine, theirs) = try lists()
    var number = 100
    let changes = ListDifference(mine: mine, theirs: theirs).changes(keeping: choice) {
      number += 1
      return id(number)
    }
    return try theirs.alter(changes)
  }

  @Test("names what differs") func description() throws {
    let (mine, theirs) = try lists()
    let difference = ListDifference(mine: mine, theirs: theirs)
    #expect(!difference.isEmpty)
    #expect(
      difference.description
        == "only on this device: ‘Water’, the note ‘c’; only on the server: ‘Call home’, the note ‘b’; different: ‘Buy rye bread’, the note ‘A’"
    )
    #expect(ListDifference(mine: try theirs.alter(.tag("@shop", .remove(id(2)))), theirs: theirs).description == "the tags of items differ")
  }

  @Test("is empty for equal lists, also in another order and with other times of change") func empty() throws {
    let (_, theirs) = try lists()
    let mine = try theirs.alter([.item(id(1), .completed(false)), .move(id(1), to: 2)], at: .seconds(7))
    #expect(mine != theirs && ListDifference(mine: mine, theirs: theirs).isEmpty)
  }

  @Test("leaves the server's list") func theirs() throws { #expect(try kept(.theirs) == lists().theirs) }

  @Test("gives the server the device's list") func mine() throws {
    let (mine, result) = (try lists().mine, try kept(.mine))
    #expect(ListDifference(mine: mine, theirs: result).isEmpty && ListDifference(mine: result, theirs: mine).isEmpty)
  }

  @Test("keeps everything, and two versions of whatever differs") func both() throws {
    let result = try kept(.both)
    #expect(result.items.map(\.text) == ["Pay rent", "Buy bread", "Call home", "Water", "Buy rye bread"])
    #expect(result.entries.map(\.text) == ["a", "b", "c", "A"])
    #expect(result.tags[id: "@home"]?.items == [id(1), id(4)] && result.tags[id: "@shop"]?.items == [id(2)])
  }
}
