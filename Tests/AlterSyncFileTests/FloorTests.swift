#if SQLite
  import Alter
  @testable import AlterSQLite
  import AlterStore
  @testable import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A device's file that begins at a floor", .timeLimit(.minutes(20)))
  struct FloorTests {
    private static let ann = Principal("ann")

    /// A file whose mirror begins at the floor 25, with a draft in its outbox and drafts that were decided below the floor.
    static func use(_ body: (String, DeskServer) async throws -> Void) async throws {
      let folder = try Folder()
      let path = folder.path("device.db")
      var server = DeskServer(window: 5)
      let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: ann)
      let origin = Origin.test(1)
      try await storage.open(as: origin)
      func drafts(_ numbers: ClosedRange<Int64>) -> [Entry.Draft] {
        numbers.map { SyncDraft(id: EntryID(origin: origin, sequence: $0), time: $0, content: .changes(Desk.bytes([.mark]))).stored }
      }
      try await storage.enqueue(drafts(1...20))
      // The answers are lost, and the journal is compacted meanwhile.
      for _ in 0..<50 where server.database.head.revision < 21 {
        _ = server.answer(try await storage.request(for: .push, limits: SyncLimits()))
      }
      for number in 1...20 as ClosedRange<Int64> {
        let draft = SyncDraft(id: EntryID(origin: .test(9), sequence: number), time: 0, content: .changes(Desk.bytes([.mark])))
        server.database.append(.draft(draft), by: ann, receipt: nil)
      }
      let isCompacted = server.database.compact(to: 25)
      #expect(isCompacted)
      let request = try await storage.request(for: .fetch, limits: SyncLimits())
      _ = try await storage.absorb(server.answer(request), to: request)
      let pull = try await storage.request(for: .pull, limits: SyncLimits())
      _ = try await storage.absorb(server.answer(pull), to: pull)
      try await storage.enqueue(drafts(21...21))
      #expect(try await storage.contents().outbox.ids == [EntryID(origin: origin, sequence: 21)])
      await storage.close()
      try await body(path, server)
    }

    /// Runs a statement in the file.
    private static func run(_ sql: String, in path: String) async throws {
      let journal = try await SQLiteJournal(at: path)
      try await journal.changeMirror { tables in
        try tables.database.run(sql)
        return ((), nil)
      }
      await journal.close()
    }

    @Test("is left for another start, also an earlier one, by an app that does not begin at states of its schema")
    func otherSchema() async throws {
      try await Self.use { path, server in
        var server = server
        let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: Self.ann)
        func mustBeginAgain(_ schemas: ClosedRange<Int>) async throws -> Bool {
          try await storage.request(for: .pull, limits: SyncLimits(), hint: nil, unlessOutdatedFor: schemas) == nil
        }
        let (present, later) = (try await mustBeginAgain(1...2), try await mustBeginAgain(2...3))
        #expect(!present && later)
        #expect(try await storage.request(for: .fetch, limits: SyncLimits(), hint: nil, unlessOutdatedFor: 2...3) != nil)
        let drafts = try await storage.contents().outbox.ids
        let request = try await storage.request(for: .fetch, limits: SyncLimits(), schemas: 2...3)
        guard case .snapshot(let fetched) = server.answer(request) else { throw CancellationError() }
        let before = try await storage.journal.floor()
        // With the same floor in a schema that the app begins at, the mirror begins again.
        let state = StateBytes(fetched.floor.state.payload, schema: 2)
        let answer = Answer.snapshot(Fetched(fetched.lineage, floor: Floor(head: fetched.floor.head, state: state), lines: fetched.lines))
        #expect(try await storage.absorb(answer, to: request) == .adopted)
        #expect(try await storage.journal.floor() == before)
        #expect(try await storage.journal.head() == before)
        let again = try await mustBeginAgain(2...3)
        #expect(!again)
        #expect(try await storage.contents().outbox.ids == drafts)
        await storage.close()
      }
    }

    @Test("is read as a plain journal: it names its floor, is verified from there, and has the state there")
    func plain() async throws {
      try await Self.use { path, server in
        let journal = try await SQLiteJournal(at: path)
        #expect(try await journal.role() == .mirror)
        #expect(try await journal.floor() == server.database.floor.head)
        let head = try await journal.verify()
        #expect(head == server.database.head)
        let error = await #expect(throws: JournalError.self) { try await journal.entries(after: .zero, limit: 10) }
        #expect(error?.code == .noSuchRevision && error?.description.contains("25") == true)
        #expect(try await journal.entries(after: 25, limit: 100).map(\.revision) == (26...41).map { Revision($0) })
        let snapshot = try await journal.snapshot(at: 25)
        #expect(try JournalCoding.decode(Desk.self, from: #require(snapshot).payload) == server.database.floor.state.desk)
        #expect(try await journal.snapshots(upTo: head.revision, limit: 10).map(\.revision) == [25])
        await journal.close()
      }
    }

    @Test("shows its outbox and its refusals to people, by a view")
    func view() async throws {
      try await Self.use { path, server in
        var server = server
        let storage = try await DeviceStorage(SQLiteJournal(at: path), principal: Self.ann)
        func draft(_ sequence: Int64, _ change: Desk.Change, requires: EntryID? = nil) -> Entry.Draft {
          let id = EntryID(origin: .test(1), sequence: sequence)
          return SyncDraft(id: id, time: 1_000_000 * sequence, content: .changes(Desk.bytes([change])), requires: requires).stored
        }
        try await storage.enqueue([draft(22, .claim(1)), draft(23, .claim(1))])
        let push = try await storage.request(for: .push, limits: SyncLimits())
        _ = try await storage.absorb(server.answer(push), to: push)
        try await storage.enqueue([draft(24, .claim(2), requires: EntryID(origin: .test(1), sequence: 22))])
        await storage.close()
        let lines = try Child.run([
          "/usr/bin/env", "sqlite3", path,
          "SELECT list, time, origin, sequence, payload, coalesce(cause, ''), coalesce(verdict, '') FROM outbox",
        ])
        let origin = Origin.test(1).uuid.uuidString.prefix(8)
        let cause = #"{"requires":{"origin":"\#(Origin.test(1).uuid)","sequence":22}}"#
        #expect(
          lines == """
            waiting|1970-01-01 00:00:24.000|\(origin)|24|[{"claim":{"_0":2}}]|\(cause)|
            refused|1970-01-01 00:00:23.000|\(origin)|23|[{"claim":{"_0":1}}]||refused
            """)
      }
    }

    @Test("reads the state at the floor from its second copy, reports the damaged one, and fails if both are damaged")
    func copies() async throws {
      try await Self.use { path, server in
        try await Self.run("UPDATE floors SET payload = replace(payload, 'notes', 'motes') WHERE copy = 1", in: path)
        var journal = try await SQLiteJournal(at: path)
        let snapshot = try await journal.snapshot(at: 25)
        #expect(try JournalCoding.decode(Desk.self, from: #require(snapshot).payload) == server.database.floor.state.desk)
        var error = await #expect(throws: JournalError.self) { try await journal.verify() }
        #expect(error?.code == .damaged && error?.description.contains("copy 1") == true)
        await journal.close()
        try await Self.run("UPDATE floors SET payload = replace(payload, 'notes', 'motes') WHERE copy = 2", in: path)
        journal = try await SQLiteJournal(at: path)
        error = await #expect(throws: JournalError.self) { try await journal.snapshot(at: 25) }
        #expect(error?.code == .damaged && error?.description.contains("neither copy") == true)
        await journal.close()
      }
    }

    @Test("is read although the row of one copy names another schema and size, which a verification reports")
    func rows() async throws {
      try await Self.use { path, server in
        for (change, copy) in [("size = size + 1", 1), ("schema = 9", 2)] {
          try await Self.run("UPDATE floors SET \(change) WHERE copy = \(copy)", in: path)
          let journal = try await SQLiteJournal(at: path)
          let error = await #expect(throws: JournalError.self) { try await journal.verify() }
          #expect(error?.code == .damaged && error?.description.contains("copy \(copy)") == true)
          let store = try await Store.open(Desk(), in: journal)
          #expect(store.state == server.database.timeline.state.desk)
          await store.close()
          try await Self.run("UPDATE floors SET size = length(CAST(payload AS BLOB)), schema = 1", in: path)
        }
      }
    }

    @Test("keeps verdicts at any revision that a server names, without an overflow")
    func largest() async throws {
      try await Self.use { path, _ in
        let journal = try await SQLiteJournal(at: path)
        let ids = (1...3).map { EntryID(origin: .test(3), sequence: $0) }
        let found = try await journal.changeMirror { tables in
          try tables.settle(ids.map { MirrorTables.Settled($0, "accepted", at: Revision(.max)) }, in: 99)
          return (try ids.map { try tables.settled($0)?.revision }, nil)
        }
        #expect(found == [Revision(.max), Revision(.max), Revision(.max)])
        await journal.close()
      }
    }

    @Test("keeps the verdicts below the floor as one run, and takes none of these drafts again")
    func runs() async throws {
      try await Self.use { path, _ in
        let storage = try await DeviceStorage(SQLiteJournal(at: path), principal: Self.ann)
        let (rows, settled) = try await storage.journal.readMirror { tables in
          let revisions = try (1...21).map { (number: Int64) in
            try tables.settled(EntryID(origin: .test(1), sequence: number))?.revision?.number
          }
          return (try tables.settledRuns(), revisions)
        }
        #expect(rows == 1)
        #expect(settled == (2...21).map { Int64($0) } + [nil])
        let draft = SyncDraft(id: EntryID(origin: .test(1), sequence: 7), time: 7, content: .changes(Desk.bytes([.mark])))
        try await storage.enqueue([draft.stored])
        #expect(try await storage.contents().outbox.ids.map(\.sequence) == [21])
        await storage.close()
      }
    }

    @Test("has drafts that match their hashes, or is damaged")
    func drafts() async throws {
      try await Self.use { path, _ in
        try await Self.run("UPDATE drafts SET time = time + 1", in: path)
        let journal = try await SQLiteJournal(at: path)
        let error = await #expect(throws: JournalError.self) { try await journal.verify() }
        #expect(error?.code == .damaged)
        await journal.close()
      }
    }

    @Test("is verified by a store from the floor, and is neither exported nor copied: its entries alone are no journal")
    func tools() async throws {
      try await Self.use { path, server in
        let journal = try await SQLiteJournal(at: path)
        #expect(try await Store<Desk>.verify(journal) == server.database.head)
        var lines = 0
        var error = await #expect(throws: JournalError.self) { try await journal.export { _ in lines += 1 } }
        #expect(error?.code == .noSuchRevision && error?.description.contains("its floor") == true && lines == 0)
        let copy = MemoryJournal()
        error = await #expect(throws: JournalError.self) { try await journal.copy(to: copy) }
        #expect(error?.code == .noSuchRevision)
        #expect(try await copy.head().revision == .zero)
        await journal.close()
      }
    }

    @Test("opens as a plain store, which shows the mirror without the outbox, and takes no changes")
    func store() async throws {
      try await Self.use { path, server in
        let store = try await Store.open(Desk(), in: SQLiteJournal(at: path))
        #expect(store.state == server.database.timeline.state.desk)
        var entries = store.entries(after: 25).makeAsyncIterator()
        #expect(try await entries.next()?.revision == 26)
        #expect(try await store.state(at: 25) == server.database.floor.state.desk)
        let below = await #expect(throws: JournalError.self) { try await store.state(at: 24) }
        #expect(below?.code == .noSuchRevision && below?.description.contains("its floor") == true)
        let commit = try store.change(.claim(300))
        let error = await #expect(throws: (any Error).self) { try await commit.durable() }
        #expect(error.map { "\($0)".contains("read") } == true)
        await store.close()
      }
    }
  }
#endif
