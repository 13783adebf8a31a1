#if Postgres
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Tables in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct SetupTests {
    private func code(_ code: JournalError.Code, saying text: String = "") -> @Sendable (any Error) -> Bool {
      { error in
        guard let error = error as? JournalError else { return false }
        return error.code == code && (text.isEmpty || error.description.contains(text))
      }
    }

    @Test("are made once when ten processes start at the same time, and all have the same journal")
    func together() async throws {
      let server = try TestServer.shared()
      let writer = try Product.path("ledger-writer")
      let address = server.address(database: try await server.database()).address
      let children = try (0..<10).map { _ in try Child([writer, "make", address, "shop \"1\""]) }
      var ids: Set<String> = []
      for child in children { ids.insert(try await child.end()) }
      #expect(ids.count == 1)
    }

    @Test("are made by who runs the SQL himself, too, and shown to people by a view")
    func byHand() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      try await server.sql(PostgresJournal.setup(schema: "kept"), database: database)
      let journal = try await PostgresJournal(at: server.address(database: database), key: "orders", schema: "kept")
      var writer = TestWriter()
      let drafts = [writer.draft(#"[{"text":"Käse"}]"#), writer.draft("a\u{0}b")]
      _ = try await journal.append(drafts, after: try await journal.head())
      let log = try await server.sql("SELECT journal, revision, kind, payload FROM kept.log ORDER BY revision", database: database)
      #expect(log == "orders|1|changes|[{\"text\":\"Käse\"}]\norders|2|changes|a\\000b")
      await journal.close()
    }

    @Test("need no more than what the documentation grants: an owner makes them, a writer appends, a reader reads")
    func roles() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      // The statements of that page with other names, because the tests share the server.
      let page = try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/postgres.md"),
        encoding: .utf8)
      let block = try #require(page.components(separatedBy: "```sql\n").dropFirst().first?.components(separatedBy: "```").first)
      let statements = block.replacingOccurrences(of: "shop_", with: "\(database)_").replacingOccurrences(
        of: "DATABASE shop", with: "DATABASE \(database)")
      let parts = statements.components(separatedBy: "-- Once the tables are there")
      func address(_ role: String) -> PostgresServer { server.address(database: database, user: "\(database)_\(role)") }

      try await server.sql(parts[0], database: database)
      await #expect(throws: (any Error).self, "a writer may not make tables") { try await PostgresJournal(at: address("writer")) }
      let owner = try await PostgresJournal(at: address("owner"))
      try await server.sql("-- " + parts[1], database: database)

      let journal = try await PostgresJournal(at: address("writer"), key: "of the writer's own")
      var writer = TestWriter()
      let head = try await journal.append(writer.drafts(2), after: try await journal.head()).head
      let turn = try await journal.takeTurn()
      let lease = try await journal.lease("sync", for: writer.origin, lasting: .seconds(60))
      let end = try await journal.append(writer.drafts(1), after: head, in: turn, under: [lease]).head
      turn.end()
      let next = try await journal.append(writer.drafts(1), after: end, in: nil, under: [lease]).head
      try await journal.release(lease)
      try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("1".utf8)))
      try await journal.removeSnapshot(at: head.revision)
      #expect(try await journal.verify() == next)
      for statement in [
        "DELETE FROM alter.entry", "UPDATE alter.entry SET payload = ''", "TRUNCATE alter.entry", "UPDATE alter.journal SET key = 'x'",
        "DELETE FROM alter.journal", "DROP TABLE alter.entry", "DELETE FROM alter.lease", "CREATE TABLE alter.mine (a int)",
      ] {
        await #expect(throws: Child.Failure.self, "\(statement)") {
          try await server.sql(statement, database: database, user: "\(database)_writer")
        }
      }

      let reader = try await PostgresJournal(at: address("reader"), key: "of the writer's own", isReadOnly: true)
      #expect(try await reader.verify() == next)
      try await reader.waitForEntry(after: .zero)
      await #expect(performing: { _ = try await reader.takeTurn() }, throws: code(.readOnly))
      let bold = try await PostgresJournal(at: address("reader"), key: "of the writer's own")
      var late = TestWriter()
      let drafts = late.drafts(1)
      await #expect(performing: { try await bold.append(drafts, after: next) }, throws: code(.unreachable, saying: "docs/postgres.md"))
      await #expect(
        performing: { try await PostgresJournal(at: address("reader"), key: "new") }, throws: code(.unreachable, saying: "docs/postgres.md")
      )
      for journal in [owner, journal, reader, bold] { await journal.close() }
    }

    @Test("of a newer generation are refused, and left as they are")
    func newer() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let address = server.address(database: database)
      await (try PostgresJournal(at: address)).close()
      try await server.sql("UPDATE alter.format SET version = 99", database: database)
      await #expect(performing: { try await PostgresJournal(at: address) }, throws: code(.newerFormat, saying: "tables of version 99"))
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "99")
    }

    @Test("that are not there are no place to read")
    func missing() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let address = server.address(database: database)
      await #expect(
        performing: { try await PostgresJournal(at: address, isReadOnly: true) }, throws: code(.unreachable, saying: "schema 'alter'"))
      await (try PostgresJournal(at: address)).close()
      await #expect(
        performing: { try await PostgresJournal(at: address, key: "other", isReadOnly: true) },
        throws: code(.unreachable, saying: "no journal with the key 'other'. The keys that exist: 'main'"))
      try await server.sql("DROP SCHEMA alter CASCADE", database: database)
      let again = try await PostgresJournal(at: address)
      #expect(try await again.head().revision == .zero)
      await again.close()
    }

    @Test("Addresses that lead nowhere say what is wrong, and never show a password")
    func addresses() async throws {
      let server = try TestServer.shared()
      for (address, expected, text) in [
        (server.address(database: "nowhere"), .unreachable, "3D000"),
        (server.address(user: "nobody"), .unreachable, "role \"nobody\" does not exist"),
        (server.address("port=1"), .unavailable, "can't be reached"),
        (
          PostgresServer("postgres://jack:s3cret@\(server.folder.replacingOccurrences(of: "/", with: "%2F"))/nowhere"), .unreachable,
          "nowhere"
        ),
        ("postgres://jack:s3cret@local host:x/y?z", .unreachable, "is invalid"),
        ("host=/nowhere password=s3cret", .unavailable, "can't be reached"),
      ] as [(PostgresServer, JournalError.Code, String)] {
        do throws(JournalError) {
          _ = try await PostgresJournal(at: address)
          Issue.record("\(expected) was expected")
        } catch {
          #expect(error.code == expected, "\(error)")
          #expect(error.description.contains(text), "\(error)")
          #expect(!error.description.contains("s3cret"), "\(error)")
        }
      }
    }

    @Test("are found by what the environment and the service file say")
    func environment() async throws {
      let server = try TestServer.shared()
      let writer = try Product.path("ledger-writer")
      let schema = freshKey("env")
      let byVariables = try await Child(
        [writer, "make", "", schema], environment: ["PGHOST": server.folder, "PGUSER": "alter", "PGDATABASE": "postgres"]
      ).end()
      let folder = try Folder()
      try folder.write("[shop]\nhost=\(server.folder)\nuser=alter\ndbname=postgres\n".utf8, to: "service")
      let byService = try await Child([writer, "make", "service=shop", schema], environment: ["PGSERVICEFILE": folder.path("service")])
        .end()
      #expect(byVariables == byService && !byVariables.isEmpty)
    }
  }
#endif
