#if Postgres
  import Alter
  import AlterCore
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterPostgres
  @testable import ledger_writer

  @Suite("Tables of version 1", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct MigrationTests {
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
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "1", "opening migrates nothing")
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

    @Test("fail with an error of the server in each statement of version 1 after a migration, but tell their version to an opening")
    func older() async throws {
      let (server, database) = try await Self.fixture()
      let journal = try await Self.open(server, database)
      try await journal.serve(Self.lineage, schema: 1)
      let old = Statements(schema: "alter", version: 1)
      let untyped = [
        old.making, old.head, old.heads, old.turn, old.appendingOne(), old.appendingMany(), old.confirming, old.checksum, old.epochs,
        old.page,
        old.census, old.granting, old.lease, old.leases, old.releasing, old.keeping, old.snapshots, old.snapshot, old.removing,
      ]
      let typed = [
        ("(bigint, text[], bigint[])", old.fence), ("(bigint, uuid[], bigint[])", old.found),
        ("(bigint[], text[], uuid[], bigint[], text, text)", old.renewing),
      ]
      for (types, statement) in untyped.map({ ("", $0) }) + typed {
        let result = await journal.pool.run([Call(once: "PREPARE old \(types) AS \(statement)")], in: .writing)
        guard case .failure(let failure) = result else {
          Issue.record("a statement of version 1 is accepted: \(statement)")
          continue
        }
        #expect(KnownTables.areSuspect(failure), "\(failure): \(statement)")
      }
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "2")
      await journal.close()
    }

    @Test("are migrated once when several processes serve their first journals at the same time")
    func together() async throws {
      let (server, database) = try await Self.fixture()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            let journal = try await Self.open(server, database, "key \(number % 3)", machine: number)
            var writer = TestWriter()
            _ = try? await journal.append(writer.drafts(2), after: try await journal.head())
            try await journal.serve(Self.lineage, schema: 1)
            #expect(try await journal.position().lineage == Self.lineage)
            await journal.close()
          }
        }
        try await group.waitForAll()
      }
      let journal = try await Self.open(server, database)
      #expect(try await journal.verify().revision == 13)
      await journal.close()
    }

    @Test("stay as they are if the migration is cut off, or a transaction uses them")
    func interrupted() async throws {
      let (server, database) = try await Self.fixture()
      let journal = try await Self.open(server, database, lockTimeout: .milliseconds(50))
      let entries = try await journal.entries(after: .zero, limit: 100)
      let statements = Tables.migration("alter").dropLast().map { Call(once: $0) }
      // The connection ends before the commit.
      let result = await journal.pool.run(
        [Call(once: "BEGIN")] + statements + [Call(once: "SELECT pg_terminate_backend(pg_backend_pid())")], in: .writing)
      guard case .failure = result else { throw JournalError(.failed, journal: "test", message: "was not cut off") }
      #expect(try await journal.entries(after: .zero, limit: 100) == entries)
      let borrowed = try await journal.pool.borrow(until: .now + .patient, waiting: ServerWait()) { _ in
        [Call(once: "BEGIN"), Call(once: "SELECT 1 FROM alter.entry")]
      }.get()
      await #expect { try await journal.serve(Self.lineage, schema: 1) } throws: { ($0 as? JournalError)?.code == .locked }
      journal.pool.giveBack(borrowed, rollingBack: true)
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "1")
      let patient = try await Self.open(server, database)
      try await patient.serve(Self.lineage, schema: 1)
      #expect(try await journal.role() == .server, "a handle from before the migration goes on")
      for journal in [journal, patient] { await journal.close() }
    }

    @Test("are not migrated by a role that does not own them, and the error names the statements for the owner")
    func roles() async throws {
      let (server, database) = try await Self.fixture()
      let role = "\(database)_writer"
      try await server.sql(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA alter TO \(role); GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA alter TO \(role);
        GRANT UPDATE (head, checksum) ON alter.journal TO \(role);
        """, database: database)
      let journal = try await PostgresJournal(at: server.address(database: database, user: role), key: "orders")
      await #expect { try await journal.serve(Self.lineage, schema: 1) } throws: {
        let error = $0 as? JournalError
        return error?.code == .unreachable && error?.description.contains("PostgresJournal.migration(schema: \"alter\")") == true
      }
      try await server.sql(PostgresJournal.migration(), database: database)
      // The statements of that page.
      let page = try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/postgres.md"),
        encoding: .utf8)
      let grants = try #require(page.components(separatedBy: "```sql\n").last?.components(separatedBy: "```").first)
      try #require(grants.contains("shop_server"))
      try await server.sql(grants.replacingOccurrences(of: "shop_server", with: role), database: database)
      try await journal.serve(Self.lineage, schema: 1)
      var writer = TestWriter()
      let receipt = Receipt(author: Pseudonym(bits: 1), arrival: 1)
      let decided = writer.drafts(2).map { DecidedDraft($0, receipt: receipt, principal: "ann", retries: $0.id, reason: "why") }
      _ = try await journal.append(decided, at: try await journal.position())
      #expect(try await journal.reasons(of: decided.map(\.draft.id)).count == 2)
      await journal.close()
    }

    @Test("can be read while a migration waits: a reading that the server ends as a deadlock is repeated")
    func deadlock() async throws {
      let (server, database) = try await Self.fixture()
      let journal = try await PostgresJournal(
        at: server.address(database: database, "options='-c deadlock_timeout=3s'"), key: "orders", lockTimeout: .patient)
      // As a migration that locks the tables in the other order.
      let migrating = try await Self.open(server, database, machine: 1)
      let borrowed = try await migrating.pool.borrow(until: .now + .patient, waiting: ServerWait()) { _ in
        ["BEGIN", "SET LOCAL deadlock_timeout = '20s'", "LOCK TABLE alter.entry IN ACCESS EXCLUSIVE MODE"].map { Call(once: $0) }
      }.get()
      async let head = journal.head()
      let isWaiting = try await server.holds(
        """
        EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = '\(database)' AND NOT granted)
        """)
      #expect(isWaiting)
      // The reading looks for a deadlock after 3 s, and the migration after 20 s. If this lock is requested later than that, the
      // migration is ended instead, and the reading goes on.
      let lock = Call(once: "LOCK TABLE alter.journal IN ACCESS EXCLUSIVE MODE")
      switch await migrating.pool.run([lock], on: borrowed) {
      case .success, .failure(.refused("40P01", _)): break
      case .failure(let failure): Issue.record("\(failure)")
      }
      migrating.pool.giveBack(borrowed, rollingBack: true)
      #expect(try await head.revision == 13)
      for journal in [journal, migrating] { await journal.close() }
    }

    @Test("are not blocked by an owner's script that has to wait: it ends soon, and can be run again")
    func script() async throws {
      let (server, database) = try await Self.fixture()
      let journal = try await Self.open(server, database)
      let turn = try await journal.takeTurn()
      let failure = await #expect(throws: Child.Failure.self) { try await server.sql(PostgresJournal.migration(), database: database) }
      #expect(failure.map { "\($0)" }?.contains("lock timeout") == true)
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "1")
      turn.end()
      // The end of the turn is sent, and not awaited.
      let isFree = try await server.holds(
        "NOT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = '\(database)' AND mode = 'RowShareLock')"
      )
      #expect(isFree)
      try await server.sql(PostgresJournal.migration(), database: database)
      #expect(try await journal.verify().revision == 13)
      await journal.close()
    }
  }
#endif
