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

  @Test("puts an item that it has already in its place, and a new one at the end") func add() throws {
    let state = try list("One", "Two").alter(
      .add(.item(TodoItem(id: id(1), text: "First"))), .add(.item(TodoItem(id: id(3), text: "Three"))))
    #expect(state.items.map(\.text) == ["First", "Two", "Three"])
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
      (.entry(id(7), .text("x")), .missing("note", id(7))), (.remove(.entry(id(7))), .missing("note", id(7))),
      (.tag("@home", .remove(id(1))), .missing("tag", "@home")), (.remove(.tag("@home")), .missing("tag", "@home")),
      (.tag("@home", .add(id(7))), .missing("item", id(7))),
      (.add(.tag(Tag(id: "@home", items: [id(1), id(7)]))), .missing("item", id(7))),
      (.replace(.tags([Tag(id: "@home", items: [id(7)])])), .missing("item", id(7))),
    ]
    for (change, refusal) in changes {
      var state = before
      #expect(throws: refusal) { try state.apply(change, at: .none) }
      #expect(state == before)
    }
  }

  @Test("takes a removed item out of every tag, and leaves the other items there") func removal() throws {
    let tagged = try list("One", "Two").alter(.tag("@home", .add(id(1))), .tag("@home", .add(id(2))), .tag("+garage", .add(id(1))))
    let state = try tagged.alter(.remove(.item(id(1))))
    #expect(state.tags.map(\.id) == ["@home", "+garage"])
    #expect(state.tags.map(\.items) == [[id(2)], []])
  }

  @Test("keeps in its tags only the items that a replacement has") func replaceItems() throws {
    let tagged = try list("One", "Two").alter(.tag("@home", .add(id(1))), .tag("@home", .add(id(2))))
    let state = try tagged.alter(.replace(.items([TodoItem(id: id(2), text: "Two"), TodoItem(id: id(3), text: "Three")])))
    #expect(state.items.map(\.id) == [id(2), id(3)])
    #expect(state.tags.map(\.items) == [[id(2)]])
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

  @Test("takes a tag's name as people write it") func tagName() {
    #expect(Tag.name(of: "home") == "@home")
    #expect(Tag.name(of: "@home") == "@home")
    #expect(Tag.name(of: "+garage") == "+garage")
    #expect(Tag.name(of: "") == nil)
    #expect(Tag.name(of: "two words") == nil)
  }

  @Test("keeps a journal of notes, each with the time it was written") func notes() throws {
    let state = try AppState().alter(.add(.entry(Note(id: id(1), text: "Began"))), at: .seconds(60))
    #expect(state.entries.map(\.written) == [Date(timeIntervalSince1970: 60)])
    let later = try state.alter(.entry(id(1), .text("Begun")), at: .seconds(120))
    #expect(later.entries.map(\.text) == ["Begun"])
    #expect(later.entries.map(\.written) == [Date(timeIntervalSince1970: 60)])
    #expect(try later.alter(.remove(.entry(id(1)))).entries.isEmpty)
    #expect(try later.alter(.replace(.entries([]))).entries.isEmpty)
  }
}
