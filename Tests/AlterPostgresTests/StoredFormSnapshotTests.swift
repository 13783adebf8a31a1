#if Postgres && Macros
  import AlterJournal
  import AlterPostgres
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Snapshots of two builds of one schema version, in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct StoredFormSnapshotTests {
    @Test("of an older build, which has read and written 20,000 changes, take no price from the newer build")
    func olderThenNewer() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      func journal() async throws -> PostgresJournal {
        try await PostgresJournal(at: server.address(database: database), lockTimeout: .patient, turnTimeout: .patient)
      }
      #expect(try await Shelves.new(journal(), adding: 1..<101) == 5_050)
      try await Shelves.old(journal(), renaming: 20_000)
      #expect(try await Shelves.new(journal()) == 5_050)
      let reading = try await journal()
      let places = try await reading.snapshots(upTo: .init(1_000_000), limit: 100)
      #expect(places.count >= 4)
      for place in places { #expect(try await reading.snapshot(at: place.revision)?.place == place) }
      #expect(try await Shelves.compact(reading) == [.newerSchema, nil, .newerSchema])
      await reading.close()
      #expect(try await Shelves.new(journal()) == 5_050)
    }
  }
#endif
