#if Macros
  import Alter
  import Foundation
  import ModelsInAnotherModule
  import Testing

  @Suite("A model that the macro makes alterable")
  struct BehaviourTests {
    let milk = TodoItem(id: id(1), text: "Milk")
    let bread = TodoItem(id: id(2), text: "Bread", completed: true, due: Date(microseconds: 5), source: "paper")

    // This test contains no `try`: half of the test is that it compiles.
    @Test("has a change for every property that may change, and refuses none")
    func properties() {
      let item = milk.alter(.text("Oat milk"), .completed(true), .due(Date(microseconds: 7)))
      #expect(item == TodoItem(id: id(1), text: "Oat milk", completed: true, due: Date(microseconds: 7)))
      #expect(item.alter(.due(nil)).due == nil)
      #expect(milk.text == "Milk", "the original stays as it was")
      let variable = VariableItem(id: id(1), text: "Milk").alter(.text("Oat milk"), .completed(true))
      #expect(variable == VariableItem(id: id(1), text: "Oat milk", completed: true))
    }

    @Test("has a memberwise initialiser, where what has a value to begin with can be left out")
    func initialiser() {
      #expect(TodoList() == TodoList(items: [], flock: [], settings: Settings(theme: "light", fontSize: 12), title: ""))
      #expect(milk == TodoItem(id: id(1), text: "Milk", completed: false, due: nil, altered: nil, source: nil))
    }

    @Test("can be written as what happened to the empty value")
    func empty() throws {
      #expect(try TodoList(.add(.item(milk)), .title("Shop")) == TodoList(items: [milk], title: "Shop"))
    }

    @Test("changes its collections by verbs")
    func verbs() throws {
      var list = try TodoList().alter(.add(.item(milk)), .add(.item(bread)), .put(.item(milk.alter(.text("Soy milk")))))
      #expect(list.items.map(\.text) == ["Soy milk", "Bread"])
      list = try list.alter(.update(.item(milk)), .move(.item(id(2), to: 0)))
      #expect(list.items.all == [bread, milk])
      list = try list.alter(.remove(.item(id(2))))
      #expect(list.items.all == [milk])
      #expect(try list.alter(.replace(.items([bread]))).items.all == [bread])
      #expect(throws: Refusal.duplicate(kind: "TodoItem", id: "\(id(1))")) { try list.alter(.add(.item(milk.alter(.text("Soy milk"))))) }
      #expect(try list.alter(.remove(.item(milk.alter(.text("any version of it"))))).items.isEmpty)
    }

    @Test("has only the verbs that its attribute lists: adding and removing without a list")
    func vocabulary() throws {
      func names<Change: Decodable>(_ type: Change.Type, _ json: [String: String]) -> [String] {
        json.filter { (try? JournalCoding.decode(type, from: Data($0.value.utf8))) != nil }.keys.sorted()
      }
      let debt = #"{"debt":{"id":1,"isPaid":false}}"#
      let fee = #"{"fee":{"id":1,"isPaid":false}}"#
      #expect(
        names(
          Ledger.Change.self,
          [
            "add debt": #"{"add":\#(debt)}"#, "put debt": #"{"put":\#(debt)}"#, "update debt": #"{"update":\#(debt)}"#,
            "remove debt": #"{"remove":{"debt":1}}"#, "move debt": #"{"move":{"debt":{"id":1,"to":0}}}"#,
            "replace debts": #"{"replace":{"debts":[]}}"#, "change debt": #"{"debt":{"id":1,"change":{"pay":true}}}"#,
            "add fee": #"{"add":\#(fee)}"#, "put fee": #"{"put":\#(fee)}"#, "update fee": #"{"update":\#(fee)}"#,
            "remove fee": #"{"remove":{"fee":1}}"#, "move fee": #"{"move":{"fee":{"id":1,"to":0}}}"#,
            "replace fees": #"{"replace":{"fees":[]}}"#, "change fee": #"{"fee":{"id":1,"change":{"pay":true}}}"#,
          ])
          == ["add debt", "change debt", "change fee", "move fee", "put fee", "remove debt", "update fee"])
      // Each element decides by its own vocabulary.
      let ledger = try Ledger(.add(.debt(Debt(id: 1))), .put(.fee(Debt(id: 1))), .update(.fee(Debt(id: 1, isPaid: true))))
      #expect(throws: Refusal.illegal(from: "paid", change: "pay")) { try ledger.alter(.debt(1, .pay), .debt(1, .pay)) }
      #expect(throws: Refusal.duplicate(kind: "Debt", id: "1")) { try ledger.alter(.add(.debt(Debt(id: 1, isPaid: true)))) }
    }

    @Test("changes an element by the element's vocabulary, under the singular of the collection or the name it was given")
    func paths() throws {
      let sheep = VariableItem(id: id(3), text: "Dolly")
      let list = try TodoList(.add(.item(milk)), .add(.sheep(sheep))).alter(.item(id(1), .completed(true)), .sheep(id(3), .text("Shaun")))
      #expect(list.items[id: id(1)]?.completed == true)
      #expect(list.flock.map(\.text) == ["Shaun"])
      #expect(try list.alter(.remove(.sheep(id(3)))).flock.isEmpty)
    }

    @Test("changes a nested model by that model's vocabulary")
    func nested() throws {
      let list = try TodoList().alter(.settings(.theme("dark")))
      #expect(list.settings == Settings(theme: "dark"))
    }

    @Test("refuses what is about an element that isn't there, and stays as it was")
    func refusals() throws {
      let missing = Refusal.missing(kind: "TodoItem", id: "\(id(9))")
      let changes: [TodoList.Change] = [
        .update(.item(TodoItem(id: id(9), text: "?"))), .remove(.item(id(9))), .move(.item(id(9), to: 0)), .item(id(9), .text("?")),
      ]
      for change in changes {
        var list = try TodoList(.add(.item(milk)), .settings(.fontSize(9)), .title("Shop"))
        let before = list
        #expect(throws: missing) { try list.apply(change, at: .none) }
        #expect(list == before)
      }
    }

    @Test("hands on a part's refusal as a Refusal, whatever the part throws")
    func foreignRefusals() throws {
      let locked = Refusal.custom(code: "refused", message: "locked")
      let house = House(doors: [Door(id: 1, isLocked: true), Door(id: 2, isLocked: false)], frontDoor: Door(id: 3, isLocked: true))
      #expect(throws: locked) { try house.alter(.door(1, .open)) }
      #expect(throws: locked) { try house.alter(.frontDoor(.open)) }
      #expect(throws: Refusal.missing(kind: "Door", id: "7")) { try house.alter(.door(7, .open)) }
      #expect(try house.alter(.door(2, .open)).doors[id: 2]?.isOpen == true)
    }

    @Test("holds models of its own kind")
    func recursion() throws {
      let tree = try Folder(id: 1, name: "a").alter(
        .add(.folder(Folder(id: 2, name: "b"))), .folder(2, .add(.folder(Folder(id: 3, name: "c")))), .folder(2, .folder(3, .name("deep"))))
      #expect(tree.folders[id: 2]?.folders[id: 3]?.name == "deep")
      #expect(try JournalCoding.decode(Folder.self, from: try JournalCoding.encode(tree)) == tree)
    }

    @Test("is changed five levels deep in one line, from another module")
    func deep() throws {
      let company = try Company(name: "Acme").alter(
        .add(.team(Team(id: 1))), .team(1, .add(.project(Project(id: 2)))), .team(1, .project(2, .add(.task(Task(id: 3))))),
        .team(1, .project(2, .task(3, .add(.step(Step(id: 4)))))),
        .team(1, .project(2, .task(3, .step(4, .note("deep"))))))
      #expect(company.teams[id: 1]?.projects[id: 2]?.tasks[id: 3]?.steps[id: 4]?.note == "deep")
      #expect(throws: Refusal.missing(kind: "Task", id: "9")) { try company.alter(.team(1, .project(2, .task(9, .step(4, .note("")))))) }
      let address = Company.Address(street: "Main Street 1").alter(.floor(3))
      #expect(address == Company.Address(street: "Main Street 1", floor: 3))
    }

    @Test("may be generic, and hold models that it knows as a parameter")
    func generic() throws {
      let box = Box(content: 7).alter(.content(8), .labels(["a"]), .notes(["b": 1]))
      #expect(box == Box(content: 8, labels: ["a"], notes: ["b": 1]))
      #expect(try JournalCoding.decode(Box<Int>.self, from: Data(#"{"content":1}"#.utf8)) == Box(content: 1))
      let stamp = Stamp(time: 9, origin: .none, sequence: 1)
      let shelf = try Shelf<TodoItem>().alter([.add(.thing(milk)), .thing(id(1), .text("Oat milk")), .update(.thing(milk))], at: stamp)
      #expect(shelf.things.map(\.altered) == [Date(microseconds: 9)], "elements are stamped, though the shelf can't know that they are")
      #expect(try Shelf<Folder>(.add(.thing(Folder(id: 1, name: "a"))), at: stamp).things.count == 1)
    }

    @Test("may use any name for a property")
    func names() throws {
      let folder = Folder(id: 1, name: "f")
      let awkward = Awkward(default: 1, change: 2, stamp: "3", value: false, wire: 4, fields: 5, decoder: 6)
      let changed = try awkward.alter(
        [
          .default(10), .change(20), .stamp("30"), .value(true), .wire(40), .fields(50), .decoder(60), .add(.case(folder)),
          .add(.file(folder)),
        ],
        at: Stamp(time: 70, origin: .none, sequence: 1))
      #expect(
        changed
          == Awkward(
            default: 10, change: 20, stamp: "30", value: true, wire: 40, fields: 50, decoder: 60, init: Date(microseconds: 70),
            cases: [folder], folders: [folder]))
      #expect(try JournalCoding.decode(Awkward.self, from: try JournalCoding.encode(changed)) == changed)
      let changes: [Awkward.Change] = [.default(1), .case(1, .name("x")), .file(1, .name("y")), .replace(.cases([]))]
      #expect(try JournalCoding.decode([Awkward.Change].self, from: try JournalCoding.encode(changes)) == changes)
      #expect(Folder.Stamp(number: 1, year: 1840).alter(.year(1841)).year == 1841)
    }

    @Test("is a state that a store keeps")
    func store() async throws {
      let store = try await Store.open(TodoList(), in: MemoryJournal())
      try await store.change(.add(.item(milk)), .item(milk.id, .completed(true))).durable()
      #expect(store.state.items[id: milk.id]?.completed == true)
      #expect(store.state.items[id: milk.id]?.altered != nil)
      try await store.undo()
      #expect(store.state.items.isEmpty)
      await store.close()
    }
  }

  /// An id from a number.
  func id(_ number: UInt8) -> UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)) }
#endif
