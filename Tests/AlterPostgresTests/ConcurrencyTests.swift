#if Postgres
  import Alter
  import AlterCore
  import AlterPostgres
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import ledger_writer

  @Suite("Many writers", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct ConcurrencyTests {
    @Test("Eight processes on one journal: every change is there, once, in its writer's order, and every replica has the same state")
    func oneJournal() async throws {
      let server = try TestServer.shared()
      let (address, key, count) = (server.address(), freshKey("hot"), Effort.isFull ? 1_000 : 125)
      let follower = try await Store.open(Ledger(), in: PostgresJournal(at: address, key: key))
      let writer = try Product.path("ledger-writer")
      let names = (1...8).map { "writer \($0)" }
      let children = try names.map { try Child([writer, "write", address.address, key, $0, "\(count)"]) }
      for child in children { try await child.end() }

      let expected = Dictionary(uniqueKeysWithValues: names.map { ($0, count) })
      let journal = try await PostgresJournal(at: server.address("application_name=judge"), key: key)
      let head = try await journal.verify()
      #expect(head.revision == Revision(Int64(1 + 8 * count)))
      let state = try await Store<Ledger>.state(at: head.revision, in: journal)
      #expect(state.counts == expected)
      for await state in follower.values(of: { $0.counts }) where state == expected { break }
      #expect(follower.revision == head.revision)
      await follower.close()
      await journal.close()
    }

    @Test("Very many journals, twenty changes each, over a handful of connections: every store ends in its own state, here and elsewhere")
    func manyJournals() async throws {
      let server = try TestServer.shared()
      let count = Effort.isFull ? 1_000 : 250
      let name = freshKey("crowd").replacingOccurrences(of: " ", with: "")
      let address = server.address("application_name=\(name)")
      let keys = (0..<count).map { "\(name) \($0)" }
      let stores = try await open(keys, at: address)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, store) in stores.enumerated() {
          group.addTask { for number in 1...20 { try await store.change(.count("\(index)", number)).durable() } }
        }
        try await group.waitForAll()
      }
      // Eight connections that write, eight that wait (or create the tables if they don't exist), two that read, one that follows.
      let connections = try await server.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'")
      #expect(Int(connections).map { (1...19).contains($0) } == true, "\(connections) connections")

      let others = try await open(keys, at: server.address("application_name=elsewhere"))
      for (index, (store, other)) in zip(stores, others).enumerated() {
        #expect(store.state.counts == ["\(index)": 20])
        #expect(other.state == store.state && other.revision == store.revision && store.revision == 21)
      }
      for store in stores + others { await store.close() }
    }

    private func open(_ keys: [String], at address: PostgresServer) async throws -> [Store<Ledger>] {
      try await withThrowingTaskGroup(of: (Int, Store<Ledger>).self) { group in
        for (index, key) in keys.enumerated() {
          group.addTask { (index, try await Store.open(Ledger(), in: PostgresJournal(at: address, key: key))) }
        }
        var stores = [Store<Ledger>?](repeating: nil, count: keys.count)
        for try await (index, store) in group { stores[index] = store }
        return stores.compactMap { $0 }
      }
    }

    @Test("A process that stops in the middle of its turn blocks the others only until the server ends the turn")
    func stoppedTurn() async throws {
      let server = try TestServer.shared()
      let key = freshKey("stopped")
      var (writer, rival) = (TestWriter(), TestWriter())
      let stopped = try await PostgresJournal(at: server.address("application_name=stopped"), key: key, turnTimeout: .milliseconds(200))
      let other = try await PostgresJournal(at: server.address("application_name=other"), key: key)
      let empty = try await stopped.head()
      let turn = try await stopped.takeTurn()
      let theirs = try await other.append(rival.drafts(2), after: empty)
      // A writer that comes back after a stop gets the same error as any other writer, and can continue. The server lets the others go on before it
      // closes the connection, so that the writer may only learn that its append was lost.
      let drafts = writer.drafts(1)
      await #expect {
        try await stopped.append(drafts, after: empty, in: turn)
      } throws: {
        ($0 as? JournalError).map { $0.code == .conflict || $0.code == .unknownOutcome } == true
      }
      let appended = try await stopped.append(drafts, after: theirs.head, in: turn)
      #expect(appended.first == 3)
      turn.end()
      try await stopped.takeTurn().end()
      await stopped.close()
      await other.close()
    }

    @Test("Turns of several machines: whoever has one isn't overtaken, and everybody gets one")
    func turns() async throws {
      let server = try TestServer.shared()
      let key = freshKey("turns")
      let tasks = (0..<6).map { machine in
        Task {
          let journal = try await PostgresJournal(
            at: server.address("application_name=turn\(machine)"), key: key, lockTimeout: .patient, turnTimeout: .patient)
          var writer = TestWriter()
          for _ in 0..<20 {
            let turn = try await journal.takeTurn()
            let head = try await journal.head()
            _ = try await journal.append(writer.drafts(2), after: head, in: turn)
            turn.end()
          }
          await journal.close()
        }
      }
      for task in tasks { try await task.value }
      let journal = try await PostgresJournal(at: server.address(), key: key)
      #expect(try await journal.verify().revision == 240)
      await journal.close()
    }

    @Test("Whoever has waited for another's grant of a lease is told that it is held, and doesn't take it for one from the future")
    func waitsForGrant() async throws {
      let server = try TestServer.shared()
      let name = freshKey("lease")
      let journal = try await PostgresJournal(at: server.address(), key: name, lockTimeout: .patient)
      let ended = try await journal.lease(name, for: .random(), lasting: .zero)
      let row = "alter.lease WHERE name = '\(name)'"
      // A grant that commits only when another process waits for it. Its time is later than the start of that process's request.
      let grant = try LineProcess(server.psql())
      grant.say("BEGIN; SELECT 'locked' FROM \(row) FOR UPDATE;")
      try #require(await grant.line() == "locked")
      grant.say(
        """
        DO $$BEGIN
          WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))) LOOP END LOOP;
          UPDATE alter.lease SET epoch = 2, granted = extract(epoch FROM clock_timestamp()) * 1000000,
            expires = extract(epoch FROM clock_timestamp()) * 1000000 + 3600000000 WHERE name = '\(name)';
        END$$; COMMIT;
        """)
      grant.closeInput()
      await #expect { try await journal.lease(name, for: .random(), lasting: .zero) } throws: { ($0 as? JournalError)?.code == .leased }
      #expect(await grant.child.ended() == 0)
      let held = try #require(await journal.leases().first)
      #expect(held.holder == ended.holder && held.epoch == 2)
      await journal.close()
    }
  }
#endif
