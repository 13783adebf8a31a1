import Alter
import Foundation
import Testing
import TodoCore

@Suite("A list") struct AppStateTests {
  @Test("is written as what happened") func vocabulary() throws {
    let milk = TodoItem(id: id(1), text: "Milk")
    let bread = TodoItem(id: id(2), text: "Bread")
    let state = try AppState(.add(.item(milk)), .add(.item(bread)), .item(milk.id, .completed(true)), .remove(.item(bread.id)))
    #expect(state.items.map(\.text) == ["Milk"])
    #expect(state.items.map(\.completed) == [true])
  }

  @Test("adds an item at the end, and refuses one that it has already") func add() throws {
    let state = try list("One", "Two").alter(.add(.item(TodoItem(id: id(3), text: "Three"))))
    #expect(state.items.map(\.text) == ["One", "Two", "Three"])
    #expect(throws: Refusal.duplicate("item", id(1))) { try state.alter(.add(.item(TodoItem(id: id(1), text: "First")))) }
    let full = try state.alter(.add(.entry(Note(id: id(1), text: "Began"))), .add(.tag(Tag(id: "@home"))))
    #expect(throws: Refusal.duplicate("note", id(1))) { try full.alter(.add(.entry(Note(id: id(1), text: "Begun")))) }
    #expect(throws: Refusal.duplicate("tag", "@home")) { try full.alter(.add(.tag(Tag(id: "@home")))) }
  }

  @Test("updates only what it has") func update() throws {
    let state = try list("One").alter(.update(.item(TodoItem(id: id(1), text: "First"))))
    #expect(state.items.map(\.text) == ["First"])
    #expect(throws: Refusal.missing("item", id(2))) { try state.alter(.update(.item(TodoItem(id: id(2), text: "Two")))) }
    #expect(throws: Refusal.missing("note", id(2))) { try state.alter(.update(.entry(Note(id: id(2), text: "Two")))) }
    #expect(throws: Refusal.missing("tag", "@home")) { try state.alter(.update(.tag(Tag(id: "@home")))) }
  }

  @Test("refuses what is about something that isn't there, and is left as it was") func missing() throws {
    let before = try list("One")
    let changes: [(AppState.Change, Refusal)] = [
      (.item(id(7), .completed(true)), .missing("item", id(7))), (.remove(.item(id(7))), .missing("item", id(7))),
      (.move(id(7), to: 0), .missing("item", id(7))),
      (.entry(id(7), .text("x")), .missing("note", id(7))), (.remove(.entry(id(7))), .missing("note", id(7))),
      (.tag("@home", .remove(id(1))), .missing("tag", "@home")), (.remove(.tag("@home")), .missing("tag", "@home")),
      (.tag("@home", .add(id(7))), .missing("item", id(7))),
      (.add(.tag(Tag(id: "@home", items: [id(1), id(7)]))), .missing("item", id(7))),
    ]
    for (change, refusal) in changes {
      var state = before
      #expect(throws: refusal) { try state.apply(change, at: .none) }
      #expect(state == before)
    }
  }

  @Test(
    "moves an item, and keeps everything else",
    arguments: [(0, 2, "BCAD"), (3, 0, "DABC"), (1, 1, "ABCD"), (1, 99, "ACDB"), (2, -5, "CABD")])
  func move(from: Int, to: Int, after: String) throws {
    let before = try list("A", "B", "C", "D").alter(.tag("@home", .add(id(2))))
    let state = try before.alter(.move(id(from + 1), to: to))
    #expect(state.items.map(\.text).joined() == after)
    #expect(Set(state.items) == Set(before.items) && state.tags == before.tags)
  }

  @Test("moves an item to a place beside another one, and makes no change if it is there") func place() throws {
    let state = try list("A", "B", "C", "D")
    func moved(_ item: Int, _ place: ItemPlace) throws -> String {
      try state.alter(state.changes(moving: id(item), to: place)).items.map(\.text).joined()
    }
    #expect(try moved(1, .before(id(4))) == "BCAD")
    #expect(try moved(4, .before(id(1))) == "DABC")
    #expect(try moved(1, .after(id(3))) == "BCAD")
    #expect(try moved(4, .after(id(1))) == "ADBC")
    #expect(try moved(3, .first) == "CABD")
    #expect(try moved(2, .last) == "ACDB")
    for place in [ItemPlace.before(id(3)), .after(id(1)), .before(id(2)), .after(id(2))] {
      #expect(try state.changes(moving: id(2), to: place).isEmpty)
    }
    #expect(try state.changes(moving: id(1), to: .first).isEmpty && state.changes(moving: id(4), to: .last).isEmpty)
    #expect(throws: Refusal.missing("item", id(7))) { try state.changes(moving: id(7), to: .first) }
    #expect(throws: Refusal.missing("item", id(7))) { try state.changes(moving: id(1), to: .before(id(7))) }
  }

  @Test("takes a removed item out of every tag, and leaves the other items there") func removal() throws {
    let tagged = try list("One", "Two").alter(.tag("@home", .add(id(1))), .tag("@home", .add(id(2))), .tag("+garage", .add(id(1))))
    let state = try tagged.alter(.remove(.item(id(1))))
    #expect(state.tags.map(\.id) == ["@home", "+garage"])
    #expect(state.tags.map(\.items) == [[id(2)], []])
  }

  @Test("is replaced as a whole, but for its copy in the cloud") func replaced() throws {
    let other = try list("Two").alter(.tag("@home", .add(id(1))), .trailer("\n"))
    let state = try list("One", "Three").alter(.cloud(.save(to: "x"))).alter(.replace(other))
    #expect(state.items == other.items && state.tags == other.tags && state.trailer == "\n" && state.cloud == .saving(to: "x"))
  }

  @Test("is not replaced by one whose tag names an item that it lacks") func dangling() throws {
    let json = #"{"entries":[],"items":[],"tags":[{"id":"@home","items":["\#(id(1))"]}],"trailer":""}"#
    let other = try JournalCoding.decode(AppState.self, from: Data(json.utf8))
    #expect(throws: Refusal.missing("item", id(1))) { try list("One").alter(.replace(other)) }
  }

  @Test("makes a tag by its first item, and an item belongs to it once") func tags() throws {
    let state = try list("One", "Two").alter(.tag("@home", .add(id(2))), .tag("@home", .add(id(1))), .tag("@home", .add(id(2))))
    #expect(state.tags.map(\.items) == [[id(2), id(1)]])
    #expect(try state.alter(.tag("@home", .remove(id(2)))).tags.map(\.items) == [[id(1)]])
    #expect(try state.alter(.remove(.tag("@home"))).tags.isEmpty)
    #expect(Tag(id: "@home", items: [id(1), id(1)]).items == [id(1)])
  }

  @Test("knows the tags of an item from its text and from where it belongs") func tagsOfItem() throws {
    let state = try list("Paint the door +garage @home +").alter(.tag("@home", .add(id(1))), .tag("@tools", .add(id(1))))
    #expect(state.tags(of: try #require(state.items[id: id(1)])) == ["+garage", "@home", "@tools"])
  }

  @Test("refuses a tag whose name isn't a word with a sign", arguments: ["", "@", "home", "@a b", "@a\n", "@a\r\n", "+\t"])
  func tagNames(name: String) throws {
    let state = try list("One")
    #expect(throws: Refusal.self) { try state.alter(.tag(name, .add(id(1)))) }
    #expect(throws: Refusal.self) { try state.alter(.add(.tag(Tag(id: name)))) }
  }

  @Test("keeps a journal of notes, each with the time it was written") func notes() throws {
    let state = try AppState().alter(.add(.entry(Note(id: id(1), text: "Began"))), at: .seconds(60))
    #expect(state.entries.map(\.written) == [Date(timeIntervalSince1970: 60)])
    let later = try state.alter(.entry(id(1), .text("Begun")), at: .seconds(120))
    #expect(later.entries.map(\.text) == ["Begun"])
    #expect(later.entries.map(\.written) == [Date(timeIntervalSince1970: 60)])
    #expect(try later.alter(.remove(.entry(id(1)))).entries.isEmpty)
  }
}
