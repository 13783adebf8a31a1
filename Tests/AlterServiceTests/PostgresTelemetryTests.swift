#if Service && Postgres
  import Alter
  import AlterPostgres
  import AlterService
  import ProcessTesting
  import Testing

  @Suite("The telemetry of connections to PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(10)))
  struct PostgresTelemetryTests {
    @Test("shows the open connections, and how long requests wait for one")
    func pool() async throws {
      let recording = Recording()
      let folder = try TestServer.shared().folder
      // The name makes this address another one, with connections of its own.
      let server = PostgresServer("host=\(folder) dbname=postgres user=alter application_name=telemetry", maximumConnections: 1)
      recording.telemetry.watch(server)
      let stores = Stores(in: .postgres(server), options: recording.options) { _ in Credit() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in 1...8 { group.addTask { try await stores["telemetry \(key)"].change(.add(1)).durable() } }
        try await group.waitForAll()
      }
      await stores.close()
      #expect(recording.value("alter_postgres_connections", ["lane": "writing"]) == 1)
      #expect(try #require(recording.value("alter_postgres_pool_wait_duration_seconds", ["lane": "writing"])) >= 8)
      #expect(try #require(recording.value("alter_postgres_pool_wait_duration_seconds", ["lane": "reading"])) >= 1)
      #expect(recording.value("alter_postgres_connection_failures_total", ["lane": "writing"]) == nil)
    }

    @Test("counts connections that could not be opened, and says why")
    func refused() async throws {
      let recording = Recording()
      let server = PostgresServer("host=/nonexistent dbname=postgres user=alter application_name=telemetry")
      recording.telemetry.watch(server)
      await #expect(throws: JournalError.self) { try await PostgresJournal(at: server, key: "telemetry") }
      let failures = PoolEvent.Lane.allCases.map {
        recording.value("alter_postgres_connection_failures_total", ["lane": $0.rawValue]) ?? 0
      }
      #expect(failures.reduce(0, +) >= 1)
      #expect(recording.messages.contains("warning: No connection to PostgreSQL could be opened."))
    }

    @Test("counts every connection that could not be opened, and warns of the first one only")
    func outage() async throws {
      let recording = Recording()
      let server = PostgresServer("host=/nowhere dbname=postgres application_name=outage")
      recording.telemetry.watch(server)
      for _ in 1...5 { await #expect(throws: JournalError.self) { try await PostgresJournal(at: server, key: "refused") } }
      let lanes = ["reading", "writing", "holding"]
      let failures = lanes.compactMap { recording.value("alter_postgres_connection_failures_total", ["lane": $0]) }
      #expect(failures.reduce(0, +) >= 5)
      #expect(recording.messages.count { $0 == "warning: No connection to PostgreSQL could be opened." } == failures.count)
    }
  }
#endif
