#if Postgres
  import Alter
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterFeedback

  @Suite("Leases in PostgreSQL that are renewed together", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct LeaseRenewalTests {
    private static let long = Duration.seconds(3_600)

    private func journals(_ count: Int, at address: PostgresServer, schema: String = "alter") async throws -> [PostgresJournal] {
      let name = freshKey("renewal")
      return try await (1...count).asyncMap { try await PostgresJournal(at: address, key: "\(name) \($0)", schema: schema) }
    }

    private func requests(_ journals: [PostgresJournal], _ holder: Origin) -> [LeaseRequest] {
      journals.map { LeaseRequest(journal: $0, name: "work", holder: holder, duration: Self.long) }
    }

    private func texts(_ outcomes: [LeaseRenewal]) -> [String] {
      outcomes.map { outcome in
        switch outcome {
        case .decided(.success(let lease)): "epoch \(lease.epoch)"
        case .decided(.failure(let error)): error.code.rawValue
        case .undecided: "undecided"
        }
      }
    }

    @Test("a lease that another process has locked is left out, and the others are renewed at once")
    func locked() async throws {
      let server = try TestServer.shared()
      let (journals, holder) = (try await journals(3, at: server.address()), Origin.random())
      for request in requests(journals, holder) { _ = try await request.send() }
      let key = journals[1].key
      let lock = try await BlockedTests.Holder(
        server, rows: "alter.lease WHERE journal = (SELECT number FROM alter.journal WHERE key = '\(key)')")
      #expect(texts(try await journals[0].renew(requests(journals, holder))) == ["epoch 1", "undecided", "epoch 1"])
      await lock.letGo()
      #expect(texts(try await journals[0].renew(requests(journals, holder))) == ["epoch 1", "epoch 1", "epoch 1"])
    }

    @Test("a lease that another process takes over is refused; those of other journals, and of other tables, are not affected")
    func takenOver() async throws {
      let server = try TestServer.shared()
      let address = server.address("application_name=renewal")
      let (journals, holder, rival) = (try await journals(3, at: address), Origin.random(), Origin.random())
      for request in requests(journals, holder) { _ = try await request.send() }
      _ = try await journals[1].lease("work", for: holder, lasting: .zero)
      let elsewhere = try await PostgresJournal(at: server.address("application_name=elsewhere"), key: journals[1].key)
      #expect(try await elsewhere.lease("work", for: rival, lasting: Self.long).epoch == 2)
      #expect(texts(try await journals[2].renew(requests(journals, holder))) == ["epoch 1", "leased", "epoch 1"])
      // The rival's lease has expired, and can be taken over by a request of its own.
      _ = try await elsewhere.lease("work", for: rival, lasting: .zero)
      #expect(texts(try await journals[2].renew(requests(journals, holder))) == ["epoch 1", "undecided", "epoch 1"])
      let other = try await PostgresJournal(at: address, key: journals[0].key, schema: "other tables")
      func place(_ journal: PostgresJournal) -> AnyHashable? { journal.leasePlace.map { AnyHashable($0) } }
      #expect(place(journals[0]) == place(journals[1]) && place(journals[0]) != place(other) && place(journals[0]) != place(elsewhere))
      #expect(place(try await PostgresJournal(at: address, key: journals[0].key, isReadOnly: true)) == nil)
    }

    @Test("if the server cannot be reached, nothing is renewed, and the same renewal succeeds when it is back")
    func outage() async throws {
      let server = try TestServer()
      let (journals, holder) = (try await journals(2, at: server.address("connect_timeout=2")), Origin.random())
      for request in requests(journals, holder) { _ = try await request.send() }
      try await server.stop()
      await #expect { _ = try await journals[0].renew(requests(journals, holder)) } throws: {
        ($0 as? JournalError)?.isTransient == true
      }
      try await server.start()
      #expect(texts(try await journals[0].renew(requests(journals, holder))) == ["epoch 1", "epoch 1"])
    }

    @Test("feedbacks of two hundred stores are kept by one statement in each round, and a lost lease concerns its own store only")
    func oneStatement() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      // The server writes every statement of this database to its log, and the name of the schema marks those of this test.
      try await server.sql("ALTER DATABASE \(database) SET log_statement = 'all'")
      let schema = "renewal_\(UUID().uuidString.prefix(8).lowercased())"
      let address = server.address(database: database)
      let clock = TestClock()
      var options = FeedbackOptions()
      options.lease = Self.long
      options.clock = clock.clock
      let started = Lock(0)
      let waiting = Feedback<Job, Void>("wait", request: \.wanted) { _, _ in
        started.withLock { $0 += 1 }
        try await Task.sleep(for: .seconds(1_000_000))
        return .done("never")
      }
      let count = 200
      let stores = try await journals(count, at: address, schema: schema).asyncMap { try await Store.open(Job(), in: $0) }
      let runs = try stores.map { try $0.run([waiting], options: options) }
      for store in stores { try store.change(.begin) }
      while started.withLock({ $0 }) < count { await Task.yield() }
      let kind = "UPDATE \"\(schema)\".lease AS held SET granted"
      let counting = "(length(log) - length(replace(log, '\(kind)', ''))) / length('\(kind)') FROM pg_read_file('log') AS log"
      #expect(try await server.sql("SELECT \(counting)") == "0")
      let granted = "SELECT count(*) FROM \(schema).lease WHERE granted > \(try await moment(server, schema, database))"
      for round in 1...2 {
        await clock.sleepers(1)
        // Every feedback waits in the round.
        while options.leaseRounds.waitingCount < count { await Task.yield() }
        clock.advance(by: Self.long / 3)
        while options.leaseRounds.waitingCount < count || clock.untilNext == nil { await Task.yield() }
        #expect(try await server.sql("SELECT \(counting)") == "\(round)")
      }
      #expect(try await server.sql(granted, database: database) == "\(count)")
      // Another process has taken one of the leases over.
      try await server.sql(
        "UPDATE \(schema).lease SET holder = gen_random_uuid(), epoch = 2 WHERE journal = (SELECT min(journal) FROM \(schema).lease)",
        database: database)
      clock.advance(by: Self.long / 3)
      while stores.reduce(0, { $0 + ($1.effects.contains { $0.phase == .waiting } ? 1 : 0) }) < 1 { await Task.yield() }
      while options.leaseRounds.waitingCount < count { await Task.yield() }
      #expect(stores.reduce(0) { $0 + ($1.effects.contains { $0.phase == .running } ? 1 : 0) } == count - 1)
      for run in runs { await run.stop() }
      for store in stores { await store.close() }
    }

    @Test("as many runs as wait for a refused lease leave the processors to others: law 1 of effects")
    func refused() async throws {
      let address = try TestServer.shared().address()
      let key = freshKey("refused")
      let holder = try await PostgresJournal(at: address, key: key)
      _ = try await holder.lease("feedback/wait", for: .random(), lasting: Self.long)
      let clock = TestClock()
      var options = FeedbackOptions()
      options.clock = clock.clock
      let begun = Lock(0)
      let waiting = Feedback<Job, Void>("wait", request: \.wanted) { _, _ in
        begun.withLock { $0 += 1 }
        return .done("begun")
      }
      let stores = try await (1...8).asyncMap { _ in try await Store.open(Job(), in: PostgresJournal(at: address, key: key)) }
      for store in stores { try store.run([waiting], options: options) }
      try await stores[0].change(.begin).durable()
      // All of them wait by the clock, which stands still. One timer serves them.
      await clock.sleepers(1)
      for store in stores { while store.effects.map(\.phase) != [.waiting] { await Task.yield() } }
      let other = Task { 1 }
      #expect(await other.value == 1 && begun.withLock { $0 } == 0)
      for store in stores { await store.close() }
      await holder.close()
    }

    /// The last moment at which a lease was granted.
    private func moment(_ server: TestServer, _ schema: String, _ database: String) async throws -> String {
      try await server.sql("SELECT max(granted) FROM \(schema).lease", database: database)
    }
  }

  extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
      var results: [Result] = []
      for element in self { results.append(try await transform(element)) }
      return results
    }
  }
#endif
