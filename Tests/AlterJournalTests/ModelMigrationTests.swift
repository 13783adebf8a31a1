import AlterCore
import Foundation
import Testing

@testable import AlterJournal

// A town in its third schema. 2: a person's name became an object. 3: a pet's weight became whole grams, and a name got a nickname.

private struct Town: Hashable, Decodable {
  let people: [Person]

  enum Change: Hashable, Decodable {
    case add(Person), replace([Person]), person(Int, Person.Change)

    init(from decoder: any Decoder) throws {
      let wire = try WireCase(of: Self.self, changing: Town.self, from: decoder)
      switch wire.name {
      case "add": self = .add(try wire.value())
      case "replace": self = .replace(try wire.value())
      case "person": self = try wire.path(Self.person)
      default: throw wire.unknown
      }
    }
  }

  init(from decoder: any Decoder) throws { people = try WireReader(of: Self.self, from: decoder).value("people") }
}

private struct Person: Hashable, Decodable, Migrating {
  struct Name: Hashable, Codable { var first: String, last = "", nick = "" }
  struct Trouble: Error, CustomStringConvertible { let description = "a name is no number" }

  let id: Int
  let name: Name
  var pets: [Pet] = []

  // Not in order: the numbers decide.
  static let migrations = [
    ModelMigration(before: 3, value: nicknamed, change: nicknamed),
    ModelMigration(before: 2, value: divided, change: divided),
  ]

  private static let nicknamed: @Sendable (JSONValue) -> JSONValue = { json in
    json.converting("name") { $0.adding("nick", .string(($0["first"]?.text ?? "") + "y")) }
  }
  private static let divided: @Sendable (JSONValue) throws -> JSONValue = { json in
    Runs.current?.count("Person")
    return try json.converting("name") {
      guard $0.text != nil else { throw Trouble() }
      return ["first": $0, "last": ""]
    }
  }

  enum Change: Hashable, Decodable {
    case name(Name), update(Pet), pet(Int, Pet.Change)

    init(from decoder: any Decoder) throws {
      let wire = try WireCase(of: Self.self, changing: Person.self, from: decoder)
      switch wire.name {
      case "name": self = .name(try wire.value())
      case "update": self = .update(try wire.value())
      case "pet": self = try wire.path(Self.pet)
      default: throw wire.unknown
      }
    }
  }

  init(id: Int, name: Name, pets: [Pet] = []) { (self.id, self.name, self.pets) = (id, name, pets) }

  init(from decoder: any Decoder) throws {
    let fields = try WireReader(of: Self.self, from: decoder)
    id = try fields.value("id")
    name = try fields.value("name")
    pets = try fields.value("pets", default: [])
  }
}

private struct Pet: Hashable, Decodable, Migrating {
  let id: Int
  let grams: Int
  var born: Date?
  var price: Decimal?

  static let migrations = [
    ModelMigration(
      before: 3,
      value: {
        Runs.current?.count("Pet")
        return $0.converting("weight", grams).renaming("weight", to: "grams")
      },
      change: { $0.converting("weight", grams).renaming("weight", to: "grams") })
  ]

  private static let grams: @Sendable (JSONValue) -> JSONValue = { kilograms in
    kilograms.double.map { .integer(Int64(($0 * 1000).rounded())) } ?? kilograms
  }

  enum Change: Hashable, Decodable {
    case grams(Int)

    init(from decoder: any Decoder) throws {
      let wire = try WireCase(of: Self.self, changing: Pet.self, from: decoder)
      guard wire.name == "grams" else { throw wire.unknown }
      self = .grams(try wire.value())
    }
  }

  init(id: Int, grams: Int, born: Date? = nil, price: Decimal? = nil) {
    (self.id, self.grams, self.born, self.price) = (id, grams, born, price)
  }

  init(from decoder: any Decoder) throws {
    let fields = try WireReader(of: Self.self, from: decoder)
    id = try fields.value("id")
    grams = try fields.value("grams")
    born = try fields.value("born")
    price = try fields.value("price")
  }
}

/// An enum whose values were strings.
private enum Status: Hashable, Decodable, Migrating {
  case open, closed(by: String)

  static let migrations = [ModelMigration(before: 2, value: { $0 == "open" ? ["open": true] : ["closed": ["by": "?"]] })]

  init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "open": self = .open
    case "closed": self = .closed(by: try wire.fields().value("by"))
    default: throw wire.unknown
    }
  }
}

/// A model inside models of its own type, whose children had another name.
private struct Node: Hashable, Decodable, Migrating {
  let id: Int
  let children: [Node]

  static let migrations = [ModelMigration(before: 2, value: { $0.renaming("kids", to: "children") })]

  init(id: Int, children: [Node] = []) { (self.id, self.children) = (id, children) }

  init(from decoder: any Decoder) throws {
    let fields = try WireReader(of: Self.self, from: decoder)
    id = try fields.value("id")
    children = try fields.value("children")
  }
}

/// Models in handwritten places: under other coding keys, in dictionaries, in a super decoder, in a text, and in a decoder of another type.
private struct Places: Decodable {
  enum Keys: Int, CodingKey { case one = 7, text, wrapped, above, byNumber, byNode, grid }
  let one, inherited, fromText, wrapped: Node
  let byNumber: [Int: Node]
  let byNode: [Node: Node]
  let inGrid: Node

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    one = try container.decode(Node.self, forKey: .one)
    inherited = try Node(from: container.superDecoder(forKey: .above))
    wrapped = try container.decode(Wrapped.self, forKey: .wrapped).node
    byNumber = try container.decode([Int: Node].self, forKey: .byNumber)
    byNode = try container.decode([Node: Node].self, forKey: .byNode)
    var rows = try container.nestedUnkeyedContainer(forKey: .grid)
    _ = try rows.decode(Int.self)
    var row = try rows.nestedUnkeyedContainer()
    _ = try row.decode(Int.self)
    inGrid = try row.decode(Node.self)
    // The document of the outer decoder is also an object with an id and children.
    let inner = JSONDecoder()
    inner.userInfo = decoder.userInfo.compactMapValues { $0 as? ModelMigration.Versions }
    fromText = try inner.decode(Node.self, from: Data(container.decode(String.self, forKey: .text).utf8))
  }

  struct Wrapped: Decodable {
    let node: Node
    init(from decoder: any Decoder) throws {
      node = try Node(from: Elsewhere(base: decoder.container(keyedBy: Keys.self).superDecoder(forKey: .one)))
    }
  }

  /// A decoder that names another place than the one that it reads.
  struct Elsewhere: Decoder {
    let base: any Decoder
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { try base.container(keyedBy: type) }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
  }
}

/// An outer model whose migration creates an inner one, in its newest form, out of numbers that are written like whole ones.
private struct Crate: Decodable, Migrating {
  struct Content: Decodable, Migrating {
    let grams: Int
    static let migrations = [
      ModelMigration(before: 2, value: { $0.converting("grams") { if case .integer = $0 { $0 } else { -1 } } })
    ]
    init(from decoder: any Decoder) throws { grams = try WireReader(of: Self.self, from: decoder).value("grams") }
  }

  let content: Content
  static let migrations = [ModelMigration(before: 2, value: { ["content": ["grams": .number($0["kilograms"]!.double! * 1000)]] })]
  init(from decoder: any Decoder) throws { content = try WireReader(of: Self.self, from: decoder).value("content") }
}

/// How often migrations ran in a test.
private final class Runs: Sendable {
  @TaskLocal static var current: Runs?
  private let counts = Lock([String: Int]())
  func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
  var all: [String: Int] { counts.withLock { $0 } }
}

@Suite("A model's migrations")
struct ModelMigrationTests {
  private func read<Value: Decodable>(_ json: String, as type: Value.Type = Value.self, _ stored: Int, current: Int = 3) throws -> Value {
    try JournalCoding.decode(Value.self, from: Data(json.utf8), schema: stored, current: current)
  }

  private func failure<Value: Decodable>(_ json: String, as type: Value.Type, _ stored: Int, current: Int = 3) -> String {
    do {
      _ = try read(json, as: type, stored, current: current)
      return "no error"
    } catch {
      return JournalCoding.explain(error)
    }
  }

  private let annie = Person.Name(first: "Ann", nick: "Anny")

  @Test("run in the state, in models inside models, in ascending order, and once for each stored value")
  func state() throws {
    let json = #"{"people":[{"id":1,"name":"Ann","pets":[{"id":7,"weight":4.25},{"id":8,"weight":90}]},{"id":2,"name":"Bob"}]}"#
    let runs = Runs()
    let town: Town = try Runs.$current.withValue(runs) { try read(json, 1) }
    #expect(
      town.people == [
        Person(id: 1, name: annie, pets: [Pet(id: 7, grams: 4250), Pet(id: 8, grams: 90_000)]),
        Person(id: 2, name: .init(first: "Bob", nick: "Boby")),
      ])
    #expect(runs.all == ["Person": 2, "Pet": 2])
  }

  @Test("run in the values and in the nested changes of a batch")
  func changes() throws {
    let json = """
      [{"add":{"id":1,"name":"Ann"}},{"replace":[{"id":1,"name":"Ann","pets":[]}]},{"person":{"id":1,"change":{"name":"Ann"}}},
      {"person":{"id":1,"change":{"update":{"id":7,"weight":3}}}},{"person":{"id":1,"change":{"pet":{"id":7,"change":{"weight":0.5}}}}}]
      """
    let runs = Runs()
    let changes: [Town.Change] = try Runs.$current.withValue(runs) { try read(json, 1) }
    let ann = Person(id: 1, name: annie)
    #expect(
      changes == [
        .add(ann), .replace([ann]), .person(1, .name(annie)), .person(1, .update(Pet(id: 7, grams: 3000))),
        .person(1, .pet(7, .grams(500))),
      ])
    // Two people, three changes of a person, one pet: the migration of a pet's change is not counted.
    #expect(runs.all == ["Person": 5, "Pet": 1])
  }

  @Test("run from the stored version on")
  func versions() throws {
    let second = #"{"id":1,"name":{"first":"Ann","last":"Lee"},"pets":[{"id":7,"weight":1}]}"#
    let runs = Runs()
    let person: Person = try Runs.$current.withValue(runs) { try read(second, 2) }
    #expect(person == Person(id: 1, name: .init(first: "Ann", last: "Lee", nick: "Anny"), pets: [Pet(id: 7, grams: 1000)]))
    #expect(runs.all == ["Pet": 1])
  }

  @Test("don't run for data of the present version, or without versions")
  func present() throws {
    let json = #"{"id":1,"name":{"first":"Ann","last":"","nick":"Anny"},"pets":[{"id":7,"grams":1}]}"#
    let runs = Runs()
    let people: [Person] = try Runs.$current.withValue(runs) {
      [try read(json, 3), try read(json, 8, current: 9), try JournalCoding.decode(from: Data(json.utf8))]
    }
    #expect(people == Array(repeating: Person(id: 1, name: annie, pets: [Pet(id: 7, grams: 1)]), count: 3))
    #expect(runs.all.isEmpty)
  }

  @Test("convert an enum that was stored as text")
  func ofEnums() throws {
    #expect(try read(#"["open","shut"]"#, 1) == [Status.open, .closed(by: "?")])
    #expect(try read(#"[{"open":true},{"closed":{"by":"Ann"}}]"#, 2) == [Status.open, .closed(by: "Ann")])
  }

  @Test("leave the other values as they are: dates, decimals and negative zeros")
  func exact() throws {
    let json = #"{"id":7,"weight":1,"born":"2026-12-01T09:30:00.25Z","price":0.1234567890123456789012345678}"#
    let pet: Pet = try read(json, 1)
    #expect(pet.born == Date(timeIntervalSince1970: 1_796_117_400.25) && pet.price == Decimal(string: "0.1234567890123456789012345678"))
    for text in ["-0", "0", "0.1", "1e+20", "0.30000000000000004", "5e-324", "1.7976931348623157e+308", "18446744073709551615", "1e-07"] {
      #expect(try JournalCoding.decode(JSONValue.self, from: Data(text.utf8)) == JSONValue(parsing: Data(text.utf8)), "\(text)")
    }
  }

  @Test("read deep JSON on a small stack")
  func deep() async throws {
    let texts = [
      String(repeating: "[", count: 128) + "7" + String(repeating: "]", count: 128),
      String(repeating: #"{"a":"#, count: 128) + "null" + String(repeating: "}", count: 128),
      #"[1,{"b":[[],{}],"a":[{"c":1.5},true]},"x"]"#,
    ]
    for text in texts {
      let read: String = await withCheckedContinuation { continuation in
        let thread = Thread {
          let value = try? JournalCoding.decode(JSONValue.self, from: Data(text.utf8))
          continuation.resume(returning: value?.description ?? "nothing")
        }
        thread.stackSize = 512 << 10
        thread.start()
      }
      #expect(try JSONValue(parsing: Data(text.utf8)).description == read)
    }
  }

  @Test("convert models inside models, 64 deep, on a stack of 512 KiB")
  func chain() async throws {
    func text(_ name: String) -> String {
      (1...64).map { #"{"id":\#($0),"\#(name)":["# }.joined() + String(repeating: "]}", count: 64)
    }
    let expected = (1...64).reversed().reduce(nil as Node?) { child, id in Node(id: id, children: child.map { [$0] } ?? []) }
    let isRight: [Bool] = await withCheckedContinuation { continuation in
      let texts = [(text("kids"), 1), (text("children"), 3)]
      let thread = Thread { continuation.resume(returning: texts.map { (try? read($0.0, $0.1)) == expected }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(isRight == [true, true])
  }

  @Test("read each model's own JSON, under any keys and through any decoder")
  func handwritten() throws {
    func node(_ id: Int) -> String { #"{"id":\#(id),"kids":[{"id":\#(id + 1),"kids":[]}]}"# }
    func model(_ id: Int) -> Node { Node(id: id, children: [Node(id: id + 1)]) }
    let text = String(decoding: try JournalCoding.encode(node(90)), as: UTF8.self)
    let json = """
      {"id":1,"kids":[],"one":\(node(10)),"above":\(node(20)),"wrapped":{"one":\(node(30))},"byNumber":{"0":\(node(40)),"1":\(node(50))},
      "byNode":[\(node(60)),\(node(70))],"grid":[0,[0,\(node(80))]],"text":\(text)}
      """
    for stored in [1, 2] {
      let places: Places = try read(stored == 1 ? json : json.replacingOccurrences(of: "kids", with: "children"), stored)
      #expect(places.one == model(10) && places.inherited == model(20) && places.wrapped == model(30))
      #expect(places.byNumber == [0: model(40), 1: model(50)] && places.byNode == [model(60): model(70)])
      #expect(places.inGrid == model(80) && places.fromText == model(90))
    }
  }

  @Test("see the member that the decoder sees, of several with one name")
  func repeated() throws {
    let json = #"[{"id":1,"id":2,"kids":[{"id":3,"kids":[]}],"kids":[]}]"#
    let nodes: [Node] = try read(json, 1)
    #expect(try nodes == read(json.replacingOccurrences(of: "kids", with: "children"), 3))
  }

  @Test("see numbers that an outer migration made as they are written, and dates and dictionaries at the top level")
  func numbers() throws {
    #expect(try read(#"{"kilograms":1.5}"#, as: Crate.self, 1).content.grams == 1500)
    #expect(try read(#""2026-12-01T09:30:00.25Z""#, 1) == Date(timeIntervalSince1970: 1_796_117_400.25))
    #expect(try read(#"{"a":{"id":1,"kids":[]}}"#, 1) == ["a": Node(id: 1)])
    #expect(try read("null", 1) == nil as Node?)
  }

  @Test("report the place of an error in the stored document, also inside converted models")
  func places() {
    #expect(
      failure(#"{"people":[{"id":1,"name":"Ann"},{"id":2,"name":7}]}"#, as: Town.self, 1)
        == "its migration of Person before schema 2 fails: a name is no number, at people[1]")
    #expect(
      failure(#"{"people":[{"id":1,"name":"Ann","pets":[{"id":7,"weight":1},{"weight":1}]}]}"#, as: Town.self, 1)
        == "'id' is missing at people[0].pets[1]")
    #expect(
      failure(#"{"people":[{"id":1,"name":"Ann","pets":[{"id":7,"weight":"x"}]}]}"#, as: Town.self, 1)
        == "a value that is not Int at people[0].pets[0].grams")
    #expect(
      failure(#"[{"person":{"id":1,"change":{"pet":{"id":7,"change":{"colour":1}}}}}]"#, as: [Town.Change].self, 1)
        == "Pet.Change has no case 'colour' (of a newer version, or removed without a migration?) at [0].person.change.pet.change")
    #expect(
      failure(#"[{"person":{"id":1,"change":{}}}]"#, as: [Town.Change].self, 1)
        == "Person.Change is an object with one key, the name of the case, not an empty one at [0].person.change")
    #expect(failure(#"{"people":[7]}"#, as: Town.self, 1).hasSuffix("at people[0]"))
  }

  @Test("above the state's schema are an error that names the model, both numbers and the remedy, for old and for present data")
  func beyond() {
    let text = """
      Person has a migration before schema 3, but the state's schema is 2. Raise it: `StateSchema(version: 3)`, or lower the migration's number
      """
    #expect(failure(#"{"people":[{"id":1,"name":"Ann"}]}"#, as: Town.self, 1, current: 2) == text)
    #expect(failure(#"{"people":[{"id":1,"name":"Ann"}]}"#, as: Town.self, 2, current: 2) == text)
    #expect(failure(#"[{"person":{"id":1,"change":{"name":"Ann"}}}]"#, as: [Town.Change].self, 2, current: 2) == text)
    // Another error stays what it is.
    #expect(failure(#"{"folk":[]}"#, as: Town.self, 2, current: 2) == "'people' is missing at the top level")
  }
}

@Suite("Helpers for migrations")
struct JSONMigratingTests {
  private let person: JSONValue = ["name": "Ann", "age": nil]

  @Test("convert, add and remove a member")
  func members() {
    #expect(person.converting("name") { ["first": $0] } == ["name": ["first": "Ann"], "age": nil])
    #expect(person.converting("age") { _ in 3 } == ["name": "Ann", "age": 3])
    #expect(person.adding("nick", "A") == ["name": "Ann", "age": nil, "nick": "A"])
    #expect(person.adding("age", 1) == person)
    #expect(person.removing("age") == ["name": "Ann"])
  }

  @Test("convert the elements of an array and the members of an object")
  func elements() {
    #expect(([1, 2] as JSONValue).mappingElements { [$0] } == [[1], [2]])
    #expect(person.mappingMembers { $0.text.map { .string($0.uppercased()) } ?? $0 } == ["name": "ANN", "age": nil])
  }

  @Test("have no effect on another shape, and pass errors on")
  func otherShapes() throws {
    struct Trouble: Error {}
    for value in [nil, true, 1, 1.5, "a", [1]] as [JSONValue] {
      #expect(value.converting("a") { _ in 1 } == value && value.adding("a", 1) == value && value.removing("a") == value)
      #expect(value.mappingMembers { _ in 1 } == value)
      #expect(value.values != nil || value.mappingElements { _ in 1 } == value)
    }
    #expect(person.converting("b") { _ in 1 } == person && person.removing("b") == person && person.mappingElements { _ in 1 } == person)
    #expect(throws: Trouble.self) { try person.converting("name") { _ in throw Trouble() } }
  }

  @Test("a whole Double looks like an integer, and `double` reads both")
  func wholeDoubles() throws {
    let stored = try JSONValue(encoding: [90.0, 72.5])
    #expect(stored == [.integer(90), .number(72.5)])
    #expect(stored.values?.map(\.double) == [90, 72.5])
    // The trap: this works for the first value only.
    #expect(stored.values?.map(\.int) == [90, nil])
    let grams = stored.mappingElements { kilograms in kilograms.double.map { .integer(Int64(($0 * 1000).rounded())) } ?? kilograms }
    #expect(try grams.decode([Int].self) == [90_000, 72_500])
  }
}
