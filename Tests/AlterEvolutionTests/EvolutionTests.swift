#if Macros
  import Alter
  import Foundation
  import Testing

  @Suite("A journal outlives the version of the app that wrote it")
  struct EvolutionTests {
    /// Decodes every payload and encodes it with the current type.
    private func rewritten<State: Journaled>(_ fixture: Fixture, by type: State.Type) throws -> [String] {
      try fixture.entries.map { entry in
        let payload = Data(entry.payload.utf8)
        let again =
          entry.kind == .changes
          ? try JournalCoding.encode(try JournalCoding.decode([State.Change].self, from: payload))
          : try JournalCoding.encode(try JournalCoding.decode(State.self, from: payload))
        return String(decoding: again, as: UTF8.self)
      }
    }

    /// The state at every revision of a journal.
    private func states<State: Journaled>(of fixture: Fixture, as first: State) async throws -> [String] {
      let store = try await Store.open(first, in: try await fixture.journal())
      var states: [String] = []
      for revision in 1...fixture.entries.count {
        states.append(String(decoding: try JournalCoding.encode(try await store.state(at: Revision(Int64(revision)))), as: UTF8.self))
      }
      await store.close()
      return states
    }

    private func opening<State: Journaled>(_ fixture: Fixture, as first: State, schema: Int = 1) async throws -> JournalError {
      let journal = try await fixture.journal(schema: schema)
      let before = try await journal.entries(after: .zero, limit: 100)
      let error = try await #require(throws: JournalError.self) { try await Store.open(first, in: journal) }
      #expect(try await journal.entries(after: .zero, limit: 100) == before, "nothing is written to what can't be read")
      return error
    }

    @Test("The fixtures are what the two versions write, to the byte", arguments: ["old-app.journal", "old-app-removed-case.journal"])
    func oldBytes(name: String) throws {
      let fixture = try Fixture(name)
      #expect(try rewritten(fixture, by: OldApp.State.self) == fixture.entries.map(\.payload))
    }

    @Test("The new version's fixture is what it writes, by macro and by hand")
    func newBytes() throws {
      let fixture = try Fixture("new-app.journal")
      #expect(try rewritten(fixture, by: NewApp.State.self) == fixture.entries.map(\.payload))
      #expect(try rewritten(fixture, by: NewAppByHand.State.self) == fixture.entries.map(\.payload))
    }

    static let upgraded = [
      #"{"items":[],"name":"Mine"}"#,
      #"{"items":[{"completed":false,"id":1,"priority":"normal","text":"Milk"},{"completed":false,"id":2,"priority":"normal","text":"Bread"}],"name":"Mine"}"#,
      #"{"items":[{"completed":false,"id":1,"priority":"normal","text":"Oat milk"},{"completed":true,"id":2,"priority":"normal","text":"Bread"}],"name":"Mine"}"#,
      #"{"items":[{"completed":true,"id":2,"priority":"normal","text":"Bread"},{"completed":false,"id":1,"priority":"normal","text":"Oat milk"}],"name":"Shop"}"#,
      #"{"items":[{"completed":false,"id":2,"priority":"normal","text":"Rye"},{"completed":false,"id":1,"priority":"normal","text":"Oat milk"}],"name":"Shop"}"#,
      #"{"items":[{"completed":false,"id":2,"priority":"normal","text":"Rye bread"},{"completed":true,"id":1,"priority":"normal","text":"Oat milk"}],"name":"Shop"}"#,
      #"{"items":[{"completed":false,"id":2,"priority":"normal","text":"Rye bread"},{"completed":true,"id":1,"priority":"normal","text":"Oat milk"}],"name":"Shop"}"#,
    ]

    @Test("An added property has its default, renamed ones and renamed cases are found by their old names, a removed property is left out")
    func upgrade() async throws {
      let fixture = try Fixture("old-app.journal")
      #expect(try await states(of: fixture, as: NewApp.State(name: "")) == Self.upgraded)
      let byHand = try JournalCoding.decode(NewAppByHand.State.self, from: Data(#"{"items":[],"name":""}"#.utf8))
      #expect(try await states(of: fixture, as: byHand) == Self.upgraded)
      #expect(try await states(of: fixture, as: NewAppThatSaysSo.State(name: "")) == Self.upgraded)
    }

    @Test("A new version goes on with an old journal, and the old entries stay as they were")
    func goingOn() async throws {
      let fixture = try Fixture("old-app.journal")
      let journal = try await fixture.journal()
      let store = try await Store.open(NewApp.State(name: ""), in: journal)
      try await store.change(.item(1, .priority("high"))).durable()
      #expect(store.state.items[id: 1] == NewApp.Item(id: 1, text: "Oat milk", completed: true, priority: "high"))
      let entries = try await journal.entries(after: .zero, limit: 100)
      #expect(
        entries.map { String(decoding: $0.payload, as: UTF8.self) }
          == fixture.entries.map(\.payload) + [#"[{"item":{"change":{"priority":"high"},"id":1}}]"#])
      await store.close()
    }

    @Test("A removed case is an error that names it, its type, its revision and its place: such an entry needs a migration")
    func removedCase() async throws {
      let error = try await opening(try Fixture("old-app-removed-case.journal"), as: NewApp.State(name: ""))
      #expect(error.code == .undecodable)
      #expect(error.revision == 3)
      #expect(
        error.message.contains(
          "NewApp.Item.Change has no case 'colour' (of a newer version, or removed without a migration?) at [1].todo.change"))
    }

    @Test("A removed case is read by a migration")
    func migratedCase() async throws {
      let store = try await Store.open(
        NewAppThatSaysSo.State(name: ""), in: try await Fixture("old-app-removed-case.journal").journal())
      #expect(store.state == NewAppThatSaysSo.State(items: [NewApp.Item(id: 1, text: "Milk", completed: true)], name: "Shop"))
      await store.close()
    }

    @Test("An unknown case from a newer version is an error that names it, its type, its revision and its place")
    func unknownCase() async throws {
      let fixture = try Fixture("newer-app.journal")
      #expect(try rewritten(fixture, by: NewerApp.State.self) == fixture.entries.map(\.payload))
      let error = try await opening(fixture, as: OldApp.State(name: ""))
      #expect(error.code == .undecodable)
      #expect(error.revision == 3)
      #expect(
        error.message.contains(
          "OldApp.Todo.Change has no case 'priority' (of a newer version, or removed without a migration?) at [1].todo.change"))
    }

    @Test("A newer version that says so by its schema is refused as a whole")
    func newerSchema() async throws {
      let error = try await opening(try Fixture("new-app.journal"), as: OldApp.State(name: ""), schema: 2)
      #expect(error.code == .newerSchema)
    }

    @Test("A property that old data lacks, and that has no default, is an error that names it")
    func missing() throws {
      let error = try #require(throws: DecodingError.self) {
        try JournalCoding.decode(NewApp.Item.self, from: Data(#"{"id":1,"title":"Milk"}"#.utf8))
      }
      guard case .keyNotFound(let key, let context) = error else { throw error }
      #expect(key.stringValue == "completed")
      #expect(
        context.debugDescription == "NewApp.Item needs a value 'completed' (mark a property that older data lacks with @Default)")
    }

    @Test("The present name wins where an old name is there, too")
    func bothNames() throws {
      let item = try JournalCoding.decode(NewApp.Item.self, from: Data(#"{"id":1,"title":"old","text":"new","done":true}"#.utf8))
      #expect(item == NewApp.Item(id: 1, text: "new", completed: true))
    }
  }
#endif
