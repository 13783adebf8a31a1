#if Postgres && Macros
  import Alter
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import AlterTesting
  import Foundation
  import ProcessTesting
  import RowsModel
  import Testing

  @Suite("Rows in PostgreSQL beside others", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(10)))
  struct PostgresRowsOtherTests {
    @Test("Rows that are closed once more do not end the moving of the store's next rows")
    func closedAgain() async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let first = try await PostgresRows(store, fixture)
      await first.close()
      let second = try await PostgresRows(store, fixture)
      await first.close()
      try await store.change(.insert(Card(1), at: 0)).durable()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await second.close()
      await store.close()
    }

    @Test("An id that another spelling has replaced leads to late rows, and not to wrong ones: in two processes, too")
    func spelling() async throws {
      let fixture = try await RowsFixture()
      var replicas: [(store: Store<Board>, rows: PostgresRows<Board>)] = []
      for number in 0..<2 {
        let name = "spelling \(fixture.schema) \(number)"
        let journal = try await PostgresJournal(at: fixture.address + " application_name='\(name)'", key: fixture.key)
        let store = try await Store.open(Board(), in: journal)
        replicas.append((store, try await PostgresRows(store, fixture)))
      }
      let (store, rows) = replicas[0]
      for labels in [[Tag("\u{E9}")], [Tag("e\u{301}")], [Tag("e\u{301}", weight: 2)]] {
        try await store.change(.replace([Card(1, labels: labels)])).durable()
      }
      let seen = try await fixture.seen()
      let place = Revision(seen.revision)
      let expected = try Seen(await store.state(at: place), at: place).rows
      #expect(seen.rows.precomposedStringWithCanonicalMapping == expected.precomposedStringWithCanonicalMapping)
      try await replicas[1].store.change(.insert(Card(2), at: 0)).durable()
      for replica in replicas { try await replica.rows.current() }
      try await rows.verify()
      for replica in replicas {
        await replica.rows.close()
        await replica.store.close()
      }
    }

    @RowTableBuilder<Board> private static func alike() -> [RowTable<Board>] {
      RowTable("alike", columns: ["name"]) { $0.cards.isEmpty ? [] : [[.int(1)], ["1"]] }
    }

    @Test("Two ids that are one text are an error of the declaration, in a difference and when all rows are made")
    func alike() async throws {
      let fixture = try await RowsFixture(setup: false)
      try await fixture.run(PostgresRows<Board>.setup(schema: fixture.schema, version: 1, tables: Self.alike))
      let store = try await fixture.store()
      let rows = try await PostgresRows(of: store, schema: fixture.schema, version: 1, tables: Self.alike)
      try await store.change(.insert(Card(1), at: 0)).durable()
      for _ in 0..<2 {
        do {
          try await rows.current()
          Issue.record("the rows are \(rows.status)")
        } catch RowsError.declaration(let reason) { #expect(reason.contains("have one id")) }
        // The place is reset, so that all rows are made.
        try await fixture.run("UPDATE \"\(fixture.schema)\".alter_rows SET revision = 0 WHERE journal <> -1")
      }
      await rows.close()
      await store.close()
    }

    @Test("While another session has locked a table of the rows, stores append", arguments: ["card", "alter_rows"])
    func locked(table: String) async throws {
      let fixture = try await RowsFixture()
      let store = try await fixture.store()
      let rows = try await PostgresRows(store, fixture)
      let name = "\"\(fixture.schema)\".\(table)"
      let locking = Task { try? await fixture.run("BEGIN; LOCK TABLE \(name) IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)") }
      let isLocked = "SELECT count(*) FROM pg_locks WHERE relation = '\(name)'::regclass AND mode = 'AccessExclusiveLock' AND granted"
      while try await fixture.run(isLocked) != "1" {}
      for id in 0..<4 { try await store.change(.insert(Card(id), at: 0)).durable() }
      #expect(try await fixture.run(isLocked) == "1", "no append has waited for the other session")
      try await fixture.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%LOCK TABLE%\(fixture.schema)%' AND pid <> pg_backend_pid()"
      )
      _ = await locking.value
      try await rows.current()
      try await rows.verify()
      #expect(try await fixture.seen() == Seen(store.state, at: store.revision))
      await rows.close()
      await store.close()
    }
  }
#endif
