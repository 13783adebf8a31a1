#if Postgres
  import Alter
  import AlterCore
  import AlterPostgres
  import ProcessTesting
  import Foundation
  import StoreTesting
  import Testing

  @testable import ledger_writer

  /// Each test has its own server, because it breaks it.
  @Suite("A server that fails", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct FaultTests {
    /// Runs writers that continue whatever happens, and checks the results that they received.
    private func endure(_ server: TestServer, rounds: Int, _ trouble: (Int) async throws -> Void) async throws {
      let key = freshKey("endure")
      let (acks, acknowledge) = AsyncStream.makeStream(of: Void.self)
      let isOver = Lock(false)
      var stores: [Store<Ledger>] = []
      var options = StoreOptions()
      // A server may take long to come up on a busy machine.
      options.outageTimeout = .patient
      for number in 0..<4 {
        // Two writers on each machine.
        let address = server.address("application_name=machine\(number % 2)")
        stores.append(try await Store.open(Ledger(), in: PostgresJournal(at: address, key: key), options: options))
      }
      let writers = stores.enumerated().map { number, store in
        Task {
          // No task waits for acknowledgements that don't arrive.
          defer { acknowledge.finish() }
          var count = 0
          while !isOver.withLock({ $0 }) {
            count += 1
            try await store.change(.count("\(number)", count)).durable()
            acknowledge.yield()
          }
          if case .failed(let error) = store.status { Issue.record(error) }
          let unwritten = await store.close()
          #expect(unwritten.isEmpty)
          return count
        }
      }
      var iterator = acks.makeAsyncIterator()
      for round in 0..<rounds {
        // The trouble starts during one of the next appends.
        for _ in 0..<(5 + round % 7) { _ = await iterator.next() }
        try await trouble(round)
      }
      for _ in 0..<10 { _ = await iterator.next() }
      isOver.withLock { $0 = true }
      var expected: [String: Int] = [:]
      for (number, writer) in writers.enumerated() { expected["\(number)"] = try await writer.value }

      let journal = try await PostgresJournal(at: server.address(), key: key)
      let head = try await journal.verify()
      #expect(head.revision == Revision(Int64(1 + expected.values.reduce(0, +))), "nothing is lost, nothing is doubled")
      let state = try await Store<Ledger>.state(at: head.revision, in: journal)
      #expect(state.counts == expected)
      await journal.close()
    }

    @Test("goes down at once and comes up again: every acknowledged change is there, and none twice")
    func restarts() async throws {
      let server = try TestServer()
      try await endure(server, rounds: Effort.isFull ? 50 : 3) { _ in
        try await server.stop("immediate")
        try await server.start()
      }
    }

    @Test("ends its connections in the middle of appends: every acknowledged change is there, and none twice")
    func terminations() async throws {
      let server = try TestServer()
      try await endure(server, rounds: Effort.isFull ? 50 : 8) { round in
        // All connections, or about half of them.
        let which = round % 2 == 0 ? "" : "AND pid % 2 = \(round / 2 % 2)"
        let sql = """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() \(which)
          """
        try await server.sql(sql)
      }
    }

    @Test("is shut down in peace while a handle rests: the next call finds it again, and followers go on")
    func rest() async throws {
      let server = try TestServer()
      let journal = try await PostgresJournal(at: server.address(), key: "rest")
      let other = try await PostgresJournal(at: server.address("application_name=other"), key: "rest")
      var writer = TestWriter()
      let first = try await journal.append(writer.drafts(1), after: try await journal.head()).head
      let tail = Task {
        var revisions: [Int64] = []
        for try await entry in other.tail() {
          revisions.append(entry.revision.number)
          if revisions.count == 3 { break }
        }
        return revisions
      }
      try await server.stop("fast")
      await #expect { try await journal.append(writer.drafts(1), after: first) } throws: {
        let error = $0 as? JournalError
        return error?.isTransient == true && error.map { "\($0)".contains("rest") } == true
      }
      try await server.start()
      var again = TestWriter()
      let head = try await journal.head()
      #expect(head == first)
      _ = try await journal.append(again.drafts(2), after: head)
      // The reader may have lost the connection, which a store would tolerate. Then the test asks again.
      do { #expect(try await tail.value == [1, 2, 3]) } catch let error as JournalError {
        #expect(error.isTransient)
        #expect(try await other.entries(after: .zero, limit: 10).map(\.revision) == [1, 2, 3])
      }
      await journal.close()
      await other.close()
    }
  }
#endif
