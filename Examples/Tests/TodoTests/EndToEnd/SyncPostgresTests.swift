#if Postgres
  import Foundation
  import ProcessTesting
  import Testing
  import TodoTesting

  extension EndToEnd {
    @Suite("Synced lists in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(60)))
    struct SyncPostgresTests {
      @Test("two devices, one of them offline, a refusal, and a server that is killed: the list is in the database, and equal everywhere")
      func story() async throws {
        let postgres = try TestServer.shared()
        let database = try await postgres.database()
        let address = "postgres://alter@\(postgres.folder.replacingOccurrences(of: "/", with: "%2F"))/\(database)"
        let server = try TodoServerProcess("--database", address)
        let (ann, bob) = (try Sandbox(), try Sandbox())
        try ann.todo("add", "Pay rent")
        try server.share(ann, with: bob)
        #expect(try bob.texts() == ["Pay rent"])
        server.kill()
        try bob.todo("remove", "1")
        try bob.todo("add", "Buy bread")
        try ann.todo("add", "Water the plants")
        try server.restart()
        #expect(try ann.synced().status == 0)
        server.kill()
        try server.restart()
        let refused = try bob.synced()
        #expect(refused.status == 1 && refused.errors.contains("refused 1 change"), "\(refused)")
        #expect(try ann.synced().status == 0)
        #expect(try ann.texts() == ["Pay rent", "Water the plants", "Buy bread"])
        #expect(try bob.texts() == ann.texts())
        // The adopted state, two additions, and the refused removal.
        let entries = try await Child(postgres.psql(database: database) + ["-c", "SELECT count(*) FROM alter.entry"]).end()
        #expect(entries == "4", "\(entries)")
        server.kill()
      }
    }
  }
#endif
