#if Postgres
  import Alter
  import AlterCore
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterPostgres
  @testable import ledger_writer

  @Suite("A dump of tables of version 1", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct DumpTests {
    private static let lineage = Lineage(Generation(7))

    /// A database with the tables of the fixture.
    private static func fixture() async throws -> (server: TestServer, database: String) {
      let server = try TestServer.shared()
      let database = try await server.database()
      let script = try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/tables-1.sql"),
        encoding: .utf8)
      try await server.sql(script, database: database)
      return (server, database)
    }

    /// All columns of version 1 of all rows, with the present names.
    private static func rows(_ server: TestServer, _ database: String, version: Int) async throws -> String {
      let (journal, head) = version == 1 ? ("journal", "head") : ("journal_number", "last_revision")
      return try await server.sql(
        """
        SELECT \(journal), revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum FROM alter.entry ORDER BY 1, 2;
        SELECT number, key, id, \(head), checksum, created FROM alter.journal ORDER BY 1;
        SELECT \(journal), name, holder, epoch, granted, expires FROM alter.lease ORDER BY 1
        """, database: database)
    }

    private static func open(
      _ server: TestServer, _ database: String, _ key: String = "orders", machine: Int = 0, lockTimeout: Duration = .patient
    ) async throws -> PostgresJournal {
      try await PostgresJournal(
        at: server.address(database: database, "application_name=machine\(machine)"), key: key, lockTimeout: lockTimeout,
        turnTimeout: .patient)
    }

    @Test("are read and written as before, and migrated when a journal is served, without a change of any entry")
    func fixture() async throws {
      let (server, database) = try await Self.fixture()
      let before = try await Self.rows(server, database, version: 1)
      #expect(before.split(separator: "\n").count == 21)
      let (journal, other) = (try await Self.open(server, database), try await Self.open(server, database, "other key", machine: 1))
      #expect(try await journal.verify().revision == 13)
      #expect(try await journal.role() == .plain)
      #expect(try await journal.leases().map(\.epoch) == [3])
      let entries = try await journal.entries(after: .zero, limit: 100)
      try await journal.serve(Self.lineage, schema: 1)
      #expect(try await Self.rows(server, database, version: 2) == before)
      #expect(try await journal.verify().revision == 13)
      #expect(try await journal.entries(after: .zero, limit: 100) == entries)
      #expect(entries.allSatisfy { $0.receipt == nil })
      // A handle of another pool, which has read version 1, follows: each of its calls.
      #expect(try await other.verify().revision == 5)
      #expect(try await other.role() == .plain)
      var store: Store<Ledger>? = try await Store.open(Ledger(), in: other)
      try await store?.change(.count("c", 5)).durable()
      let unwritten = await store?.close()
      #expect(unwritten?.isEmpty == true)
      store = nil
      let state = try await Store<Ledger>.state(at: 6, in: Self.open(server, database, "other key"))
      #expect(state.counts == ["c": 5])
      await journal.close()
    }

    @Test("are migrated while stores append, and none of them loses or doubles a change")
    func live() async throws {
      let (server, database) = try await Self.fixture()
      let isOver = Lock(false)
      let stores = try await withThrowingTaskGroup(of: (Int, Store<Ledger>).self) { group in
        for number in 0..<4 {
          group.addTask {
            let journal = try await Self.open(server, database, number < 2 ? "one" : "two", machine: number)
            return (number, try await Store.open(Ledger(), in: journal))
          }
        }
        var stores: [Int: Store<Ledger>] = [:]
        for try await (number, store) in group { stores[number] = store }
        return stores
      }
      let (acks, acknowledge) = AsyncStream.makeStream(of: Void.self)
      let writers = stores.map { number, store in
        Task {
          defer { acknowledge.finish() }
          var count = 0
          while !isOver.withLock({ $0 }) {
            count += 1
            try await store.change(.count("\(number)", count)).durable()
            acknowledge.yield()
          }
          let unwritten = await store.close()
          #expect(unwritten.isEmpty)
          return (number, count)
        }
      }
      var iterator = acks.makeAsyncIterator()
      for _ in 0..<20 { _ = await iterator.next() }
      // Three processes serve journals at the same time. One migrates the tables.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 5..<8 {
          group.addTask {
            let journal = try await Self.open(server, database, "served \(number)", machine: number)
            try await journal.serve(Self.lineage, schema: 1)
            await journal.close()
          }
        }
        try await group.waitForAll()
      }
      for _ in 0..<40 { _ = await iterator.next() }
      isOver.withLock { $0 = true }
      var counts: [String: Int] = [:]
      for writer in writers {
        let (number, count) = try await writer.value
        counts["\(number)"] = count
      }
      for (key, names) in ["one": ["0", "1"], "two": ["2", "3"]] {
        let journal = try await Self.open(server, database, key)
        let head = try await journal.verify()
        #expect(head.revision == Revision(Int64(1 + names.reduce(0) { $0 + (counts[$1] ?? 0) })))
        #expect(try await Store<Ledger>.state(at: head.revision, in: journal).counts == counts.filter { names.contains($0.key) })
        await journal.close()
      }
    }

    @Test("can be read by the owner of a turn while a migration waits for that turn")
    func turn() async throws {
      let (server, database) = try await Self.fixture()
      let journal = try await Self.open(server, database)
      let turn = try await journal.takeTurn()
      let head = try await journal.head()
      // Without a limit, so that the test does not end by one.
      let script = PostgresJournal.migration().replacing("SET LOCAL lock_timeout = '2s';\n", with: "")
      async let migration = server.sql(script, database: database)
      let isWaiting = try await server.holds(
        """
        EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
          WHERE datname = '\(database)' AND mode = 'AccessExclusiveLock' AND NOT granted)
        """)
      #expect(isWaiting)
      #expect(try await journal.entries(after: .zero, limit: 100).count == 13)
      var writer = TestWriter()
      let draft = writer.draft("[]")
      // It ends the turn, and then the migration has its locks.
      _ = try await journal.append([draft], after: head, in: turn, under: [])
      turn.end()
      _ = try await migration
      #expect(try await journal.verify().revision == 14)
      await journal.close()
    }

    @Test("are shown to people by a view, whatever time a device claims")
    func times() async throws {
      let (server, database) = try await Self.fixture()
      let journal = try await Self.open(server, database, "times")
      try await journal.serve(Self.lineage, schema: 1)
      var position = try await journal.position()
      for (number, time) in [Int64.min, -1, .max].enumerated() {
        let id = EntryID(origin: .random(), sequence: 1)
        let draft = Entry.Draft(kind: .changes, id: id, time: time, payload: Data("[]".utf8))
        let receipt = Receipt(author: Pseudonym(bits: UInt64(number)), arrival: time)
        _ = try await journal.append([DecidedDraft(draft, receipt: receipt, principal: "ann")], at: position)
        position = try await journal.position()
      }
      let log = try await server.sql(
        "SELECT extract(year FROM time), extract(year FROM arrival) FROM alter.log WHERE journal = 'times' ORDER BY revision",
        database: database)
      #expect(log == "1|1\n1969|1969\n294247|294247")
      await journal.close()
    }
  }
#endif
