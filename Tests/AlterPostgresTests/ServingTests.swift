#if Postgres
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  /// Each test has a database of its own, because some tests change the tables.
  @Suite("A journal in PostgreSQL that a server decides", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct ServingTests {
    private static let lineage = Lineage(Generation(7), former: [Generation(3)])

    @Test(
      "keeps every promise, among handles that share connections and handles that do not",
      arguments: ServerConformance.checks + ServerConformance.compaction)
    func conforms(_ check: ServerConformance.Check) async throws {
      let server = try TestServer.shared()
      for machines in [1, 3] {
        let database = try await server.database()
        let count = Numbering()
        try await ServerConformance {
          try await PostgresJournal(
            at: server.address(database: database, "application_name=machine\(count.next() % machines)"), lockTimeout: .patient,
            turnTimeout: .patient)
        }.run(check)
      }
    }

    private static func accepted(_ draft: Entry.Draft) -> DecidedDraft {
      DecidedDraft(draft, receipt: Receipt(author: Pseudonym(bits: 1), arrival: 2), principal: "ann", reason: "r \(draft.id.sequence)")
    }

    /// Appends each draft once. A draft whose outcome is unknown is looked up before it is decided again.
    private static func serve(_ drafts: [Entry.Draft], by journal: PostgresJournal) async throws {
      for draft in drafts {
        var isDecided = false
        while !isDecided {
          do throws(JournalError) {
            try await decide(draft, in: journal)
            isDecided = true
          } catch {
            guard error.code == .conflict || error.code == .unknownOutcome || error.isTransient else { throw error }
          }
        }
      }
    }

    private static func decide(_ draft: Entry.Draft, in journal: PostgresJournal) async throws(JournalError) {
      var questions = ServerQuestions()
      questions.ids = [draft.id]
      let facts = try await journal.facts(about: questions)
      if facts.standings[draft.id] == nil { _ = try await journal.append([accepted(draft)], at: facts.position) }
    }

    @Test("loses and doubles nothing when several servers append at once and their connections are cut")
    func cut() async throws {
      let server = try TestServer()
      let first = try await PostgresJournal(at: server.address())
      try await first.serve(Self.lineage, schema: 1)
      var made: [[Entry.Draft]] = []
      for _ in 0..<4 {
        var writer = TestWriter()
        made.append(writer.drafts(40))
      }
      let isOver = Lock(false)
      let trouble = Task {
        var count = 0
        while !isOver.withLock({ $0 }) {
          let sql = """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND application_name LIKE 'machine%' AND pid % 2 = \(count % 2)
            """
          try await server.sql(sql)
          count += 1
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, drafts) in made.enumerated() {
          group.addTask {
            let journal = try await PostgresJournal(at: server.address("application_name=machine\(number % 3)"), lockTimeout: .patient)
            try await Self.serve(drafts, by: journal)
            await journal.close()
          }
        }
        try await group.waitForAll()
      }
      isOver.withLock { $0 = true }
      try await trouble.value
      #expect(try await first.verify().revision == Revision(160))
      let entries = try await first.entries(after: .zero, limit: 1_000)
      for drafts in made { #expect(entries.map(\.id).filter { $0.origin == drafts[0].id.origin } == drafts.map(\.id)) }
      let reasons = try await first.reasons(of: entries.map(\.id))
      #expect(reasons.count == 160)
      await first.close()
    }

    @Test("has a known outcome again after a look-up, if the connection is cut in the middle of an append: written, and not written")
    func unknownOutcome() async throws {
      let server = try TestServer()
      let journal = try await PostgresJournal(at: server.address("application_name=served"), lockTimeout: .patient)
      let other = try await PostgresJournal(at: server.address("application_name=other"), turnTimeout: .patient)
      try await journal.serve(Self.lineage, schema: 1)
      var writer = TestWriter()
      let drafts = writer.drafts(2)
      var questions = ServerQuestions()
      questions.ids = Set(drafts.map(\.id))
      let cut = "count(pg_terminate_backend(pid)) > 0 FROM pg_stat_activity WHERE application_name = 'served' AND"
      let isUnknown: @Sendable (any Error) -> Bool = { ($0 as? JournalError)?.code == .unknownOutcome }

      // Cut while it waits for the turn of another process: nothing is written.
      let position = try await journal.position()
      let turn = try await other.takeTurn()
      let first = Task { try await journal.append([Self.accepted(drafts[0])], at: position) }
      #expect(try await server.holds("\(cut) wait_event_type = 'Lock'"))
      await #expect(performing: { try await first.value }, throws: isUnknown)
      turn.end()
      #expect(try await journal.facts(about: questions).standings.isEmpty)
      _ = try await journal.append([Self.accepted(drafts[0])], at: position)

      // Cut while its commit waits for a standby: it is written.
      let next = try await journal.position()
      try await server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nowhere'")
      try await server.sql("SELECT pg_reload_conf()")
      #expect(try await server.holds("current_setting('synchronous_standby_names') = 'nowhere'"))
      let second = Task { try await journal.append([Self.accepted(drafts[1])], at: next) }
      #expect(try await server.holds("\(cut) wait_event = 'SyncRep'"))
      await #expect(performing: { try await second.value }, throws: isUnknown)
      try await server.sql("ALTER SYSTEM RESET synchronous_standby_names")
      try await server.sql("SELECT pg_reload_conf()")
      #expect(try await journal.facts(about: questions).standings[drafts[1].id]?.revision == 2)
      await #expect { try await journal.append([Self.accepted(drafts[1])], at: next) } throws: {
        ($0 as? JournalError)?.code == .conflict
      }
      #expect(try await journal.verify().revision == 2)
      for journal in [journal, other] { await journal.close() }
    }

    @Test("is shown to people by a view, whatever time a device claims")
    func times() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await PostgresJournal(at: server.address(database: database), key: "times")
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

    @Test("needs no more rights than the documentation grants to its server")
    func roles() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      await (try PostgresJournal(at: server.address(database: database), key: "orders")).close()
      let role = "\(database)_server"
      // The statements of that page: those of a writer, and those of the server.
      let page = try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/postgres.md"),
        encoding: .utf8)
      let blocks = page.components(separatedBy: "```sql\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
      let writer = try #require(blocks.first).split(separator: "\n").filter { $0.contains("shop_writer") && $0.hasPrefix("GRANT") }
      let grants =
        writer.joined(separator: "\n").replacingOccurrences(of: ", shop_reader", with: "") + "\n"
        + (try #require(blocks.first { $0.contains("shop_server") }))
      try await server.sql(
        "CREATE ROLE \(role) LOGIN;\n"
          + grants.replacingOccurrences(of: "shop_server", with: role).replacingOccurrences(of: "shop_writer", with: role),
        database: database)
      let journal = try await PostgresJournal(at: server.address(database: database, user: role), key: "orders")
      try await journal.serve(Self.lineage, schema: 1)
      var drafts = TestWriter()
      let receipt = Receipt(author: Pseudonym(bits: 1), arrival: 1)
      let decided = drafts.drafts(2).map { DecidedDraft($0, receipt: receipt, principal: "ann", retries: $0.id, reason: "why") }
      _ = try await journal.append(decided, at: try await journal.position())
      #expect(try await journal.reasons(of: decided.map(\.draft.id)).count == 2)
      #expect(try await journal.verify().revision == 2)
      await journal.close()
    }

    @Test("wakes followers, takes no plain append or reset, and is exported with receipts")
    func followed() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await PostgresJournal(at: server.address(database: database))
      let other = try await PostgresJournal(at: server.address(database: database, "application_name=other"))
      let plain = try await PostgresJournal(at: server.address(database: database, "application_name=other"), key: "plain")
      try await journal.serve(Self.lineage, schema: 1)
      let wait = Task { try await other.waitForEntry(after: .zero) }
      var writer = TestWriter()
      let draft = writer.draft()
      _ = try await journal.append([Self.accepted(draft)], at: try await journal.position())
      try await wait.value
      let head = try await other.head()
      await #expect { try await other.append([writer.draft()], after: head) } throws: { ($0 as? JournalError)?.code == .readOnly }
      let turn = try await other.takeTurn()
      let late = writer.draft()
      await #expect { try await other.append([late], after: head, in: turn, under: []) } throws: {
        ($0 as? JournalError)?.code == .readOnly
      }
      turn.end()
      // What is there already is found, as in every journal.
      _ = try await other.append([draft], after: head)
      #expect(try await other.head() == head)
      // A plain journal in the same tables goes on, also through a handle from before the first served journal.
      _ = try await plain.append(writer.drafts(2), after: try await plain.head())
      #expect(try await plain.role() == .plain)
      #expect(try await plain.verify().revision == 2)
      var lines: [String] = []
      try await other.export { lines.append(String(decoding: $0, as: UTF8.self)) }
      #expect(lines.joined().contains("0000000000000001"))
      let log = try await server.sql("SELECT revision, author FROM alter.log WHERE journal = 'main'", database: database)
      #expect(log == "1|0000000000000001")
      for journal in [journal, other, plain] { await journal.close() }
    }

    @Test(
      "is damaged if a row by which the server decides does not match the entries",
      arguments: [
        "DELETE FROM alter.origin", "UPDATE alter.origin SET last = last - 1", "UPDATE alter.attempt SET accepted_sequence = 9",
        "UPDATE alter.reason SET revision = 9",
      ])
    func damage(_ statement: String) async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await PostgresJournal(at: server.address(database: database))
      try await journal.serve(Self.lineage, schema: 1)
      var writer = TestWriter()
      let (first, second) = (writer.draft(), writer.draft())
      let receipt = Receipt(author: Pseudonym(bits: 1), arrival: 2)
      let decided = DecidedDraft(second, receipt: receipt, principal: "ann", retries: first.id, reason: "why")
      _ = try await journal.append([decided], at: try await journal.position())
      try await journal.verifyStorage()
      try await server.sql(statement, database: database)
      await #expect { try await journal.verifyStorage() } throws: { ($0 as? JournalError)?.code == .damaged }
      await journal.close()
    }

    #if Inspector
      @Test("is read by the commands, in a role that has only the rights of a reader")
      func commands() async throws {
        let server = try TestServer.shared()
        let database = try await server.database()
        let journal = try await PostgresJournal(at: server.address(database: database))
        let role = "\(database)_reader"
        try await server.sql(
          """
          CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA alter TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA alter TO \(role);
          """, database: database)
        try await journal.serve(Self.lineage, schema: 1)
        var writer = TestWriter()
        let (draft, denied) = (writer.draft(), writer.draft())
        let refusal = Entry.Draft(refusing: denied.id, Entry.Refusal(code: "denied", hash: denied.hash), time: 5)
        _ = try await journal.append([Self.accepted(draft), Self.accepted(refusal)], at: try await journal.position())
        let address = "postgres://\(role)@/\(database)?host=\(server.folder)"
        func run(_ command: String) async throws -> String { try await Child([try Product.path("alter"), command, address]).end() }
        #expect(try await run("log").contains("0000000000000001"))
        #expect(try await run("export").contains("denied"))
        _ = try await run("verify")
        #expect(try await run("stats").contains("refused"))
        await #expect { try await run("outbox") } throws: { "\($0)".contains("a server decides it") }
        await journal.close()
      }
    #endif
  }
#endif
