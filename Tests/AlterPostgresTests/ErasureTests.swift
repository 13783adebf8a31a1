#if Postgres
  import Alter
  import AlterPostgres
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  /// The procedure of `docs/compaction.md`, 'Erasing a person's data', for PostgreSQL.
  @Suite("Data erased from PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct ErasureTests {

    private static let needle = "Qx7-needle-of-a-person"

    /// The files of the server that contain the needle. Its own program reads them, because they belong to its user.
    private static func found(in server: TestServer) throws -> [String] {
      let command = "grep -r -l -a -F \(needle) \(server.folder)/data || true"
      return try Child.run(["/bin/sh", "-c", command]).split(separator: "\n").map(String.init)
    }

    @Test("are in no byte of any file of the server, not even of its write-ahead log")
    func erased() async throws {
      // A server of its own: its files hold nothing of other tests.
      let server = try TestServer()
      try await server.sql("ALTER SYSTEM SET wal_recycle = off")
      try await server.sql("ALTER SYSTEM SET min_wal_size = '32MB'")
      try await server.sql("SELECT pg_reload_conf()")
      var options = StoreOptions()
      options.keepsJournalOpen = true
      options.snapshotSpacing = 20
      options.undoWindow = 10
      let journal = try await PostgresJournal(at: server.address(database: "postgres"), lockTimeout: .patient, turnTimeout: .patient)
      let store = try await Store.open(Members(), in: journal, options: options)
      // Short values, which the server does not compress.
      for number in 1...60 {
        try await store.change(.put(Members.Member(id: number % 7, name: "\(Self.needle) \(number)"))).durable()
      }
      _ = try await store.undo()
      try await server.sql("CHECKPOINT")
      #expect(try !Self.found(in: server).isEmpty)
      for id in 0..<7 { try await store.change(.erase(id)).durable() }
      try await store.compact(keeping: .last(0))
      #expect(store.state.members.isEmpty)
      await store.close()
      await journal.close()
      for table in ["entry", "snapshot", "floor_copy", "reason"] { try await server.sql("VACUUM FULL alter.\(table)") }
      // The statistics of the planner have samples of values.
      try await server.sql("VACUUM FULL pg_statistic")
      for _ in 1...2 {
        try await server.sql("SELECT pg_switch_wal()")
        try await server.sql("CHECKPOINT")
      }
      #expect(try Self.found(in: server) == [])
      try await server.stop("fast")
    }
  }
#endif
