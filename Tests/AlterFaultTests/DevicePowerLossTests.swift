#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import AlterTesting
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Faults {
    /// Simulates a power loss, as `PowerLossTests` does, of a device that makes drafts and talks to a server.
    @Suite(
      "A power loss of a synced device", .timeLimit(.minutes(60)),
      .enabled(if: Faults.canInterpose, "SKIPPED: calls can be interposed on Linux alone, and not under a sanitizer"))
    struct DevicePowerLossTests {
      /// The record of a scenario.
      private struct Recording {
        let folder: String
        let trace: Trace
        /// The contents after each transaction.
        let contents: [Int64: String]
        /// Whether a sync failed.
        let hasFailed: Bool
      }

      private struct Counts {
        var (moments, disks, found, beyond, short) = (0, 0, 0, 0, 0)
      }

      @Test(
        "leaves mirror, outbox and refusals as after one transaction: under .full not before the last acknowledged one",
        arguments: ["device", "large-device"], [Durability.full, .relaxed])
      func loses(_ scenario: String, _ durability: Durability) async throws {
        let recording = try await record(scenario, durability)
        let disks = scenario == "device" ? Effort.count(short: 2, full: 100) : Effort.count(short: 1, full: 8)
        var random = SeededGenerator(seed: Faults.powerLossSeed)
        var (counts, acknowledged) = (Counts(), Int64?.none)
        counts.moments = try await recording.trace.powerLosses(in: recording.folder, disks: disks, using: &random) {
          acknowledged = $0
        } check: { files, place in
          try await check(files, recording, acknowledged, isFull: durability == .full, &counts, "\(scenario), \(durability), \(place)")
        }
        #expect(counts.moments > 20 && recording.contents.count > 15)
        #expect(counts.found > counts.moments / 2)
        try #require(counts.short == 0 || durability == .relaxed)
        print(
          """
          power loss, \(scenario), .\(durability): \(counts.moments) moments, \(counts.disks) disks; \(counts.found) files found, \
          \(counts.beyond) with a transaction beyond what was acknowledged, \(counts.short) with less
          """)
      }

      @Test("loses nothing that was acknowledged after a sync that failed, whichever that was, although the next sync succeeds")
      func failedSync() async throws {
        var random = SeededGenerator(seed: Faults.powerLossSeed)
        var (counts, syncs, tried) = (Counts(), 0, 0)
        let step = Effort.count(short: 3, full: 1)
        let fates = Effort.isFull ? Disk.Fate.allCases + Array(repeating: .anything, count: 6) : [.anything]
        while true {
          let recording = try await record("device", .full, failing: syncs + 1)
          guard recording.hasFailed else { break }
          syncs += step
          tried += 1
          var acknowledged: Int64 = 0
          counts.moments += try await recording.trace.powerLossesAfterFailedSync(in: recording.folder, fates: fates, using: &random) {
            acknowledged = $0
          } check: { files, place in
            try await check(files, recording, acknowledged, isFull: true, &counts, "sync \(syncs) failed, \(place)")
          }
        }
        #expect(syncs > 20)
        try #require(counts.short == 0)
        print(
          """
          power loss of a device after a failed sync: \(tried) of \(syncs) syncs, \(counts.moments) moments, \(counts.disks) disks, \(counts.short) with less than \
          was acknowledged
          """)
      }

      private func record(_ scenario: String, _ durability: Durability, failing sync: Int = 0) async throws -> Recording {
        let (folder, traceFolder) = (try Folder(inMemory: true), try Folder(inMemory: true))
        let writer = try faultWriter("record", scenario, durability.rawValue, folder.path, traceFolder.path("trace"), "\(sync)")
        let lines = writer.readLines()
        try #require(writer.child.wait() == 0 && (lines.last == "recorded" || sync > 0 && lines.last == "failed"), "\(lines)")
        var contents: [Int64: String] = [:]
        for line in lines {
          let words = line.split(separator: " ")
          guard words.count == 3, words[0] == "contents", let number = Int64(words[1]) else { continue }
          // A transaction has one number.
          try #require(contents[number].map { $0 == String(words[2]) } ?? true)
          contents[number] = String(words[2])
        }
        return Recording(
          folder: folder.path, trace: try Trace([UInt8](traceFolder.bytes("trace"))), contents: contents, hasFailed: lines.last == "failed")
      }

      private func check(
        _ files: [String: [UInt8]], _ recording: Recording, _ acknowledged: Int64?, isFull: Bool, _ counts: inout Counts, _ place: String
      ) async throws {
        let folder = try Trace.restore(files, of: recording.folder)
        counts.disks += 1
        do {
          let journal = try await SQLiteJournal(at: folder.path("journal.db"))
          guard try await journal.role() == .mirror else {
            if acknowledged != nil { counts.short += 1 }
            try #require(acknowledged == nil || !isFull, "\(place): the file is no mirror")
            return await journal.close()
          }
          // Checks the chain, the hashes of all drafts, and the verdicts.
          try await journal.verify()
          let storage = try await DeviceStorage(journal, principal: Principal("ann"))
          let transactions = try await storage.standing().transactions
          let ends = try await storage.journal.readMirror { try $0.ends() }
          let contents = try await storage.contents()
          if transactions < acknowledged ?? 0 { counts.short += 1 }
          if isFull {
            try #require(transactions >= acknowledged ?? 0, "\(place): \(acknowledged ?? 0) acknowledged, \(transactions) there")
          }
          // Before the first one, the file is a mirror without an origin.
          if transactions > 0 {
            // After a failed sync, a transaction may be there that was never acknowledged.
            let expected = recording.contents[transactions]
            try #require(
              contents.fingerprint(start: ends.start, head: ends.head) == expected || recording.hasFailed && expected == nil,
              "\(place): the contents are not those of transaction \(transactions)")
            counts.found += 1
          }
          if transactions > acknowledged ?? 0 { counts.beyond += 1 }
          // The file takes drafts again.
          var drafts = Drafts()
          try await storage.open(as: drafts.origin)
          try await storage.enqueue(drafts.next(2))
          #expect(try await storage.contents().outbox.drafts.count == contents.outbox.drafts.count + 2)
          await storage.close()
        } catch let error as JournalError {
          Issue.record("\(place): \(error)")
        }
      }
    }
  }
#endif
