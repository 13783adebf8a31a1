import AlterCollections
import AlterCore
import Testing

@Suite("An identity array")
struct IdentityArrayTests {
  let people: IdentityArray = [Person(1, "Jack"), Person(2, "Jill"), Person(3, "Joan")]

  @Test("replaces the value of an identity where it stands, and appends a new one")
  func add() {
    var people = people
    let richer = Person(2, "Jill", salary: 9)
    #expect(people.put(richer) == Person(2, "Jill"))
    #expect(people.put(Person(4, "Jim")) == nil)
    #expect(people.all == [Person(1, "Jack"), richer, Person(3, "Joan"), Person(4, "Jim")])
    #expect(people.latest(Person(2, "whoever")) == richer)
  }

  @Test("inserts at a place, which beyond an end is that end")
  func insert() throws {
    var people = people
    try people.add(Person(4, "d"), at: 1)
    try people.add(Person(5, "e"))
    try people.add(Person(6, "f"), at: -7)
    try people.add(Person(7, "g"), at: .max)
    #expect(people.map(\.id) == [6, 1, 4, 2, 3, 5, 7])
    #expect(people.map(\.id).map { people.index(of: $0) } == Array(0..<7))
  }

  @Test("refuses to insert an identity twice, naming it, and stays as it was")
  func duplicate() {
    var people = people
    #expect(throws: Refusal.duplicate(kind: "Person", id: "2")) { try people.add(Person(2, "Jill again"), at: 0) }
    #expect(people == self.people)
  }

  @Test("refuses to update, remove or move what is missing, naming it, and stays as it was")
  func missing() {
    var people = people
    let refusal = Refusal.missing(kind: "Person", id: "9")
    #expect(throws: refusal) { try people.update(Person(9, "nobody")) }
    #expect(throws: refusal) { try people.remove(id: 9) }
    #expect(throws: refusal) { try people.move(9, to: 0) }
    #expect(people.removeIfPresent(id: 9) == nil)
    #expect(people.modify(id: 9, { $0.apply(.raise(1), at: .none) }) == nil)
    #expect(people[id: 9] == nil)
    #expect(people == self.people)
    #expect(refusal.description == "There is no Person '9'.")
  }

  @Test("gives what it removed, and lets the identity come back")
  func remove() throws {
    var people = people
    #expect(try people.remove(id: 1) == Person(1, "Jack"))
    #expect(people.removeIfPresent(id: 3) == Person(3, "Joan"))
    #expect(people.map(\.id) == [2])
    #expect(people.index(of: 2) == 0)
    #expect(!people.contains(id: 1))
    try people.add(Person(1, "Jack"))
    #expect(people.map(\.id) == [2, 1])
  }

  @Test("moves an element to where it shall be, in both directions", arguments: [(0, 2), (2, 0), (1, 1), (0, 99), (2, -1)])
  func move(from: Int, to: Int) throws {
    var people = people
    var expected = people.all
    let moved = expected.remove(at: from)
    expected.insert(moved, at: min(max(to, 0), 2))
    try people.move(moved.id, to: to)
    #expect(people.all == expected)
    #expect(people.map(\.id).map { people.index(of: $0) } == [0, 1, 2])
  }

  @Test("keeps the last of several values of one identity, in the place of the first, from a literal or a sequence")
  func duplicatesInSequences() {
    let values = [Person(1, "old"), Person(2, "Jill"), Person(1, "new")]
    let literal: IdentityArray = [Person(1, "old"), Person(2, "Jill"), Person(1, "new")]
    var replaced = people
    replaced.replace(with: values)
    #expect(literal.all == [Person(1, "new"), Person(2, "Jill")])
    #expect(IdentityArray(values) == literal)
    #expect(replaced == literal)
  }

  @Test("sorts, and a comparison that throws changes nothing")
  func sort() {
    struct Stop: Error {}
    var people = people
    people.sort { $0.id > $1.id }
    #expect(people.map(\.id) == [3, 2, 1])
    #expect(people.index(of: 1) == 2)
    #expect(throws: Stop.self) { try people.sort { _, _ in throw Stop() } }
    #expect(people.map(\.id) == [3, 2, 1])
  }

  @Test("removes all that answer to a description, and a description that throws removes nothing")
  func removeAll() {
    struct Stop: Error {}
    var people = people
    #expect(throws: Stop.self) {
      try people.removeAll { person in
        if person.id == 3 { throw Stop() }
        return true
      }
    }
    #expect(people == self.people)
    people.removeAll { $0.id != 2 }
    #expect(people.all == [Person(2, "Jill")])
    #expect(people.index(of: 2) == 0)
    #expect(people.index(of: 3) == nil)
  }

  @Test("is a random access collection with the positions 0 to count")
  func collection() {
    #expect(people.count == 3)
    #expect(people.indices == 0..<3)
    #expect(people.first?.id == 1)
    #expect(people.last?.id == 3)
    #expect(people[1].name == "Jill")
    #expect(people.reversed().map(\.id) == [3, 2, 1])
    #expect(people[1...].map(\.id) == [2, 3])
    #expect(people.index(people.startIndex, offsetBy: 2) == 2)
    #expect(people.contains(id: 3))
    #expect(!people.contains(id: 4))
    #expect(IdentityArray<Person>().isEmpty)
  }

  @Test("is equal, and hashes equally, when the elements and their order are, whatever its past")
  func equality() throws {
    var other: IdentityArray = [Person(3, "Joan"), Person(9, "gone"), Person(1, "Jack"), Person(2, "Jim")]
    try other.remove(id: 9)
    try other.move(3, to: 2)
    #expect(other != people)
    try other.update(Person(2, "Jill"))
    #expect(other == people)
    #expect(other.hashValue == people.hashValue)
    try other.move(1, to: 1)
    #expect(other != people)
  }

  @Test("shows itself as an array does")
  func reflection() {
    let numbers: IdentityArray = [Item(id: 1, value: 2)]
    #expect("\(numbers)" == "\([Item(id: 1, value: 2)])")
    #expect(String(reflecting: numbers) == "\(numbers)")
    let mirror = Mirror(reflecting: people)
    #expect(mirror.displayStyle == .collection)
    #expect(mirror.children.compactMap { $0.value as? Person } == people.all)
  }

  @Test("lets a closure work on an element in place, with its result and its own error")
  func modify() throws {
    var people = people
    let name = people.modify(id: 2) { person in
      person.apply(.raise(5), at: .none)
      return person.name
    }
    #expect(name == "Jill")
    #expect(people[id: 2]?.salary == 5)
    let door = Door(id: 1, isLocked: true)
    var doors: IdentityArray = [door]
    do throws(Door.Failure) {
      _ = try doors.modify(id: 1) { door throws(Door.Failure) in try door.apply(.open, at: .none) }
      Issue.record("The door was locked.")
    } catch {
      #expect(error == .locked)
    }
  }

  @Test("does not copy an element that is modified in place")
  func noCopies() {
    struct Page: Identifiable, Sendable {
      let id: Int
      var lines: [Int]
    }
    var pages = IdentityArray((0..<100).map { Page(id: $0, lines: []) })
    pages.modify(id: 50) { $0.lines.reserveCapacity(1_000) }!
    func address() -> UInt { pages.modify(id: 50) { $0.lines.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) } }! }
    pages.modify(id: 50) { $0.lines.append(0) }!
    // A second reference to the array's buffer during an append would move the buffer.
    let before = address()
    for line in 1..<500 { pages.modify(id: 50) { $0.lines.append(line) }! }
    #expect(address() == before)
    #expect(pages[id: 50]?.lines == Array(0..<500))
  }

  /// An element whose identity is computed from a property that it can change.
  struct Named: Identifiable, Alterable, Equatable {
    enum Change { case name(String), both(String, Refusal) }
    private(set) var name: String
    private(set) var note = 0
    var id: String { name }
    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      note += 1
      switch change {
      case .name(let name): self.name = name
      case .both(let name, let refusal):
        self.name = name
        throw refusal
      }
    }
  }

  @Test("refuses a change that gives an element another identity, and is sound then", arguments: [3, 300])
  func changedIdentity(count: Int) throws {
    let names = (0..<count).map { "\($0)" }
    let all = IdentityArray(names.map { Named(name: $0) })
    let refusal = Refusal.custom(code: "identity", message: "The change would give Named '1' another id: remove it and add the other.")
    for name in ["new", "0", "2"] {
      #expect(throws: refusal) { try all.alter(.element("1", .name(name))) }
      var items = all
      #expect(throws: refusal) { try items.apply(.name(name), to: "1", at: .none) }
      #expect(items.brokenInvariants() == [])
      #expect(items[id: "1"] == nil && items[id: name] != nil && items.count == (name == "new" ? count : count - 1))
      // The element's own refusal comes first.
      items = all
      #expect(throws: Refusal.missing("x", 1)) { try items.apply(.both(name, .missing("x", 1)), to: "1", at: .none) }
      #expect(items.brokenInvariants() == [])
      items = all
      items.modify(id: "1") { try? $0.apply(.name(name), at: .none) }
      #expect(items.brokenInvariants() == [])
      #expect(items.index(of: name) != nil && items.index(of: "1") == nil)
    }
    #expect(try all.alter(.element("1", .name("1")))[id: "1"]?.note == 1)
  }

  @Test("refuses such a change of an element with a failure of its own")
  func changedIdentityOfOwnFailure() {
    struct Own: Identifiable, Alterable {
      struct Failure: Error, Equatable {}
      private(set) var id: Int
      mutating func apply(_ change: Int, at stamp: Stamp) throws(Failure) { id = change }
    }
    struct Sure: Identifiable, Alterable {
      private(set) var id: Int
      mutating func apply(_ change: Int, at stamp: Stamp) { id = change }
    }
    func message(_ type: String) -> String { "The change would give \(type) '1' another id: remove it and add the other." }
    var owns: IdentityArray = [Own(id: 1)]
    #expect(throws: ElementRefusal<Own.Failure>.moved(.custom(code: "identity", message: message("Own")))) {
      try owns.apply(2, to: 1, at: .none)
    }
    var sure: IdentityArray = [Sure(id: 1)]
    #expect(throws: Refusal.custom(code: "identity", message: message("Sure"))) { try sure.apply(2, to: 1, at: .none) }
  }
}
