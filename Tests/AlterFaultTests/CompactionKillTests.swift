#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Accidents {
    /// Tests `kill -9` during a compaction at any moment, beside a process that writes. A seed decides when.
    @Suite("Compactions, killed at any moment", .timeLimit(.minutes(60)))
    struct CompactionKillTests {
      static let rounds = Effort.count(short: 10, full: 200)
      static let seed: UInt64 = 0x5EED_0022

      /// The state of a journal before its compaction.
      private struct Known {
        let head: Head
        let tally: Tally
      }

      @Test("the journal is as before or begins at the new floor, no entry above it is lost, and the next compaction finishes")
      func loop() async throws {
        var random = SeededGenerator(seed: Self.seed)
        var (before, between, done, written, found) = (0, 0, 0, 0, 0)
        for number in 0..<Self.rounds {
          let folder = try Folder(inMemory: true)
          let path = folder.path("journal.db")
          let known = try await fill(path, batches: 400)
          let name = "round \(number), seed \(Self.seed)"
          let writer = number % 2 == 0 ? try faultWriter("write", path, "b", "40") : nil
          if let writer { try #require(writer.readLine() == "open", "\(name)") }
          let planned = try await plan(path)
          try #require(planned.entries > 0, "\(name): \(planned.limitation ?? "")")
          let compaction = try faultWriter("compact", path, "100")
          try #require(compaction.readLine()?.hasPrefix("planned ") == true, "\(name)")
          // A position in the work, not a time: the number of looks at the lock until the kill.
          let mark = LockMark(path: path + "-lock")
          for _ in 0..<Int.random(in: 0...4_000, using: &random) { _ = mark.holder }
          compaction.child.end()
          let isDone = compaction.readLines().contains { $0.hasPrefix("compacted ") }
          var acknowledged = 0
          if let writer {
            // The dead process doesn't keep the writer from writing.
            for _ in 0..<3 { _ = writer.readLine() }
            writer.child.end()
            writer.readLines()
            acknowledged = writer.lines.compactMap { Int($0) }.max() ?? 0
          }
          let floor = try await check(path, known, acknowledged: acknowledged, name).floor
          let rest = try Self.rowsBelow(floor?.revision, path)
          if floor == nil { before += 1 } else if rest > 0 { between += 1 } else { done += 1 }
          if isDone { try #require(floor != nil && rest == 0, "\(name)") }
          written += acknowledged
          // The next compaction finishes, and removes every row below the floor.
          let last = try faultWriter("compact", path, "100")
          try #require(last.readLines().count == 2, "\(name)")
          let end = try await check(path, known, acknowledged: acknowledged, name)
          try #require(end.floor != nil, "\(name)")
          try #require(try Self.rowsBelow(end.floor?.revision, path) == 0, "\(name)")
          // A batch that was not acknowledged may be found as well.
          found += min(end.written, acknowledged)
        }
        #expect(before + between + done == Self.rounds)
        #expect(between > 0)
        try #require(found == written)
        print(
          """
          kill -9 during a compaction: \(Self.rounds) rounds, \(before) killed before the floor moved, \(between) during the removal, \(done) after it; \
          \(written) batches acknowledged by writers beside it, \(written - found) lost
          """)
      }

      private func fill(_ path: String, batches: Int) async throws -> Known {
        var options = StoreOptions()
        options.snapshotSpacing = 40
        options.undoWindow = 20
        options.keepsJournalOpen = true
        let journal = try await SQLiteJournal(at: path, durability: .relaxed)
        let store = try await Store.open(Tally(), in: journal, options: options)
        for number in 1...batches {
          try await store.change(Tally.batch(number, of: "a", padding: String(repeating: "x", count: 2_000))).durable()
        }
        await store.close()
        let known = Known(head: try await journal.head(), tally: store.state)
        await journal.close()
        return known
      }

      private func plan(_ path: String) async throws -> CompactionPlan {
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let plan = try await journal.compactionPlan(keeping: .last(100))
        await journal.close()
        return plan
      }

      /// Verifies the journal, and its state by a new store.
      ///
      /// - Returns: The floor, and the number of batches from the writer beside the compaction.
      private func check(_ path: String, _ known: Known, acknowledged: Int, _ name: String) async throws -> (floor: Head?, written: Int) {
        let journal = try await SQLiteJournal(at: path)
        try await Store<Tally>.verify(journal)
        let floor = try await journal.floor()
        if (floor?.revision ?? .zero) <= known.head.revision {
          try #require(try await journal.head(at: known.head.revision, of: known.head.journal) == known.head, "\(name)")
        }
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let store = try await Store.open(Tally(), in: journal, options: options)
        try #require(store.state.batches(of: "a") == known.tally.batches(of: "a"), "\(name)")
        try #require(store.state.batches(of: "b") >= acknowledged, "\(name)")
        await store.close()
        await journal.close()
        return (floor, store.state.batches(of: "b"))
      }

      /// Counts the rows at or below the floor, with SQLite's own program, which checks the file as well.
      private static func rowsBelow(_ floor: Revision?, _ path: String) throws -> Int {
        guard let floor else { return 0 }
        let lines = try Child.run([
          "/usr/bin/env", "sqlite3", path, "PRAGMA integrity_check; SELECT count(*) FROM entries WHERE revision <= \(floor.number);",
        ]).split(separator: "\n")
        try #require(lines.first == "ok" && lines.count == 2, "\(lines)")
        return Int(lines[1]) ?? -1
      }
    }
  }
#endif
