import Alter
import AlterCore
import AlterJournal
import AlterStore
import Foundation
import Testing

// A village in its third schema. 2: a resident's name became an object. 3: "people" became "residents", and a height became centimetres.

private struct Village: Journaled, Hashable {
  private(set) var residents: [Resident] = []
  private(set) var made: [UUID] = []

  static var schema: StateSchema {
    StateSchema(
      version: 3,
      migrations: [
        Migration(
          from: 2, to: 3, state: { $0.renaming("people", to: "residents") },
          // An old "move" did two things.
          change: { change in change["move"].map { [["add": $0], ["make": true]] } ?? [change] })
      ])
  }

  enum Change: Hashable, Codable {
    case add(Resident), update(Resident), resident(Int, Resident.Change), make

    init(from decoder: any Decoder) throws {
      let wire = try WireCase(of: Self.self, changing: Village.self, from: decoder)
      switch wire.name {
      case "add": self = .add(try wire.value())
      case "update": self = .update(try wire.value())
      case "resident": self = try wire.path(Self.resident)
      case "make":
        try wire.nothing()
        self = .make
      default: throw wire.unknown
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .add(let resident): try WireCase.encode("add", resident, to: encoder)
      case .update(let resident): try WireCase.encode("update", resident, to: encoder)
      case .resident(let id, let change): try WireCase.encode("resident", id: id, change: change, to: encoder)
      case .make: try WireCase.encode("make", to: encoder)
      }
    }
  }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .add(let resident): residents.append(resident)
    case .update(let resident): residents = residents.map { $0.id == resident.id ? resident : $0 }
    case .resident(let id, let change):
      residents = residents.map { $0.id == id ? $0.alter(change) : $0 }
    case .make: made.append(stamp.uuid())
    }
  }

  init(residents: [Resident] = []) { self.residents = residents }

  init(from decoder: any Decoder) throws {
    let fields = try WireReader(of: Self.self, from: decoder)
    residents = try fields.value("residents")
    made = try fields.value("made", default: [])
  }
}

private struct Resident: Alterable, Codable, Hashable, Migrating {
  struct Name: Hashable, Codable { var first: String, last = "" }
  struct NoName: Error, CustomStringConvertible { let description = "the name is no text" }

  let id: Int
  private(set) var name: Name
  private(set) var height: Int

  static let conversions = Lock(0)

  static let migrations = [
    ModelMigration(before: 2, value: { try divided($0) }, change: { try divided($0) }),
    ModelMigration(
      before: 3,
      value: {
        conversions.withLock { $0 += 1 }
        return centimetres($0)
      },
      change: { centimetres($0) }),
  ]

  private static func divided(_ json: JSONValue) throws -> JSONValue {
    try json.converting("name") {
      guard $0.text != nil else { throw NoName() }
      return ["first": $0, "last": ""]
    }
  }

  private static func centimetres(_ json: JSONValue) -> JSONValue {
    json.converting("height") { metres in metres.double.map { .integer(Int64(($0 * 100).rounded())) } ?? metres }
  }

  enum Change: Hashable, Codable {
    case name(Name), height(Int)

    init(from decoder: any Decoder) throws {
      let wire = try WireCase(of: Self.self, changing: Resident.self, from: decoder)
      switch wire.name {
      case "name": self = .name(try wire.value())
      case "height": self = .height(try wire.value())
      default: throw wire.unknown
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .name(let name): try WireCase.encode("name", name, to: encoder)
      case .height(let height): try WireCase.encode("height", height, to: encoder)
      }
    }
  }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .name(let name): self.name = name
    case .height(let height): self.height = height
    }
  }

  init(id: Int, name: Name, height: Int) { (self.id, self.name, self.height) = (id, name, height) }

  init(from decoder: any Decoder) throws {
    let fields = try WireReader(of: Self.self, from: decoder)
    id = try fields.value("id")
    name = try fields.value("name")
    height = try fields.value("height")
  }
}

/// A state whose schema is below that of its model.
private struct Hamlet: Journaled, Hashable {
  private(set) var residents: [Resident] = []
  static var schema: StateSchema { StateSchema(version: 2) }
  enum Change: Hashable, Codable { case add(Resident) }
  mutating func apply(_ change: Change, at stamp: Stamp) {}
}

@Suite("A journal with models of older schemas", .serialized)
struct ModelMigrationTests {
  private let options = StoreOptions.sharedJournal

  /// A journal with entries of given schemas.
  private func journal(_ entries: [(schema: Int, kind: Entry.Kind, payload: String)]) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let origin = Origin.random()
    for (number, entry) in entries.enumerated() {
      let draft = Entry.Draft(
        kind: entry.kind, id: EntryID(origin: origin, sequence: Int64(number + 1)), time: Int64(number), schema: entry.schema,
        payload: Data(entry.payload.utf8))
      _ = try await journal.append([draft], after: try await journal.head())
    }
    return journal
  }

  private func threeSchemas() async throws -> MemoryJournal {
    try await journal([
      (1, .initial, #"{"people":[{"id":1,"name":"Ann","height":2}]}"#),
      (1, .changes, #"[{"add":{"id":2,"name":"Bob","height":1.75}},{"resident":{"id":1,"change":{"name":"Anna"}}}]"#),
      (1, .changes, #"[{"move":{"id":3,"name":"Cid","height":1.5}},{"make":true}]"#),
      (
        2, .changes,
        #"[{"resident":{"id":2,"change":{"height":1.8}}},{"resident":{"id":2,"change":{"name":{"first":"Rob","last":"Lee"}}}}]"#
      ),
      (2, .changes, #"[{"update":{"id":1,"name":{"first":"Anna","last":"Ek"},"height":1.9}}]"#),
      (3, .changes, #"[{"add":{"id":4,"name":{"first":"Dot","last":""},"height":160}},{"resident":{"id":3,"change":{"height":151}}}]"#),
    ])
  }

  private let present: [Resident] = [
    Resident(id: 1, name: .init(first: "Anna", last: "Ek"), height: 190),
    Resident(id: 2, name: .init(first: "Rob", last: "Lee"), height: 180),
    Resident(id: 3, name: .init(first: "Cid"), height: 151), Resident(id: 4, name: .init(first: "Dot"), height: 160),
  ]

  @Test("opens, replays, is written to and undone, and each stored value of schemas 1 and 2 is converted exactly once")
  func threeSchemasAtOnce() async throws {
    let journal = try await threeSchemas()
    let stored = try await journal.entries(after: .zero, limit: 100)
    let before = Resident.conversions.withLock { $0 }
    let store = try await Store.open(Village(), in: journal, options: options)
    #expect(Resident.conversions.withLock { $0 } - before == 4)
    #expect(store.state.residents == present)
    // The root's migration made two changes of one: the other two keep their indices, and all ids differ.
    #expect(Set(store.state.made).count == 2)

    try await store.change(.resident(4, .height(161))).durable()
    try await store.undo()
    #expect(store.state.residents == present)
    #expect(try await store.state(at: 1).residents == [Resident(id: 1, name: .init(first: "Ann"), height: 200)])
    await store.close()
    try await Store<Village>.verify(journal)
    #expect(try await journal.entries(after: .zero, limit: 6) == stored)
    #expect(try await Store.open(Village(), in: journal, options: options).state == store.state)
  }

  @Test("is read by an archive's copy as by its store")
  func copies() async throws {
    let journal = try await threeSchemas()
    let copy = MemoryJournal()
    var exported = Data()
    try await journal.export { exported.append($0) }
    try await copy.import(exported, from: "an export")
    #expect(try await Store.open(Village(), in: copy, options: options).state.residents == present)
  }

  @Test("makes a snapshot of the converted state, which is read without migrations")
  func snapshots() async throws {
    let journal = try await threeSchemas()
    var often = options
    often.undoWindow = 2
    often.snapshotSpacing = 5
    let store = try await Store.open(Village(), in: journal, options: often)
    for height in 0..<40 { try await store.change(.resident(4, .height(height))).durable() }
    await store.close()
    #expect(try await !journal.snapshots(upTo: 100, limit: 100).isEmpty)
    // While it writes, a store makes a snapshot when the one before is finished, which may be late. At an opening none is under way.
    await (try await Store.open(Village(), in: journal, options: often)).close()
    let before = Resident.conversions.withLock { $0 }
    let again = try await Store.open(Village(), in: journal, options: often)
    #expect(again.state == store.state && again.state.residents[3].height == 39)
    #expect(Resident.conversions.withLock { $0 } == before)
  }

  @Test("with a value that a model's migration can't read is an error that names the revision, the model and the reason")
  func failing() async throws {
    let journal = try await journal([
      (1, .initial, #"{"people":[]}"#),
      (1, .changes, #"[{"add":{"id":2,"name":"Bob","height":1}},{"resident":{"id":2,"change":{"name":7}}}]"#),
    ])
    let error = await #expect(throws: JournalError.self) { try await Store.open(Village(), in: journal) }
    #expect(error?.code == .undecodable && error?.revision == 2)
    let text = "its migration of Resident before schema 2 fails: the name is no text, at [1].resident.change"
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
  }

  @Test("is refused if a model names a higher schema than the state, also for entries of the state's present schema", arguments: [1, 2])
  func beyond(schema: Int) async throws {
    let journal = try await journal([(schema, .initial, #"{"residents":[{"id":1,"name":"Ann","height":2}]}"#)])
    let error = await #expect(throws: JournalError.self) { try await Store.open(Hamlet(), in: journal) }
    #expect(error?.code == .undecodable && error?.revision == 1)
    let text = "Resident has a migration before schema 3, but the state's schema is 2. Raise it: `StateSchema(version: 3)`"
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
  }
}
