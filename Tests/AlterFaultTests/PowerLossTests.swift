#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Faults {
    /// Simulates a power loss with the model in `Disk`. A process plays a scenario while all changes of its files, its syncs and its
    /// acknowledgements are recorded. Before each sync and after each acknowledgement the disk loses power in many ways, and the test opens
    /// the remaining files.
    @Suite(
      "A power loss", .timeLimit(.minutes(60)),
      .enabled(if: Faults.canInterpose, "SKIPPED: calls can be interposed on Linux alone, and not under a sanitizer"))
    struct PowerLossTests {
      /// The record of a scenario, with its final entries.
      private struct Recording {
        let folder: String
        let trace: Trace
        /// All entries of the final journal.
        let entries: [Entry]
        /// The revisions at which a batch ended.
        let ends: Set<Int64>
        /// Whether a sync failed.
        let hasFailed: Bool
      }

      private struct Counts {
        var (moments, disks, found, beyond, short, backups) = (0, 0, 0, 0, 0, 0)
      }

      @Test(
        "loses nothing that was acknowledged under .full, and under .relaxed leaves whole batches from the beginning on",
        arguments: ["small", "large"], [Durability.full, .relaxed])
      func loses(_ size: String, _ durability: Durability) async throws {
        let recording = try await record(size, durability)
        let disks = size == "small" ? Effort.count(short: 2, full: 150) : Effort.count(short: 1, full: 12)
        var random = SeededGenerator(seed: Faults.powerLossSeed)
        var counts = Counts()
        var acknowledged: (revision: Int64, backup: Int64) = (0, 0)
        counts.moments = try await recording.trace.powerLosses(in: recording.folder, disks: disks, using: &random) {
          acknowledged = $0 < 0 ? (acknowledged.revision, -$0) : ($0, acknowledged.backup)
        } check: { files, place in
          try await check(files, recording, acknowledged, isFull: durability == .full, &counts, "\(size), \(durability), \(place)")
        }
        #expect(counts.moments > 20)
        #expect(counts.found > counts.moments / 2)
        try #require(counts.short == 0 || durability == .relaxed)
        print(
          """
          power loss, \(size), .\(durability): \(counts.moments) moments, \(counts.disks) disks; \(counts.found) journals and \(counts.backups) backups \
          found, \(counts.beyond) with a batch beyond what was acknowledged, \(counts.short) with less
          """)
      }

      @Test("loses nothing that was acknowledged after a sync that failed, whichever that was, although the next sync succeeds")
      func failedSync() async throws {
        var random = SeededGenerator(seed: Faults.powerLossSeed)
        var counts = Counts()
        var (syncs, tried) = (0, 0)
        let step = Effort.count(short: 3, full: 1)
        let fates = Effort.isFull ? Disk.Fate.allCases + Array(repeating: .anything, count: 10) : [.anything]
        while true {
          let recording = try await record("small", .full, failing: syncs + 1)
          guard recording.hasFailed else { break }
          syncs += step
          tried += 1
          var acknowledged: (revision: Int64, backup: Int64) = (0, 0)
          counts.moments += try await recording.trace.powerLossesAfterFailedSync(in: recording.folder, fates: fates, using: &random) {
            acknowledged = $0 < 0 ? (acknowledged.revision, -$0) : ($0, acknowledged.backup)
          } check: { files, place in
            try await check(files, recording, acknowledged, isFull: true, &counts, "sync \(syncs) failed, \(place)")
          }
        }
        #expect(syncs > 20)
        try #require(counts.short == 0)
        print(
          """
          power loss after a failed sync: \(tried) of \(syncs) syncs, \(counts.moments) moments, \(counts.disks) disks, \(counts.short) with less than \
          was acknowledged
          """)
      }

      private func record(_ size: String, _ durability: Durability, failing sync: Int = 0) async throws -> Recording {
        let folder = try Folder(inMemory: true)
        let traceFolder = try Folder(inMemory: true)
        let writer = try faultWriter("record", size, durability.rawValue, folder.path, traceFolder.path("trace"), "\(sync)")
        let lines = writer.readLines()
        try #require(writer.child.wait() == 0 && (lines == ["recorded"] || sync > 0 && lines == ["failed"]), "\(lines)")
        let trace = try Trace([UInt8](traceFolder.bytes("trace")))
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var entries: [Entry] = []
        try await journal.readVerified { entry throws(JournalError) in entries.append(entry) }
        await journal.close()
        let ends = trace.events.compactMap { if case .mark(let mark) = $0, mark > 0 { mark } else { nil } }
        #expect(ends.last == Int64(entries.count))
        return Recording(folder: folder.path, trace: trace, entries: entries, ends: Set(ends + [0]), hasFailed: lines == ["failed"])
      }

      private func check(
        _ files: [String: [UInt8]], _ recording: Recording, _ acknowledged: (revision: Int64, backup: Int64), isFull: Bool,
        _ counts: inout Counts, _ place: String
      ) async throws {
        let folder = try Trace.restore(files, of: recording.folder)
        counts.disks += 1
        do {
          if files[recording.folder + "/journal.db"] == nil {
            if acknowledged.revision > 0, isFull { counts.short += 1 }
            try #require(acknowledged.revision == 0 || !isFull, "\(place): the journal is gone")
          }
          let journal = try await SQLiteJournal(at: folder.path("journal.db"))
          let revision = try await compare(journal, recording, place)
          if revision < acknowledged.revision { counts.short += 1 }
          if isFull { try #require(revision >= acknowledged.revision, "\(place): \(acknowledged) was acknowledged, \(revision) is there") }
          if revision > acknowledged.revision { counts.beyond += 1 }
          if revision > 0 { counts.found += 1 }
          // The journal can be written again.
          var drafts = [recording.entries[0].draft]
          drafts[0] = Entry.Draft(kind: .changes, id: EntryID(origin: .random(), sequence: 1), time: 1, payload: Data("[]".utf8))
          _ = try await journal.append(drafts, after: try await journal.head())
          await journal.close()
          if folder.contents.contains("backup.db") {
            let backup = try await SQLiteJournal(at: folder.path("backup.db"))
            let revision = try await compare(backup, recording, place)
            try #require(revision >= acknowledged.backup, "\(place): the backup ends at \(revision)")
            await backup.close()
            counts.backups += 1
          } else {
            try #require(acknowledged.backup == 0, "\(place): the backup is gone")
          }
        } catch let error as JournalError {
          Issue.record("\(place): \(error)")
        }
      }

      /// Checks that the journal contains exactly the written entries, up to the end of a batch.
      private func compare(_ journal: SQLiteJournal, _ recording: Recording, _ place: String) async throws -> Int64 {
        let head = try await journal.verify().revision
        var entries: [Entry] = []
        try await journal.readVerified { entry throws(JournalError) in entries.append(entry) }
        try #require(entries.elementsEqual(recording.entries.prefix(entries.count)), "\(place): other entries")
        try #require(recording.ends.contains(head.number), "\(place): revision \(head) is no end of a batch")
        return head.number
      }
    }
  }
#endif
