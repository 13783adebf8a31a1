#if Postgres
  import AlterJournal
  import AlterPostgres
  import AlterTesting
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A journal in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct PostgresConformanceTests {
    @Test(
      "keeps every promise of a journal, beside all the others in its tables", arguments: JournalConformance.checks, Durability.allCases)
    func conforms(_ check: JournalConformance.Check, durability: Durability) async throws {
      let server = try TestServer.shared().address()
      let key = freshKey("conformance")
      try await JournalConformance {
        try await PostgresJournal(at: server, key: key, durability: durability, lockTimeout: .patient, turnTimeout: .patient)
      }.run(check)
    }

    @Test("keeps every promise to handles that share no connections, as on several machines", arguments: JournalConformance.checks)
    func conformsApart(_ check: JournalConformance.Check) async throws {
      let server = try TestServer.shared()
      let key = freshKey("apart")
      let count = Numbering()
      try await JournalConformance {
        // Another address has another pool, queue and follower.
        let machine = count.next() % 3
        return try await PostgresJournal(
          at: server.address("application_name=machine\(machine)"), key: key, lockTimeout: .patient, turnTimeout: .patient)
      }.run(check)
    }

    @Test("keeps every promise in tables of version 2, beside served journals", arguments: JournalConformance.checks)
    func conformsBesideServed(_ check: JournalConformance.Check) async throws {
      let server = try TestServer.shared().address()
      let served = try await PostgresJournal(at: server, key: "first", schema: "served", lockTimeout: .patient)
      try await served.serve(Lineage(Generation(1)), schema: 1)
      let key = freshKey("plain")
      try await JournalConformance {
        try await PostgresJournal(at: server, key: key, schema: "served", lockTimeout: .patient, turnTimeout: .patient)
      }.run(check)
    }
  }
#endif
