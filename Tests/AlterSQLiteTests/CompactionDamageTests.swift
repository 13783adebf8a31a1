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

  @Suite("A compacted journal with damage, or from a backup", .timeLimit(.minutes(20)))
  struct CompactionDamageTests: CountingSuite {
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
      try await Folder.use { folder in
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
