#if Postgres
  import Alter
  import AlterJournal
  import AlterPostgres
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("A server over PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct PostgresServerTests {
    private static func journal(_ server: TestServer, _ key: String, machine: Int = 0) async throws -> PostgresJournal {
      let address = PostgresServer("host=\(server.folder) dbname=postgres user=alter application_name=machine\(machine)")
      return try await PostgresJournal(at: address, key: key, schema: "sync", lockTimeout: .seconds(600), turnTimeout: .seconds(600))
    }

    @Test("beside others on other machines, of one journal: each draft has one verdict, in the order of its outbox")
    func contended() async throws {
      let server = try TestServer.shared()
      var journals: [PostgresJournal] = []
      for machine in 0..<3 { journals.append(try await Self.journal(server, "contended", machine: machine)) }
      try await ServedStock.begin(journals[0])
      try await Contention.run(journals)
      for journal in journals { await journal.close() }
    }

    @Test("whose connections end in the middle of appends, and whose database goes down at once: each draft has one verdict")
    func broken() async throws {
      let server = try TestServer()
      var journals: [PostgresJournal] = []
      for machine in 0..<2 { journals.append(try await Self.journal(server, "broken", machine: machine)) }
      try await ServedStock.begin(journals[0])
      try await Contention.run(journals) { round in
        if round == 5 {
          try await server.stop("immediate")
          try await server.start()
        } else {
          try await server.sql(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            """)
        }
      }
      for journal in journals { await journal.close() }
    }
  }
#endif
