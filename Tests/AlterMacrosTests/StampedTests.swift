#if Macros
  import Alter
  import Foundation
  import Testing

  @Suite("A stamped property")
  struct StampedTests {
    let early = Stamp(time: 1_000_000, origin: .none, sequence: 1)
    let late = Stamp(time: 2_000_000, origin: .none, sequence: 2)

    @Test("is set by every change, from its stamp")
    func changes() {
      let item = TodoItem(id: id(1), text: "Milk").alter([.completed(true)], at: early)
      #expect(item.altered == early.date)
      #expect(item.alter([.due(nil)], at: late).altered == late.date)
      #expect(VariableItem(id: id(1), text: "Milk").alter([.completed(true)], at: early).altered == early.date)
    }

    @Test("stays as it is outside a store")
    func outside() {
      let item = TodoItem(id: id(1), text: "Milk", altered: early.date)
      #expect(item.alter(.text("Oat milk")).altered == early.date)
      #expect(TodoItem(id: id(1), text: "Milk").alter(.text("Oat milk")).altered == nil)
    }

    @Test("is set when the value is added to a collection or updated there")
    func entering() throws {
      let milk = TodoItem(id: id(1), text: "Milk")
      let sheep = VariableItem(id: id(2), text: "Dolly")
      var list = try TodoList().alter([.add(.item(milk)), .add(.sheep(sheep))], at: early)
      #expect(list.items.map(\.altered) == [early.date])
      #expect(list.flock.map(\.altered) == [early.date])
      list = try list.alter([.update(.item(milk)), .update(.sheep(sheep))], at: late)
      #expect(list.items.map(\.altered) == [late.date])
      #expect(list.flock.map(\.altered) == [late.date])
    }

    @Test("is as it was brought when a collection is replaced")
    func replacing() throws {
      let milk = TodoItem(id: id(1), text: "Milk", altered: early.date)
      #expect(try TodoList().alter([.replace(.items([milk]))], at: late).items.all == [milk])
    }

    @Test("is set by a path change in that element, and in no other")
    func path() throws {
      let list = try TodoList().alter(
        [.add(.item(TodoItem(id: id(1), text: "a"))), .add(.item(TodoItem(id: id(2), text: "b")))], at: early)
      #expect(try list.alter([.item(id(1), .text("c"))], at: late).items.map(\.altered) == [late.date, early.date])
    }

    @Test("is no change that anybody could make")
    func vocabulary() {
      let json = Data(#"{"altered":"1970-01-01T00:00:01Z"}"#.utf8)
      #expect(throws: DecodingError.self) { try JournalCoding.decode(TodoItem.Change.self, from: json) }
    }
  }

  @Suite("A property that is stamped once")
  struct StampedOnceTests {
    let early = Stamp(time: 1_000_000, origin: .none, sequence: 1)
    let late = Stamp(time: 2_000_000, origin: .none, sequence: 2)

    @Test("is set by the change that adds the value, and by no other")
    func adding() throws {
      var book = try Notebook().alter([.add(.note(Note(id: 1, text: "a"))), .add(.page(VariableNote(id: 1, text: "p")))], at: early)
      book = try book.alter([.note(1, .text("b")), .page(1, .text("q"))], at: late)
      #expect(book.notes.all == [Note(id: 1, text: "b", created: early.date, altered: late.date)])
      #expect(book.pages.all == [VariableNote(id: 1, text: "q", created: early.date)])
    }

    @Test("is set by a put of a new value, and stays when a value is overwritten, whatever the new one says")
    func overwriting() throws {
      var book = try Notebook().alter([.put(.note(Note(id: 1, text: "a")))], at: early)
      #expect(book.notes[id: 1]?.created == early.date)
      book = try book.alter([.put(.note(Note(id: 1, text: "b")))], at: late)
      #expect(book.notes[id: 1] == Note(id: 1, text: "b", created: early.date, altered: late.date))
      book = try book.alter([.update(.note(Note(id: 1, text: "c", created: late.date)))], at: late)
      #expect(book.notes[id: 1] == Note(id: 1, text: "c", created: early.date, altered: late.date))
    }

    @Test("keeps a time that the value brings, and stays nil without a stamp")
    func brought() throws {
      #expect(try Notebook().alter([.add(.note(Note(id: 1, text: "", created: early.date)))], at: late).notes[id: 1]?.created == early.date)
      let unknown = try Notebook().alter(.add(.note(Note(id: 1, text: ""))))
      #expect(unknown.notes[id: 1]?.created == nil)
      // It was made at a time that nobody knows, and a later change does not claim to know it.
      #expect(try unknown.alter([.note(1, .text("x")), .put(.note(Note(id: 1, text: "y")))], at: late).notes[id: 1]?.created == nil)
      #expect(try Notebook().alter([.replace(.notes([Note(id: 1, text: "")]))], at: late).notes[id: 1]?.created == nil)
    }

    @Test("is set in a collection whose element type is a parameter")
    func generic() throws {
      var shelf = try Shelf<Note>(things: []).alter(
        [.add(.thing(Note(id: 1, text: "a"))), .put(.thing(Note(id: 2, text: "b")))], at: early)
      shelf = try shelf.alter([.put(.thing(Note(id: 1, text: "c"))), .update(.thing(Note(id: 2, text: "d")))], at: late)
      #expect(shelf.things.map(\.created) == [early.date, early.date])
      #expect(shelf.things.map(\.altered) == [late.date, late.date])
    }

    @Test("is set in a collection whose element type depends on a parameter in any way")
    func dependent() throws {
      let add = Note(id: 1, text: "a")
      #expect(try NoteShelf<Notes>().alter([.add(.thing(add))], at: early).things[id: 1]?.created == early.date)
      #expect(try Around<Note>.Inner().alter([.add(.thing(add))], at: early).things[id: 1]?.created == early.date)
      #expect(try Around<Note>.Other().alter([.add(.thing(add))], at: early).things[id: 1]?.created == early.date)
      #expect(try Alias<Note>().alter([.add(.thing(add))], at: early).things[id: 1]?.created == early.date)
    }
  }

  protocol Things: Sendable {
    associatedtype Thing: Alterable & Codable & Identifiable where Thing.Change: Codable, Thing.ID: Codable & Sendable
  }

  enum Notes: Things { typealias Thing = Note }

  @Alterable struct NoteShelf<Source: Things> { @Each let things: IdentityArray<Source.Thing> }

  struct Around<Thing: Alterable & Codable & Identifiable> where Thing.Change: Codable, Thing.ID: Codable & Sendable {
    @Alterable struct Inner { @Each let things: IdentityArray<Thing> }
  }

  extension Around {
    @Alterable struct Other { @Each let things: IdentityArray<Thing> }
  }

  @Alterable struct Alias<Thing: Alterable & Codable & Identifiable> where Thing.Change: Codable, Thing.ID: Codable & Sendable {
    typealias Element = Thing
    @Each let things: IdentityArray<Element>
  }
#endif
