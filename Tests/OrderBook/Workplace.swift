#if SQLite && Macros
  import Alter
  import AlterCore
  import AlterInspector
  import AlterJournal
  import AlterPostgres
  import AlterSQLite
  import AlterStore
  import AlterTesting
  import Foundation
  import ProcessTesting

  /// A journal that several processes of the app share, and the laws of the order book after each step. All steps come from a seed.
  final class Workplace: RandomSteps {
    enum Place {
      case memory, sqlite, postgres

      /// The places of this machine.
      static var all: [Place] {
        #if Postgres
          if TestServer.isExpected { return [.memory, .sqlite, .postgres] }
        #endif
        return [.memory, .sqlite]
      }

      var feature: Feature {
        switch self {
        case .memory: .memory
        case .sqlite: .sqlite
        case .postgres: .postgres
        }
      }
    }

    struct Violation: Error, CustomStringConvertible { let description: String }

    private let place: Place
    private let folder: Folder
    private let memory: MemoryJournal
    private let clock = TestClock(microseconds: 1_700_000_000_000_000)
    private let bank: Bank
    private var random: SeededGenerator
    private var processes: [any Process] = []
    private let key = "orders \(Origin.random())"
    /// The newest build that has written.
    private var build = 1
    private var naive: Naive
    /// The entries that the steps have made, until they are found in the journal.
    private var expected: [EntryID: (changes: [Contents.Change]?, scope: UndoScope)] = [:]
    private var floor: Revision = .zero
    private var imported = false
    /// The number of steps since the last new build.
    private var sinceUpgrade = 4
    private var nextOrder = 1
    private(set) var meetings = Meetings()
    private var used: Set<Feature> = []
    /// Whether the threads are simulated. The library for SQL has threads of its own.
    private let isSimulated: Bool

    init(seed: UInt64, in place: Place, isSimulated: Bool = false) async throws {
      // While a disk syncs the rows, the clock would run, and nothing else.
      folder = try Folder(inMemory: true)
      (self.place, random, self.isSimulated) = (place, SeededGenerator(seed: seed), isSimulated)
      let clock = clock
      memory = MemoryJournal(id: JournalID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))) { clock.now }
      bank = Bank(seed: seed &* 31)
      imported = random.oneIn(2)
      var contents = Contents()
      if imported { (contents.accounts[1], contents.stock[1]) = (100, 2) }
      naive = Naive(contents, window: Contents.undoWindow)
      try await start(importing: imported)
      try await start()
    }

    /// The features that are there all the time.
    private var standing: Set<Feature> {
      var features: Set<Feature> = [place.feature, build == 3 ? .macroStruct : .handwritten, .scope]
      if imported { features.insert(.importing) }
      if build > 1 { features.formUnion([.migration]) }
      if floor > .zero { features.insert(.compaction) }
      if processes.contains(where: \.hasRows) { features.insert(.rows) }
      if processes.contains(where: { $0.observed.contents != nil }) { features.insert(.observation) }
      if naive.contents.orders.contains(where: { $0.phase != .placed }) { features.insert(.macroEnum) }
      return features
    }

    // MARK: - Processes

    private var storeOptions: StoreOptions {
      var options = clock.options()
      options.undoWindow = Contents.undoWindow
      options.snapshotSpacing = 5
      options.keepsJournalOpen = place == .memory
      options.outageTimeout = .seconds(1_000_000)
      if isSimulated { options.longWork = LongWork { $0() } }
      let ids = Lock(SeededGenerator(seed: random.next()))
      options.environment.origin = { ids.withLock { Origin(.random(using: &$0)) } }
      options.scope = random.pick(["ann", "ann", "bob", "bob", .never])
      return options
    }

    private func journal() async throws -> SimulatedJournal {
      switch place {
      case .memory: return SimulatedJournal(memory)
      case .sqlite:
        return SimulatedJournal(try await SQLiteJournal(at: folder.path("orders.db"), durability: .relaxed, lockTimeout: .seconds(600)))
      case .postgres:
        #if Postgres
          let server = PostgresServer("host=\(try TestServer.shared().folder) dbname=postgres user=alter application_name=orders")
          return SimulatedJournal(try await PostgresJournal(at: server, key: key, durability: .relaxed))
        #else
          throw Violation(description: "there is no PostgreSQL")
        #endif
      }
    }

    private func start(importing: Bool = false, resuming leftOver: (any Sendable)? = nil, build: Int? = nil) async throws {
      switch build ?? self.build {
      case 1: try await start(Build1.self, importing, leftOver)
      case 2: try await start(Build2.self, importing, leftOver)
      default: try await start(Build3.self, importing, leftOver)
      }
    }

    private func start<B: Build>(_ type: B.Type, _ isImporting: Bool, _ leftOver: (any Sendable)?) async throws {
      let journal = try await journal()
      let options = storeOptions
      let scope = options.scope ?? .journal
      let process: ProcessOf<B>
      if isImporting {
        let contents = naive.initial
        let store = try await Store<B>.open(importing: "the old file", in: journal, options: options) { B(contents) }
        process = ProcessOf(store, journal, scope: scope, bank: bank, clock: clock)
      } else if let leftOver = leftOver as? [Unwritten<B>] {
        let store = try await Store.open(B(naive.initial), in: journal, resuming: leftOver, options: options)
        process = ProcessOf(store, journal, scope: scope, bank: bank, clock: clock)
      } else if random.oneIn(3) {
        used.insert(.stores)
        let initial = naive.initial
        let stores = Stores<B>(in: JournalPlaces { _ in journal }, options: options) { _ in B(initial) }
        process = ProcessOf(try await stores["orders"], journal, scope: scope, bank: bank, clock: clock, stores: stores)
      } else {
        process = ProcessOf(
          try await Store.open(B(naive.initial), in: journal, options: options), journal, scope: scope, bank: bank, clock: clock)
      }
      if random.oneIn(5), !isSimulated { try await process.startRows(at: folder.path("rows \(random.below(1_000_000_000)).db")) }
      if random.oneIn(2) {
        process.observe()
        used.insert(.observation)
      }
      if random.oneIn(2) || !processes.contains(where: \.hasEffects) { try process.startEffects() }
      processes.append(process)
    }

    // MARK: - Steps

    /// Performs work while the clock runs.
    private func ticking<Result>(_ work: () async throws -> Result) async throws -> Result {
      let clock = clock
      let ticking = Task {
        while !Task.isCancelled {
          clock.advance(by: .milliseconds(20))
          await Task.yield()
        }
      }
      defer { ticking.cancel() }
      return try await work()
    }

    private func randomChange() -> Contents.Change { naive.contents.randomChange(&nextOrder, using: &random) }

    /// Whether the state takes changes now.
    private func takes(_ changes: [Contents.Change]) -> Bool {
      var contents = naive.contents
      return changes.allSatisfy { (try? contents.apply($0, at: Stamp(time: 0, origin: .none, sequence: 1))) != nil }
    }

    private func expect(_ made: Made, of changes: [Contents.Change], in scope: UndoScope) throws {
      switch made {
      case .refused: try require(!takes(changes), "\(changes) was refused")
      case .made(let id, _):
        try require(takes(changes), "\(changes) was accepted")
        expected[id] = (changes, scope)
      }
    }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
      if !condition { throw Violation(description: message()) }
    }

    /// Makes one step, and checks the laws.
    func step() async throws {
      used = []
      let process = random.pick(processes)
      // Steps that are rare come just after a new build.
      sinceUpgrade += 1
      let number = sinceUpgrade < 4 ? random.pick([50, 60, 71, 78, 86, 90, 91]) : random.below(100)
      if random.oneIn(8) {
        process.journal.nextAppends(
          random.oneIn(2) ? .loseAnswer : .fail(JournalError(.unavailable, journal: "orders", message: "is away.")))
      }
      bank.set(isHealthy: !random.oneIn(3))
      switch number {
      case 0..<30: try await change(in: process, [randomChange()], scope: nil)
      case 30..<38:
        used.insert(.batch)
        try await change(in: process, (0..<2 + random.below(2)).map { _ in randomChange() }, scope: nil)
      case 38..<42:
        used.insert(.requires)
        let (first, second) = (randomChange(), randomChange())
        let before = naive.contents
        let made = try await ticking { try await process.require(first, second) }
        try expect(made[0], of: [first], in: process.scope)
        guard made.count == 2 else { break }
        if case .made(let id, _) = made[1] {
          expected[id] = ([second], process.scope)
        } else {
          var contents = before
          let stamp = Stamp(time: 0, origin: .none, sequence: 1)
          let takesBoth = (try? contents.apply(first, at: stamp)) != nil && (try? contents.apply(second, at: stamp)) != nil
          try require(!takesBoth, "\(second) was refused")
        }
      case 42..<46:
        used.insert(.lease)
        let lease = try await process.journal.lease("desk", for: process.origin, lasting: .seconds(60))
        try await change(in: process, [randomChange()], scope: nil, under: lease)
        try await process.journal.release(lease)
      case 46..<58: try await takeBack(in: process, redo: false)
      case 58..<66: try await takeBack(in: process, redo: true)
      case 66..<70: try await change(in: process, [randomChange()], scope: random.pick([.never, "ann", "bob"]))
      case 70..<73:
        used.insert(.reset)
        let other: Contents? = random.oneIn(2) ? nil : naive.contents(at: random.pick(naive.items.map(\.revision) + [1]))
        guard case .made(let id, _) = try await ticking({ try await process.reset(to: other) }) else { break }
        expected[id] = (nil, process.scope)
      case 73..<77: try await restart(process)
      case 77..<81: try await resume(process)
      case 81..<83 where build < 3: try await upgrade()
      case 83..<85 where build < 3: try await newerSchema()
      case 85..<87:
        used.insert(.compaction)
        floor = try await ticking { try await process.compact(keeping: 2 * Contents.undoWindow) }
      case 87..<94: try await copy(process)
      case 94..<96 where processes.count < 3: try await ticking { try await start() }
      case 96: clock.advance(by: .seconds(3_600))
      case 97 where !isSimulated:
        used.insert(.rows)
        try await ticking { try await process.startRows(at: folder.path("rows \(random.below(1_000_000_000)).db")) }
      default:
        used.insert(.observation)
        process.observe()
      }
      bank.set(isHealthy: true)
      try await settle()
      try await check()
      meetings.note(used, beside: standing)
    }

    private func change(in process: any Process, _ changes: [Contents.Change], scope: UndoScope?, under lease: Lease? = nil) async throws {
      if scope != nil { used.insert(.scope) }
      for case .pay in changes { used.insert(.actingEffect) }
      for case .ship in changes { used.insert(.durableEffect) }
      used.insert(build == 3 ? .macroStruct : .handwritten)
      let made = try await ticking { try await process.change(changes, scope: scope, under: lease) }
      try expect(made, of: changes, in: scope ?? process.scope)
    }

    private func takeBack(in process: any Process, redo: Bool) async throws {
      used.formUnion([redo ? .redo : .undo])
      let (outcome, contents) = redo ? naive.redo(in: process.scope) : naive.undo(in: process.scope)
      // Effects may be about to answer: the naive model is right only about a store at rest.
      let preview = process.preview(redo: redo)
      try require(
        preview == nil || preview == outcome,
        "the preview of \(redo ? "a redo" : "an undo") in \(process.scope) says \(String(describing: preview)), and not \(outcome)")
      let made = try await ticking { try await process.undo(redo: redo) }
      try require(made == outcome, "\(redo ? "a redo" : "an undo") in \(process.scope) ended with \(made), and not with \(outcome)")
      guard made == .done else { return }
      let entries = try await process.entries(after: naive.items.last?.revision ?? 1)
      guard let first = entries.first else { throw Violation(description: "the undo made no entry") }
      expected[first.id] = (nil, process.scope)
      var copy = naive
      copy.append(first)
      try require(
        copy.contents == contents, "\(redo ? "a redo" : "an undo") led to \(copy.contents), and not to \(String(describing: contents))")
    }

    private func end(_ process: any Process) throws {
      processes.removeAll { $0 === process }
      if let first = processes.first, !processes.contains(where: \.hasEffects) { try first.startEffects() }
    }

    private func restart(_ process: any Process) async throws {
      try end(process)
      if random.oneIn(2) { _ = try await ticking { await process.close() } } else { _ = await process.abandon() }
      if place != .memory { await process.journal.close() }
      try await ticking { try await start() }
    }

    private func resume(_ process: any Process) async throws {
      used.insert(.resuming)
      let changes = [randomChange()]
      let isTaken = takes(changes)
      process.journal.nextAppends(.hold)
      let made = Task { try? await process.change(changes, scope: nil, under: nil) }
      if isTaken { try await ticking { await process.journal.waitUntilHeld() } }
      let next = process.origin
      try end(process)
      let leftOver = await process.abandon()
      process.journal.release()
      _ = try await ticking { await made.value }
      if place != .memory { await process.journal.close() }
      try await ticking { try await start(resuming: leftOver) }
      guard isTaken else { return }
      resumed = (next, changes, process.scope)
    }

    /// The change that a store has left over, and that the next one has written.
    private var resumed: (origin: Origin, changes: [Contents.Change], scope: UndoScope)?

    private func upgrade() async throws {
      used.insert(.migration)
      if try await !process(0).journal.snapshots(upTo: naive.items.last?.revision ?? 1, limit: 1).isEmpty { used.insert(.olderSnapshot) }
      let old = processes
      processes = []
      for process in old { try await ticking { await process.close() } }
      build += 1
      sinceUpgrade = 0
      for _ in old { try await ticking { try await start() } }
    }

    private func process(_ place: Int) -> any Process { processes[place] }

    /// A newer build writes beside the older ones, which then end.
    private func newerSchema() async throws {
      used.formUnion([.newerSchema, .migration])
      if try await !process(0).journal.snapshots(upTo: naive.items.last?.revision ?? 1, limit: 1).isEmpty { used.insert(.olderSnapshot) }
      let old = processes
      processes = []
      try await ticking { try await start(build: build + 1) }
      build += 1
      sinceUpgrade = 0
      // A snapshot of the newer build is of no use to the older ones, and each of them reads the entry.
      let change = Contents.Change.name(text: "new \(build)")
      try await self.change(in: process(0), [change], scope: nil)
      for process in old {
        try await ticking {
          while process.failure == nil { await Task.yield() }
        }
        try require(process.failure?.code == .newerSchema, "an older build ended with \(String(describing: process.failure))")
        _ = await process.abandon()
        if place != .memory { await process.journal.close() }
      }
      try await ticking { try await start() }
    }

    private func copy(_ process: any Process) async throws {
      let target = MemoryJournal()
      switch random.below(place == .sqlite ? 6 : 4) {
      case 0:
        used.insert(.export)
        var lines = Data()
        _ = try await process.journal.export { lines += $0 }
        _ = try await target.import(lines)
      case 1:
        let isSquashed = random.oneIn(2)
        used.formUnion(isSquashed ? [.copy, .erasure] : [.copy])
        try await process.copy(to: target, squashing: isSquashed)
        guard isSquashed else { break }
        // Nothing of the past is in it.
        var lines = Data()
        _ = try await target.export { lines += $0 }
        for name in ["red", "grean", "new 2", "new 3"] where name != process.contents.confirmed.name {
          try require(!String(decoding: lines, as: UTF8.self).contains("\"\(name)\""), "the erased name \(name) is in the copy")
        }
      case 2:
        used.insert(.typedInspector)
        let shown = try await process.inspected()
        return try require(shown == process.contents.confirmed, "the inspector shows \(shown)")
      case 3:
        used.insert(.untypedInspector)
        let rows = try await Inspection(of: process.journal.base).entries(before: nil, limit: min(5, naive.items.count)).entries
        let known = naive.items.suffix(rows.count).map(\.revision.number)
        return try require(rows.map(\.revision) == known.reversed(), "the inspector lists \(rows.map(\.revision)), and not \(known)")
      default:
        guard let journal = process.journal.base as? SQLiteJournal else { return }
        used.insert(.backup)
        let path = folder.path("backup \(random.below(1_000_000_000)).db")
        try await journal.backup(to: path)
        let copy = try await SQLiteJournal(at: path)
        _ = try await copy.copy(to: target)
        await copy.close()
      }
      let contents: Contents =
        switch build {
        case 1: try await read(Build1.self, target)
        case 2: try await read(Build2.self, target)
        default: try await read(Build3.self, target)
        }
      try require(contents == process.contents.confirmed, "the copy has \(contents)")
    }

    private func read<B: Build>(_ type: B.Type, _ journal: MemoryJournal) async throws -> Contents {
      let store = try await Store.open(B(Contents()), in: journal)
      defer { Task { await store.close() } }
      return store.state.contents
    }

    // MARK: - Laws

    /// Waits until every process has everything, and every effect is performed.
    private func settle() async throws {
      let head = process(0)
      let end = ContinuousClock.now + .seconds(60)
      while true {
        let revision = try await head.journal.base.head().revision
        if processes.allSatisfy({ $0.revision == revision && $0.isQuiet }) {
          // The states are looked at after the revisions: they are as new at least.
          let contents = processes[0].contents.confirmed
          let isPaying = contents.orders.contains { $0.phase.request != nil }
          let isAtRest = !isPaying && contents.audited == contents.shipped && contents.name != "grean"
          // An observer is told a moment after the confirmation. Its contents may be those of the end before it was told of what is between.
          let untold = processes.first { process in
            let observed = process.observed
            if let last = observed.last, last != process.revision { return true }
            return observed.contents.map { $0 != process.contents.confirmed } ?? false
          }
          if isAtRest, try await head.journal.base.head().revision == revision {
            guard let untold else { return }
            try require(ContinuousClock.now < end - .seconds(50), "an observer has seen \(untold.observed), and not \(contents)")
          }
        }
        for process in processes { if let failure = process.failure { throw Violation(description: "a store has failed: \(failure)") } }
        clock.advance(by: .milliseconds(50))
        await Task.yield()
        try require(ContinuousClock.now < end, "no rest: \(processes.map { ($0.revision, $0.isQuiet) }), head \(revision)")
      }
    }

    private func check() async throws {
      // The new entries are those of the step, and answers of effects with the bank's words.
      for item in try await process(0).entries(after: naive.items.last?.revision ?? 1) {
        if let step = expected.removeValue(forKey: item.id) {
          try require(item.scope == step.scope, "\(item.id) has the scope \(item.scope), and not \(step.scope)")
          if let changes = step.changes {
            guard case .changes(changes) = item.content else { throw Violation(description: "\(item) is not \(changes)") }
          }
        } else if let found = resumed, item.id.origin == found.origin {
          resumed = nil
          guard case .changes(found.changes) = item.content else { throw Violation(description: "\(item) is not \(found.changes)") }
          try require(item.scope == found.scope, "the resumed change has another scope")
        } else {
          used.insert(item.cause?.feedback == "pay" ? .actingEffect : item.cause?.feedback == "audit" ? .durableEffect : .localEffect)
          if let problem = naive.problem(ofAnswer: item, bank: bank) { throw Violation(description: problem) }
        }
        naive.append(item)
      }
      try require(expected.isEmpty, "entries are missing: \(expected.keys)")
      try require(resumed == nil, "the resumed change is missing")
      let verifies = random.oneIn(10)
      for process in processes {
        let contents = process.contents
        try require(contents.confirmed == naive.contents, "the confirmed contents are \(contents.confirmed), and not \(naive.contents)")
        try require(contents.visible == naive.contents, "the visible contents are \(contents.visible), and not \(naive.contents)")
        let (undoable, steps) = (process.undoable, naive.steps(of: process.scope))
        for redo in [false, true] {
          guard let preview = process.preview(redo: redo) else { continue }
          try require(undoable == steps, "the steps in \(process.scope) are \(undoable), and not \(steps)")
          let outcome = redo ? naive.redo(in: process.scope).0 : naive.undo(in: process.scope).0
          try require(preview == outcome, "a preview (redo: \(redo)) in \(process.scope) says \(preview), and not \(outcome)")
        }
        if let rows = try await ticking({ try await process.readRows(verifying: verifies) }) {
          used.insert(.rows)
          try require(rows == naive.contents.rows, "the rows are \(rows), and not \(naive.contents.rows)")
        }
        let observed = process.observed
        try require(!observed.isBroken, "an observer missed an entry, or saw one twice")
        if let seen = observed.contents { try require(seen == naive.contents, "an observer has seen \(seen), and not \(naive.contents)") }
      }
      for payment in naive.contents.orders.compactMap(\.phase.request) { throw Violation(description: "\(payment) is still open") }
      guard verifies else { return }
      try await process(0).verify()
      let revisions = naive.items.map(\.revision).filter { $0 > floor }
      guard !revisions.isEmpty else { return }
      let revision = random.pick(revisions)
      let past = try await process(0).contents(at: revision)
      try require(past == naive.contents(at: revision), "revision \(revision) had \(past), and not \(naive.contents(at: revision))")
    }

    func close() async throws {
      for process in processes { try await ticking { await process.close() } }
    }
  }

  extension UUID {
    fileprivate static func random(using random: inout SeededGenerator) -> UUID {
      let (high, low) = (random.next(), random.next())
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: high >> ($0 * 8)) } + (0..<8).map { UInt8(truncatingIfNeeded: low >> ($0 * 8)) }
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
  }
#endif
