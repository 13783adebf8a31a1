#if SQLite && Macros
  import Alter
  import AlterCore
  import AlterTesting
  import Foundation
  import ProcessTesting
  import Testing

  @testable import OrderBook

  /// The order book in several processes of three builds, some of which are killed: see docs/crossings.md.
  @Suite("The order book in several processes", .serialized, .timeLimit(.minutes(240)))
  struct ProcessesTests {
    /// The figures of a run.
    private struct Counts {
      var rounds = 0, acknowledged = 0, kills = 0, answers = 0, marks = 0, outdated = 0
    }

    @Test("has every acknowledged entry, and the laws of the naive model, whenever processes are killed")
    func processes() async throws {
      var counts = Counts()
      for seed in Effort.seeds(1, short: 2, full: 60) {
        let history = try History(seed: seed)
        for _ in 0..<3 { try await history.round(&counts) }
      }
      #expect(counts.kills >= counts.rounds && counts.acknowledged > 0 && counts.answers > 0 && counts.marks > 0 && counts.outdated > 0)
      print(
        """
        \(counts.rounds) rounds, \(counts.kills) kills: \(counts.acknowledged) entries were acknowledged and are there, \(counts.marks) undos and redos, \
        \(counts.answers) answers of effects, \(counts.outdated) processes ended because a newer build wrote
        """)
    }

    @Test("obeys the same laws on simulated threads", .enabled(if: Simulated.isPossible, "SKIPPED: threads are simulated on Linux alone"))
    func simulated() async throws {
      let count = Effort.count(short: 12, full: 1_000)
      let process = try LineProcess([Product.path("order-book-simulation"), "1", "\(count)"], mergesErrors: true)
      let lines = await onThread { process.readLines() }
      let status = await process.child.ended()
      #expect(status == 0 && lines.last?.contains("steps of \(count) seeds") == true, "\(lines.suffix(20).joined(separator: "\n"))")
      lines.suffix(2).forEach { print($0) }
    }

    /// One file, and the processes that have written to it.
    private final class History {
      private let folder: Folder
      private var random: SeededGenerator
      private var naive = Naive(Contents(), window: Contents.undoWindow)
      private var build = 1
      private var nextSeed: UInt64

      init(seed: UInt64) throws {
        (folder, random, nextSeed) = (try Folder(), SeededGenerator(seed: seed), seed * 1_000)
        try FileManager.default.createDirectory(atPath: folder.path("bank"), withIntermediateDirectories: false)
      }

      private func start() throws -> LineProcess {
        nextSeed += 1
        return try LineProcess([Product.path("order-book"), "work", folder.path, "\(build)", "\(nextSeed)"], mergesErrors: true)
      }

      /// Lets some processes work, kills one or more of them, and reads what is there.
      func round(_ counts: inout Counts) async throws {
        var workers = try (0..<2 + random.below(2)).map { _ in try start() }
        let older = workers.count
        let isUpgrade = build < 3 && random.oneIn(2)
        if isUpgrade {
          build += 1
          workers.append(try start())
        }
        var killed: Set<Int> = [random.below(workers.count)]
        if random.oneIn(4) { killed = Set(workers.indices) }
        for (number, worker) in workers.enumerated() {
          for _ in 0..<5 + random.below(30) { _ = await worker.line { $0.hasPrefix("made") } }
          if killed.contains(number) {
            worker.child.signal(SIGKILL)
            counts.kills += 1
          } else {
            worker.closeInput()
          }
        }
        var acknowledged: Set<String> = []
        for (number, worker) in workers.enumerated() {
          _ = await onThread { worker.readLines() }
          let status = await worker.child.ended()
          let isOutdated = isUpgrade && number < older && worker.lines.last == "newer"
          if isOutdated { counts.outdated += 1 }
          #expect(killed.contains(number) || isOutdated || status == 0, "\(worker.lines.suffix(3))")
          let hasFailed = worker.lines.contains { $0.hasPrefix("failed") }
          #expect(!hasFailed && (isUpgrade || worker.lines.last != "newer"), "\(worker.lines.suffix(3))")
          acknowledged.formUnion(worker.lines.filter { $0.hasPrefix("made") })
        }
        counts.rounds += 1
        counts.acknowledged += acknowledged.count
        switch build {
        case 1: try await look(for: acknowledged, by: Build1.self, &counts)
        case 2: try await look(for: acknowledged, by: Build2.self, &counts)
        default: try await look(for: acknowledged, by: Build3.self, &counts)
        }
      }

      private func look<B: Build>(for acknowledged: Set<String>, by type: B.Type, _ counts: inout Counts) async throws {
        let process = try await ProcessOf<B>.opened(in: folder.path, scope: "ann", seed: nextSeed)
        try process.startEffects()
        try await rest(process)
        for item in try await process.entries(after: naive.items.last?.revision ?? 1) {
          if item.cause?.feedback != nil {
            counts.answers += 1
            if let problem = naive.problem(ofAnswer: item, bank: process.bank) { Issue.record("\(problem)") }
          }
          if !item.targets.isEmpty { counts.marks += 1 }
          naive.append(item)
        }
        let lost = acknowledged.subtracting(naive.items.map { $0.id.line(at: $0.revision) })
        #expect(lost.isEmpty, "acknowledged entries are not there")
        let contents = process.contents.confirmed
        #expect(contents == naive.contents)
        #expect(process.undoable == naive.steps(of: process.scope))
        for redo in [false, true] {
          let outcome = redo ? naive.redo(in: process.scope).0 : naive.undo(in: process.scope).0
          #expect(process.preview(redo: redo) == outcome)
        }
        try await process.startRows(at: folder.path("rows.db"))
        #expect(try await process.readRows(verifying: true) == contents.rows)
        try await process.verify()
        if random.oneIn(2) { _ = try await process.compact(keeping: 2 * Contents.undoWindow) }
        await process.close()
        await process.journal.close()
      }

      /// Waits until every effect is performed. The lease of a killed process expires before.
      private func rest<B: Build>(_ process: ProcessOf<B>) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
          let contents = process.contents.confirmed
          let isPaying = contents.orders.contains { $0.phase.request != nil }
          if process.isQuiet, !isPaying, contents.audited == contents.shipped, contents.name != "grean" { return }
          if let failure = process.failure { throw failure }
          guard ContinuousClock.now < end else { throw Workplace.Violation(description: "no rest: \(contents)") }
          await Task.yield()
        }
      }
    }

    private enum Simulated {
      static var isPossible: Bool {
        #if os(Linux)
          true
        #else
          false
        #endif
      }
    }
  }
#endif
