#if Postgres
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Journals that others block", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct BlockedTests {
    /// A call that waits for another process.
    enum Call: CaseIterable { case append, turn, lease }

    /// Rows that another process has locked.
    struct Holder {
      let process: LineProcess

      init(_ server: TestServer, rows: String) async throws {
        process = try LineProcess(server.psql())
        process.say("BEGIN; WITH held AS MATERIALIZED (SELECT FROM \(rows) FOR UPDATE) SELECT 'held' FROM held HAVING count(*) > 0;")
        try #require(await process.line() == "held")
      }

      func letGo() async {
        process.say("COMMIT;")
        process.closeInput()
        #expect(await process.child.ended() == 0)
      }
    }

    @Test("leave the process's connections to all others, and go on when they are let go of", arguments: Call.allCases)
    func others(call: Call) async throws {
      let server = try TestServer.shared()
      let name = freshKey("blocked").replacingOccurrences(of: " ", with: "")
      let address = server.address("application_name=\(name)")
      var blocked: [PostgresJournal] = []
      for number in 1...20 {
        blocked.append(try await PostgresJournal(at: address, key: "\(name) blocked \(number)", lockTimeout: .patient))
        _ = try await blocked[number - 1].lease("\(name) lease", for: .random(), lasting: .zero)
      }
      let free = try await PostgresJournal(at: address, key: "\(name) free")
      let rows = call == .lease ? "alter.lease WHERE name = '\(name) lease'" : "alter.journal WHERE key LIKE '\(name) blocked %'"
      let holder = try await Holder(server, rows: rows)
      let waits = blocked.map { journal in
        Task {
          var writer = TestWriter()
          switch call {
          case .append: _ = try await journal.append(writer.drafts(2), after: try await journal.head())
          case .turn: try await journal.takeTurn().end()
          case .lease: _ = try await journal.lease("\(name) lease", for: .random(), lasting: .seconds(60))
          }
        }
      }
      let activity = "FROM pg_stat_activity WHERE application_name = '\(name)'"
      #expect(try await server.holds("(SELECT count(*) >= 4 \(activity) AND wait_event_type = 'Lock')"))

      let isDone = Lock(false)
      let work = Task {
        var writer = TestWriter()
        for _ in 0..<20 { _ = try await free.append(writer.drafts(1), after: try await free.head()) }
        let turn = try await free.takeTurn()
        _ = try await free.append(writer.drafts(1), after: try await free.head(), in: turn)
        turn.end()
        _ = try await free.lease("\(name) free", for: .random(), lasting: .seconds(60))
        isDone.withLock { $0 = true }
      }
      // The rows stay locked in the meantime.
      _ = try await server.holds("false", unless: isDone)
      #expect(isDone.withLock { $0 }, "the other journal had to wait for the blocked ones")
      // Eight connections that append, eight that wait, two that read, one that follows.
      let connections = try await server.sql("SELECT count(*) \(activity)")
      #expect(Int(connections).map { $0 <= 19 } == true, "\(connections) connections")

      await holder.letGo()
      for wait in waits { try await wait.value }
      try await work.value
      for journal in blocked + [free] { await journal.close() }
    }

    @Test("are told 'locked' when that takes too long, also when more of them wait than there are connections to wait with")
    func timeouts() async throws {
      let server = try TestServer.shared()
      let name = freshKey("late")
      var blocked: [PostgresJournal] = []
      for number in 1...9 {
        blocked.append(
          try await PostgresJournal(
            at: server.address("application_name=late"), key: "\(name) \(number)", lockTimeout: .milliseconds(number * 50)))
      }
      let holder = try await Holder(server, rows: "alter.journal WHERE key LIKE '\(name) %'")
      let calls = blocked.flatMap { journal in
        [
          Task {
            var writer = TestWriter()
            _ = try await journal.append(writer.drafts(2), after: try await journal.head())
          }, Task { try await journal.takeTurn().end() },
        ]
      }
      for call in calls { await #expect { try await call.value } throws: { ($0 as? JournalError)?.code == .locked } }
      await holder.letGo()
      for journal in blocked {
        var writer = TestWriter()
        let (drafts, empty) = (writer.drafts(2), try await journal.head())
        var appended: Appended?
        // On a busy machine the shortest of these times may be too short even without a lock.
        while appended == nil {
          do throws(JournalError) { appended = try await journal.append(drafts, after: empty) } catch {
            guard error.code == .locked else { throw error }
          }
        }
        #expect(appended?.first == 1)
        await journal.close()
      }
    }
  }
#endif
