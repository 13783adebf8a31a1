#if Postgres
  import AlterCore
  import AlterJournal
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterPostgres

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

    /// The change of a later version of Alter: it renames a column in each statement of this version.
    private static let upgrade = """
      BEGIN; ALTER TABLE alter.journal RENAME COLUMN head TO head_2; ALTER TABLE alter.entry RENAME COLUMN journal TO journal_2;
      ALTER TABLE alter.lease RENAME COLUMN journal TO journal_2; ALTER TABLE alter.snapshot RENAME COLUMN journal TO journal_2;
      UPDATE alter.format SET version = 2; COMMIT
      """

    @Test("of a newer version are refused by an opening and by each call of an open handle, and left as they are")
    func newer() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let address = server.address(database: database)
      let (journal, served) = (try await PostgresJournal(at: address), try await PostgresJournal(at: address, key: "served"))
      var writer = TestWriter()
      let head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
      let lease = try await journal.lease("one", for: writer.origin, lasting: .seconds(60))
      try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("1".utf8)))
      try await served.serve(Lineage(Generation(7)), schema: 1)
      let position = try await served.position()
      let plan = try await journal.compactionPlan(keeping: .last(0))
      func rows() async throws -> String {
        try await server.sql(
          """
          SELECT * FROM alter.entry ORDER BY 1, 2; SELECT * FROM alter.journal ORDER BY 1; SELECT * FROM alter.lease;
          SELECT * FROM alter.snapshot; SELECT * FROM alter.format
          """, database: database)
      }
      try await server.sql(Self.upgrade, database: database)
      let before = try await rows()
      let drafts = writer.drafts(2)
      let decided = DecidedDraft(drafts[0], receipt: Receipt(author: Pseudonym(bits: 1), arrival: 1), principal: "ann")
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await PostgresJournal(at: address) },
        { _ = try await PostgresJournal(at: address, key: "new") },
        { _ = try await journal.append([drafts[0]], after: head) },
        { _ = try await journal.append(drafts, after: head) },
        { _ = try await journal.append([drafts[0]], after: head, in: nil, under: [lease]) },
        { _ = try await journal.takeTurn() },
        { _ = try await journal.takeTurn(limit: 10, attempt: 0) { _ in head } },
        { _ = try await journal.head() },
        { _ = try await journal.floor() },
        { _ = try await journal.entries(after: .zero, limit: 10) },
        { _ = try await journal.entry(drafts[0].id) },
        { try await journal.waitForEntry(after: 3) },
        { _ = try await journal.lease("one", for: drafts[0].id.origin, lasting: .seconds(60)) },
        { try await journal.release(lease) },
        { _ = try await journal.leases() },
        { _ = try await journal.renew([LeaseRequest(journal: journal, name: "one", holder: drafts[0].id.origin, duration: .seconds(60))]) },
        { try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("2".utf8))) },
        { _ = try await journal.snapshots(upTo: 3, limit: 1) },
        { _ = try await journal.snapshot(at: 3) },
        { try await journal.removeSnapshot(at: 3) },
        { try await journal.verifyStorage() },
        { try await journal.compact(plan) },
        { _ = try await journal.removeBelowFloor() },
        { _ = try await journal.role() },
        { try await served.serve(Lineage(Generation(8)), schema: 1, replacing: Generation(7)) },
        { _ = try await served.position() },
        { _ = try await served.append([decided], at: position) },
      ]
      for (number, call) in calls.enumerated() {
        await #expect("call \(number)") { try await call() } throws: { code(.newerFormat, saying: "tables of version 2")($0) }
      }
      #expect(try await rows() == before)
      for journal in [journal, served] { await journal.close() }
    }

    @Test(
      "that are not Alter's are refused, and left as they are", arguments: ["format (a int)", "format (version bigint)", "journal (a int)"])
    func foreign(_ table: String) async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      try await server.sql(
        "CREATE SCHEMA alter; CREATE TABLE alter.\(table); \(table.hasPrefix("format (v") ? "INSERT INTO alter.format VALUES (1)" : "")",
        database: database)
      await #expect(
        performing: { try await PostgresJournal(at: server.address(database: database)) }, throws: code(.notAJournal))
      #expect(try await server.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'alter'::regnamespace", database: database) == "1")
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
        ("postgres://jack:s3cret/0@host/x", .unreachable, "is invalid"),
        ("host=/nowhere port=s3cret", .unreachable, "is invalid"),
        ("host=/nowhere port=1,2,3", .unreachable, "is invalid"),
        ("host=/nowhere sslmode=s3cret", .unreachable, "is invalid"),
        ("host=/nowhere target_session_attrs=s3cret", .unreachable, "is invalid"),
        ("host=/nowhere connect_timeout=s3cret", .unreachable, "is invalid"),
        ("host=localhost keepalives_idle=s3cret", .unreachable, "is invalid"),
        ("postgres://jack:12@s3cret@host/x", .unreachable, "is invalid"),
        ("service=nowhere", .unreachable, "is invalid"),
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

    @Test("are not made in a database whose encoding can't hold every key", arguments: ["LATIN1", "SQL_ASCII"])
    func encoding(_ encoding: String) async throws {
      let server = try TestServer.shared()
      let database = try await server.database("ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0")
      await #expect(
        performing: { try await PostgresJournal(at: server.address(database: database)) },
        throws: code(.unreachable, saying: "encoding '\(encoding)', and Alter needs 'UTF8'"))
    }

    @Test("are made and used by statements in ASCII: no string in the sources has another character")
    func ascii() throws {
      let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources/AlterPostgres")
      let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      #expect(files.contains { $0.lastPathComponent == "Statements.swift" })
      for file in files {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.utf8.allSatisfy({ $0 < 128 }) {
          #expect(line.drop { $0 == " " }.hasPrefix("//"), "\(file.lastPathComponent): \(line)")
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
