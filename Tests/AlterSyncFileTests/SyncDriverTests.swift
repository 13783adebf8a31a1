#if SQLite
  import Alter
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import StoreTesting
  import Testing

  @Suite("The driver of a device", .timeLimit(.minutes(30)))
  struct SyncDriverTests {
    private static let ann = Principal("ann")

    /// A process of the device: a handle of its own, and a driver. Handles of another durability share no connection.
    private struct Process {
      let storage: DeviceStorage
      let driver: SyncDriver
      let clock: TestClock
      let origin: Origin

      init(
        _ path: String, _ number: UInt8, _ server: TestServer, user: Principal = ann, grace: Duration = .zero, schema: Int = 1
      ) async throws {
        origin = .test(number)
        clock = TestClock(microseconds: 1_000_000)
        storage = try await DeviceStorage(
          SQLiteJournal(at: path, durability: number % 2 == 1 ? .relaxed : .full, lockTimeout: .seconds(600)), principal: user)
        var options = SyncDriver.Options()
        (options.clock, options.now, options.random) = (clock.clock, { [clock] in clock.now }, { 1 })
        (options.grace, options.schema) = (grace, schema)
        driver = SyncDriver(storage, over: TestTransport(server: server, user: user), options: options)
      }

      func make(_ sequence: Int64, _ changes: Desk.Change...) async throws {
        let draft = SyncDraft(id: EntryID(origin: origin, sequence: sequence), time: 0, content: .changes(Desk.bytes(changes)))
        try await storage.enqueue([draft.stored])
      }

      func close() async {
        await driver.close()
        await storage.close()
      }

      /// Waits for a status. The test's time limit ends a wait for one that never comes.
      func reaches(_ isReached: @Sendable (SyncLink) -> Bool) async {
        for await link in driver.links where isReached(link) { return }
        Issue.record("the driver has ended")
      }

      /// Waits until the file is at the server's head, and its outbox is empty.
      func drains(_ server: TestServer) async throws {
        while true {
          let standing = try await storage.standing()
          if standing.head == server.database.head, !standing.hasUndecided, !standing.awaitsEntries { return }
          try await storage.journal.waitForTransaction(after: standing.transactions)
        }
      }
    }

    /// Waits for a condition. Without an end if it never holds.
    private static func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    private static func isOffline(_ link: SyncLink, _ reason: SyncLink.Reason) -> Bool {
      if case .offline(reason, _) = link { true } else { false }
    }

    @Test("sends the drafts of all processes, and pulls what the stream announces")
    func exchanges() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let (one, two) = (try await Process(path, 1, server), try await Process(path, 2, server))
        try await one.make(1, .claim(1))
        await one.driver.start()
        await one.reaches { $0 == .live }
        try await one.drains(server)
        await two.driver.start()
        // A process that does not talk: the bell of the file wakes the one that does.
        try await two.make(1, .claim(2))
        try await one.drains(server)
        #expect(server.database.timeline.state.desk.slots == [1, 2])
        #expect(two.driver.link == nil)
        // Another device's change.
        await Self.until { server.openStreams == 1 }
        server.change { server in
          let draft = SyncDraft(id: EntryID(origin: .test(9), sequence: 1), time: 0, content: .changes(Desk.bytes([.claim(3)])))
          server.database.append(.draft(draft), by: Self.ann, receipt: nil)
        }
        try await two.drains(server)
        for process in [one, two] { await process.close() }
        #expect(one.driver.problem == nil)
      }
    }

    @Test("takes entries that the stream brings without a request, and pulls if they do not follow, or are more than changes")
    func announcedEntries() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let process = try await Process(path, 2, server)
        await process.driver.start()
        await process.reaches { $0 == .live }
        await Self.until { server.openStreams == 1 }
        func append(_ number: Int64, _ body: SyncEntry.Body? = nil, announcing select: @escaping @Sendable ([SyncEntry]) -> [SyncEntry]) {
          server.change(announcing: select) { server in
            let draft = SyncDraft(
              id: EntryID(origin: .test(9), sequence: number), time: 0, content: .changes(Desk.bytes([.note("\(number)")])))
            server.database.append(body ?? .draft(draft), by: Self.ann, receipt: nil)
          }
        }
        let before = server.requests.count
        for number in 1...3 as ClosedRange<Int64> {
          append(number) { $0 }
          try await process.drains(server)
        }
        #expect(server.requests.count == before)
        // The one before is missing; it is damaged; it is a refusal, which may have a reason.
        append(4) { _ in [] }
        try await process.drains(server)
        append(5) { $0.map { $0.damaged() } }
        try await process.drains(server)
        let refusal = SyncEntry.Body.refused(EntryID(origin: .test(9), sequence: 6), hash: Checksum(high: 1, low: 2), .denied)
        append(6, refusal) { $0 }
        try await process.drains(server)
        #expect(server.requests.count == before + 3)
        #expect(process.driver.problem == nil)
        await process.close()
      }
    }

    @Test("takes over when the talker ends or is suspended, and sends the orphaned outbox unchanged")
    func takeover() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let (one, two) = (try await Process(path, 1, server), try await Process(path, 2, server))
        await one.driver.start()
        await one.reaches { $0 == .live }
        await two.driver.start()
        server.set(.offline)
        try await one.make(1, .claim(1))
        try await one.make(2, .note("orphaned"), .mark)
        await one.reaches { Self.isOffline($0, .network) }
        let before = try await one.storage.contents().outbox.drafts
        server.set(.online)
        await one.driver.suspend()
        #expect(Self.isOffline(try #require(one.driver.link), .suspended))
        try await two.drains(server)
        await two.reaches { $0 == .live }
        #expect(before.allSatisfy { server.database.standings[$0.id]?.hash == $0.hash })
        // Back, and next in the queue.
        await one.driver.resume()
        try await one.make(3, .claim(3))
        try await two.drains(server)
        // The other process talks: this one knows nothing of the link.
        while one.driver.link != nil { await Task.yield() }
        await two.driver.close()
        await one.reaches { $0 == .live }
        try await one.make(4, .claim(4))
        try await one.drains(server)
        for process in [one, two] { await process.close() }
      }
    }

    @Test("repeats a failed exchange after a pause, and a lost answer decides nothing twice")
    func failures() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let process = try await Process(path, 1, server)
        server.set(.losing)
        try await process.make(1, .claim(1))
        await process.driver.start()
        await process.reaches { Self.isOffline($0, .network) }
        let head = server.database.head
        #expect(head.revision == 2)
        server.set(.online)
        // The pause, beside no other sleeping task.
        await process.clock.sleepers(1)
        process.clock.advance(by: .milliseconds(100))
        try await process.drains(server)
        #expect(server.database.head == head)
        // No answer at all: the request is given up after its timeout, also if the call ignores its cancellation.
        await process.reaches { $0 == .live }
        server.set(.silent)
        try await process.make(2, .claim(2))
        await Self.until { server.pushes == 3 }
        server.set(.online)
        while process.driver.link == .live {
          process.clock.advance(by: .seconds(30))
          await Task.yield()
        }
        while try await process.storage.standing().hasUndecided { process.clock.advance(by: .seconds(1)) }
        try await process.drains(server)
        #expect(server.database.timeline.state.desk.slots == [1, 2])
        await process.close()
      }
    }

    @Test("refreshes a rejected token once, and ends a stream that is silent")
    func refreshes() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let process = try await Process(path, 1, server)
        server.set(.expired)
        await process.driver.start()
        await process.reaches { $0 == .live }
        #expect(server.refreshes == 1)
        await Self.until { server.openStreams == 1 }
        // The stream neither ends nor beats: the driver opens another one.
        while server.openStreams == 1 {
          process.clock.advance(by: .seconds(10))
          await Task.yield()
        }
        await process.close()
      }
    }

    @Test("sends nothing of another user's file, which takes no changes, until the owner is back or the principal is corrected")
    func locked() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let ann = try await Process(path, 1, server)
        try await ann.make(1, .claim(1))
        let bob = try await Process(path, 2, server, user: Principal("bob"))
        await bob.driver.start()
        await bob.reaches { $0 == .locked }
        #expect(server.requests.isEmpty)
        let error = await #expect(throws: JournalError.self) { try await bob.make(1, .claim(2)) }
        #expect(error?.code == .readOnly)
        await #expect(throws: JournalError.self) {
          _ = try await Store.open(Desk(), in: SyncedFile(bob.storage, initial: Desk(), window: 9))
        }
        // The file was created under the wrong name.
        #expect(try await bob.storage.correct(Principal("bob")))
        bob.driver.nudge()
        await bob.reaches { $0 == .live }
        try await bob.drains(server)
        #expect(server.requests.allSatisfy { $0.principal == Principal("bob") })
        // Now it is locked for Ann, and for good.
        let count = server.requests.count
        bob.driver.signIn(as: Self.ann)
        await bob.reaches { $0 == .locked }
        #expect(try await !bob.storage.correct(Self.ann))
        await #expect(throws: JournalError.self) { try await ann.make(2, .claim(7)) }
        let dismissed = await #expect(throws: JournalError.self) { try await bob.storage.dismiss([EntryID(origin: .test(1), sequence: 1)]) }
        #expect(dismissed?.code == .readOnly)
        bob.driver.signIn(as: nil)
        #expect(server.requests.count == count)
        bob.driver.signIn(as: Principal("bob"))
        await bob.reaches { $0 == .live }
        for process in [ann, bob] { await process.close() }
      }
    }

    @Test("gives the last push of a command a moment, and none while the server does not answer")
    func grace() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        // The clock stands still, so that the grace has no end of its own: the verdict ends it.
        let command = try await Process(path, 1, server, grace: .milliseconds(300))
        await command.driver.start()
        try await command.make(1, .claim(1))
        await command.driver.close()
        #expect(server.database.timeline.state.desk.slots == [1])
        #expect(try await !command.storage.standing().hasUndecided)
        await command.storage.close()
        // Another process talks: there is nothing to wait for.
        let talker = try await Process(path, 2, server)
        await talker.driver.start()
        await talker.reaches { $0 == .live }
        let second = try await Process(path, 3, server, grace: .milliseconds(300))
        await second.driver.start()
        server.set(.offline)
        try await second.make(1, .claim(2))
        await second.close()
        await talker.close()
        // The server does not answer.
        let third = try await Process(path, 5, server, grace: .milliseconds(300))
        await third.driver.start()
        try await third.make(1, .claim(3))
        await third.close()
        // It is there, and says nothing.
        server.set(.silent)
        let fourth = try await Process(path, 7, server, grace: .milliseconds(300))
        await fourth.driver.start()
        await Self.until { server.requests.last.map { if case .push = $0.body { true } else { false } } ?? false }
        let closing = Task { await fourth.close() }
        let isClosed = Lock(false)
        let mark = Task {
          await closing.value
          isClosed.withLock { $0 = true }
        }
        while !isClosed.withLock({ $0 }) {
          fourth.clock.advance(by: .milliseconds(100))
          await Task.yield()
        }
        await mark.value
        server.set(.online)
        let last = try await Process(path, 9, server)
        await last.driver.start()
        try await last.drains(server)
        #expect(server.database.timeline.state.desk.slots == [1, 2, 3])
        await last.close()
      }
    }

    @Test("stores the server's reason beside a refusal, and stores show it")
    func reasons() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let process = try await Process(path, 1, server)
        let store = try await Store.open(Desk(), in: SyncedFile(process.storage, initial: Desk(), window: 9))
        let other = SyncDraft(id: EntryID(origin: .test(9), sequence: 1), time: 0, content: .changes(Desk.bytes([.claim(1)])))
        server.change { $0.database.append(.draft(other), by: Self.ann, receipt: nil) }
        let commit = try store.change(.claim(1))
        _ = try await commit.durable()
        let id = try #require(store.unconfirmed.first?.record.id)
        server.state([id: "the slot is taken"])
        await process.driver.start()
        await #expect(throws: CommitError<Refusal>.self) { try await commit.confirmed() }
        #expect(store.refusals.map(\.reason) == ["the slot is taken"])
        #expect(store.refusals.map(\.code) == ["refused"])
        await process.driver.close()
        await store.close()
        // After a restart, too.
        let storage = try await DeviceStorage(SQLiteJournal(at: path), principal: Self.ann)
        let next = try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 9))
        #expect(next.refusals.map(\.reason) == ["the slot is taken"])
        await next.close()
      }
    }

    @Test("ends by itself when its file is closed, and every wait ends")
    func closedFile() async throws {
      try await withDeviceFile { path in
        let server = TestServer()
        let process = try await Process(path, 1, server)
        await process.driver.start()
        await process.reaches { $0 == .live }
        await process.storage.close()
        process.driver.nudge()
        for await _ in process.driver.links {}
        await process.driver.suspend()
        await process.driver.close()
        // The lock is free.
        let next = try await Process(path, 2, server)
        await next.driver.start()
        await next.reaches { $0 == .live }
        await next.close()
      }
    }
  }
#endif
