#if Postgres
  import Alter
  import AlterCore
  import AlterJournal
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterPostgres
  @testable import ledger_writer

  @Suite("A server with few connections", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct CrowdedTests {
    @Test("serves three processes that want 13 connections each: all finish, and few of their attempts are refused")
    func processes() async throws {
      let server = try TestServer(settings: "max_connections=10", "log_connections=on")
      let writer = try Product.path("ledger-writer")
      let database = try await server.database()
      let address = server.address(database: database).address
      let children = try ["a", "b", "c"].map { try Child([writer, "spread", address, $0, "400"]) }
      for child in children { #expect(try await child.end() == "written") }
      let log = try server.log()
      let refused = log.components(separatedBy: "FATAL:").count - 1
      #expect(refused < 200, "\(refused) attempts were refused")
      let journal = try await PostgresJournal(at: server.address(database: database), key: "key 399", isReadOnly: true)
      #expect(try await journal.verify().revision == 4)
      await journal.close()
    }

    @Test("is followed and written to by a process with one connection, which its follower gives to the append")
    func oneConnection() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let owner = try await PostgresJournal(at: server.address(database: database))
      try await server.sql(
        """
        CREATE ROLE one_\(database) LOGIN CONNECTION LIMIT 1; GRANT USAGE ON SCHEMA alter TO one_\(database);
        GRANT ALL ON ALL TABLES IN SCHEMA alter TO one_\(database)
        """, database: database)
      let journal = try await PostgresJournal(at: server.address(database: database, user: "one_\(database)"))
      var (writer, other) = (TestWriter(), TestWriter())
      // The connection has read. The follower gets it once it is idle.
      let wait = Task { try await journal.waitForEntry(after: 1) }
      var isListening = false
      while !isListening {
        try await server.sql("SELECT 1")
        isListening = await withCheckedContinuation { continuation in
          journal.pool.loop.async { continuation.resume(returning: journal.pool.follower.isResting) }
        }
      }
      let head = try await journal.append(writer.drafts(1), after: try await journal.head()).head
      _ = try await owner.append(other.drafts(1), after: head)
      try await wait.value
      #expect(try await journal.verify().revision == 2)
      for journal in [owner, journal] { await journal.close() }
    }

    @Test("lets a change wait while it grants no connection at all: durable() throws notYet after the outage timeout, and returns later")
    func noConnection() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      await (try PostgresJournal(at: server.address(database: database))).close()
      let role = "none_\(database)"
      try await server.sql(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA alter TO \(role); GRANT ALL ON ALL TABLES IN SCHEMA alter TO \(role)
        """, database: database)
      var options = StoreOptions()
      options.outageTimeout = .milliseconds(200)
      let store = try await Store.open(
        Ledger(), in: PostgresJournal(at: server.address(database: database, user: role)), options: options)
      try await server.sql("ALTER ROLE \(role) CONNECTION LIMIT 0")
      try await server.sql("SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE usename = '\(role)'")
      let commit = try store.change(.count("a", 1))
      await #expect {
        try await commit.durable()
      } throws: {
        if case CommitError<Refusal>.notYet? = $0 as? CommitError<Refusal> { true } else { false }
      }
      try await server.sql("ALTER ROLE \(role) CONNECTION LIMIT -1")
      for await status in store.statuses where status == .open { break }
      try await commit.durable()
      let unwritten = await store.close()
      #expect(unwritten.isEmpty)
    }
  }
#endif
