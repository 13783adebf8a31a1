#if Postgres
  import AlterCore
  import AlterJournal
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterPostgres

  @Suite("Tables of version 1", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct MigrationTests {
    private static let lineage = Lineage(Generation(.max))

    /// The tables and the statement of an append as version 1 had them, with three entries.
    private func fixture(in database: String, of server: TestServer) async throws -> [Entry] {
      var writer = TestWriter()
      let id = JournalID.random()
      var head = Head(empty: id)
      var entries: [Entry] = []
      for draft in writer.drafts(3) {
        let entry = Entry(draft, after: head)
        entries.append(entry)
        head = head.advanced(by: entry)
      }
      func hex(_ bytes: Data) -> String { "'\\x\(bytes.map { String(format: "%02x", $0) }.joined())'" }
      let number = Opening.number(of: "main")
      var sql = Self.tables
      sql += "INSERT INTO alter.journal VALUES (\(number), 'main', '\(id.uuid)', 3, \(hex(head.checksum.bytes)), 0);\n"
      for entry in entries {
        sql += """
          INSERT INTO alter.entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
          VALUES (\(number), \(entry.revision.number), \(entry.time), '\(entry.id.origin.uuid)', \(entry.id.sequence), '', \(entry.schema),
            'changes', \(hex(entry.draft.payload)), NULL, \(hex(entry.checksum.bytes)));\n
          """
      }
      try await server.sql(sql, database: database)
      return entries
    }

    private func dump(_ journal: String, _ database: String, _ server: TestServer) async throws -> String {
      try await server.sql(
        "SELECT \(journal), revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum FROM alter.entry",
        database: database)
    }

    @Test("are migrated by the first served journal, and no entry changes")
    func migrates() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let entries = try await fixture(in: database, of: server)
      let journal = try await PostgresJournal(at: server.address(database: database))
      #expect(try await journal.entries(after: .zero, limit: 9) == entries)
      let before = try await dump("journal", database, server)
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "1", "opening migrates nothing")
      try await journal.serve(Self.lineage, schema: 1)
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "2")
      #expect(try await dump("journal_number", database, server) == before)
      #expect(try await journal.verify().revision == 3)
      #expect(try await journal.entries(after: .zero, limit: 9) == entries)
      await journal.close()
    }

    @Test("fail with an error of the server in each statement of version 1 after a migration, but tell their version to an opening")
    func older() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      _ = try await fixture(in: database, of: server)
      let journal = try await PostgresJournal(at: server.address(database: database))
      try await journal.serve(Self.lineage, schema: 1)
      let old = Statements(schema: "alter", version: 1)
      let untyped = [
        old.making, old.head, old.heads, old.turn, old.appendingOne, old.appendingMany, old.confirming, old.checksum, old.epochs, old.page,
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
      let server = try TestServer.shared()
      let database = try await server.database()
      _ = try await fixture(in: database, of: server)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            let journal = try await PostgresJournal(
              at: server.address(database: database, "application_name=machine\(number)"), key: "key \(number % 3)", lockTimeout: .patient)
            var writer = TestWriter()
            _ = try? await journal.append(writer.drafts(2), after: try await journal.head())
            try await journal.serve(Self.lineage, schema: 1)
            #expect(try await journal.position().lineage == Self.lineage)
            await journal.close()
          }
        }
        try await group.waitForAll()
      }
      let journal = try await PostgresJournal(at: server.address(database: database))
      #expect(try await journal.verify().revision == 3)
      await journal.close()
    }

    @Test("stay as they are if the migration is cut off, or a transaction uses them")
    func interrupted() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let entries = try await fixture(in: database, of: server)
      let journal = try await PostgresJournal(at: server.address(database: database), lockTimeout: .milliseconds(50))
      let statements = Tables.migration("alter").dropLast().map { Call(once: $0) }
      // The connection ends before the commit.
      let result = await journal.pool.run(
        [Call(once: "BEGIN")] + statements + [Call(once: "SELECT pg_terminate_backend(pg_backend_pid())")], in: .writing)
      guard case .failure = result else { throw JournalError(.failed, journal: "test", message: "was not cut off") }
      #expect(try await journal.entries(after: .zero, limit: 9) == entries)
      let borrowed = try await journal.pool.borrow(until: .now + .patient, waiting: ServerWait()) { _ in
        [Call(once: "BEGIN"), Call(once: "SELECT 1 FROM alter.entry")]
      }.get()
      await #expect { try await journal.serve(Self.lineage, schema: 1) } throws: { ($0 as? JournalError)?.code == .locked }
      journal.pool.giveBack(borrowed, rollingBack: true)
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "1")
      let patient = try await PostgresJournal(at: server.address(database: database), lockTimeout: .patient)
      try await patient.serve(Self.lineage, schema: 1)
      #expect(try await journal.role() == .server, "a handle from before the migration goes on")
      for journal in [journal, patient] { await journal.close() }
    }

    @Test("are not migrated by a role that does not own them, and the error names the statements for the owner")
    func roles() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      _ = try await fixture(in: database, of: server)
      let role = "\(database)_writer"
      try await server.sql(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA alter TO \(role); GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA alter TO \(role);
        GRANT UPDATE (head, checksum) ON alter.journal TO \(role);
        """, database: database)
      let journal = try await PostgresJournal(at: server.address(database: database, user: role))
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
  }
#endif
