import Alter
import AlterJournal
import AlterPostgres
import AlterSQLite
import AlterSyncCore
import AlterSyncServer
import AlterTesting
import Foundation
import ProcessTesting
import StockModel
import SyncModel
import Testing

/// The explored rules decide on a ledger, a server on its journal: the same drafts must become the same bytes.
@Suite("A server decides as the explored rules do", .timeLimit(.minutes(30)))
struct SameDecisionTests {
  /// Random drafts of four origins: changes, undos, redos, answers, requirements, retries, clones, late ones, and such that no one can read.
  private struct Drafts {
    var random: SeededGenerator
    var made: [SyncDraft] = []
    var last: [UInt8: Int64] = [:]
    /// The draft whose acting request was answered last.
    var performed: EntryID?

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
    private mutating func some() -> EntryID { made.randomElement(using: &random)?.id ?? EntryID(1, 1) }
    private mutating func recent() -> EntryID { made.suffix(6).randomElement(using: &random)?.id ?? EntryID(1, 1) }

    /// The item of a recent draft that adds one.
    private mutating func added() -> UUID {
      let adding = made.suffix(12).filter { if case .changes(let payload) = $0.content { payload == Stock.bytes([.add]) } else { false } }
      return Stock.item(adding.randomElement(using: &random)?.id ?? some())
    }

    private mutating func content() -> SyncDraft.Content {
      switch below(20) {
      case 0: .undo(performed ?? recent())
      case 1...3: .undo(recent())
      case 4...6: .redo(recent())
      case 7: .changes(Data("nonsense".utf8))
      case 8: .other(oneIn(2) ? .reset : .initial, Stock.empty)
      case 9...11: .changes(Stock.bytes([.mark(added())]))
      case 12: .changes(Stock.bytes([.remove(added())]))
      case 13...15: .changes(Stock.bytes([.claim(below(10))]))
      case 16: .changes(Stock.bytes([.note(String(repeating: "n", count: below(200)))]))
      default: .changes(Stock.bytes([.add] + (oneIn(3) ? [.claim(below(10))] : [])))
      }
    }

    mutating func next(by principal: Principal) -> SyncDraft {
      let origins: [UInt8] = principal == .server ? [5, 6] : principal == .ann ? [1, 2] : [3, 4]
      let origin = oneIn(40) ? UInt8(1 + below(4)) : origins[below(2)]
      if !made.isEmpty, oneIn(12), let known = made.randomElement(using: &random) { return known }
      var sequence = (last[origin] ?? 0) + 1 + Int64(below(2))
      if oneIn(40) { sequence = max(1, sequence - 2) }
      last[origin] = max(last[origin] ?? 0, sequence)
      var cause = principal == .server || oneIn(8) ? Cause.answer(to: recent(), using: &random) : Cause()
      (cause.requires, cause.retries) = (oneIn(20) ? recent() : nil, oneIn(20) ? some() : nil)
      if let asking = cause.asking { performed = asking }
      let draft = SyncDraft(
        id: EntryID(origin, sequence), time: 0, scope: oneIn(8) ? .never : (oneIn(20) ? "secret" : oneIn(4) ? "own" : "").scope,
        schema: oneIn(60) ? 2 : 1, content: content(), cause: cause)
      made.append(draft)
      return draft
    }

    mutating func push(by principal: Principal) -> [Submission] {
      var submissions: [Submission] = []
      for _ in 0...below(4) {
        let draft = next(by: principal)
        let after = submissions.last?.id ?? (oneIn(30) ? recent() : nil)
        switch below(30) {
        case 0: submissions.append(Submission(.oversized(draft.id, size: 5_000_000, hash: draft.hash), after: after))
        case 1: submissions.append(Submission(.malformed(draft.id, hash: draft.hash), after: after))
        default: submissions.append(Submission(.draft(draft), after: after))
        }
      }
      return submissions
    }
  }

  private static func run(_ seed: UInt64, on journal: any ServerJournal, window: Int, pushes: Int, compacts: Bool = false) async throws
    -> Set<String>
  {
    try await ServedStock.begin(journal)
    var limits = SyncLimits()
    limits.bytesPerDraft = 150
    let policy = StockPolicy()
    // Two server processes in turn, as behind a load balancer.
    let servers = (0..<2).map { _ in
      ServedStock.server(journal, policy: policy) { options in
        (options.store.undoWindow, options.limits, options.store.snapshotSpacing) = (window, limits, 20)
      }
    }
    var ledger = ServedStock.ledger(try await journal.head().journal, window: window)
    var process = ServerProcess(ledger, limits: limits)
    var drafts = Drafts(random: SeededGenerator(seed: seed))
    var seen: Set<String> = []
    for step in 0..<pushes {
      let principal = [Principal.ann, .bob, .ann, .bob, .server].randomElement(using: &drafts.random) ?? .ann
      let submissions = drafts.push(by: principal)
      let request = Request(.push(submissions), position: ledger.head, principal: principal, generation: Generation(7))
      process.refill()
      var expected = process.begin(request, token: principal, arrival: Int64(step), policy: LedgerStockPolicy(), database: ledger)
      while expected == nil { expected = process.commit(to: &ledger, policy: LedgerStockPolicy()) }
      let answer = try await servers[step % 2].answer(request, from: principal, arrival: Int64(step))
      guard case .page(let page) = answer, case .page(let wanted)? = expected else { throw Unexpected(answer: "\(answer)") }
      try #require(page.lines == wanted.lines, "push \(step) of seed \(seed)")
      try #require(page.hold == wanted.hold, "push \(step) of seed \(seed)")
      try #require(page.entries == wanted.entries && page.head == wanted.head, "push \(step) of seed \(seed)")
      for line in page.lines {
        switch line.verdict {
        case .accepted: seen.insert("accepted")
        case .refused(let code, _): seen.insert(code.rawValue)
        }
      }
      if let hold = page.hold { seen.insert("hold \(hold.code.rawValue)") }
      if compacts, Int.random(in: 0..<8, using: &drafts.random) == 0 {
        let fold = try await FoldedJournal<Stock>(journal, window: window, spacing: 1)
        if let due = fold.dueSnapshot { _ = await due.keep() }
        let plan = try await journal.compactionPlan(keeping: .last(Int.random(in: 0...window, using: &drafts.random)))
        try await journal.compact(plan)
        guard plan.entries > 0 else { continue }
        // The rules require a window of entries behind the floor, and no undo across it.
        let isCompacted = ledger.compact(to: plan.floor)
        try #require(isCompacted, "push \(step) of seed \(seed), floor \(plan.floor)")
        seen.insert("compacted")
      }
    }
    let store = try await FoldedJournal<Stock>(journal, window: window)
    #expect(store.history.state == ledger.timeline.state.stock)
    for server in servers { await server.close() }
    return seen
  }

  @Test("in memory: each push has the same verdicts, and the entries have the same checksums")
  func memory() async throws {
    var seen: Set<String> = []
    for seed in 1...80 as ClosedRange<UInt64> {
      seen.formUnion(try await Self.run(seed, on: MemoryJournal(), window: seed % 3 == 0 ? 5 : 40, pushes: 80))
    }
    // Every outcome must have been met, or the test says little. A 'lost' change is the device's own; the others have tests of their own.
    let all = RefusalCode.allCases.filter { $0 != .lost }.map(\.rawValue) + ["accepted", "hold order", "hold schema"]
    #expect(Set(all).subtracting(seen).isEmpty)
  }

  @Test("if both are compacted at random moments, in memory and in a file: no verdict is forgotten or given twice")
  func compacted() async throws {
    var seen: Set<String> = []
    for seed in 301...360 as ClosedRange<UInt64> {
      seen.formUnion(try await Self.run(seed, on: MemoryJournal(), window: seed % 3 == 0 ? 5 : 15, pushes: 80, compacts: true))
    }
    for seed in 401...404 as ClosedRange<UInt64> {
      let folder = try Folder()
      let journal = try await SQLiteJournal(at: folder.path("server.db"), durability: .relaxed)
      seen.formUnion(try await Self.run(seed, on: journal, window: 10, pushes: 60, compacts: true))
      _ = try await journal.verify()
      try await journal.verifyStorage()
      await journal.close()
    }
    let all = RefusalCode.allCases.filter { $0 != .lost }.map(\.rawValue) + ["accepted", "hold order", "hold schema", "compacted"]
    #expect(Set(all).subtracting(seen).isEmpty)
  }

  @Test("in a SQLite file, in which each push is a transaction")
  func file() async throws {
    for seed in 101...106 as ClosedRange<UInt64> {
      let folder = try Folder()
      let journal = try await SQLiteJournal(at: folder.path("server.db"), durability: .relaxed)
      _ = try await Self.run(seed, on: journal, window: 10, pushes: 60)
      // No push leaves rows that a verification calls damaged.
      _ = try await journal.verify()
      await journal.close()
    }
  }

  #if Postgres
    @Test("in PostgreSQL, in which each push is a statement", .enabled(if: TestServer.isExpected))
    func postgres() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      for seed in 201...204 as ClosedRange<UInt64> {
        let journal = try await PostgresJournal(
          at: PostgresServer("host=\(server.folder) dbname=\(database) user=alter"), key: "seed \(seed)", durability: .relaxed,
          lockTimeout: .seconds(200), turnTimeout: .seconds(200))
        _ = try await Self.run(seed, on: journal, window: 10, pushes: 60, compacts: seed % 2 == 0)
        try await journal.verifyStorage()
        await journal.close()
      }
    }
  #endif
}

extension String {
  fileprivate var scope: UndoScope { UndoScope(rawValue: self) }
}
