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

  @testable import ledger_writer

  /// Each test has a database of its own, because some tests change the tables.
  @Suite("A compacted journal in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct CompactionTests {
    private static let lineage = Lineage(Generation(7))

    private static func open(
      _ server: TestServer, _ database: String = "postgres", machine: Int = 0, isReadOnly: Bool = false
    ) async throws -> PostgresJournal {
      try await PostgresJournal(
        at: server.address(database: database, "application_name=machine\(machine)"), lockTimeout: .patient, turnTimeout: .patient,
        isReadOnly: isReadOnly)
    }

    private static func keepSnapshot(of journal: any Journal, at revision: Revision, payload: String = "{}") async throws {
      let head = try #require(try await journal.head(at: revision, of: journal.head().journal))
      try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data(payload.utf8)))
    }

    /// A journal of 20 entries that begins at revision 10, in a database of its own.
    private static func compacted() async throws -> (TestServer, database: String, PostgresJournal) {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await open(server, database)
      var writer = TestWriter()
      _ = try await journal.append(writer.drafts(20), after: try await journal.head())
      try await keepSnapshot(of: journal, at: 10)
      try await journal.compact(try await journal.compactionPlan(keeping: .last(10)))
      return (server, database, journal)
    }

    private static func code(_ body: () async throws -> Void) async -> JournalError.Code? {
      do { try await body() } catch { return (error as? JournalError)?.code }
      return nil
    }

    private static func compact(_ journal: PostgresJournal) async throws {
      let plan = try await journal.compactionPlan(keeping: .last(0))
      try await journal.compact(plan)
    }

    private static func undo(_ id: EntryID, as own: EntryID) throws -> Entry.Draft {
      Entry.Draft(kind: .undo, id: own, time: 0, payload: try JournalCoding.encode(Entry.Targets([id])))
    }

    @Test("is not compacted by a plan whose state has an older schema than an entry or a snapshot since", arguments: [true, false])
    func olderSchema(ofEntry: Bool) async throws {
      let server = try TestServer.shared()
      let journal = try await Self.open(server, try await server.database())
      var writer = TestWriter()
      _ = try await journal.append(writer.drafts(20), after: try await journal.head())
      try await Self.keepSnapshot(of: journal, at: 10)
      let plan = try await journal.compactionPlan(keeping: .last(5))
      #expect(plan.floor == 10)
      let head = try await journal.head()
      if ofEntry {
        let newer = Entry.Draft(kind: .changes, id: EntryID(origin: .random(), sequence: 1), time: 0, schema: 2, payload: Data("[]".utf8))
        _ = try await journal.append([newer], after: head)
      } else {
        try await journal.keep(Snapshot(head: head, base: head, schema: 2, written: 1, payload: Data("{}".utf8)))
      }
      let error = await #expect(throws: JournalError.self) { try await journal.compact(plan) }
      #expect(error?.code == .conflict && error?.description.contains("schema 2") == true, "\(error as Any)")
      #expect(try await journal.floor() == nil)
      await journal.close()
    }

    @Test("that stores write has the entries above its floor, takes no id twice, and refuses undos of removed entries")
    func plain() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let (journal, other) = (try await Self.open(server, database), try await Self.open(server, database, machine: 1))
      var writer = TestWriter()
      let drafts = writer.drafts(700)
      _ = try await journal.append(drafts, after: try await journal.head())
      let kept = try await journal.entries(after: 600, limit: 1_000)
      let old = try #require(try await journal.head(at: 200, of: journal.head().journal))
      try await Self.keepSnapshot(of: journal, at: 300, payload: "[3]")
      try await Self.keepSnapshot(of: journal, at: 600, payload: "[6]")
      #expect(try await server.sql("SELECT version FROM alter.format", database: database) == "1")
      for floor in [300, 600] as [Revision] {
        let plan = try await journal.compactionPlan(keeping: .last(700 - Int(floor.number)))
        #expect(plan.floor == floor)
        try await journal.compact(plan)
        // A handle of another machine, which was opened before.
        for handle in [journal, other] {
          #expect(try await handle.floor()?.revision == floor)
          #expect(try await handle.verify().revision == 700)
          try await handle.verifyStorage()
          #expect(await Self.code { _ = try await handle.entries(after: floor.previous, limit: 1) } == .noSuchRevision)
          #expect(try await handle.entry(drafts[0].id) == nil)
          #expect(try await handle.snapshots(upTo: 700, limit: 9).map(\.revision) == (floor == 300 ? [600, 300] : [600]))
          #expect(try await handle.snapshot(at: floor)?.payload == Data("[\(floor.number / 100)]".utf8))
        }
        try await journal.compact(plan)
      }
      #expect(try await other.entries(after: 600, limit: 1_000) == kept)
      let counts = "SELECT (SELECT count(*) FROM alter.entry), (SELECT count(*) FROM alter.verdict), (SELECT count(*) FROM alter.snapshot)"
      #expect(try await server.sql(counts, database: database) == "100|1|1")
      let stranger = TestWriter()
      func own(_ sequence: Int64) -> EntryID { EntryID(origin: stranger.origin, sequence: sequence) }
      let head = try await other.head()
      let found = try await other.compactedRevisions(of: [drafts[0].id, drafts[599].id, drafts[600].id, own(1)])
      #expect(found == [drafts[0].id: 1, drafts[599].id: 600])
      #expect(await Self.code { _ = try await other.append([drafts[5]], after: head) } == .originCollision)
      #expect(await Self.code { _ = try await other.append([drafts[5], drafts[6]], after: old) } == .conflict)
      #expect(try await other.append([drafts[650]], after: head).first == 651)
      var next = stranger
      #expect(await Self.code { _ = try await other.append([next.draft()], after: old) } == .conflict)
      let foreign = Head(journal: head.journal, revision: 600, checksum: old.checksum)
      #expect(await Self.code { _ = try await other.append([next.draft()], after: foreign) } == .diverged)
      let refused = try Self.undo(drafts[599].id, as: own(50))
      #expect(await Self.code { _ = try await other.append([refused], after: head) } == .noSuchRevision)
      #expect(try await journal.head() == head)
      let allowed = try Self.undo(drafts[600].id, as: own(51))
      #expect(try await other.append([allowed], after: head).first == 701)
      // In a turn, which has locked the row before.
      let turn = try await journal.takeTurn()
      let at = try await journal.head()
      #expect(await Self.code { _ = try await journal.append([drafts[7]], after: at, in: turn, under: []) } == .originCollision)
      #expect(try await journal.append([next.draft()], after: at, in: turn, under: []).first == 702)
      turn.end()
      let late = try #require(try await journal.snapshot(at: 600))
      try await journal.keep(Snapshot(head: late.head, base: old, schema: 1, written: 1, payload: Data()))
      #expect(try await journal.snapshot(at: 600)?.payload == Data("[6]".utf8), "a snapshot below the floor replaces nothing")
      for handle in [journal, other] { await handle.close() }
    }

    @Test(
      "takes no id twice if an append waits for the row while its entry is removed, under any isolation of the database",
      arguments: ["read committed", "repeatable read", "serializable"])
    func waiting(isolation: String) async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      try await server.sql("ALTER DATABASE \(database) SET default_transaction_isolation = '\(isolation)'")
      let journal = try await Self.open(server, database)
      var writer = TestWriter()
      let drafts = writer.drafts(40)
      _ = try await journal.append(drafts, after: try await journal.head())
      try await Self.keepSnapshot(of: journal, at: 30)
      let plan = try await journal.compactionPlan(keeping: .last(10))
      try await journal.moveFloor(
        to: Snapshot(head: plan.base, base: plan.base, schema: 1, written: 0, payload: Data("{}".utf8)), seen: plan.head)
      let other = try await Self.open(server, database, machine: 1)
      let head = try await other.head()
      // It learns of the floor.
      #expect(await Self.code { _ = try await other.append([drafts[5]], after: head) } == .originCollision)
      let third = try await Self.open(server, database, machine: 3)
      let turn = try await third.takeTurn()
      let waits = """
        count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND wait_event_type = 'Lock'
        """
      async let removed = journal.removeBelowFloor()
      #expect(try await server.holds("(SELECT \(waits)) = 1"))
      async let failure = Self.code { _ = try await other.append([drafts[6]], after: head) }
      #expect(try await server.holds("(SELECT \(waits)) = 2"))
      turn.end()
      #expect(try await removed)
      #expect(await failure == .originCollision)
      #expect(try await server.sql("SELECT count(*) FROM alter.entry", database: database) == "10")
      try await journal.verifyStorage()
      for handle in [journal, other, third] { await handle.close() }
    }

    @Test("is continued by stores that take turns, at the floor and below it")
    func turns() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      var options = StoreOptions()
      options.undoWindow = 4
      // The third one lags behind: it reads only when it writes.
      var lagging = options
      lagging.followsOthers = false
      let stores = try await [
        Store.open(Ledger(), in: Self.open(server, database), options: options),
        Store.open(Ledger(), in: Self.open(server, database, machine: 1), options: options),
        Store.open(Ledger(), in: Self.open(server, database, machine: 2), options: lagging),
      ]
      var counts = [0, 0, 0]
      func changeAtOnce(_ numbers: [Int]) async throws {
        for number in numbers { counts[number] += 1 }
        let changes = numbers.map { (stores[$0], Ledger.Change.count("\($0)", counts[$0])) }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (store, change) in changes { group.addTask { try await store.change(change).durable() } }
          try await group.waitForAll()
        }
      }
      for _ in 0..<10 { try await changeAtOnce([0, 1, 2]) }
      for _ in 0..<6 {
        for _ in 0..<5 { try await changeAtOnce([0, 1]) }
        // The floor is the head of one store at least, and above that of the third.
        try await stores[0].compact(keeping: .last(0))
        try await changeAtOnce([0, 1])
        try await stores[1].compact(keeping: .last(0))
        try await changeAtOnce([0, 1, 2])
      }
      for store in stores {
        #expect(store.status == .open)
        #expect(await store.close().isEmpty)
      }
      let journal = try await Self.open(server, database)
      let end = try await Store.open(Ledger(), in: journal, options: options)
      for number in 0..<3 { #expect(end.state.counts["\(number)"] == counts[number]) }
      #expect(try await journal.floor() != nil)
      await end.close()
    }

    @Test("is compacted while stores on other machines write: none of them loses or doubles a change")
    func stores() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await Self.open(server, database, machine: 9)
      var options = StoreOptions()
      (options.undoWindow, options.snapshotSpacing) = (4, 8)
      let isOver = Lock(false)
      var writers: [Task<Int, any Error>] = []
      for number in 0..<3 {
        let store = try await Store.open(Ledger(), in: Self.open(server, database, machine: number), options: options)
        writers.append(
          Task {
            var count = 0
            while !isOver.withLock({ $0 }) {
              count += 1
              try await store.change(.count("\(number)", count)).durable()
            }
            let unwritten = await store.close()
            #expect(unwritten.isEmpty)
            return count
          })
      }
      var floors: Set<Revision> = []
      while floors.count < 6 {
        let failure = await Self.code { try await Self.compact(journal) }
        #expect(failure == nil || failure == .conflict || failure == .noSuchRevision)
        if let floor = try await journal.floor() { floors.insert(floor.revision) }
      }
      isOver.withLock { $0 = true }
      var counts: [String: Int] = [:]
      var total = 0
      for (number, writer) in writers.enumerated() {
        let count = try await writer.value
        counts["\(number)"] = count
        total += count
      }
      let head = try await journal.verify()
      #expect(head.revision == Revision(Int64(1 + total)))
      try await journal.verifyStorage()
      #expect(try await Store<Ledger>.state(at: head.revision, in: journal).counts == counts)
      await journal.close()
    }

    @Test("is compacted before or after, never in between, if the connections end at any moment", arguments: [false, true])
    func killed(isServed: Bool) async throws {
      let server = try TestServer()
      let first = try await Self.open(server, machine: 7)
      var writer = TestWriter()
      let drafts = writer.drafts(900)
      let receipt = Receipt(author: Pseudonym(bits: 1), arrival: 2)
      if isServed {
        try await first.serve(Self.lineage, schema: 1)
        let decided = drafts.map { DecidedDraft($0, receipt: receipt, principal: "ann") }
        _ = try await first.append(decided, at: try await first.position())
      } else {
        _ = try await first.append(drafts, after: try await first.head())
      }
      let head = try await first.head()
      for revision in [300, 600, 890] as [Revision] { try await Self.keepSnapshot(of: first, at: revision) }
      let isOver = Lock(false)
      // Ends the connections of the command alone.
      let trouble = Task {
        while !isOver.withLock({ $0 }) {
          try await server.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'machine8' AND query <> ''")
        }
      }
      let command = try await Self.open(server, machine: 8)
      var failures = 0
      for revision in [300, 600, 890] as [Revision] {
        var isDone = false
        while !isDone {
          let failure = await Self.code {
            let plan = try await command.compactionPlan(keeping: .last(900 - Int(revision.number)))
            try await command.compact(plan)
          }
          if let failure {
            #expect([.unknownOutcome, .unavailable, .unreachable].contains(failure))
            failures += 1
          } else {
            isDone = try await first.floor()?.revision == revision
          }
          // Another process sees one of the two, and every id.
          let floor = try await first.floor()?.revision ?? .zero
          #expect([0, 300, 600, 890].contains(floor.number))
          #expect(try await first.verify() == head)
          try await first.verifyStorage()
          let found = try await first.compactedRevisions(of: drafts.map(\.id))
          #expect(found.count == Int(floor.number) && found.allSatisfy { $0.key.sequence == $0.value.number })
        }
      }
      isOver.withLock { $0 = true }
      try await trouble.value
      #expect(failures > 0)
      // The last command may have been ended in the middle of the removal.
      try await first.compact(try await first.compactionPlan(keeping: .last(10)))
      #expect(try await server.sql("SELECT count(*) FROM alter.entry") == "10")
      #expect(try await server.sql("SELECT sum(last - first + 1) FROM alter.verdict") == "890")
      for journal in [first, command] { await journal.close() }
    }

    @Test(
      "damage to the ids of removed entries is found",
      arguments: [
        ("DELETE FROM alter.verdict", "the removed ids do not end at the floor (revision 10)"),
        ("UPDATE alter.verdict SET last = last - 1", "the removed ids do not end at the floor"),
        ("UPDATE alter.verdict SET first = first + 1, revision = revision + 1", "before this revision are missing (revision 2)"),
        ("UPDATE alter.verdict SET verdict = 'denied'", "a run of removed ids is invalid"),
        ("UPDATE alter.verdict SET first = first + 1, last = last + 1", "a removed id is the id of an entry, too"),
        (
          "UPDATE alter.verdict SET last = 5; INSERT INTO alter.verdict SELECT journal, origin, 5, 9, verdict, 6, NULL FROM alter.verdict",
          "two runs of removed ids contain one id"
        ),
        (
          "INSERT INTO alter.verdict SELECT journal, gen_random_uuid(), 1, 1, verdict, 10, NULL FROM alter.verdict",
          "two removed ids have the same revision (revision 10)"
        ),
      ])
    func damagedRuns(statement: String, complaint: String) async throws {
      let (server, database, journal) = try await Self.compacted()
      try await journal.verifyStorage()
      try await server.sql(statement, database: database)
      let error = await #expect(throws: JournalError.self) { try await journal.verifyStorage() }
      #expect(error?.code == .damaged && error?.message.contains(complaint) == true, "\(error as Any)")
      await journal.close()
    }

    @Test("one damaged copy of the state at the floor is reported, and the other is used; with two, reading it is an error")
    func damagedCopies() async throws {
      let (server, database, journal) = try await Self.compacted()
      for copy in 1...2 {
        try await server.sql("UPDATE alter.floor_copy SET payload = 'x' WHERE copy = \(copy)", database: database)
        #expect(await Self.code { try await journal.verifyStorage() } == .damaged)
        #expect(await Self.code { _ = try await journal.snapshot(at: 10) } == (copy == 1 ? nil : .damaged))
      }
      await journal.close()
    }
  }
#endif
