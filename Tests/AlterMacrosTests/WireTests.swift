#if Macros
  import Alter
  import Foundation
  import Testing

  /// A hand-written `Change` type with every kind of case.
  @Wire enum Move: Hashable {
    case level(Int)
    case due(Date?)
    case toggle
    case insert(element: String, at: Int? = nil)
    case resize(width: Double, height: Double)
    case put(String, to: Int)
    case folder(Folder.ID, Folder.Change)
    case labelled(seconds: Int)
    indirect case both([Move])
    @Renamed(from: "colour", "color") case tint(String)
    case `default`
  }

  /// A hand-written model with a migration, and with a generated stored form of its changes.
  private struct Dimmer<Level: Hashable & Codable & Sendable>: Hashable, Codable, Alterable, Migrating {
    static var migrations: [ModelMigration] { [ModelMigration(before: 2, change: { $0.renaming("percent", to: "level") })] }
    @Wire enum Change: Hashable { case level(Level) }
    private(set) var level: Level
    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .level(let level): self.level = level
      }
    }
  }

  @Suite("The migrations of a hand-written model")
  struct WireMigrationTests {
    @Test("convert the changes that @Wire reads")
    func change() throws {
      let change = try JournalCoding.decode(Dimmer<Int>.Change.self, from: Data(#"{"percent":3}"#.utf8), schema: 1, current: 2)
      #expect(change == .level(3))
    }
  }

  /// The stored form, byte for byte, as Design/0004-wire-format.md specifies it. Users' journals contain these bytes, so never adapt a test
  /// that fails here.
  @Suite("The stored form of generated and hand-written changes")
  struct WireTests {
    static let one = "00000000-0000-4000-8000-000000000001"
    static let milk = TodoItem(id: id(1), text: "Milk")
    static let whole = TodoItem(
      id: id(1), text: "Grüße 🎉 \"/\\", completed: true, due: Date(microseconds: 1_500_000), altered: Date(microseconds: 0), source: "s")

    static let lists: [(TodoList.Change, String)] = [
      (.add(.item(milk)), #"{"add":{"item":{"completed":false,"id":"\#(one)","text":"Milk"}}}"#),
      (.put(.item(milk)), #"{"put":{"item":{"completed":false,"id":"\#(one)","text":"Milk"}}}"#),
      (.update(.sheep(VariableItem(id: id(1), text: "D"))), #"{"update":{"sheep":{"completed":false,"id":"\#(one)","text":"D"}}}"#),
      (.remove(.item(id(1))), #"{"remove":{"item":"\#(one)"}}"#),
      (.move(.item(id(1), to: 0)), #"{"move":{"item":{"id":"\#(one)","to":0}}}"#),
      (.replace(.items([])), #"{"replace":{"items":[]}}"#),
      (.replace(.flock([])), #"{"replace":{"flock":[]}}"#),
      (.item(id(1), .completed(true)), #"{"item":{"change":{"completed":true},"id":"\#(one)"}}"#),
      (.item(id(1), .due(nil)), #"{"item":{"change":{"due":null},"id":"\#(one)"}}"#),
      (.sheep(id(1), .due(Date(microseconds: 250_000))), #"{"sheep":{"change":{"due":"1970-01-01T00:00:00.25Z"},"id":"\#(one)"}}"#),
      (.settings(.theme("dark")), #"{"settings":{"theme":"dark"}}"#),
      (.title("x"), #"{"title":"x"}"#),
    ]

    static let moves: [(Move, String)] = [
      (.level(3), #"{"level":3}"#),
      (.due(nil), #"{"due":null}"#),
      (.toggle, #"{"toggle":true}"#),
      (.insert(element: "a"), #"{"insert":{"element":"a"}}"#),
      (.insert(element: "a", at: 2), #"{"insert":{"at":2,"element":"a"}}"#),
      (.resize(width: 1, height: 2.5), #"{"resize":{"height":2.5,"width":1}}"#),
      (.put("a", to: 3), #"{"put":{"id":"a","to":3}}"#),
      (.folder(1, .name("b")), #"{"folder":{"change":{"name":"b"},"id":1}}"#),
      (.labelled(seconds: 4), #"{"labelled":4}"#),
      (.both([.toggle, .both([])]), #"{"both":[{"toggle":true},{"both":[]}]}"#),
      (.tint("red"), #"{"tint":"red"}"#),
      (.default, #"{"default":true}"#),
    ]

    private func check<Value: Codable & Equatable>(_ value: Value, _ json: String) throws {
      #expect(String(decoding: try JournalCoding.encode(value), as: UTF8.self) == json)
      #expect(try JournalCoding.decode(Value.self, from: Data(json.utf8)) == value)
    }

    @Test("of a generated change is the same bytes for ever, and reads back equal", arguments: lists.indices)
    func generated(index: Int) throws { try check(Self.lists[index].0, Self.lists[index].1) }

    @Test("of a hand-written change is the same bytes for ever, and reads back equal", arguments: moves.indices)
    func handWritten(index: Int) throws { try check(Self.moves[index].0, Self.moves[index].1) }

    @Test("of a value has every property that it has, by its name")
    func values() throws {
      try check(
        Self.whole,
        #"{"altered":"1970-01-01T00:00:00Z","completed":true,"due":"1970-01-01T00:00:01.5Z","id":"\#(Self.one)","source":"s","text":"Grüße 🎉 \"/\\"}"#
      )
      try check(TodoList(), #"{"flock":[],"items":[],"settings":{"fontSize":12,"theme":"light"},"title":""}"#)
    }

    @Test(
      "that is unknown is an error that names the type, the case and the place",
      arguments: [
        (#"{"fly":1}"#, "TodoList.Change has no case 'fly' (of a newer version, or removed without a migration?)", ""),
        (
          #"{"item":{"change":{"colour":"red"},"id":"\#(one)"}}"#,
          "TodoItem.Change has no case 'colour' (of a newer version, or removed without a migration?)",
          "item.change"
        ),
        (
          #"{"add":{"person":{}}}"#,
          "TodoList.Change.ElementValue has no case 'person' (of a newer version, or removed without a migration?)", "add"
        ),
        (
          #"{"add":{"item":{},"sheep":{}}}"#,
          "TodoList.Change.ElementValue is an object with one key, the name of the case, not one with 'item', 'sheep'", "add"
        ),
        (#"{}"#, "TodoList.Change is an object with one key, the name of the case, not an empty one", ""),
        (
          #"{"settings":{"zoom":2}}"#, "Settings.Change has no case 'zoom' (of a newer version, or removed without a migration?)",
          "settings"
        ),
      ])
    func unknown(json: String, message: String, path: String) throws {
      let error = try #require(throws: DecodingError.self) { try JournalCoding.decode(TodoList.Change.self, from: Data(json.utf8)) }
      guard case .dataCorrupted(let context) = error else { throw error }
      #expect(context.debugDescription == message)
      #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == path)
    }

    @Test(
      "that is malformed is an error",
      arguments: [
        #"{"title":7}"#, #"{"title":null}"#, #"{"move":{"item":{"id":"\#(one)"}}}"#, #"{"remove":{"item":"x"}}"#,
        #"{"item":{"id":"\#(one)"}}"#,
        "[]", "1", #""title""#, #"{"settings":true}"#,
      ])
    func malformed(json: String) {
      #expect(throws: DecodingError.self) { try JournalCoding.decode(TodoList.Change.self, from: Data(json.utf8)) }
    }

    @Test(
      "of a case without payload holds nothing but true: a newer version's payload is not left out in silence",
      arguments: [
        "false", "1", "null", #"{"by":2}"#,
      ])
    func payloadOfANewerVersion(payload: String) throws {
      let error = try #require(throws: DecodingError.self) {
        try JournalCoding.decode([Move].self, from: Data(#"[{"toggle":\#(payload)}]"#.utf8))
      }
      guard case .dataCorrupted(let context) = error else { throw error }
      #expect(context.debugDescription == "Move knows no payload of the case 'toggle' (written by a newer version?)")
      #expect(context.codingPath.map(\.stringValue) == ["Index 0", "toggle"])
    }

    @Test("reads a collection and its elements by the names they had")
    func renamedCollection() throws {
      let bob = Folder(id: 1, name: "Bob")
      #expect(
        try JournalCoding.decode(Crew.self, from: Data(#"{"staff":[{"id":1,"name":"Bob","folders":[]}]}"#.utf8)) == Crew(people: [bob]))
      let changes: [(String, Crew.Change)] = [
        (#"{"put":{"member":{"id":1,"name":"Bob","folders":[]}}}"#, .put(.person(bob))), (#"{"remove":{"member":1}}"#, .remove(.person(1))),
        (#"{"move":{"member":{"id":1,"to":0}}}"#, .move(.person(1, to: 0))), (#"{"replace":{"staff":[]}}"#, .replace(.people([]))),
        (#"{"member":{"id":1,"change":{"name":"Rob"}}}"#, .person(1, .name("Rob"))),
      ]
      for (json, change) in changes {
        #expect(try JournalCoding.decode(Crew.Change.self, from: Data(json.utf8)) == change)
      }
    }

    @Test("reads a case by the names it had")
    func renamed() throws {
      for name in ["tint", "colour", "color"] {
        #expect(try JournalCoding.decode(Move.self, from: Data(#"{"\#(name)":"red"}"#.utf8)) == .tint("red"))
      }
    }
  }
#endif
