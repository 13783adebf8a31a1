#if Postgres
  import Alter
  import AlterCore
  import AlterJournal
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterPostgres
  @testable import ledger_writer

  @Suite("A contended journal", .serialized, .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct ContentionTests {
    @Test("gets each change once and in its writer's order, and every replica ends in the same state", arguments: [8, 64])
    func replicas(count: Int) async throws {
      var options = StoreOptions()
      // On a busy machine a store may come first rarely.
      options.outageTimeout = .patient
      let server = try TestServer.shared()
      let (key, changes) = (freshKey("contended"), Effort.isFull ? 200 : 400 / count)
      var stores: [Store<Ledger>] = []
      for number in 0..<count {
        // The replicas of one machine share its connections.
        let address = server.address("application_name=contender\(number % 8)")
        let journal = try await PostgresJournal(at: address, key: key, lockTimeout: .patient)
        stores.append(try await Store.open(Ledger(), in: journal, options: options))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask { for change in 1...changes { try await store.change(.count("\(number)", change)).durable() } }
        }
        try await group.waitForAll()
      }
      let expected = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", changes) })
      let last = Revision(Int64(1 + count * changes))
      for store in stores {
        for await state in store.values(of: { $0.counts }) where state == expected { break }
        #expect(store.revision == last)
        let unwritten = await store.close()
        #expect(unwritten.isEmpty)
      }
      let journal = try await PostgresJournal(at: server.address(), key: key)
      #expect(try await journal.verify().revision == last)
      await journal.close()
    }

    @Test("gets each change once and in its writer's order when the connections of a process with several stores are cut")
    func cutGroups() async throws {
      let server = try TestServer.shared()
      let (key, count, changes) = (freshKey("cut groups"), 6, 60)
      let name = key.replacingOccurrences(of: " ", with: "")
      var stores: [Store<Ledger>] = []
      var options = StoreOptions()
      // Repeated cuts may make an outage long on a busy machine.
      options.outageTimeout = .patient
      for _ in 0..<count {
        let address = server.address("application_name=\(name)")
        let journal = try await PostgresJournal(at: address, key: key, lockTimeout: .patient)
        stores.append(try await Store.open(Ledger(), in: journal, options: options))
      }
      let observer = stores[0]
      let cuts = Task {
        // After every twentieth entry.
        for cut in 1...(count * changes / 20 - 1) {
          for await revision in observer.revisions where revision >= Revision(Int64(20 * cut)) { break }
          try await server.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '\(name)'")
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask { for change in 1...changes { try await store.change(.count("\(number)", change)).durable() } }
        }
        try await group.waitForAll()
      }
      try await cuts.value
      let last = Revision(Int64(1 + count * changes))
      for store in stores {
        for await revision in store.revisions where revision == last { break }
        #expect(store.state.counts == Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", changes) }))
        let unwritten = await store.close()
        #expect(unwritten.isEmpty)
      }
      let journal = try await PostgresJournal(at: server.address(), key: key)
      #expect(try await journal.verify().revision == last)
      await journal.close()
    }

    @Test("goes on when a process is killed that holds its turn")
    func killedHolder() async throws {
      let server = try TestServer.shared()
      let key = freshKey("killed")
      let journal = try await PostgresJournal(at: server.address(), key: key, lockTimeout: .patient, turnTimeout: .patient)
      let holder = try LineProcess([try Product.path("ledger-writer"), "hold", server.address().address, key])
      try #require(await holder.line() == "held")
      var writer = TestWriter()
      let drafts = writer.drafts(1)
      let append = Task {
        // A first attempt would have half a second for its append, too little on a busy machine.
        let reading = try await journal.takeTurn(limit: 10, attempt: 2) { _ in nil }
        return try await journal.append(drafts, after: reading.head, in: reading.turn)
      }
      #expect(try await server.holds("count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE OF%'"))
      kill(holder.child.pid, SIGKILL)
      #expect(try await append.value.first == 1)
      await journal.close()
    }

    @Test("loses nothing and doubles nothing when some of its writers are killed in the middle")
    func killedWriters() async throws {
      let server = try TestServer.shared()
      let (key, count) = (freshKey("killed writers"), 150)
      let program = try Product.path("ledger-writer")
      let observer = try await Store.open(Ledger(), in: PostgresJournal(at: server.address(), key: key))
      let doomed = try (1...3).map {
        try LineProcess([program, "write", server.address().address, key, "doomed \($0)", "1000000"])
      }
      let others = try (1...3).map { try Child([program, "write", server.address().address, key, "writer \($0)", "\(count)"]) }
      for (number, process) in doomed.enumerated() {
        let name = "doomed \(number + 1)"
        for await changes in observer.values(of: { $0.counts[name, default: 0] }) where changes > 20 { break }
        kill(process.child.pid, SIGKILL)
      }
      for other in others { try await other.end() }
      let journal = try await PostgresJournal(at: server.address(), key: key)
      let head = try await journal.verify()
      // `apply` refuses a change that is missing or doubled.
      let counts = try await Store<Ledger>.state(at: head.revision, in: journal).counts
      #expect(head.revision == Revision(Int64(1 + counts.values.reduce(0, +))))
      for number in 1...3 { #expect(counts["writer \(number)"] == count) }
      await observer.close()
      await journal.close()
    }

    @Test("is let go of by a writer that hesitates in its turn, whose append is then like one without a turn")
    func hesitation() async throws {
      let server = try TestServer.shared()
      let key = freshKey("hesitation")
      let slow = try await PostgresJournal(at: server.address("application_name=slow"), key: key, turnTimeout: .patient)
      let other = try await PostgresJournal(at: server.address("application_name=fast"), key: key, lockTimeout: .patient)
      var (writer, rival) = (TestWriter(), TestWriter())
      let drafts = writer.drafts(1)
      let first = try await slow.takeTurn(limit: 10, attempt: 0) { _ in nil }
      #expect(first.head.revision == 0 && first.entries.isEmpty)
      // The server ends the first attempt's turn long before the turn timeout.
      let theirs = try await other.append(rival.drafts(2), after: first.head)
      // The others go on before the server closes the connection, so that the writer may only learn that its append was lost.
      await #expect {
        try await slow.append(drafts, after: first.head, in: first.turn)
      } throws: {
        ($0 as? JournalError).map { $0.code == .conflict || $0.code == .unknownOutcome } == true
      }
      first.turn.end()
      // A later attempt has longer: the server does not end it meanwhile.
      let second = try await slow.takeTurn(limit: 10, attempt: 2) { _ in theirs.head }
      #expect(second.head == theirs.head && second.entries.map(\.revision) == [2])
      let appended = try await slow.append(drafts, after: second.head, in: second.turn)
      #expect(appended.first == 3)
      second.turn.end()
      await slow.close()
      await other.close()
    }

    @Test("keeps no place for a task that was cancelled while it waited, in this process or for another")
    func cancellation() async throws {
      let server = try TestServer.shared()
      let key = freshKey("cancelled")
      let holder = try await PostgresJournal(at: server.address("application_name=holder"), key: key, turnTimeout: .patient)
      let journal = try await PostgresJournal(at: server.address("application_name=waiter"), key: key, lockTimeout: .patient)
      let turn = try await holder.takeTurn()
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let waits = (0..<3).map { _ in
        Task {
          try await journal.takeTurn(limit: 10, attempt: 0) { _ in
            begin.yield()
            return nil
          }
        }
      }
      // One of them waits for the other process, the others for it.
      for await _ in begun { break }
      for wait in waits { wait.cancel() }
      for wait in waits { await #expect { _ = try await wait.value } throws: { ($0 as? JournalError)?.code == .cancelled } }
      turn.end()
      var writer = TestWriter()
      let reading = try await journal.takeTurn(limit: 10, attempt: 2) { _ in nil }
      #expect(try await journal.append(writer.drafts(1), after: reading.head, in: reading.turn).first == 1)
      reading.turn.end()
      await holder.close()
      await journal.close()
    }

    @Test("is let go of when the turn's connection is cut, and the append may be repeated")
    func cut() async throws {
      let server = try TestServer.shared()
      let key = freshKey("cut")
      let name = key.replacingOccurrences(of: " ", with: "")
      let journal = try await PostgresJournal(at: server.address("application_name=\(name)"), key: key, turnTimeout: .patient)
      let other = try await PostgresJournal(at: server.address("application_name=other"), key: key, lockTimeout: .patient)
      var (writer, rival) = (TestWriter(), TestWriter())
      let drafts = writer.drafts(2)
      let reading = try await journal.takeTurn(limit: 10, attempt: 2) { _ in nil }
      try await server.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '\(name)'")
      // Nothing holds the row any more.
      let theirs = try await other.append(rival.drafts(1), after: reading.head)
      var error: JournalError?
      do throws(JournalError) { _ = try await journal.append(drafts, after: reading.head, in: reading.turn) } catch let failure {
        error = failure
      }
      // The loss was noticed before the append was sent, or after. In neither case was it made.
      #expect(error?.code == .conflict || error?.isTransient == true, "\(String(describing: error))")
      reading.turn.end()
      let again = try await journal.takeTurn(limit: 10, attempt: 2) { _ in reading.head }
      #expect(again.entries.map(\.id) == [EntryID(origin: rival.origin, sequence: 1)] && again.head == theirs.head)
      #expect(try await journal.append(drafts, after: again.head, in: again.turn).first == 2)
      again.turn.end()
      #expect(try await journal.verify().revision == 3)
      await journal.close()
      await other.close()
    }

    @Test("ends a turn with an append that is refused under a lease, and the next writer gets it")
    func staleLease() async throws {
      let server = try TestServer.shared()
      let key = freshKey("stale")
      let journal = try await PostgresJournal(at: server.address("application_name=stale"), key: key, turnTimeout: .patient)
      let other = try await PostgresJournal(at: server.address("application_name=next"), key: key, lockTimeout: .patient)
      let old = try await journal.lease("work", for: .random(), lasting: .zero)
      _ = try await journal.lease("work", for: .random(), lasting: .zero)
      var writer = TestWriter()
      let drafts = writer.drafts(1)
      let reading = try await journal.takeTurn(limit: 10, attempt: 2) { _ in nil }
      await #expect { try await journal.append(drafts, after: reading.head, in: reading.turn, under: [old]) } throws: {
        ($0 as? JournalError)?.code == .staleLease
      }
      // The turn has not been returned, but the server has the row back.
      let next = try await other.takeTurn(limit: 10, attempt: 2) { _ in nil }
      #expect(next.head == reading.head)
      #expect(try await other.append(drafts, after: next.head, in: next.turn).first == 1)
      next.turn.end()
      reading.turn.end()
      await journal.close()
      await other.close()
    }

    @Test("gives the missed entries together with the turn, from the known head on, and the closure learns whether it waited")
    func reading() async throws {
      let server = try TestServer.shared()
      let key = freshKey("reading")
      let journal = try await PostgresJournal(at: server.address(), key: key, turnTimeout: .patient)
      var writer = TestWriter()
      let known = try await journal.append(writer.drafts(3), after: try await journal.head()).head
      let end = try await journal.append(writer.drafts(4), after: known).head
      let hasWaited = Lock<[Bool]>([])
      let first = try await journal.takeTurn(limit: 2, attempt: 2) { waited in
        hasWaited.withLock { $0.append(waited) }
        return known
      }
      #expect(first.head == end && first.start == known)
      // That of the known head, and two more.
      #expect(first.entries.map(\.revision) == [3, 4, 5])
      let second = Task {
        try await journal.takeTurn(limit: 100, attempt: 2) { waited in
          hasWaited.withLock { $0.append(waited) }
          return end
        }
      }
      // The second task stands in the queue before the first turn ends.
      while journal.line.isFree || !journal.line.hasWaiting { await Task.yield() }
      first.turn.end()
      let next = try await second.value
      #expect(next.entries.map(\.revision) == [7] && next.head == end)
      next.turn.end()
      #expect(hasWaited.withLock { $0 } == [false, true])
      await journal.close()
    }
  }
#endif
