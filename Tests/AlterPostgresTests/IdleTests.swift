#if Postgres
  import AlterCore
  import AlterJournal
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterPostgres

  /// The pauses of the processes that follow and write are shorter here, because a follower becomes idle only after them.
  @Suite("A process that follows journals", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct IdleTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared() }

    /// The address of a process that has connections of its own.
    private func process(
      database: String, user: String = "alter", idle: Duration = .seconds(1_000), listening: Duration = .milliseconds(20),
      connections: Int = 8
    ) -> PostgresServer {
      let name = freshKey("process").replacingOccurrences(of: " ", with: "")
      let address = PostgresServer(
        server.address(database: database, user: user, "application_name=\(name)").address, maximumConnections: connections)
      _ = Pool.shared(address, pauses: Pool.Pauses(idle: idle, listening: listening))
      return address
    }

    /// Waits until a process neither sends anything nor has a timer, and only its listening connection is open.
    private func becomesIdle(_ pool: Pool) async throws -> Bool {
      for _ in 0..<3_000 {
        let isIdle = await withCheckedContinuation { continuation in
          // Timers that are due now are started again before the inner closure runs.
          pool.loop.async {
            pool.loop.async { continuation.resume(returning: pool.follower.isResting && !pool.loop.hasTimers) }
          }
        }
        if isIdle { return true }
        try await server.sql("SELECT 1")
      }
      return false
    }

    @Test("is idle while no process appends: it has no timer, reads no heads, and still detects the next append")
    func idle() async throws {
      let database = try await server.database()
      let reader = try await PostgresJournal(at: process(database: database, idle: .milliseconds(50)))
      let writer = try await PostgresJournal(at: process(database: database, idle: .milliseconds(50)))
      var drafts = TestWriter()
      for revision in (0..<3).map({ Revision($0) }) {
        let wait = Task { try await reader.waitForEntry(after: revision) }
        #expect(try await becomesIdle(reader.pool))
        _ = try await writer.append(drafts.drafts(1), after: try await writer.head())
        try await wait.value
      }
      // A process that only writes keeps nothing, either.
      #expect(try await server.holds("count(*) <= 1 FROM pg_stat_activity WHERE datname = '\(database)'"))
      await reader.close()
      await writer.close()
    }

    @Test("detects an append whose process was killed before it could notify, also if it had become idle", arguments: [false, true])
    func killed(whileIdle: Bool) async throws {
      let database = try await server.database()
      let reader = try await PostgresJournal(at: process(database: database, idle: .milliseconds(50)))
      let role = "mute_\(database)"
      try await server.sql(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA alter TO \(role); GRANT ALL ON ALL TABLES IN SCHEMA alter TO \(role);
        REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC
        """, database: database)
      let wait = Task { try await reader.waitForEntry(after: 1) }
      if whileIdle { #expect(try await becomesIdle(reader.pool)) }
      // Its hints are refused, so none is sent before it dies.
      let address = server.address(database: database, user: role).address
      let writer = try Child([try Product.path("ledger-writer"), "die", address, "main", "writer"])
      await #expect(throws: Child.Failure.self) { try await writer.end() }
      try await wait.value
      #expect(try await reader.head().revision == 2)
      #expect(try await becomesIdle(reader.pool))
      await reader.close()
    }

    @Test(
      "detects every append of a connection that is lost after its commit, however the two processes interleave",
      arguments: 1...2 as ClosedRange<UInt64>)
    func interleavings(seed: UInt64) async throws {
      let database = try await server.database()
      let reader = try await PostgresJournal(at: process(database: database, listening: .microseconds(100)))
      let writer = try await PostgresJournal(at: process(database: database))
      var (drafts, random) = (TestWriter(), SeededGenerator(seed: seed))
      for revision in (0..<50).map({ Revision($0) }) {
        let wait = Task { try await reader.waitForEntry(after: revision) }
        for _ in 0..<Int.random(in: 0...8, using: &random) { _ = try await writer.head() }
        let append = try await OpenAppend(drafts.drafts(1), after: try await writer.head(), to: writer)
        for _ in 0..<Int.random(in: 0...8, using: &random) { _ = try await writer.head() }
        _ = try await writer.pool.run([Call(once: "COMMIT")], on: append.borrowed).get()
        append.cutOff()
        try await wait.value
      }
      await reader.close()
      await writer.close()
    }

    @Test("starts to read when a connection begins to append: the connection announces that once, and the next connection again")
    func announcements() async throws {
      let database = try await server.database()
      let journal = try await PostgresJournal(at: process(database: database, connections: 1))
      var payloads = try await listen(database).makeAsyncIterator()
      var (seen, drafts) = ([String](), TestWriter())
      for last in [20, 40] {
        for _ in 0..<20 { _ = try await journal.append(drafts.drafts(1), after: try await journal.head()) }
        repeat { seen.append(try #require(await payloads.next())) } while !seen[seen.count - 1].hasSuffix(":\(last)")
        #expect(seen.first == "writing")
        #expect(seen.filter { $0 == "writing" }.count == last / 20)
        #expect(try await server.holds("EXISTS (\(Self.lock(in: database)))"))
        journal.pool.loop.async { [pool = journal.pool] in pool.writers.closeIdle(since: .now, unusedSince: .now) }
        #expect(try await server.holds("NOT EXISTS (\(Self.lock(in: database)))"))
      }
      await journal.close()
    }

    @Test("becomes idle although a process that has appended uses its connection for other work")
    func otherWork() async throws {
      let database = try await server.database()
      let journal = try await PostgresJournal(at: process(database: database, connections: 1))
      var drafts = TestWriter()
      _ = try await journal.append(drafts.drafts(1), after: try await journal.head())
      let moment = ContinuousClock.now
      _ = try await journal.lease("work", for: .random(), lasting: .seconds(60))
      #expect(try await server.holds("EXISTS (\(Self.lock(in: database)))"))
      journal.pool.loop.async { [pool = journal.pool] in pool.writers.closeIdle(since: moment, unusedSince: moment) }
      #expect(try await server.holds("NOT EXISTS (\(Self.lock(in: database)))", tries: 1_000))
      await journal.close()
    }

    @Test("is notified in the end by a server that refused the notification at first")
    func refusedHint() async throws {
      let database = try await server.database()
      let user = "late_\(database)"
      let owner = try await PostgresJournal(at: process(database: database))
      try await server.sql(
        """
        CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA alter TO \(user); GRANT ALL ON ALL TABLES IN SCHEMA alter TO \(user);
        REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC
        """, database: database)
      let writer = try await PostgresJournal(at: process(database: database, user: user))
      var payloads = try await listen(database).makeAsyncIterator()
      var drafts = TestWriter()
      _ = try await writer.append(drafts.drafts(1), after: try await writer.head())
      let hint = "EXISTS (SELECT FROM pg_stat_activity WHERE usename = '\(user)' AND query LIKE '%pg_notify%' AND state = 'idle')"
      #expect(try await server.holds(hint))
      try await server.sql("GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC", database: database)
      #expect(await payloads.next() == "writing")
      #expect(await payloads.next()?.hasSuffix(":1") == true)
      await owner.close()
      await writer.close()
    }

    /// A query for the connections that hold the writers' lock.
    private static func lock(in database: String) -> String {
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = '\(database)')"
    }

    /// Listens like any client.
    private func listen(_ database: String) async throws -> AsyncStream<String> {
      let (payloads, payload) = AsyncStream.makeStream(of: String.self)
      let loop = EventLoop()
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Connector.open(server.address(database: database)) { result in
          loop.async {
            guard case .success(let opened) = result else { return continuation.resume(throwing: CancellationError()) }
            let connection = Connection(opened, loop: loop)
            connection.onNotification = { payload.yield($0) }
            connection.send(Request([Call(once: "LISTEN alter")]) { continuation.resume(with: $0.map { _ in }) })
          }
        }
      }
      return payloads
    }
  }
#endif
