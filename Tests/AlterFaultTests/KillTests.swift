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
    /// Tests `kill -9` at any moment, with several writers on one journal. In each round three processes count batches under their names.
    /// Some of them are killed, the others prove that they can continue, and then all are killed. A seed decides which processes, when, and
    /// how: at once, or stopped first, so that the lock file shows what each was doing when it died.
    @Suite("Several writers, killed at any moment", .timeLimit(.minutes(60)))
    struct KillTests {
      static let rounds = Effort.count(short: 30, full: 1_000)
      /// The number of rounds that share a journal.
      static let roundsPerJournal = 10
      static let names = ["a", "b", "c"]
      static let seed: UInt64 = 0x5EED_0007

      /// The facts observed from outside.
      private struct Seen {
        var killed = 0
        var diedInAppend = 0
        var diedHolding = 0
        /// The number of acknowledged batches that a check did not find.
        var lost = 0
        /// The last number that each writer reported as durable.
        var acknowledged: [String: Int] = [:]
      }

      @Test("nothing that was acknowledged is lost, nothing is doubled or torn, and the survivors go on") func loop() async throws {
        var random = SeededGenerator(seed: Self.seed)
        var seen = Seen()
        var (acknowledged, found) = (0, 0)
        for number in 0..<Self.rounds / Self.roundsPerJournal {
          let folder = try Folder()
          let path = folder.path("journal.db")
          seen.acknowledged = [:]
          var known: (head: Head, tally: Tally)?
          for round in 0..<Self.roundsPerJournal {
            try play(path, seen: &seen, using: &random)
            known = try await check(path, after: known, &seen, "journal \(number) round \(round), seed \(Self.seed)", using: &random)
          }
          let journal = try await SQLiteJournal(at: path)
          try await Store<Tally>.verify(journal)
          await journal.close()
          acknowledged += seen.acknowledged.values.reduce(0, +)
          found += Self.names.map { known?.tally.batches(of: $0) ?? 0 }.reduce(0, +)
        }
        #expect(seen.diedInAppend * 10 >= Self.rounds)
        #expect(acknowledged > Self.rounds * 3)
        try #require(found >= acknowledged && seen.lost == 0)
        print(
          """
          kill -9, several writers: \(Self.rounds) rounds of \(Self.names.count) processes, \(seen.killed) killed, \(seen.diedInAppend) inside an append, \
          \(seen.diedHolding - seen.diedInAppend) inside something else under the lock; \(acknowledged) batches acknowledged, \(found) found, \(seen.lost) lost
          """)
      }

      private func play(_ path: String, seen: inout Seen, using random: inout SeededGenerator) throws {
        let writers = try Self.names.map { ($0, try faultWriter("write", path, $0, "4000")) }
        // Some writers are killed while they open or create the journal.
        if Int.random(in: 0..<8, using: &random) > 0 {
          for (name, writer) in writers { hear(Int.random(in: 0...3, using: &random), from: writer, name, &seen) }
        }
        let mark = LockMark(path: path + "-lock")
        for _ in 0..<Int.random(in: 0...300, using: &random) { _ = mark.holder }
        var order = writers.shuffled(using: &random)
        let victims = Int.random(in: 1...writers.count, using: &random)
        let isStopped = Bool.random(using: &random)
        if isStopped {
          stop(writers.map(\.1), mark)
          // In most rounds the holder of the lock is among the killed processes.
          if let holder = order.firstIndex(where: { $0.1.child.pid == mark.holder?.pid }), Int.random(in: 0..<4, using: &random) > 0 {
            order.swapAt(0, holder)
          }
        }
        let (first, survivors) = (order.prefix(victims), order.dropFirst(victims))
        end(first.map(\.1), mark, &seen, isStopped: isStopped)
        if isStopped { for (_, writer) in survivors { writer.child.signal(SIGCONT) } }
        for (name, writer) in first { hear(.max, from: writer, name, &seen) }
        // The dead processes don't prevent the survivors from writing.
        for (name, writer) in survivors { hear(2, from: writer, name, &seen) }
        stop(survivors.map(\.1), mark)
        end(survivors.map(\.1), mark, &seen, isStopped: true)
        for (name, writer) in survivors { hear(.max, from: writer, name, &seen) }
      }

      /// Reads this number of lines, or to the end.
      private func hear(_ count: Int, from writer: LineProcess, _ name: String, _ seen: inout Seen) {
        var left = count
        while left > 0, let line = writer.readLine() {
          left -= 1
          if let number = Int(line) { seen.acknowledged[name] = number }
        }
      }

      /// Stops all writers, during an append if one is observed soon. The state of a process can only be determined while it is stopped.
      private func stop(_ writers: [LineProcess], _ mark: LockMark) {
        var looks = 0
        while looks < 2_000, mark.holder?.purpose != "append" { looks += 1 }
        for writer in writers { writer.child.stop() }
      }

      private func end(_ victims: [LineProcess], _ mark: LockMark, _ seen: inout Seen, isStopped: Bool) {
        if isStopped, let holder = mark.holder, victims.contains(where: { $0.child.pid == holder.pid }) {
          seen.diedHolding += 1
          if holder.purpose == "append" { seen.diedInAppend += 1 }
        }
        for victim in victims { victim.child.end() }
        seen.killed += victims.count
      }

      /// Reads the new entries and counts along. The tally refuses entries that are lost, duplicated, torn or out of order.
      private func check(
        _ path: String, after known: (head: Head, tally: Tally)?, _ seen: inout Seen, _ round: String, using random: inout SeededGenerator
      ) async throws -> (head: Head, tally: Tally)? {
        guard FileManager.default.fileExists(atPath: path) else {
          seen.lost += seen.acknowledged.values.reduce(0, +)
          try #require(seen.acknowledged.isEmpty, "\(round): there is no file")
          return nil
        }
        // The first process that opens the journal recovers the log, whether it reads or writes.
        let journal = try await SQLiteJournal(at: path, isReadOnly: seen.acknowledged.isEmpty ? false : Bool.random(using: &random))
        var tally = known?.tally ?? Tally()
        var refusals: [String] = []
        let head = try await journal.readVerified(after: known?.head) { entry throws(JournalError) in
          guard entry.kind == .changes else { return }
          do {
            for change in try JournalCoding.decode([Tally.Change].self, from: entry.payload) { try tally.apply(change, at: .none) }
          } catch { refusals.append("revision \(entry.revision): \(error)") }
        }.head
        await journal.close()
        try #require(refusals.isEmpty, "\(round): \(refusals)")
        for name in Self.names {
          let (found, acknowledged) = (tally.batches(of: name), seen.acknowledged[name, default: 0])
          seen.lost += max(0, acknowledged - found)
          try #require(found >= acknowledged, "\(round): of \(acknowledged) acknowledged batches of \(name), \(found) are there")
          try #require(tally.counted[name, default: 0] % Tally.parts == 0, "\(round): a batch of \(name) is torn")
        }
        return (head, tally)
      }
    }
  }
#endif
