import Alter
import AlterJournal
import AlterPostgres
import AlterSQLite
import AlterStore
import AlterSyncCore
import AlterSyncServer
import AlterTesting
import Foundation
import ProcessTesting
import StockModel
import StoreTesting
import SyncModel
import Testing

@Suite("A server's journal that is compacted while devices push", .timeLimit(.minutes(30)))
struct CompactedServerTests {
  static let window = 6

  @Test("in memory: each draft has one verdict, nothing is doubled, and all devices have the server's state")
  func memory() async throws {
    var seen: Set<String> = []
    for seed in 1...60 as ClosedRange<UInt64> {
      let journal = MemoryJournal()
      seen.formUnion(try await run(seed, on: [journal, journal, journal], steps: 150))
    }
    #expect(Set(Event.allCases.map(\.rawValue)).subtracting(seen).isEmpty)
  }

  @Test("in a SQLite file, by processes that share no connection: the same")
  func file() async throws {
    for seed in 1_001...1_004 as ClosedRange<UInt64> {
      let folder = try Folder()
      let path = folder.path("server.db")
      // Handles of different durability share no connection.
      let journals = [
        try await SQLiteJournal(at: path, durability: .relaxed, lockTimeout: .seconds(86_400)),
        try await SQLiteJournal(at: path, durability: .full, lockTimeout: .seconds(86_400)),
        try await SQLiteJournal(at: path, durability: .relaxed, lockTimeout: .seconds(86_400)),
      ]
      _ = try await run(seed, on: journals, steps: 80)
      for journal in journals { await journal.close() }
    }
  }

  #if Postgres
    @Test("in PostgreSQL, by processes on three machines: the same", .enabled(if: TestServer.isExpected))
    func postgres() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      for seed in 2_001...2_003 as ClosedRange<UInt64> {
        var journals: [PostgresJournal] = []
        for machine in 0..<3 {
          journals.append(
            try await PostgresJournal(
              at: PostgresServer("host=\(server.folder) dbname=\(database) user=alter application_name=machine\(machine)"),
              key: "seed \(seed)", lockTimeout: .seconds(86_400), turnTimeout: .seconds(86_400)))
        }
        _ = try await run(seed, on: journals, steps: 80)
        for journal in journals { await journal.close() }
      }
    }
  #endif

  @Test("up to an entry inside the undo window: servers that have folded the removed entries refuse an undo as those that have not")
  func insideWindow() async throws {
    for isFresh in [false, true] {
      let journal = MemoryJournal()
      try await ServedStock.begin(journal)
      func server() -> JournalServer<Stock> {
        ServedStock.server(journal) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (Self.window, .max) }
      }
      let first = server()
      var ann = Asker()
      _ = try await ann.push((1...10).map { SyncDraft(1, $0, .add) }, to: first)
      _ = try await ann.pull(first)
      let head = try await journal.head()
      let state = try await FoldedJournal<Stock>(journal, window: Self.window).history.state
      try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: JournalCoding.encode(state)))
      try await journal.compact(journal.compactionPlan(keeping: .last(0)))
      #expect(try await journal.floor() == head)
      let undo = SyncDraft(id: EntryID(1, 11), time: 0, content: .undo(EntryID(1, 10)))
      let page = try await ann.push([undo, SyncDraft(1, 12, .add)], to: isFresh ? server() : first)
      let expected: [Verdict] = [.refused(.outsideWindow, at: head.revision + 1), .accepted(head.revision + 2)]
      #expect(page.lines.map(\.verdict) == expected, "fresh: \(isFresh)")
    }
  }

  @Test("and then replaced by a backup from before: devices that have begun at the floor continue, and no draft is decided again")
  func restored() async throws {
    let folder = try Folder()
    let journal = try await SQLiteJournal(at: folder.path("server.db"), durability: .relaxed)
    try await ServedStock.begin(journal)
    let server = ServedStock.server(journal) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (Self.window, .max) }
    let drafts = (1...40).map { SyncDraft(1, $0, .add) }
    var ann = Asker()
    _ = try await ann.push(drafts, to: server)
    _ = try await ann.pull(server)
    let folded = try await FoldedJournal<Stock>(journal, window: Self.window, spacing: 1)
    if let due = folded.dueSnapshot { _ = await due.keep() }
    try await journal.backup(to: folder.path("backup.db"))
    let plan = try await journal.compactionPlan(keeping: .last(0))
    try await journal.compact(plan)
    var bob = Phone(.bob, 2)
    while bob.file.mirror?.head.revision != 41 { try await bob.exchange(server) }
    #expect(plan.floor > 20 && bob.file.floor == plan.floor)
    let head = try await journal.head()
    await journal.close()

    let backup = try await SQLiteJournal(at: folder.path("backup.db"), durability: .relaxed)
    #expect(try await backup.floor() == nil)
    let again = ServedStock.server(backup) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (Self.window, .max) }
    _ = bob.make(.changes(Stock.bytes([.claim(3)])))
    while !bob.file.outbox.isEmpty { try await bob.exchange(again) }
    #expect(bob.file.floor == plan.floor && bob.file.mirror?.head.revision == head.revision.next)
    #expect(bob.file.view().state.stock == (try await FoldedJournal<Stock>(backup, window: Self.window).history.state))
    let repeated = try await ann.push(drafts, to: again)
    #expect(repeated.lines.map(\.verdict) == (2...41).map { Verdict.accepted(Revision($0)) })
    await backup.close()
  }

  /// Events that must occur, or the test says little.
  enum Event: String, CaseIterable {
    case compacted, killed, gone, lost, copied
    /// A draft has left an outbox by a verdict below the floor.
    case leftAtFloor
  }

  /// Runs a random schedule.
  ///
  /// - Parameter journals: Handles on one journal: two of server processes, and that of the command that compacts.
  /// - Returns: The events that have occurred.
  func run(_ seed: UInt64, on journals: [any ServerJournal], steps: Int) async throws -> Set<String> {
    try await ServedStock.begin(journals[0])
    var world = World(seed: seed, journals: journals)
    for step in 0..<steps {
      do { try await world.step() } catch { throw Unexpected(answer: "step \(step) of seed \(seed): \(error)") }
    }
    do { try await world.finish() } catch { throw Unexpected(answer: "the end of seed \(seed): \(error)") }
    return Set(world.seen.map(\.rawValue))
  }

  private struct World {
    let journals: [any ServerJournal]
    let servers: [JournalServer<Stock>]
    var phones: [Phone]
    var random: SeededGenerator
    /// The drafts that were ever made, also by copies.
    var made: [EntryID: Checksum] = [:]
    /// The server's word on each draft.
    var verdicts: [EntryID: Verdict] = [:]
    var seen: Set<Event> = []
    var origins: UInt8 = 3

    init(seed: UInt64, journals: [any ServerJournal]) {
      self.journals = journals
      servers = journals.prefix(2).map {
        ServedStock.server($0) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (CompactedServerTests.window, .max) }
      }
      phones = [Phone(.ann, 1), Phone(.bob, 2), Phone(.ann, 3)]
      random = SeededGenerator(seed: seed)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func step() async throws {
      let number = below(phones.count)
      switch below(20) {
      case 0...7: make(number)
      case 8...15: try await exchange(number, isLost: below(5) == 0)
      case 16: try await keepSnapshot()
      case 17:
        let plan = try await journals[2].compactionPlan(keeping: .last(below(20)))
        try await compact(plan, isKilled: below(3) == 0)
      case 18:
        // The compaction and an exchange at the same time.
        let plan = try await journals[2].compactionPlan(keeping: .last(below(20)))
        let journal = journals[2]
        let compaction = Task { try await journal.compact(plan) }
        try await exchange(number, isLost: below(2) == 0)
        do { try await compaction.value } catch let error as JournalError where error.code == .conflict {}
        if try await journals[0].floor()?.revision == plan.floor, plan.entries > 0 { seen.insert(.compacted) }
      default:
        // A copy of a file is used beside it.
        guard phones.count < 6, origins < 40 else { return }
        origins += 1
        seen.insert(.copied)
        phones.append(phones[number].copied(origins))
      }
    }

    mutating func make(_ number: Int) {
      let other = phones[below(phones.count)].recent + phones[number].recent
      let known = other.randomElement(using: &random) ?? EntryID(1, 1)
      let content: SyncDraft.Content =
        switch below(12) {
        case 0, 1: .undo(known)
        case 2: .redo(known)
        case 3: .changes(Stock.bytes([.mark(Stock.item(known))]))
        case 4: .changes(Stock.bytes([.remove(Stock.item(known))]))
        case 5: .changes(Stock.bytes([.claim(9)]))
        case 6...8: .changes(Stock.bytes([.claim(10 + below(30))]))
        default: .changes(Stock.bytes([.add]))
        }
      if let draft = phones[number].make(content) { made[draft.id] = draft.hash }
    }

    mutating func exchange(_ number: Int, isLost: Bool) async throws {
      let request = phones[number].request()
      let answer = try await servers[below(2)].answer(request, from: phones[number].file.principal, arrival: 1)
      let lines: [VerdictLine]
      switch answer {
      case .page(let page): lines = page.lines
      case .snapshot(let fetched): lines = fetched.lines
      default: lines = []
      }
      for line in lines {
        guard made[line.id] == line.hash else { throw Unexpected(answer: "a verdict on another draft than \(line.id)") }
        if let known = verdicts[line.id], known != line.verdict {
          throw Unexpected(answer: "\(line.id) was \(known) and is \(line.verdict)")
        }
        verdicts[line.id] = line.verdict
      }
      if isLost {
        seen.insert(.lost)
        return
      }
      if case .gone = answer { seen.insert(.gone) }
      try phones[number].absorb(answer, to: request)
      for (id, verdict) in phones[number].file.left {
        if let known = verdicts[id], known != verdict { throw Unexpected(answer: "\(id) was \(known) and left as \(verdict)") }
        // The entry may have arrived before the verdict.
        verdicts[id] = verdict
        if let revision = verdict.revision, revision <= phones[number].file.floor { seen.insert(.leftAtFloor) }
      }
    }

    func keepSnapshot() async throws {
      let folded = try await FoldedJournal<Stock>(journals[2], window: CompactedServerTests.window, spacing: 1)
      if let due = folded.dueSnapshot { _ = await due.keep() }
    }

    /// - Parameter isKilled: Whether the command's process dies after its first transaction.
    mutating func compact(_ plan: CompactionPlan, isKilled: Bool) async throws {
      guard plan.entries > 0 else { return }
      seen.insert(.compacted)
      guard isKilled, let revision = plan.snapshot, let snapshot = try await journals[2].snapshot(at: revision),
        let journal = journals[2] as? any CompactableJournal
      else { return try await journals[2].compact(plan) }
      seen.insert(.killed)
      let pinned = Snapshot(head: plan.base, base: plan.base, schema: snapshot.schema, written: 0, payload: snapshot.payload)
      try await journal.moveFloor(to: pinned, seen: plan.head)
    }

    /// Lets all outboxes drain, and checks the laws.
    mutating func finish() async throws {
      for number in phones.indices {
        // Far more exchanges than are needed.
        for _ in 0..<60 { try await exchange(number, isLost: false) }
      }
      for number in phones.indices { try await exchange(number, isLost: false) }
      let journal = journals[0]
      let head = try await journal.verify()
      try await journal.verifyStorage()
      let folded = try await FoldedJournal<Stock>(journal, window: CompactedServerTests.window)
      for (number, phone) in phones.enumerated() {
        try #require(phone.file.outbox.isEmpty, "the outbox of \(number)")
        try #require(phone.file.mirror?.head == head, "the head of \(number)")
        try #require(phone.file.view().state.stock == folded.history.state, "the state of \(number)")
      }
      try #require(Set(verdicts.keys) == Set(made.keys))
      // Each draft is one entry, and there is no other one.
      try #require(Set(verdicts.values.compactMap(\.revision)).count == made.count)
      try #require(head.revision == Revision(Int64(made.count) + 1))
      var questions = ServerQuestions()
      questions.ids = Set(made.keys)
      for journal in journals {
        let standings = try await journal.facts(about: questions).standings.mapValues { Standing($0) }
        for (id, hash) in made { try #require(standings[id]?.hash == hash && standings[id]?.verdict == verdicts[id], "\(id)") }
      }
      for server in servers { await server.close() }
    }
  }

  /// A device in memory: the rules of a device's file, and the exchange that is due.
  private struct Phone {
    var file: DeviceFile<LedgerStock>
    private var origin: UInt8
    private var sequence: Int64 = 0
    private var mustFetch = false
    /// Its last drafts.
    private(set) var recent: [EntryID] = []

    init(_ principal: Principal, _ origin: UInt8) {
      file = DeviceFile(principal, initial: Stock.empty, window: CompactedServerTests.window)
      self.origin = origin
      file.open(as: .test(origin))
    }

    /// A copy of the file, which another process opens.
    func copied(_ origin: UInt8) -> Phone {
      var copy = self
      (copy.origin, copy.sequence, copy.mustFetch) = (origin, 0, false)
      copy.file.open(as: .test(origin))
      return copy
    }

    mutating func make(_ content: SyncDraft.Content) -> SyncDraft? {
      let draft = SyncDraft(id: EntryID(origin, sequence + 1), time: 0, content: content)
      guard file.make(draft) else { return nil }
      sequence += 1
      recent = (recent + [draft.id]).suffix(8)
      return draft
    }

    func request() -> Request {
      let body: Request.Body =
        mustFetch ? .fetch(file.questions) : file.outbox.hasUndecided ? .push(file.submissions(limits: SyncLimits())) : .pull
      return Request(
        body, position: file.mirror?.head, floor: file.floor, principal: file.principal, generation: file.generation,
        known: file.newestKnown, schemas: 1...1)
    }

    mutating func exchange(_ server: JournalServer<Stock>) async throws {
      let request = request()
      try absorb(try await server.answer(request, from: file.principal, arrival: 1), to: request)
    }

    mutating func absorb(_ answer: Answer, to request: Request) throws {
      if case .busy = answer { return }
      switch file.absorb(answer, to: request) {
      case .gone: mustFetch = true
      case .adopted: mustFetch = false
      case .page: break
      case let reply: throw Unexpected(answer: "\(reply)")
      }
    }
  }
}
