import Alter
import AlterSQLite
import AlterTesting
import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  /// Tests `kill -9` at any moment. Each round starts one `todo add -`, sends it lines, and kills it at a moment that a seed decides: after
  /// some of its acknowledgements, and then after a number of reads of the lock file. The lock file also shows where the process died: a
  /// process writes its id into the file when it begins to append, and removes it at the end of the append.
  @Suite("Killed at any moment") struct KillTests {
    static let rounds = Effort.count(short: 60, full: 1_000)
    /// The number of rounds that share a list. Opening a list takes longer with each entry.
    static let roundsPerList = 20
    static let seed: UInt64 = 0x5EED_2026

    /// One round, as observed from outside.
    struct Round {
      let sent: [String]
      let acknowledged: Int
      /// Whether the process died between the start and the end of an append, according to the lock file.
      let diedInAppend: Bool
    }

    @Test("it loses nothing that it acknowledged, writes no half batch, and leaves a prefix of what it was sent") func loop() async throws {
      var random = SeededGenerator(seed: Self.seed)
      var diedInAppend = 0
      var diedUnacknowledged = 0
      var written = 0
      var acknowledged = 0
      var lost = 0
      for list in 0..<Self.rounds / Self.roundsPerList {
        let sandbox = try Sandbox()
        var expected: [String] = []
        for number in 0..<Self.roundsPerList {
          let round = try play("list \(list) round \(number)", in: sandbox, using: &random)
          diedInAppend += round.diedInAppend ? 1 : 0
          diedUnacknowledged += round.acknowledged < round.sent.count ? 1 : 0
          acknowledged += round.acknowledged
          let found = try await self.texts(in: sandbox)
          let missing = Set(expected + round.sent.prefix(round.acknowledged)).subtracting(found)
          lost += missing.count
          try #require(
            Array(found.prefix(expected.count)) == expected, "list \(list) round \(number), seed \(Self.seed): what was there is there")
          let new = Array(found.dropFirst(expected.count))
          try #require(
            new == Array(round.sent.prefix(new.count)), "list \(list) round \(number), seed \(Self.seed): a prefix of what was sent")
          try #require(new.count >= round.acknowledged, "list \(list) round \(number), seed \(Self.seed): all that was acknowledged")
          written += new.count
          expected = found
        }
        let journal = try await SQLiteJournal(at: sandbox.store, isReadOnly: true)
        try await journal.verify()
        await journal.close()
        #expect(try sandbox.texts() == expected.map { "\($0) @t" })
      }
      #expect(diedInAppend * 5 >= Self.rounds)
      #expect(diedUnacknowledged * 5 >= Self.rounds)
      #expect(acknowledged > Self.rounds)
      try #require(lost == 0)
      print(
        """
        kill -9: \(Self.rounds) rounds, \(diedInAppend) died inside an append, \(diedUnacknowledged) with lines sent and not acknowledged; \
        \(acknowledged) items acknowledged, \(written) in the journals, \(lost) lost
        """)
    }

    private func play(_ name: String, in sandbox: Sandbox, using random: inout SeededGenerator) throws -> Round {
      let sent = (1...Int.random(in: 2...8, using: &random)).map { "\(name) line \($0)" }
      let wanted = Int.random(in: 0..<sent.count, using: &random)
      let todo = try LineProcess([sandbox.executable, "add", "-", "--tag", "t"], environment: sandbox.environment())
      todo.say(sent.joined(separator: "\n"))
      for _ in 0..<wanted { _ = todo.readLine() }
      let lock = LockMark(path: sandbox.store + "-lock")
      var appender: pid_t? { lock.holder.flatMap { $0.purpose == "append" ? $0.pid : nil } }
      if Bool.random(using: &random) {
        // Kill it at any moment: after a random number of reads of the lock file.
        for _ in 0..<Int.random(in: 0...2_000, using: &random) { _ = appender }
      } else {
        // Kill it in its next append, as soon as the lock file shows it. If the test misses all appends, it gives up after a number of
        // reads.
        var looks = 0
        while appender != todo.child.pid, looks < 100_000 { looks += 1 }
      }
      todo.child.end()
      todo.readLines()
      return Round(sent: sent, acknowledged: todo.lines.count, diedInAppend: appender == todo.child.pid)
    }

    /// The texts of the items in the order of the journal. Checks that each comes from a whole batch: the item and its tag.
    private func texts(in sandbox: Sandbox) async throws -> [String] {
      // The process may have died before it created the journal.
      guard FileManager.default.fileExists(atPath: sandbox.store) else { return [] }
      var texts: [String] = []
      for record in try await sandbox.records() {
        guard case .changes(let changes) = record.kind else { continue }
        guard changes.count == 2, case .add(.item(let item)) = changes[0], changes[1] == .tag("@t", .add(item.id)) else {
          Issue.record("Revision \(record.revision) is no whole batch: \(changes)")
          continue
        }
        texts.append(item.text)
      }
      return texts
    }
  }
}
