#if Postgres && Macros
  import Alter
  import AlterJournal
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import AlterTesting
  import Foundation
  import ProcessTesting
  import RowsModel
  import Testing

  @Suite("Rows in PostgreSQL that can't be written", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct PostgresRowsFaultTests {
    private func message(_ body: () async throws -> Void) async -> String {
      do { try await body() } catch { return "\(error)" }
      return ""
    }

    @Test("Missing tables, missing rights and another declaration are errors that say what to run")
    func setup() async throws {
      let fixture = try await RowsFixture(setup: false)
      let store = try await fixture.store()
      func opening(_ version: Int = 1) async -> String {
        await message { await (try await PostgresRows(store, fixture, version: version)).close() }
      }
      #expect(await opening().contains("Let the owner of the tables run the SQL that PostgresRows.setup returns"))
      let setup = try PostgresRows<Board>.setup(schema: fixture.schema, version: 1, tables: Board.typedTables)
      try await fixture.run(setup)
      #expect(await opening() == "")
      #expect(await opening(2).contains("are of another declaration: version 1"))
      // Run again, it leaves the rows alone.
      try await store.change(.insert(Card(1), at: 0)).durable()
      let rows = try await PostgresRows(store, fixture)
      try await fixture.run(setup)
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await rows.close()
      // A role without rights to the tables.
      let role = "writer_\(UUID().uuidString.prefix(8).lowercased())"
      try await fixture.run(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA alter TO \(role);
        GRANT ALL ON ALL TABLES IN SCHEMA alter TO \(role); GRANT USAGE ON SCHEMA "\(fixture.schema)" TO \(role)
        """)
      let poor = try await Store.open(
        Board(), in: try await PostgresJournal(at: "host=\(fixture.server.folder) dbname=postgres user=\(role)", key: fixture.key))
      #expect(await message { _ = try await PostgresRows(poor, fixture) }.contains("lacks a right"))
      try await fixture.run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(fixture.schema)\" TO \(role)")
      let allowed = try await PostgresRows(poor, fixture)
      try await poor.change(.insert(Card(2), at: 0)).durable()
      #expect(try await fixture.seen() == Seen(poor.state, at: poor.revision))
      await allowed.close()
      await poor.close()
      await store.close()
    }

    @Test("What rows in PostgreSQL don't support is an error: a search index, reserved names, other journals, two rows of one store")
    func unsupported() async throws {
      let fixture = try await RowsFixture()
      func error(_ table: RowTable<Board>) -> String {
        do { return try PostgresRows<Board>.setup(schema: "x", version: 1) { table } } catch { return "\(error)" }
      }
      #expect(error(RowTable("card", each: \.cards, search: ["title"])).contains("a search index is for SQLite alone"))
      #expect(error(RowTable("t", columns: ["id", "journal"]) { _ in [] }).contains("reserve the column 'journal'"))
      #expect(error(RowTable("t", columns: ["id", "ctid"]) { _ in [] }).contains("reserve the column 'ctid'"))
      #expect(error(RowTable(String(repeating: "x", count: 64), each: \.cards)).contains("at most 63 bytes"))
      let memory = Store(Board())
      #expect(await message { _ = try await PostgresRows(memory, fixture) }.contains("is no PostgresJournal"))
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      #expect(await message { _ = try await PostgresRows(store, fixture) }.contains("has other rows"))
      try await store.change(.insert(Card(1), at: 0)).durable()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await rows.close()
      await store.close()
    }

    @Test("An older build beside a newer one appends and writes no rows; the newer one moves them")
    func versions() async throws {
      let fixture = try await RowsFixture()
      let old = try await fixture.store()
      let oldRows = try await PostgresRows(old, fixture)
      try await old.change(.insert(Card(1), at: 0)).durable()
      #expect(try await fixture.seen() == Seen(old.state, at: old.revision))
      // The update: the owner runs the new declaration's SQL, and the first newer build starts.
      try await fixture.run(PostgresRows<Board>.setup(schema: fixture.schema, version: 2, tables: Board.typedTables))
      #expect(
        try await fixture.seen().rows == Seen(Board(), at: .zero).rows.replacing(#""totals":[["open",0],["all",0]]"#, with: #""totals":[]"#)
      )
      try await old.change(.insert(Card(2), at: 0)).durable()
      #expect(try await fixture.seen().revision == 0, "late, not wrong")
      await #expect(throws: RowsError.outdated(found: 2, own: 1)) { try await oldRows.current() }
      if case .outdated = oldRows.status {} else { Issue.record("\(oldRows.status)") }
      let new = try await fixture.store()
      let newRows = try await PostgresRows(new, fixture, version: 2)
      #expect(try await fixture.seen() == Seen(new.state, at: new.revision))
      try await old.change(.insert(Card(3), at: 0)).durable()
      try await new.change(.insert(Card(4), at: 0)).durable()
      try await newRows.current()
      #expect(try await fixture.seen() == Seen(new.state, at: new.revision))
      await #expect(throws: RowsError.outdated(found: 2, own: 1)) { try await PostgresRows(old, fixture) }
      #expect(
        await message { try await fixture.run(PostgresRows<Board>.setup(schema: fixture.schema, version: 1, tables: Board.typedTables)) }
          .contains("higher version"))
      await oldRows.close()
      await newRows.close()
      await old.close()
      await new.close()
    }

    private struct Former: Journaled, Hashable {
      struct Card: Identifiable, Hashable, Codable, Sendable { let id: Int, title: String }
      enum Change: Hashable, Codable, Sendable { case insert(Card) }
      var cards = IdentityArray<Card>()
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        if case .insert(let card) = change { try cards.add(card) }
      }
      @RowTableBuilder<Former> static func tables() -> [RowTable<Former>] { RowTable("card", each: \.cards, columns: ["title"]) }
    }

    private struct Later: Journaled, Hashable {
      enum Change: Hashable, Codable, Sendable { case insert(Former.Card) }
      var cards = IdentityArray<Former.Card>()
      static var schema: StateSchema {
        @Sendable func renamed(_ json: JSONValue) -> JSONValue { json.converting("title") { _ in "migrated" } }
        return StateSchema(
          version: 2,
          migrations: [
            Migration(
              from: 1, to: 2, state: { $0.converting("cards") { $0.mappingElements(renamed) } },
              change: { [$0.converting("insert") { $0.converting("_0", renamed) }] })
          ])
      }
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        if case .insert(let card) = change { try cards.add(card) }
      }
      @RowTableBuilder<Later> static func tables() -> [RowTable<Later>] { RowTable("card", each: \.cards, columns: ["title"]) }
    }

    @Test("A build whose migration changes values makes all rows again, at an equal place too; the older build leaves them alone")
    func migration() async throws {
      let fixture = try await RowsFixture(setup: false)
      try await fixture.run(PostgresRows<Former>.setup(schema: fixture.schema, version: 1, tables: Former.tables))
      func titles() async throws -> String {
        try await fixture.run("SELECT string_agg(title #>> '{}', ',' ORDER BY position) FROM \"\(fixture.schema)\".card")
      }
      let former = try await Store.open(Former(), in: try await fixture.journal())
      let old = try await PostgresRows(of: former, schema: fixture.schema, version: 1, tables: Former.tables)
      for id in 1...3 { try await former.change(.insert(Former.Card(id: id, title: "card \(id)"))).durable() }
      #expect(try await titles() == "card 1,card 2,card 3")
      let later = try await Store.open(Later(), in: try await fixture.journal())
      let new = try await PostgresRows(of: later, schema: fixture.schema, version: 1, tables: Later.tables)
      #expect(try await titles() == "migrated,migrated,migrated")
      // The former build appends once more: its rows are of another form.
      try await former.change(.insert(Former.Card(id: 4, title: "card 4"))).durable()
      await #expect(throws: RowsError.otherBuild) { try await old.current() }
      #expect(try await !titles().contains("card"), "late, not wrong")
      await old.close()
      await former.close()
      try await later.change(.insert(Former.Card(id: 5, title: "new"))).durable()
      try await new.current()
      #expect(try await titles() == "migrated,migrated,migrated,migrated,new")
      try await new.verify()
      await new.close()
      await later.close()
    }

    @Test("Tables that disappear, and rows that something else removes, harm no append; they are made again")
    func foreign() async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      let card = "\"\(fixture.schema)\".card"
      try await store.change(.replace((0..<10).map { Card($0) })).durable()
      try await fixture.run("DELETE FROM \(card) WHERE id = 3")
      await #expect(throws: RowsError.self) { try await rows.verify() }
      try await store.change(.update(Card(3, "again"))).durable()
      try await rows.current()
      try await rows.verify()
      // A neighbour that is missing.
      try await fixture.run("DELETE FROM \(card) WHERE id = 5")
      try await store.change(.insert(Card(100), at: 6)).durable()
      try await rows.current()
      #expect(try await fixture.seen().revision == store.revision.number)
      try await fixture.run("ALTER TABLE \(card) RENAME TO gone")
      try await store.change(.insert(Card(101), at: 0)).durable()
      await #expect(throws: (any Error).self) { try await rows.current() }
      if case .waiting(let error) = rows.status {
        #expect("\(error)".contains("PostgresRows.setup"))
      } else {
        Issue.record("\(rows.status)")
      }
      try await fixture.run("ALTER TABLE \"\(fixture.schema)\".gone RENAME TO card")
      try await rows.current()
      try await rows.verify()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await rows.close()
      await store.close()
    }

    @Test(
      "A connection that is lost in the middle of appends leaves no entry without its rows", arguments: Effort.seeds(short: 1, full: 10))
    func lost(seed: UInt64) async throws {
      let fixture = try await RowsFixture()
      let name = "lost \(UUID().uuidString.prefix(8))"
      let journal = try await PostgresJournal(at: fixture.address + " application_name='\(name)'", key: fixture.key)
      let store = try await Store.open(Board(), in: journal)
      let rows = try await PostgresRows(store, fixture)
      let ending = Task {
        while !Task.isCancelled {
          try await fixture.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
        }
      }
      var random = SeededGenerator(seed: seed)
      for number in 0..<60 {
        let commit = try store.change(store.state.randomChange(using: &random))
        if number % 5 == 0 {
          try await commit.durable()
          let seen = try await fixture.seen()
          let place = Revision(seen.revision)
          #expect(seen.rows == (try Seen(await store.state(at: place), at: place).rows))
        }
      }
      ending.cancel()
      _ = try? await ending.value
      try await store.change(.insert(Card(-1), at: 0)).durable()
      try await rows.current()
      try await rows.verify()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await rows.close()
      await store.close()
    }
  }
#endif
