#if SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterTesting
  import Foundation
  import GRDB
  import Testing

  @testable import AlterSQLite

  @Suite("A compacted journal", .timeLimit(.minutes(20)))
  struct CompactionTests {
    private struct Counter: Journaled, Hashable {
      enum Change: Hashable, Codable { case add(Int) }
      private(set) var count = 0
      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .add(let number): count += number
        }
      }
    }

    private enum Kind: CaseIterable { case memory, file }

    private static let origin = Origin.random()

    private func id(_ revision: Int64) -> EntryID { EntryID(origin: Self.origin, sequence: revision) }

    private func draft(_ revision: Int64) -> Entry.Draft {
      Entry.Draft(
        kind: revision == 1 ? .initial : .changes, id: id(revision), time: revision * 1_000,
        payload: Data((revision == 1 ? #"{"count":0}"# : #"[{"add":{"_0":1}}]"#).utf8))
    }

    /// Appends entries up to a revision: after revision n the count is n - 1.
    private func fill(_ journal: any Journal, to last: Int64) async throws {
      let head = try await journal.head()
      _ = try await journal.append((head.revision.number + 1...last).map(draft), after: head)
    }

    private func keepSnapshot(of journal: any Journal, base: Int64, head: Int64) async throws {
      let journalID = try await journal.head().journal
      let (top, bottom) = try await (
        journal.head(at: Revision(head), of: journalID), journal.head(at: Revision(base), of: journalID)
      )
      try await journal.keep(
        Snapshot(
          head: #require(top), base: #require(bottom), schema: 1, written: head * 75, payload: Data(#"{"count":\#(base - 1)}"#.utf8)))
    }

    private func withJournal(_ kind: Kind, _ body: (any Journal, TemporaryFolder) async throws -> Void) async throws {
      try await TemporaryFolder.use { folder in
        let journal: any Journal =
          kind == .memory ? MemoryJournal() : try await SQLiteJournal(at: folder.path("one.db"), lockTimeout: .patient)
        try await fill(journal, to: 1_000)
        try await keepSnapshot(of: journal, base: 300, head: 310)
        try await keepSnapshot(of: journal, base: 600, head: 650)
        try await body(journal, folder)
        await journal.close()
      }
    }

    private func code(_ body: () async throws -> Void) async -> JournalError.Code? {
      do { try await body() } catch { return (error as? JournalError)?.code }
      return nil
    }

    @Test("begins after the base of the newest snapshot that leaves the entries to keep", arguments: Kind.allCases)
    private func plans(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        for (range, floor) in [
          (CompactionRange.last(400), 600), (.last(401), 300), (.last(0), 600), (.last(701), 0), (.last(.max), 0), (.last(-1), 600),
          (.since(601_000), 600), (.since(600_000), 300), (.since(.min), 0), (.since(.max), 600),
        ] as [(CompactionRange, Int64)] {
          let plan = try await journal.compactionPlan(keeping: range)
          #expect((plan.floor.number, plan.entries) == (floor, Int(floor)), "\(range)")
          #expect((plan.limitation != nil) == (floor == 0), "\(range)")
          #expect(plan.bytes == (1...max(floor, 1)).reduce(0) { floor == 0 ? 0 : $0 + draft($1).size }, "\(range)")
        }
        #expect(try await journal.floor() == nil)
        #expect(try await journal.entries(after: .zero, limit: 1).first?.revision == 1)
      }
    }

    @Test("has the state at its floor and the entries above it, and its chain is whole", arguments: Kind.allCases)
    private func compacts(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        let before = try await journal.entries(after: 600, limit: 10)
        for floor in [300, 600] as [Revision] {
          let plan = try await journal.compactionPlan(keeping: .last(1_000 - Int(floor.number)))
          try await journal.compact(plan)
          #expect(try await journal.floor()?.revision == floor)
          #expect(try await journal.verify().revision == 1_000)
          try await journal.compact(plan)
        }
        #expect(try await journal.entries(after: 600, limit: 10) == before)
        #expect(try await journal.snapshots(upTo: 1_000, limit: 10).map(\.revision) == [650, 600])
        #expect(try await journal.snapshot(at: 600)?.payload == Data(#"{"count":599}"#.utf8))
        try await journal.removeSnapshot(at: 600)
        #expect(try await journal.snapshot(at: 600)?.isSound == true)
        #expect(try await journal.entry(id(600)) == nil)
        #expect(try await journal.entry(id(601))?.revision == 601)
        #expect(await code { _ = try await journal.entries(after: 599, limit: 1) } == .noSuchRevision)
        #expect(await code { _ = try await journal.entries(after: .zero, limit: 1) } == .noSuchRevision)
        let store = try await Store.open(Counter(), in: journal, options: options)
        #expect(store.state.count == 999)
        try await store.change(.add(1)).durable()
        #expect(try await journal.head().revision == 1_001)
        #expect(try await store.state(at: 600).count == 599)
        #expect(await code { _ = try await store.state(at: 599) } == .noSuchRevision)
        await store.close()
      }
    }

    private var options: StoreOptions {
      var options = StoreOptions()
      options.keepsJournalOpen = true
      return options
    }

    @Test("takes a writer below its floor for one that is behind, and holds no entry twice", arguments: Kind.allCases)
    private func appends(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        let journalID = try await journal.head().journal
        let (old, at) = try await (journal.head(at: 200, of: journalID), journal.head(at: 600, of: journalID))
        let (below, floor) = try (#require(old), #require(at))
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        for head in [below, floor, Head(empty: journalID)] {
          #expect(await code { _ = try await journal.append([draft(2_000)], after: head) } == .conflict)
        }
        let foreign = Head(journal: journalID, revision: 600, checksum: below.checksum)
        #expect(await code { _ = try await journal.append([draft(2_000)], after: foreign) } == .diverged)
        // A draft whose first answer was lost: above the floor it is found, below it the writer is behind.
        #expect(try await journal.append([draft(700)], after: below).first == 700)
        #expect(await code { _ = try await journal.append([draft(201), draft(202)], after: below) } != nil)
        let head = try await journal.head()
        #expect(await code { _ = try await journal.append([draft(5)], after: head) } == .originCollision)
        let found = try await journal.compactedRevisions(of: [id(1), id(600), id(601), id(2_000)])
        #expect(found == [id(1): 1, id(600): 600])
        #expect(try await journal.head() == head)
      }
    }

    @Test("refuses an undo of an entry that it does not have, and takes one above the floor", arguments: Kind.allCases)
    private func undos(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        let other = Origin.random()
        func undo(_ revision: Int64, _ sequence: Int64) throws -> Entry.Draft {
          Entry.Draft(
            kind: .undo, id: EntryID(origin: other, sequence: sequence), time: 0,
            payload: try JournalCoding.encode(Entry.Targets([id(revision)])))
        }
        let head = try await journal.head()
        let refused = try undo(600, 1)
        #expect(await code { _ = try await journal.append([refused], after: head) } == .noSuchRevision)
        #expect(try await journal.head() == head)
        let taken = try undo(601, 2)
        #expect(try await journal.append([taken], after: head).first == 1_001)
        // A later floor may not separate the undo from its entry.
        try await keepSnapshot(of: journal, base: 900, head: 1_001)
        let plan = try await journal.compactionPlan(keeping: .last(0))
        #expect((plan.floor, plan.entries) == (600, 0))
        #expect(plan.limitation?.contains("names revision 601") == true)
      }
    }

    @Test("is not compacted by a plan that an undo has outdated since", arguments: Kind.allCases)
    private func outdated(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        let plan = try await journal.compactionPlan(keeping: .last(400))
        let undo = Entry.Draft(
          kind: .undo, id: EntryID(origin: .random(), sequence: 1), time: 0, payload: try JournalCoding.encode(Entry.Targets([id(500)])))
        _ = try await journal.append([undo], after: journal.head())
        #expect(await code { try await journal.compact(plan) } == .conflict)
        #expect(try await journal.floor() == nil)
        #expect(try await journal.verify().revision == 1_001)
        try await journal.removeSnapshot(at: 310)
        let gone = try await journal.compactionPlan(keeping: .last(700))
        #expect(gone.entries == 0)
      }
    }

    @Test("a store that has it open continues, and one that was far behind begins again at the floor", arguments: Kind.allCases)
    private func laggard(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        let store = try await Store.open(Counter(), in: journal, options: options)
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        try await store.change(.add(1)).durable()
        #expect(try await journal.head().revision == 1_001)
        #expect(store.state.count == 1_000)
        await store.close()
        #expect(try await journal.verify().revision == 1_001)
      }
    }

    @Test("a handle that was opened before goes on, although the file's format has changed")
    func otherHandle() async throws {
      try await withJournal(.file) { journal, folder in
        let other = try await SQLiteJournal(at: folder.path("one.db"), durability: .relaxed, lockTimeout: .patient)
        let reader = try await SQLiteJournal(at: folder.path("one.db"), isReadOnly: true)
        #expect(try await reader.head().revision == 1_000)
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        #expect(try await other.append([draft(1_001)], after: other.head()).first == 1_001)
        #expect(try await reader.floor()?.revision == 600)
        #expect(try await reader.head().revision == 1_001)
        #expect(await code { _ = try await reader.entries(after: 5, limit: 1) } == .noSuchRevision)
        await other.close()
        await reader.close()
      }
    }

    @Test("shows no row below its floor while they are removed, and a later command finishes")
    func interrupted() async throws {
      try await withJournal(.file) { journal, folder in
        let plan = try await journal.compactionPlan(keeping: .last(400))
        let snapshot = try #require(try await journal.snapshot(at: 650))
        let compactable = try #require(journal as? any CompactableJournal)
        try await compactable.moveFloor(
          to: Snapshot(head: snapshot.base, base: snapshot.base, schema: 1, written: 0, payload: snapshot.payload), seen: plan.head)
        var steps = 0
        repeat {
          #expect(await code { _ = try await journal.entries(after: 300, limit: 1) } == .noSuchRevision)
          #expect(try await journal.entry(id(600)) == nil)
          #expect(try await journal.snapshots(upTo: 1_000, limit: 9).map(\.revision) == [650, 600])
          #expect(try await journal.compactedRevisions(of: [id(1), id(599)]) == [id(1): 1, id(599): 599])
          #expect(try await journal.verify().revision == 1_000)
          let fresh = try await SQLiteJournal(at: folder.path("one.db"), isReadOnly: true)
          #expect(try await fresh.head().revision == 1_000)
          await fresh.close()
          steps += 1
        } while steps < 2 ? try await compactable.removeBelowFloor() : false
        // Nothing more can go: the command only finishes.
        let rest = try await journal.compactionPlan(keeping: .last(400))
        #expect(rest.entries == 0)
        try await journal.compact(rest)
        await journal.close()
        let rows = try await DatabaseQueue(path: folder.path("one.db")).read { database in
          (
            try Int.fetchOne(database, sql: "SELECT count(*) FROM entries") ?? 0,
            try Int.fetchOne(database, sql: "SELECT count(*) FROM snapshots") ?? 0,
            try Int.fetchOne(database, sql: "SELECT count(*) FROM verdicts") ?? 0
          )
        }
        #expect(rows == (400, 1, 1))
      }
    }

    @Test("one damaged copy of the state at the floor is reported, and the other is used; with two, reading it is an error")
    func damagedCopies() async throws {
      try await withJournal(.file) { journal, folder in
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        await journal.close()
        for copy in 1...2 {
          try await DatabaseQueue(path: folder.path("one.db")).write {
            try $0.execute(sql: "UPDATE floors SET payload = '{\"count\":5}' WHERE copy = ?", arguments: [copy])
          }
          let again = try await SQLiteJournal(at: folder.path("one.db"))
          #expect(await code { _ = try await again.verify() } == .damaged)
          let read = await code { _ = try await Store.open(Counter(), in: again, options: options).close() }
          #expect(read == (copy == 1 ? nil : .damaged))
          await again.close()
        }
      }
    }

    @Test("is smaller after it was rewritten, and later compactions shrink it in steps")
    func shrinks() async throws {
      try await withJournal(.file) { journal, folder in
        let file = try #require(journal as? SQLiteJournal)
        try await journal.compact(journal.compactionPlan(keeping: .last(700)))
        try await file.vacuum()
        let size = try folder.bytes("one.db").count
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        await journal.close()
        #expect(try folder.bytes("one.db").count < size)
        let again = try await SQLiteJournal(at: folder.path("one.db"))
        #expect(try await again.verify().revision == 1_000)
        try await again.backup(to: folder.path("copy.db"))
        let copy = try await SQLiteJournal(at: folder.path("copy.db"))
        #expect(try await copy.floor()?.revision == 600)
        #expect(try await copy.verify().revision == 1_000)
        await copy.close()
        await again.close()
      }
    }

    @Test("a backup from before the compaction is what it was")
    func oldBackup() async throws {
      try await withJournal(.file) { journal, folder in
        let file = try #require(journal as? SQLiteJournal)
        try await file.backup(to: folder.path("old.db"))
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        let old = try await SQLiteJournal(at: folder.path("old.db"))
        #expect(try await old.floor() == nil)
        #expect(try await old.verify() == journal.head())
        #expect(try await old.entries(after: .zero, limit: 1).first?.revision == 1)
        await old.close()
      }
    }

    @Test("a journal that was opened for reading is left alone")
    func refuses() async throws {
      try await withJournal(.file) { journal, folder in
        let reader = try await SQLiteJournal(at: folder.path("one.db"), isReadOnly: true)
        let plan = try await reader.compactionPlan(keeping: .last(400))
        #expect(plan.entries == 600)
        #expect(await code { try await reader.compact(plan) } == .readOnly)
        await reader.close()
      }
    }

    // MARK: Schemas

    private func append(_ schema: Int, to journal: any Journal) async throws {
      let draft = Entry.Draft(
        kind: .changes, id: EntryID(origin: .random(), sequence: 2), time: 0, schema: schema, payload: Data(#"[{"add":{"_0":1}}]"#.utf8))
      _ = try await journal.append([draft], after: journal.head())
    }

    @Test("does not begin at a state of an older schema than an entry or a snapshot, and names the schema", arguments: Kind.allCases)
    private func schemas(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        try await append(2, to: journal)
        let plan = try await journal.compactionPlan(keeping: .last(400))
        #expect((plan.floor, plan.entries) == (0, 0))
        #expect(plan.limitation?.contains("schema 1, and the journal has an entry at revision 1001 of schema 2") == true)
        try await journal.compact(plan)
        #expect(try await journal.floor() == nil)
        // A state of the new schema is suitable.
        let head = try await journal.head()
        let base = try await journal.head(at: 500, of: head.journal)
        try await journal.keep(
          Snapshot(head: head, base: #require(base), schema: 2, written: 0, payload: Data(#"{"count":499}"#.utf8)))
        let later = try await journal.compactionPlan(keeping: .last(400))
        #expect(later.floor == 500 && later.limitation?.contains("the snapshot at revision 650 has schema 1") == true)
        try await journal.compact(later)
        #expect(try await journal.floor()?.revision == 500)
      }
      try await withJournal(kind) { journal, _ in
        let head = try await journal.head()
        try await journal.keep(Snapshot(head: head, base: head, schema: 3, written: 0, payload: Data("{}".utf8)))
        let plan = try await journal.compactionPlan(keeping: .last(400))
        #expect(plan.entries == 0)
        #expect(plan.limitation?.contains("a snapshot at revision 1000 of schema 3") == true)
      }
    }

    @Test("is not compacted by a plan that a newer version of the app has outdated", arguments: Kind.allCases, [true, false])
    private func newerSchemaSince(kind: Kind, isEntry: Bool) async throws {
      try await withJournal(kind) { journal, _ in
        let plan = try await journal.compactionPlan(keeping: .last(400))
        #expect(plan.entries == 600)
        if isEntry {
          try await append(2, to: journal)
        } else {
          let head = try await journal.head()
          try await journal.keep(Snapshot(head: head, base: head, schema: 2, written: 0, payload: Data("{}".utf8)))
        }
        #expect(await code { try await journal.compact(plan) } == .conflict)
        #expect(try await journal.floor() == nil)
        #expect(try await journal.entries(after: .zero, limit: 1).first?.revision == 1)
      }
    }

    // MARK: Writers

    @Test("a repeated append whose entry is gone is told of a conflict, and not of its lost lease", arguments: Kind.allCases)
    private func leases(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        let journalID = try await journal.head().journal
        let old = try #require(try await journal.head(at: 599, of: journalID))
        let holder = Origin.random()
        let lease = try await journal.lease("work", for: holder, lasting: .seconds(60))
        try await journal.release(lease)
        _ = try await journal.lease("work", for: .random(), lasting: .seconds(60))
        // Above the floor it is found, whatever the lease is.
        #expect(try await journal.append([draft(600)], after: old, in: nil, under: [lease]).first == 600)
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        #expect(await code { _ = try await journal.append([draft(600)], after: old, in: nil, under: [lease]) } == .conflict)
        let head = try await journal.head()
        #expect(await code { _ = try await journal.append([draft(600)], after: head, in: nil, under: [lease]) } == .originCollision)
        // A new one is rejected because of the lease.
        #expect(await code { _ = try await journal.append([draft(2_000)], after: head, in: nil, under: [lease]) } == .staleLease)
      }
    }

    @Test("is compacted before a revision, by several commands at once, and twice", arguments: Kind.allCases)
    private func severalCommands(kind: Kind) async throws {
      try await withJournal(kind) { journal, folder in
        let plans = [
          try await journal.compactionPlan(keeping: .from(601)), try await journal.compactionPlan(keeping: .from(301)),
        ]
        #expect(plans.map(\.floor) == [600, 300])
        let other: any Journal =
          kind == .memory ? journal : try await SQLiteJournal(at: folder.path("one.db"), durability: .relaxed, lockTimeout: .patient)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (place, plan) in plans.enumerated() { group.addTask { try await (place == 0 ? journal : other).compact(plan) } }
          group.addTask { try await other.compact(before: 601) }
          group.addTask { try await Store<Counter>.compact(journal, keeping: .from(451)) }
          try await group.waitForAll()
        }
        #expect(try await journal.floor()?.revision == 600)
        #expect(try await other.verify().revision == 1_000)
        #expect(try await journal.compact(before: 601).entries == 0)
        #expect(try await journal.compact(before: .zero).entries == 0)
        let done = try await Store<Counter>.compact(other, keeping: .from(800))
        #expect(done.floor == 799 && done.entries == 199)
        #expect(try await journal.verify().revision == 1_000)
        #expect(try await journal.compactedRevisions(of: [id(1), id(600), id(799), id(800)]).count == 3)
        if kind == .file { await other.close() }
      }
    }

    @Test("can lose all its entries, and goes on", arguments: Kind.allCases)
    private func emptied(kind: Kind) async throws {
      try await withJournal(kind) { journal, _ in
        let plan = try await Store<Counter>.compact(journal, keeping: .last(0))
        #expect(plan.floor == 1_000 && plan.entries == 1_000)
        #expect(try await journal.verify().revision == 1_000)
        #expect(try await journal.entries(after: 1_000, limit: 5).isEmpty)
        let store = try await Store.open(Counter(), in: journal, options: options)
        #expect(store.state.count == 999)
        try await store.change(.add(1)).durable()
        #expect(try await store.entries(in: 1_001...1_001).count == 1)
        await store.close()
        // The only snapshot is the state at the floor.
        #expect(try await journal.compactionPlan(keeping: .last(0)).entries == 0)
        #expect(try await Store<Counter>.compact(journal, keeping: .last(0)).entries == 1)
        #expect(try await Store<Counter>.verify(journal).revision == 1_001)
      }
    }

    @Test("many writers' ids stay, each a run of its own")
    func manyOrigins() async throws {
      try await TemporaryFolder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("one.db"), durability: .relaxed, lockTimeout: .patient)
        _ = try await journal.append([draft(1)], after: journal.head())
        var ids: [EntryID] = []
        for number in 2...700 as ClosedRange<Int64> {
          let id = EntryID(origin: .random(), sequence: number % 3 + 2)
          ids.append(id)
          let draft = Entry.Draft(kind: .changes, id: id, time: number, payload: Data(#"[{"add":{"_0":1}}]"#.utf8))
          _ = try await journal.append([draft], after: journal.head())
        }
        try await Store<Counter>.compact(journal, keeping: .last(100))
        #expect(try await Store<Counter>.verify(journal).revision == 700)
        let found = try await journal.compactedRevisions(of: ids)
        #expect(found.count == 599)
        for (place, id) in ids.enumerated() { #expect(found[id] == (place < 599 ? Revision(Int64(place + 2)) : nil)) }
        await journal.close()
      }
    }

    // MARK: Readings between the move and the removal

    @Test("a page never shows rows below the floor, even if it reaches above it")
    func straddlingPage() async throws {
      try await withJournal(.file) { journal, _ in
        let plan = try await journal.compactionPlan(keeping: .last(400))
        let snapshot = try #require(try await journal.snapshot(at: 650))
        try await journal.compactable().moveFloor(to: snapshot.pinned, seen: plan.head)
        for start in [0, 300, 599] as [Revision] {
          let error = await #expect(throws: JournalError.self) { try await journal.entries(after: start, limit: 1_000) }
          #expect(error?.code == .noSuchRevision && error?.revision == start.next)
        }
        #expect(try await journal.entries(after: 600, limit: 1_000).count == 400)
      }
    }

    // MARK: Damage

    @Test(
      "damage to the ids of removed entries is found",
      arguments: [
        ("DELETE FROM verdicts", "the ids of the others are missing"),
        ("UPDATE verdicts SET last = last - 1", "the ids of the others are missing"),
        ("UPDATE verdicts SET last = last + 1", "ends at revision 601, but the floor is revision 600"),
        ("UPDATE verdicts SET revision = 2", "the ids of the removed entries 1 to 1 are missing"),
        ("UPDATE verdicts SET revision = NULL", "is invalid"), ("UPDATE verdicts SET verdict = 'denied'", "is invalid"),
        ("UPDATE verdicts SET first = first + 401, last = last + 401", "revision 601 has an id of the run"),
        ("UPDATE verdicts SET origin = x'00'", "is invalid"),
        (
          """
          UPDATE verdicts SET last = 300;
          INSERT INTO verdicts SELECT journal, origin, 300, 599, verdict, 301, 0, NULL FROM verdicts
          """, "have the same ids"
        ),
        (
          "INSERT INTO verdicts SELECT journal, x'00112233445566778899aabbccddeeff', 1, 1, verdict, 600, 0, NULL FROM verdicts",
          "begins at revision 600, which another id has, too"
        ),
      ])
    func damagedRuns(statement: String, complaint: String) async throws {
      try await withJournal(.file) { journal, folder in
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        await journal.close()
        try await DatabaseQueue(path: folder.path("one.db")).write { try $0.execute(sql: statement) }
        let again = try await SQLiteJournal(at: folder.path("one.db"))
        let error = await #expect(throws: JournalError.self) { try await again.verify() }
        #expect(error?.code == .damaged && error?.message.contains(complaint) == true, "\(error as Any)")
        await again.close()
      }
    }

    @Test("a backup from before the compaction is opened by stores that have seen the later floor")
    func restored() async throws {
      try await withJournal(.file) { journal, folder in
        let file = try #require(journal as? SQLiteJournal)
        try await file.backup(to: folder.path("old.db"))
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        let store = try await Store.open(Counter(), in: journal, options: options)
        try await store.change(.add(1)).durable()
        await store.close()
        let old = try await SQLiteJournal(at: folder.path("old.db"))
        let again = try await Store.open(Counter(), in: old, options: options)
        #expect(again.state.count == 999)
        try await again.change(.add(5)).durable()
        try await again.undo()
        #expect(try await again.state(at: 5).count == 4)
        await again.close()
        // The copy can be compacted, too, elsewhere.
        try await old.compact(old.compactionPlan(keeping: .last(702)))
        #expect(try await old.floor()?.revision == 300)
        #expect(try await Store<Counter>.verify(old).revision == 1_002)
        await old.close()
      }
    }

    @Test("is opened by others while its log is not empty, wherever the floor lies", arguments: [0, 1, 50, 250])
    func log(kept: Int) async throws {
      try await TemporaryFolder.use { folder in
        let path = folder.path("one.db")
        let first = try await SQLiteJournal(at: path, lockTimeout: .patient)
        try await fill(first, to: 100)
        // The file alone ends here.
        await first.close()
        let journal = try await SQLiteJournal(at: path, lockTimeout: .patient)
        try await fill(journal, to: 300)
        _ = try await Store<Counter>.compact(journal, keeping: .last(kept))
        let floor = try await journal.floor()
        #expect(floor?.revision == Revision(Int64(300 - kept)))
        for round in 0..<2 {
          let head = try await journal.head()
          #expect(try folder.bytes("one.db-wal").count > 0)
          for isReadOnly in [true, false] {
            let other = try await SQLiteJournal(at: path, durability: .relaxed, lockTimeout: .patient, isReadOnly: isReadOnly)
            #expect(try await other.verify() == head)
            #expect(try await other.floor() == floor)
            await other.close()
          }
          guard round == 0 else { continue }
          // The file alone ends at the floor now, where there is no row.
          try await journal.vacuum()
          _ = try await journal.append([draft(301)], after: journal.head())
        }
        await journal.close()
      }
    }

    @Test("with an invalid floor is damaged, whatever the number is", arguments: [Int64.min, -9_223_372_036_854_775_807, -1, 1_001, .max])
    func hostileFloor(number: Int64) async throws {
      try await withJournal(.file) { journal, folder in
        try await journal.compact(journal.compactionPlan(keeping: .last(400)))
        await journal.close()
        try await DatabaseQueue(path: folder.path("one.db")).write {
          try $0.execute(sql: "UPDATE journals SET floor = ?", arguments: [number])
          try $0.execute(sql: "UPDATE entries SET revision = ? WHERE revision = 700", arguments: [number == .max ? 700 : number + 1])
        }
        let error = await #expect(throws: JournalError.self) {
          let again = try await SQLiteJournal(at: folder.path("one.db"), isReadOnly: true)
          _ = try await again.head()
        }
        #expect(error?.code == .damaged)
      }
    }
  }
#endif
