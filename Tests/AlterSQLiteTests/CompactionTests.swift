#if SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("A compacted journal", .timeLimit(.minutes(20)))
  struct CompactionTests: CountingSuite {
    @Test("begins after the base of the newest snapshot that leaves the entries to keep", arguments: JournalKind.allCases)
    func plans(kind: JournalKind) async throws {
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

    @Test("has the state at its floor and the entries above it, and its chain is whole", arguments: JournalKind.allCases)
    func compacts(kind: JournalKind) async throws {
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

    @Test("takes a writer below its floor for one that is behind, and holds no entry twice", arguments: JournalKind.allCases)
    func appends(kind: JournalKind) async throws {
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

    @Test("refuses an undo of an entry that it does not have, and takes one above the floor", arguments: JournalKind.allCases)
    func undos(kind: JournalKind) async throws {
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

    @Test("is not compacted by a plan that an undo has outdated since", arguments: JournalKind.allCases)
    func outdated(kind: JournalKind) async throws {
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

    @Test("a store that has it open continues, and one that was far behind begins again at the floor", arguments: JournalKind.allCases)
    func laggard(kind: JournalKind) async throws {
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

    @Test("does not begin at a state of an older schema than an entry or a snapshot, and names the schema", arguments: JournalKind.allCases)
    func schemas(kind: JournalKind) async throws {
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

    @Test("is not compacted by a plan that a newer version of the app has outdated", arguments: JournalKind.allCases, [true, false])
    func newerSchemaSince(kind: JournalKind, isEntry: Bool) async throws {
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

    @Test("a repeated append whose entry is gone is told of a conflict, and not of its lost lease", arguments: JournalKind.allCases)
    func leases(kind: JournalKind) async throws {
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

    @Test("is compacted before a revision, by several commands at once, and twice", arguments: JournalKind.allCases)
    func severalCommands(kind: JournalKind) async throws {
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

    @Test("can lose all its entries, and goes on", arguments: JournalKind.allCases)
    func emptied(kind: JournalKind) async throws {
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
      try await Folder.use { folder in
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
  }
#endif
