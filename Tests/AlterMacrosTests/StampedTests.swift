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
#endif
