#if SQLite
  import Alter
  import AlterSQLite
  import AlterStore
  @testable import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import StoreTesting
  import Testing

  @Suite("Stores on a device's file", .timeLimit(.minutes(20)))
  struct SyncedFileTests {
    private static let ann = Principal("ann")

    /// A file in a folder of its own, as several processes have it open.
    private struct Device {
      let path: String

      func storage(_ durability: Durability = .relaxed) async throws -> DeviceStorage {
        try await DeviceStorage(SQLiteJournal(at: path, durability: durability, lockTimeout: .seconds(600)), principal: ann)
      }

      static func use(_ body: (Device) async throws -> Void) async throws {
        try await withDeviceFile { path in try await body(Device(path: path)) }
      }
    }

    /// Waits for a condition. Without an end if it never holds.
    private static func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    @Test("share the outbox of all processes, show it offline and after a restart, and settle with the server's verdicts")
    func story() async throws {
      try await Device.use { device in
        var server = DeskServer()
        let storages = [try await device.storage(), try await device.storage(.full)]
        let stores = [
          try await Store.open(Desk(), in: SyncedFile(storages[0], initial: Desk(), window: 100)),
          try await Store.open(Desk(), in: SyncedFile(storages[1], initial: Desk(), window: 100)),
        ]
        // Offline, before the first contact.
        let first = try stores[0].change(.claim(1))
        _ = try await first.durable()
        await Self.until { stores[1].state.slots == [1] }
        let second = try stores[1].change(.claim(2), .note("from the other process"))
        _ = try await second.durable()
        await Self.until { stores[0].state.slots == [1, 2] }
        #expect(stores.allSatisfy { $0.unconfirmed.count == 2 && $0.confirmed.revision == 0 })
        // Another device claims a slot first.
        let other = SyncDraft(id: EntryID(origin: .test(9), sequence: 1), time: 0, content: .changes(Desk.bytes([.claim(2)])))
        server.database.append(.draft(other), by: Self.ann, receipt: nil)
        try await storages[0].sync(with: &server)
        #expect(try await first.confirmed() == 3)
        let error = await #expect(throws: CommitError<Refusal>.self) { try await second.confirmed() }
        guard case .refused(let code) = error else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(code == "refused")
        await Self.until { stores.allSatisfy { $0.state.slots == [2, 1] && $0.refusals.count == 1 && $0.unconfirmed.isEmpty } }
        // The change is not lost: it is retried from the process that has not made it.
        let refused = stores[0].refusals[0]
        #expect(stores[0].refusals[0].record.kind.changes == [.claim(2), .note("from the other process")])
        #expect(throws: RetryError<Refusal>.self, "the slot is taken") { try stores[0].retry(refused) }
        try await stores[0].dismiss(refused)
        await Self.until { stores[1].refusals.isEmpty }
        for store in stores { await store.close() }
        // Offline again: a process makes changes and ends, and the next one takes over.
        let third = try await Store.open(Desk(), in: SyncedFile(try await device.storage(), initial: Desk(), window: 100))
        #expect(third.state.slots == [2, 1] && third.confirmed.revision == 4)
        for number in 0..<40 { _ = try third.change(.note("\(number)"), .mark) }
        let last = try third.change(.claim(7))
        _ = try await last.durable()
        let shown = third.state
        await third.close()
        let storage = try await device.storage()
        let fourth = try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 100))
        #expect(fourth.state == shown && fourth.unconfirmed.count == 41)
        try await storage.sync(with: &server)
        await Self.until { fourth.unconfirmed.isEmpty }
        #expect(fourth.state == server.database.timeline.state.desk && fourth.confirmed.state == fourth.state)
        #expect(fourth.state == shown || !fourth.refusals.isEmpty)
        await fourth.close()
      }
    }

    @Test("undo offline what another entry answers, and continue from a floor and after a restart of the server")
    func floors() async throws {
      try await Device.use { device in
        var server = DeskServer(window: 5)
        let storage = try await device.storage()
        let store = try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 5))
        for number in 0..<9 { _ = try store.change(.claim(number)) }
        try await store.settle()
        try await storage.sync(with: &server)
        let backup = server.database
        await Self.until { store.unconfirmed.isEmpty }
        // Away while others work, and the server compacts.
        for number in 1...30 as ClosedRange<Int64> {
          let draft = SyncDraft(id: EntryID(origin: .test(9), sequence: number), time: 0, content: .changes(Desk.bytes([.mark])))
          server.database.append(.draft(draft), by: Self.ann, receipt: nil)
        }
        let lost = try store.change(.claim(200))
        _ = try await lost.durable()
        let isCompacted = server.database.compact(to: 25)
        #expect(isCompacted)
        try await storage.sync(with: &server)
        await Self.until { store.unconfirmed.isEmpty }
        #expect(store.state == server.database.timeline.state.desk)
        // A backup from before is put back, and the operator discards what came after.
        server.restore(backup)
        server.database.begin(Generation(2), after: try await storage.contents().lineage)
        for _ in 0..<3 {
          let request = try await storage.request(for: .fetch, limits: SyncLimits())
          _ = try await storage.absorb(server.answer(request), to: request)
        }
        try await storage.sync(with: &server)
        await Self.until { store.refusals.map(\.code) == ["lost"] && store.state == server.database.timeline.state.desk }
        _ = try store.retry(store.refusals[0])
        try await store.settle()
        try await storage.sync(with: &server)
        await Self.until { store.unconfirmed.isEmpty && store.refusals.isEmpty }
        #expect(store.state == server.database.timeline.state.desk && store.state.slots.contains(200))
        await store.close()
      }
    }

    /// A draft of a store.
    private static func entering(_ number: Int64, of origin: Origin) -> MirrorNews<Desk>.Entering {
      MirrorNews.Entering(
        Record(revision: 0, id: EntryID(origin: origin, sequence: number), time: 0, kind: .changes([.note("n\(number)")])))
    }

    @Test("learn of their own draft that enters and leaves the outbox before the whole mirror is read")
    func whole() async throws {
      try await Device.use { device in
        var server = DeskServer()
        let (storage, origin) = (try await device.storage(), Origin.test(1))
        let file = SyncedFile(storage, initial: Desk(), window: 100)
        _ = try await file.open(as: origin)
        try await file.enqueue([Self.entering(1, of: origin)], retrying: [:])
        let transaction = try await storage.standing().transactions - 1
        let tidings = try await file.tidings(after: transaction)
        #expect(tidings.news.last?.entering.count == 1)
        // The store cannot absorb these news, and asks for the whole mirror. Meanwhile the server decides.
        try await storage.sync(with: &server)
        let whole = try await file.whole(at: transaction + 1)
        #expect(whole.decided[EntryID(origin: origin, sequence: 1)] == .success(2))
        await file.close()
      }
    }

    @Test("learn of a restart, although a floor came after it")
    func starts() async throws {
      var starts = MirrorStarts("")
      starts.add(.contact, 1)
      #expect(MirrorStarts(starts.text).reason(after: 0) == .contact)
      starts.add(.floor, 2)
      starts.add(.restart, 3)
      starts.add(.floor, 4)
      let stored = MirrorStarts(starts.text)
      #expect(stored.text == "contact@1 restart@3 floor@4")
      #expect([0, 1, 2, 3].map { stored.reason(after: $0) } == [.contact, .restart, .restart, .floor])
    }

    @Test("stop before a floor of a newer schema, and go on taking changes, which are sent")
    func newerFloor() async throws {
      try await Device.use { device in
        var server = DeskServer(window: 2)
        let storage = try await device.storage()
        let store = try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 100))
        for number in 0..<3 { _ = try store.change(.claim(number)) }
        try await store.settle()
        try await storage.sync(with: &server)
        await Self.until { store.unconfirmed.isEmpty }
        // The state of the new floor has the schema 2.
        let request = try await storage.request(for: .fetch, limits: SyncLimits())
        for number in 1...6 as ClosedRange<Int64> {
          let draft = SyncDraft(id: EntryID(origin: .test(9), sequence: number), time: 0, content: .changes(Desk.bytes([.mark])))
          server.database.append(.draft(draft), by: Self.ann, receipt: nil)
        }
        let isCompacted = server.database.compact(to: 8)
        #expect(isCompacted)
        let floor = Floor(head: server.database.floor.head, state: StateBytes(Data("{}".utf8), schema: 2))
        let fetched = Fetched(server.database.lineage, floor: floor, lines: Self.lines(request, server))
        #expect(try await storage.absorb(.snapshot(fetched), to: request) == .adopted)
        #expect(try await storage.newestSchema() == 2)
        // The store keeps what it has shown.
        let shown = store.state
        let commit = try store.change(.claim(7))
        _ = try await commit.durable()
        #expect(store.state.slots == shown.slots + [7])
        let push = try await storage.request(for: .push, limits: SyncLimits())
        _ = try await storage.absorb(server.answer(push), to: push)
        _ = try await commit.confirmed()
        #expect(store.state.slots == shown.slots + [7])
        #expect(server.database.timeline.state.desk.slots == [0, 1, 2, 7])
        await store.close()
        // A later process of this version opens the file, too.
        let next = try await Store.open(Desk(), in: SyncedFile(try await device.storage(), initial: Desk(), window: 100))
        _ = try await next.change(.claim(8)).durable()
        #expect(next.state.slots == [7, 8])
        await next.close()
      }
    }

    /// The verdicts that a fetch asks for.
    private static func lines(_ request: Request, _ server: DeskServer) -> [VerdictLine] {
      guard case .fetch(let ids) = request.body else { return [] }
      return ids.compactMap { id in
        server.database.standings[id].map { VerdictLine(id: id, hash: $0.hash, verdict: $0.verdict) }
      }
    }
  }

  extension Store<Desk> {
    /// Waits until all changes are durable.
    fileprivate func settle() async throws { _ = try await change(.note("settled")).durable() }
  }

  extension Record<Desk>.Kind {
    fileprivate var changes: [Desk.Change]? { if case .changes(let changes) = self { changes } else { nil } }
  }
#endif
