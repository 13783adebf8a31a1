import AlterCollections
import AlterCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("An identity array as a state")
struct IdentityArrayChangeTests {
  let people: IdentityArray = [Person(1, "Jack"), Person(2, "Jill")]

  @Test("changes by its own vocabulary")
  func changes() throws {
    let changed = try people.alter(
      .add(Person(3, "Joan"), at: 0), .add(Person(4, "Jim")), .update(Person(1, "John")), .put(Person(2, "Jane")), .move(2, to: 0),
      .remove(3))
    #expect(changed.all == [Person(2, "Jane"), Person(1, "John"), Person(4, "Jim")])
    #expect(people.count == 2, "the original stays as it was")
    #expect(try IdentityArray(.put(Person(1, "Jack")), .put(Person(2, "Jill"))) == people)
    #expect(try people.alter(.replace([Person(7, "Jo")])).all == [Person(7, "Jo")])
    #expect(try people.alter(.element(2, .raise(10)), .element(2, .raise(5))).map(\.salary) == [0, 15])
    #expect(try people.alter(.remove(Person(1, "someone"))).all == [Person(2, "Jill")])
  }

  @Test("refuses a change without having changed anything")
  func refusals() {
    let refused: [(IdentityArray<Person>.Change, Refusal)] = [
      (.add(Person(1, "x")), .duplicate(kind: "Person", id: "1")), (.update(Person(9, "x")), .missing(kind: "Person", id: "9")),
      (.remove(9), .missing(kind: "Person", id: "9")), (.move(9, to: 0), .missing(kind: "Person", id: "9")),
      (.element(9, .raise(1)), .missing(kind: "Person", id: "9")), (.remove(Person(9, "x")), .missing(kind: "Person", id: "9")),
    ]
    for (change, refusal) in refused {
      var state = people
      #expect(throws: refusal) { try state.apply(change, at: .none) }
      #expect(state == people)
    }
  }

  @Test("changes an element by the element's vocabulary: a model that refuses nothing")
  func pathOfNever() {
    var people = people
    do throws(Refusal) {
      try people.apply(.raise(10), to: 2, at: .none)
      try people.apply(.raise(10), to: 5, at: .none)
    } catch {
      #expect(error == .missing(kind: "Person", id: "5"))
    }
    #expect(people.map(\.salary) == [0, 10])
  }

  @Test("changes an element by the element's vocabulary: a model that refuses with Refusal, and sees the stamp")
  func pathOfRefusal() {
    var accounts: IdentityArray = [Account(id: "a", balance: 10)]
    let stamp = Stamp(time: 77, origin: .none, sequence: 1)
    do throws(Refusal) {
      try accounts.apply(.withdraw(4), to: "a", at: stamp)
      #expect(accounts[id: "a"]?.balance == 6)
      #expect(accounts[id: "a"]?.altered == 77)
      try accounts.apply(.withdraw(7), to: "a", at: stamp)
      Issue.record("The account was overdrawn.")
    } catch {
      #expect(error == .custom(code: "overdrawn", message: "There is only 6."))
    }
    #expect(throws: Refusal.missing(kind: "Account", id: "b")) { try accounts.apply(.withdraw(1), to: "b", at: stamp) }
  }

  @Test("changes an element by the element's vocabulary: a model with a failure of its own")
  func pathOfOwnFailure() {
    var doors: IdentityArray = [Door(id: 1, isLocked: true), Door(id: 2, isLocked: false)]
    #expect(throws: ElementRefusal<Door.Failure>.refused(.locked)) { try doors.apply(.open, to: 1, at: .none) }
    #expect(throws: ElementRefusal<Door.Failure>.missing(.missing(kind: "Door", id: "3"))) { try doors.apply(.open, to: 3, at: .none) }
    #expect(throws: Never.self) { try doors.apply(.open, to: 2, at: .none) }
    #expect(doors.map(\.isOpen) == [false, true])
    #expect(ElementRefusal<Door.Failure>.refused(.locked).description == "locked")
    #expect(ElementRefusal<Door.Failure>.missing(.missing("Door", 3)).description == "There is no Door '3'.")
  }

  // MARK: - The wire format

  static let wire: [(IdentityArray<Person>.Change, String)] = [
    (.put(Person(1, "a")), #"{"put":{"id":1,"name":"a","salary":0}}"#),
    (.add(Person(1, "a")), #"{"add":{"element":{"id":1,"name":"a","salary":0}}}"#),
    (.add(Person(1, "a"), at: 3), #"{"add":{"at":3,"element":{"id":1,"name":"a","salary":0}}}"#),
    (.update(Person(1, "a")), #"{"update":{"id":1,"name":"a","salary":0}}"#),
    (.remove(7), #"{"remove":7}"#),
    (.move(7, to: 0), #"{"move":{"id":7,"to":0}}"#),
    (.replace([Person(1, "a")]), #"{"replace":[{"id":1,"name":"a","salary":0}]}"#),
    (.replace([]), #"{"replace":[]}"#),
    (.element(7, .raise(10)), #"{"element":{"change":{"raise":{"_0":10}},"id":7}}"#),
  ]

  @Test("writes its changes compactly, to the byte, and reads them back", arguments: wire)
  func wireFormat(change: IdentityArray<Person>.Change, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(change), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(IdentityArray<Person>.Change.self, from: Data(json.utf8)) == change)
  }

  @Test(
    "says what is wrong with a change it can't read, and where",
    arguments: [
      (#"[{"frobnicate":1}]"#, "IdentityArray<Person> has no change 'frobnicate'. Was it written by a newer version?", "0.frobnicate"),
      (#"[{"remove":1},{}]"#, "a change of IdentityArray<Person> is an object with one key that names the case, not an empty one", "1"),
      (
        #"[{"remove":1,"add":2}]"#,
        "a change of IdentityArray<Person> is an object with one key that names the case, not one with 'add', 'remove'", "0"
      ),
    ])
  func unreadable(json: String, message: String, path: String) throws {
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([IdentityArray<Person>.Change].self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.debugDescription == message)
    #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") == path)
  }

  @Test(
    "refuses to read a change whose payload is malformed", arguments: [#"{"move":{"id":1}}"#, #"{"remove":"x"}"#, #"{"add":null}"#, "1"])
  func malformed(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(IdentityArray<Person>.Change.self, from: Data(json.utf8)) }
  }
}
