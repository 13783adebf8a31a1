#if SQLite
  import Alter
  @testable import AlterSQLite
  import AlterStore
  @testable import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import StoreTesting
  import SyncModel
  import Testing

  @Suite("A device that compacts its copy of the journal", .timeLimit(.minutes(30)))
  struct DeviceCompactionTests {
    private static let ann = Principal("ann")

    /// Opens the file as a process does: handles of another durability share no connection.
    private static func storage(_ path: String, _ durability: Durability = .relaxed) async throws -> DeviceStorage {
      try await DeviceStorage(SQLiteJournal(at: path, durability: durability, lockTimeout: .seconds(600)), principal: ann)
    }

    private static func store(_ storage: DeviceStorage) async throws -> Store<Desk> {
      var options = StoreOptions()
      options.undoWindow = 5
      return try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 5), options: options)
    }

    /// Waits until the outbox has all changes.
    private static func settle(_ store: Store<Desk>) async throws {
      let last = try store.change(.note("last"))
      try await last.durable()
    }

    /// Waits for a condition. Without an end if it never holds.
    private static func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    private static func draft(_ origin: UInt8, _ sequence: Int64, _ change: Desk.Change) -> SyncDraft {
      SyncDraft(id: EntryID(origin: .test(origin), sequence: sequence), time: sequence, content: .changes(Desk.bytes([change])))
    }

    /// Adds another device's entries to the server's journal.
    private static func fill(_ server: inout DeskServer, _ sequences: ClosedRange<Int64>) {
      for sequence in sequences { server.database.append(.draft(draft(9, sequence, .claim(1_000 + Int(sequence)))), by: ann, receipt: nil) }
    }

    @Test("keeps its state, its outbox and its refusals, beside another process, and goes on with the server from its own floor")
    func story() async throws {
      try await withDeviceFile { path in
        var server = DeskServer(window: 5)
        let storages = [try await Self.storage(path), try await Self.storage(path, .full)]
        let stores = [try await Self.store(storages[0]), try await Self.store(storages[1])]
        Self.fill(&server, 1...1)
        var old: EntryID?
        for slot in 100..<120 { old = try stores[0].change(.claim(slot)).id }
        // The server refuses it: the slot is another device's.
        _ = try stores[0].change(.claim(1_001))
        try await Self.settle(stores[0])
        try await storages[0].sync(with: &server)
        await Self.until { stores.allSatisfy { $0.unconfirmed.isEmpty && $0.refusals.count == 1 } }
        Self.fill(&server, 2...20)
        try await storages[0].sync(with: &server)
        let head = server.database.head
        await Self.until { stores.allSatisfy { $0.confirmed.revision == head.revision } }
        // Offline: a change, and the undo of a change that is older than the window. It is hidden, and still sent.
        try await stores[0].change(.claim(700)).durable()
        let undo = SyncDraft(id: EntryID(origin: .test(3), sequence: 1), time: 0, content: .undo(try #require(old)))
        try await storages[1].open(as: .test(3))
        try await storages[1].enqueue([undo.stored])
        await Self.until { stores.allSatisfy { $0.unconfirmed.map(\.isHidden) == [false, true] } }
        let state = stores[0].state

        let plan = try await stores[0].compact(keeping: .last(7))
        #expect(plan.floor == head.revision + -7 && plan.entries == plan.floor - .zero)
        #expect(stores.allSatisfy { $0.state == state && $0.unconfirmed.count == 2 && $0.refusals.count == 1 })
        #expect(try await storages[1].journal.floor() == plan.base)
        #expect(try await storages[1].journal.verify() == head)
        try await storages[1].journal.verifyStorage()
        let error = await #expect(throws: JournalError.self) { try await storages[1].journal.entries(after: 3, limit: 1) }
        #expect(error?.code == .noSuchRevision && error?.description.contains("its floor") == true)
        #expect(try await storages[1].journal.readMirror { try $0.rowsBelowFloor() } == 0)
        // Nothing more can go.
        #expect(try await stores[1].compact(keeping: .last(7)).entries == 0)

        // The other process goes on, and so does a later one.
        try await stores[1].change(.claim(701)).durable()
        for store in stores { await store.close() }
        let storage = try await Self.storage(path)
        let store = try await Self.store(storage)
        #expect(store.unconfirmed.map(\.isHidden) == [false, true, false] && store.refusals.count == 1)
        #expect(store.state.slots == state.slots + [701])
        let past = await #expect(throws: JournalError.self) { try await store.state(at: 3) }
        #expect(past?.code == .noSuchRevision && past?.description.contains("its floor") == true, "\(past as Any)")
        try await storage.sync(with: &server)
        await Self.until { store.unconfirmed.isEmpty && store.refusals.map(\.code) == ["refused", "outsideWindow"] }
        #expect(store.state == server.database.timeline.state.desk)
        // The server has not sent the entries again.
        #expect(try await storage.journal.floor() == plan.base)
        // A window of entries stays, whatever the command keeps.
        let last = try await store.compact(keeping: .last(0))
        #expect(last.floor == server.database.head.revision + -6)
        #expect(store.state == server.database.timeline.state.desk)
        await store.close()
      }
    }

    private enum Step: CaseIterable { case moved, removed, begunAgain }

    /// Drafts that a store has made and not read again, up to the floor that another process moves beyond them.
    ///
    /// - Parameters:
    ///   - step: How far the other process has come.
    ///   - hasContact: Whether the store was opened after the first contact with the server.
    @Test("tells a store that has not read up to the floor what became of its drafts", arguments: Step.allCases, [false, true])
    private func behind(step: Step, hasContact: Bool) async throws {
      try await withDeviceFile { path in
        var server = DeskServer(window: 5)
        let (storage, other) = (try await Self.storage(path), try await Self.storage(path, .full))
        if hasContact { try await other.sync(with: &server) }
        let file = SyncedFile<Desk>(storage, initial: Desk(), window: 5)
        let first = try await file.open(as: .test(1))
        // The store knows of the first drafts, and not that the last ones have entered the outbox.
        try await storage.enqueue((1...3).map { Self.draft(1, $0, .claim(Int($0))).stored })
        let known = try await file.tidings(after: first.transaction)
        #expect(known.news.flatMap(\.entering).count == 3)
        _ = try await file.tidings(after: known.transaction)
        try await storage.enqueue((4...5).map { Self.draft(1, $0, .claim(Int($0 % 2))).stored })
        try await other.sync(with: &server)
        Self.fill(&server, 1...10)
        try await other.sync(with: &server)
        var floor = server.database.head.revision + -6
        let (plan, pinned) = try await Snapshot.pinned(of: Desk.self, in: other.journal, keeping: .from(floor.next), leaving: 5)
        try await other.moveFloor(to: try #require(pinned), seen: plan.head, leaving: 5)
        switch step {
        case .moved: break
        case .removed: try await other.removeBelowFloor()
        case .begunAgain:
          // The server has compacted its journal beyond the device's end, before the device has removed the rows.
          Self.fill(&server, 11...40)
          let isCompacted = server.database.compact(to: server.database.head.revision + -6)
          #expect(isCompacted)
          floor = server.database.head.revision + -6
          try await other.sync(with: &server)
        }
        let news = try await file.tidings(after: known.transaction).news
        #expect(news.count == 2 && news[0].entering.map(\.record.id.sequence) == [4, 5])
        let last = try #require(news.last)
        #expect(last.ground?.reason == (hasContact ? .floor : .contact) && last.ground?.revision == floor)
        let decided = Dictionary(uniqueKeysWithValues: last.decided.map { ($0.key.sequence, try? $0.value.get().number) })
        let expected = server.database.standings.filter { $0.key.origin == .test(1) }
        #expect(decided.count == 5)
        for (id, standing) in expected {
          let revision: Int64? = if case .accepted(let revision) = standing.verdict { revision.number } else { nil }
          #expect(decided[id.sequence] == .some(revision))
        }
        #expect(expected.values.contains { if case .refused = $0.verdict { true } else { false } })
        // A store on it ends in the state of the server.
        let store = try await Self.store(other)
        #expect(store.state == server.database.timeline.state.desk && store.unconfirmed.isEmpty)
        await store.close()
        await storage.close()
      }
    }

    /// A restart of the server's journal gives a change up, before a store has read that it was accepted.
    ///
    /// - Parameter isAwaited: Whether a first restart keeps the change, and a second one, which the device learns from a page, gives it up.
    @Test("tells a store of changes that a restart of the server's journal has lost", arguments: [false, true])
    func lost(isAwaited: Bool) async throws {
      try await withDeviceFile { path in
        var server = DeskServer(window: 5)
        let (storage, other) = (try await Self.storage(path), try await Self.storage(path, .full))
        try await other.sync(with: &server)
        let empty = server.database
        let file = SyncedFile<Desk>(storage, initial: Desk(), window: 5)
        let first = try await file.open(as: .test(1))
        try await storage.enqueue([Self.draft(1, 1, .claim(1)).stored])
        var known = try await file.tidings(after: first.transaction)
        try await other.sync(with: &server)
        func restart(_ database: Ledger<ServedDesk>, _ generation: UInt64, by exchange: EngineCommand.Exchange) async throws {
          // Another process of the server, which has seen nothing yet.
          server = DeskServer(window: 5)
          server.restore(database)
          server.database.begin(Generation(generation), after: try await other.contents().lineage)
          let request = try await other.request(for: exchange, limits: SyncLimits())
          _ = try await other.absorb(server.answer(request), to: request)
        }
        if isAwaited {
          try await restart(server.database, 2, by: .fetch)
          #expect(try await other.contents().awaited.count == 1)
          known = try await file.tidings(after: known.transaction)
          #expect(known.news.allSatisfy { $0.decided.isEmpty })
          try await restart(empty, 3, by: .pull)
        } else {
          try await restart(empty, 2, by: .fetch)
        }
        #expect(try await other.contents().refusals.map(\.code) == [.lost])
        let news = try await file.tidings(after: known.transaction).news
        let verdict = news.last?.decided[EntryID(origin: .test(1), sequence: 1)]
        #expect(verdict.map { if case .failure(let refused) = $0 { refused.code } else { "accepted" } } == "lost")
        await storage.close()
        await other.close()
      }
    }

    @Test("is finished by the next command, and a draft under the id of an entry that has gone is decided by the server")
    func interrupted() async throws {
      try await withDeviceFile { path in
        var server = DeskServer(window: 5)
        let storage = try await Self.storage(path)
        try await storage.open(as: .test(1))
        let drafts = (1...9).map { Self.draft(1, $0, .claim(Int($0))) }
        try await storage.enqueue(drafts.map(\.stored))
        try await storage.sync(with: &server)
        let (plan, pinned) = try await Snapshot.pinned(of: Desk.self, in: storage.journal, keeping: .last(0), leaving: 5)
        try await storage.moveFloor(to: try #require(pinned), seen: plan.head, leaving: 5)
        #expect(try await storage.journal.readMirror { try $0.rowsBelowFloor() } == plan.entries)
        try await storage.journal.verifyStorage()
        let kept = try #require(try await storage.journal.verdict(on: drafts[0].id))
        #expect(kept.verdict == "accepted" && kept.revision == server.database.standings[drafts[0].id]?.verdict.revision)
        // The same plan again changes nothing, and says so.
        let error = await #expect(throws: JournalError.self) {
          try await storage.moveFloor(to: try #require(pinned), seen: plan.head, leaving: 5)
        }
        #expect(error?.code == .conflict)
        #expect(try await storage.journal.floor() == plan.base)
        let store = try await Self.store(storage)
        _ = try await store.compact(keeping: .last(0))
        #expect(try await storage.journal.readMirror { try $0.rowsBelowFloor() } == 0)
        // One run of verdicts.
        #expect(try await storage.journal.readMirror { try $0.settledRuns() } == 1)
        // The change that was written twice by mistake, and the change of a cloned machine, which has the same id.
        try await storage.enqueue([drafts[0].stored, Self.draft(1, 2, .claim(99)).stored])
        #expect(try await storage.contents().outbox.ids.map(\.sequence) == [1, 2])
        try await storage.sync(with: &server)
        #expect(try await storage.contents().refusals.map(\.code) == [.clone])
        await Self.until { store.unconfirmed.isEmpty && store.refusals.count == 1 }
        #expect(store.state == server.database.timeline.state.desk)
        #expect(server.database.head.revision == 10)
        try await storage.journal.verifyStorage()
        await store.close()
      }
    }

    @Test("leaves nothing of a removed entry in the files, once they are rewritten, and the open store does not return it")
    func erased() async throws {
      try await withDeviceFile { path in
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        func findings() throws -> Int {
          try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).count { file in
            try Data(contentsOf: file).range(of: Data("a needle of ann".utf8)) != nil
          }
        }
        var server = DeskServer(window: 5)
        let storage = try await Self.storage(path)
        let store = try await Self.store(storage)
        try await storage.open(as: .test(3))
        let cause = Cause(metadata: ["user": "a needle of ann"])
        let id = EntryID(origin: .test(3), sequence: 1)
        try await storage.enqueue([SyncDraft(id: id, time: 0, content: .changes(Desk.bytes([.claim(7)])), cause: cause).stored])
        try await storage.sync(with: &server)
        #expect(server.database.standings[id]?.verdict.revision == 2)
        Self.fill(&server, 1...10)
        try await storage.sync(with: &server)
        await Self.until { store.confirmed.revision == server.database.head.revision }
        #expect(try findings() > 0)
        #expect(try await store.entries(in: 1...2).last?.id == id)
        #expect(try await store.state(at: 2).slots == [7])
        let plan = try await store.compact(keeping: .last(0))
        #expect(plan.entries > 2)
        let (floor, end) = (plan.floor, store.revision)
        let text = "does not have the entries up to revision \(floor), its floor"
        let state = await #expect(throws: JournalError.self) { try await store.state(at: 2) }
        #expect(state?.code == .noSuchRevision && state?.description.contains(text) == true)
        for first in [1, 2, floor] as [Revision] {
          let error = await #expect(throws: JournalError.self) { try await store.entries(in: first...end) }
          #expect(error?.code == .noSuchRevision && error?.description.contains(text) == true, "\(first)")
        }
        await #expect(throws: JournalError.self) { try await store.scan(in: 2...end) { $0.slots.isEmpty } }
        #expect(try await store.entries(in: floor.next...end).count == Int(end - floor))
        #expect(try await store.state(at: floor).slots.contains(7))
        let journal = try await SQLiteJournal(at: path)
        try await journal.vacuum()
        #expect(try findings() == 0)
        #expect(store.state == server.database.timeline.state.desk)
        await journal.close()
        await store.close()
      }
    }

    @Test("is refused in another user's file, and the commands for other journals say what to use")
    func others() async throws {
      try await withDeviceFile { path in
        var server = DeskServer(window: 5)
        let storage = try await Self.storage(path)
        let store = try await Self.store(storage)
        // Before the first contact there is nothing.
        #expect(try await store.compact(keeping: .last(0)).entries == 0)
        for slot in 0..<12 { _ = try store.change(.claim(slot)) }
        try await Self.settle(store)
        try await storage.sync(with: &server)
        storage.signIn(as: Principal("bob"))
        var error = await #expect(throws: JournalError.self) { try await store.compact(keeping: .last(0)) }
        #expect(error?.code == .readOnly)
        // Also if nothing can go.
        error = await #expect(throws: JournalError.self) { try await store.compact(keeping: .last(1_000)) }
        #expect(error?.code == .readOnly)
        let journal = try await SQLiteJournal(at: path)
        error = await #expect(throws: JournalError.self) { try await journal.compactionPlan(keeping: .last(0)) }
        #expect(error?.code == .readOnly && error?.description.contains("store.compact") == true)
        error = await #expect(throws: JournalError.self) { try await Store<Desk>.compact(journal, keeping: .last(0)) }
        #expect(error?.code == .readOnly)
        #expect(try await journal.floor() == nil)
        await journal.close()
        await store.close()
      }
    }
  }

  extension MirrorTables {
    fileprivate func rowsBelowFloor() throws -> Int {
      try CompactedRow.oldest(upTo: CompactedRow.floor(journal, in: database), journal: journal, in: database, name: name).count
    }
  }
#endif
