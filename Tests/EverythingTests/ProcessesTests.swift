#if SQLite && Macros
  import Alter
  import AlterCore
  import AlterJournal
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

      /// Whether everything has happened. That depends on the scheduling, so that the short form continues until then.
      var isComplete: Bool { kills >= rounds && acknowledged > 0 && answers > 0 && marks > 0 && outdated > 0 }
    }

    @Test("has every acknowledged entry, and the laws of the naive model, whenever processes are killed")
    func processes() async throws {
      var counts = Counts()
      for seed in Effort.seeds(1, short: 20, full: 60) {
        if !Effort.isFull, seed > 2, counts.isComplete { break }
        let history = try History(seed: seed)
        for _ in 0..<3 { try await history.round(&counts) }
      }
      #expect(counts.isComplete)
      print(
        """
        \(counts.rounds) rounds, \(counts.kills) kills: \(counts.acknowledged) entries were acknowledged and are there, \(counts.marks) undos and redos, \
        \(counts.answers) answers of effects, \(counts.outdated) processes ended because a newer build wrote
        """)
    }

    #if SyncServer
      @Test("has a verdict on every acknowledged draft, and the laws of the naive model, whenever processes of devices are killed")
      func devices() async throws {
        var (rounds, drafts, kills, entries, marks, answers) = (0, 0, 0, 0, 0, 0)
        for seed in Effort.seeds(1, short: 20, full: 60) {
          // What happens depends on the scheduling, so that the short form continues until everything has.
          if !Effort.isFull, seed > 1, entries > 0, marks > 0, answers > 0 { break }
          let folder = try Folder()
          try FileManager.default.createDirectory(atPath: folder.path("bank"), withIntermediateDirectories: false)
          var random = SeededGenerator(seed: seed)
          var naive: Naive?
          for round in 0..<3 {
            let workplace = try await SyncedWorkplace(seed: seed * 10 + UInt64(round), in: folder, after: naive)
            for _ in 0..<3 { try await workplace.step() }
            await workplace.close()
            let known = workplace.naive
            let workers = try (0..<3 + random.below(2)).map { number in
              try LineProcess(
                [Product.path("order-book"), "device", folder.path, "\(seed * 1_000 + UInt64(round * 10 + number))"], mergesErrors: true)
            }
            let acknowledged = try await Self.end(workers, &kills, using: &random)
            rounds += 1
            drafts += acknowledged.count
            let after = try await SyncedWorkplace(seed: seed * 10 + UInt64(round) + 5, in: folder, after: known)
            let lost = try await after.lost(of: acknowledged)
            #expect(lost.isEmpty, "acknowledged drafts are neither accepted nor refused")
            await after.close()
            let new = after.naive.items.dropFirst(known.items.count)
            entries += new.count
            marks += new.count { !$0.targets.isEmpty }
            answers += new.count { $0.cause?.feedback != nil }
            naive = after.naive
          }
        }
        #expect(kills >= rounds && drafts > 0 && entries > 0 && marks > 0 && answers > 0)
        print(
          """
          \(rounds) rounds, \(kills) kills: \(drafts) drafts of devices were acknowledged, and decided; \(entries) entries, of them \(marks) undos \
          and redos, and \(answers) answers of effects
          """)
      }

      /// Lets workers work, kills one or more of them, and ends the others.
      ///
      /// - Returns: The acknowledged drafts.
      private static func end(_ workers: [LineProcess], _ kills: inout Int, using random: inout SeededGenerator) async throws -> [EntryID] {
        var killed: Set<Int> = [random.below(workers.count)]
        if random.oneIn(4) { killed = Set(workers.indices) }
        for (number, worker) in workers.enumerated() {
          for _ in 0..<5 + random.below(30) { _ = await worker.line { $0.hasPrefix("made") } }
          if killed.contains(number) {
            worker.child.signal(SIGKILL)
            kills += 1
          } else {
            worker.closeInput()
          }
        }
        for (number, worker) in workers.enumerated() {
          _ = await onThread { worker.readLines() }
          let status = await worker.child.ended()
          let hasFailed = worker.lines.contains { $0.hasPrefix("failed") }
          #expect(!hasFailed && (killed.contains(number) || status == 0), "\(worker.lines.suffix(3))")
        }
        return workers.flatMap { $0.lines.compactMap(EntryID.init(line:)) }
      }
    #endif

    @Test(
      "obeys the same laws on simulated threads, and so do devices of a server",
      .enabled(if: Simulated.isPossible, "SKIPPED: threads are simulated on Linux alone"), arguments: Tally.Place.simulated)
    func simulated(place: Tally.Place) async throws {
      let count = Effort.count(short: place == .synced ? 4 : 12, full: place == .synced ? 200 : 1_000)
      let process = try LineProcess([Product.path("order-book-simulation"), "\(place)", "1", "\(count)"], mergesErrors: true)
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
