import Alter
import AlterJournal
import AlterSQLite
import AlterStore
import AlterSyncCore
import AlterSyncServer
import AlterTesting
import Foundation
import ProcessTesting
import StockModel
import SyncModel
import Testing

@Suite("A new device begins at a snapshot", .timeLimit(.minutes(30)))
struct SnapshotStartTests {
  private static let window = 6

  private static func server(_ journal: any ServerJournal) -> JournalServer<Stock> {
    ServedStock.server(journal) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (window, .max) }
  }

  /// Makes a snapshot of the journal's end, as a server does in the background.
  private static func keepSnapshot(of journal: any ServerJournal) async throws {
    let folded = try await FoldedJournal<Stock>(journal, window: window, spacing: 5)
    if let due = folded.dueSnapshot { _ = await due.keep() }
  }

  private static func fetch(
    _ server: JournalServer<Stock>, _ ids: [EntryID] = [], schemas: ClosedRange<Int>? = 1...1
  ) async throws -> Fetched {
    let request = Request(.fetch(ids), position: nil, principal: .bob, schemas: schemas)
    let answer = try await server.answer(request, from: .bob, arrival: 1)
    guard case .snapshot(let fetched) = answer else { throw Unexpected(answer: "\(answer)") }
    return fetched
  }

  /// A journal with 40 changes and a snapshot, whose base is the revision that is returned, and ten changes more.
  private static func long() async throws -> (MemoryJournal, JournalServer<Stock>, base: Revision) {
    let journal = MemoryJournal()
    try await ServedStock.begin(journal)
    let server = server(journal)
    var ann = Asker()
    _ = try await ann.push((1...40).map { SyncDraft(1, $0, .claim(100 + Int($0))) }, to: server)
    _ = try await ann.pull(server)
    try await keepSnapshot(of: journal)
    _ = try await ann.push((41...50).map { SyncDraft(1, $0, .claim(100 + Int($0))) }, to: server)
    let place = try #require(try await journal.snapshots(upTo: 100, limit: 10).first)
    return (journal, server, place.base)
  }

  @Test("is told to fetch, reads the entries after the base alone, and has the server's state")
  func begins() async throws {
    let (journal, server, base) = try await Self.long()
    #expect(base > 30)
    var bob = SnapshotDevice(.bob)
    try await bob.pull(server)
    #expect(bob.file.floor == base)
    #expect(bob.read == 51 - base.number)
    let state = try await FoldedJournal<Stock>(journal, window: Self.window).history.state
    #expect(bob.file.view().state.stock == state)
  }

  @Test("has an undo within the window; an entry below the floor cannot be undone")
  func undoes() async throws {
    let (journal, server, base) = try await Self.long()
    var bob = SnapshotDevice(.bob)
    try await bob.pull(server)
    let old = SyncDraft(id: EntryID(2, 1), time: 0, content: .undo(EntryID(1, base.number - 1)))
    let isOldMade = bob.file.make(old)
    #expect(!isOldMade)
    let recent = SyncDraft(id: EntryID(2, 2), time: 0, content: .undo(EntryID(1, 48)))
    let isMade = bob.file.make(recent)
    #expect(isMade)
    try await bob.push(server)
    #expect(bob.file.outbox.isEmpty && bob.file.refusals.isEmpty)
    let state = try await FoldedJournal<Stock>(journal, window: Self.window).history.state
    #expect(bob.file.view().state.stock == state && !state.slots.contains(148))
    // The server refuses the other one, too.
    bob.file.makeUnchecked(SyncDraft(id: EntryID(2, 3), time: 0, content: .undo(EntryID(1, base.number - 1))))
    try await bob.push(server)
    #expect(bob.file.refusals.map(\.code) == [.outsideWindow])
  }

  @Test("has the verdicts of its undecided drafts, also of those below the floor")
  func verdicts() async throws {
    let (_, server, base) = try await Self.long()
    let fetched = try await Self.fetch(server, [EntryID(1, 3), EntryID(7, 7), EntryID(1, 50)])
    #expect(fetched.floor.head.revision == base)
    #expect(fetched.lines.map(\.verdict) == [.accepted(4), .accepted(51)])
    var ann = SnapshotDevice(.ann)
    ann.file.makeUnchecked(SyncDraft(1, 3, .claim(103)))
    ann.file.makeUnchecked(SyncDraft(1, 60, .claim(160)))
    try await ann.push(server)
    #expect(ann.file.floor == base && ann.file.outbox.isEmpty && ann.file.refusals.isEmpty)
  }

  @Test("begins at the initial state if it does not read the snapshot's schema, or names none")
  func schemas() async throws {
    let (_, server, base) = try await Self.long()
    #expect(try await Self.fetch(server, schemas: nil).floor.head.revision == 1)
    #expect(try await Self.fetch(server, schemas: 2...3).floor.head.revision == 1)
    #expect(try await Self.fetch(server, schemas: 1...3).floor.head.revision == base)
  }

  @Test("does not begin at a snapshot whose base a later undo crosses, or after which there is less than a window")
  func crossed() async throws {
    let journal = MemoryJournal()
    try await ServedStock.begin(journal)
    let server = Self.server(journal)
    var ann = Asker()
    _ = try await ann.push((1...20).map { SyncDraft(1, $0, .claim(100 + Int($0))) }, to: server)
    _ = try await ann.pull(server)
    try await Self.keepSnapshot(of: journal)
    let first = try #require(try await journal.snapshots(upTo: 100, limit: 10).first)
    _ = try await ann.push((21...40).map { SyncDraft(1, $0, .claim(100 + Int($0))) }, to: server)
    _ = try await ann.push([SyncDraft(id: EntryID(1, 41), time: 0, content: .undo(EntryID(1, 37)))], to: server)
    _ = try await ann.push((42...44).map { SyncDraft(1, $0, .claim(100 + Int($0))) }, to: server)
    try await Self.keepSnapshot(of: journal)
    let second = try #require(try await journal.snapshots(upTo: 100, limit: 10).first)
    // The undo is behind the base of the second one, and its target before it.
    #expect(second.base >= 38 && second.base < 42)
    #expect(try await Self.fetch(server).floor.head.revision == first.base)
    // A base that lies at the end.
    let head = try await journal.head()
    try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1 << 20, payload: Stock.empty))
    #expect(try await Self.fetch(server).floor.head.revision == first.base)
  }

  @Test("does not begin at a snapshot of another history, or at a damaged one")
  func foreign() async throws {
    let (journal, server, base) = try await Self.long()
    let head = try await journal.head()
    let other = Head(journal: head.journal, revision: base.next, checksum: Checksum(high: 1, low: 2))
    try await journal.keep(Snapshot(head: head, base: other, schema: 1, written: 1 << 20, payload: Stock.empty))
    #expect(try await Self.fetch(server).floor.head.revision == base)
  }

  @Test("does not begin at a snapshot that the app cannot read, and begins at the first entry after a restart")
  func unreadable() async throws {
    let (journal, server, base) = try await Self.long()
    let head = try await journal.head()
    let good = try #require(try await journal.head(at: base, of: head.journal))
    try await journal.keep(Snapshot(head: head, base: good, schema: 1, written: 1 << 20, payload: Data("7".utf8)))
    #expect(try await journal.snapshots(upTo: 100, limit: 10).first?.revision == head.revision)
    let fetched = try await Self.fetch(server)
    #expect(fetched.floor.head == good && fetched.floor.state.payload != Data("7".utf8))
    let former = Request(.fetch([]), position: nil, principal: .bob, generation: Generation(1), schemas: 1...1)
    guard case .snapshot(let restarted) = try await server.answer(former, from: .bob, arrival: 1) else {
      throw Unexpected(answer: "no state")
    }
    #expect(restarted.floor.head.revision == 1)
  }

  @Test("does not begin at a snapshot of a build with as many names that may be other ones, and begins at one of a build with more")
  func otherForm() async throws {
    let (journal, server, base) = try await Self.long()
    let head = try await journal.head()
    let good = try #require(try await journal.head(at: base, of: head.journal))
    func keep(_ form: Int64) async throws {
      try await journal.keep(Snapshot(head: head, base: good, schema: 1, form: form, written: 1 << 20, payload: Stock.empty))
      #expect(try await journal.snapshots(upTo: 100, limit: 10).first?.form == form)
    }
    try await keep(Stock.form ^ 1)
    #expect(try await Self.fetch(server).floor.state.payload != Stock.empty)
    try await keep(Stock.form + 1 << 48)
    #expect(try await Self.fetch(server).floor.state.payload == Stock.empty)
  }

  @Test("random undos, redos and refusals: devices that begin at any time have the server's state at each head")
  func random() async throws {
    var floors: Set<Revision> = []
    for seed in 1...30 as ClosedRange<UInt64> { floors.formUnion(try await Self.run(seed, on: MemoryJournal())) }
    #expect(floors.count > 20)
  }

  @Test("the same in a SQLite file")
  func file() async throws {
    let folder = try Folder()
    let journal = try await SQLiteJournal(at: folder.path("server.db"), durability: .relaxed)
    let floors = try await Self.run(1_001, on: journal)
    #expect(floors.contains { $0 > 1 })
    await journal.close()
  }

  /// - Returns: The floors at which devices have begun.
  private static func run(_ seed: UInt64, on journal: any ServerJournal) async throws -> Set<Revision> {
    try await ServedStock.begin(journal)
    // Two processes: each of them has checked other places.
    let servers = [server(journal), server(journal)]
    var random = SeededGenerator(seed: seed)
    var devices: [SnapshotDevice] = []
    var floors: Set<Revision> = []
    var accepted: [EntryID] = []
    var last: Int64 = 0
    var ann = Asker()
    for step in 0..<60 {
      let server = servers[step % 2]
      var drafts: [SyncDraft] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        last += 1
        let near = accepted.suffix(8).randomElement(using: &random) ?? EntryID(1, 1)
        let content: SyncDraft.Content =
          switch Int.random(in: 0..<16, using: &random) {
          case 0, 1: .undo(near)
          case 2: .redo(near)
          case 3: .changes(Stock.bytes([.mark(Stock.item(near))]))
          case 4: .changes(Stock.bytes([.remove(Stock.item(near))]))
          case 5: .changes(Stock.bytes([.claim(9)]))
          case 6...9: .changes(Stock.bytes([.claim(Int.random(in: 10..<40, using: &random))]))
          default: .changes(Stock.bytes([.add]))
          }
        drafts.append(SyncDraft(id: EntryID(1, last), time: 0, content: content))
      }
      let page = try await ann.push(drafts, to: server)
      for line in page.lines { if case .accepted = line.verdict { accepted.append(line.id) } }
      _ = try await ann.pull(server)
      if Int.random(in: 0..<6, using: &random) == 0 { try await keepSnapshot(of: journal) }
      if Int.random(in: 0..<4, using: &random) == 0 {
        devices.append(SnapshotDevice(.bob))
        if devices.count > 5 { devices.removeFirst() }
      }
      let state = try await FoldedJournal<Stock>(journal, window: window).history.state
      for index in devices.indices {
        try await devices[index].pull(server)
        floors.insert(devices[index].file.floor)
        try #require(devices[index].file.view().state.stock == state, "step \(step) of seed \(seed), floor \(devices[index].file.floor)")
      }
    }
    for server in servers { await server.close() }
    return floors
  }
}

/// A device in memory, which talks to a server until it has everything.
private struct SnapshotDevice {
  var file: DeviceFile<LedgerStock>
  /// The number of entries that it has received.
  private(set) var read: Int64 = 0

  init(_ principal: Principal) { file = DeviceFile(principal, initial: Stock.empty, window: 6) }

  mutating func pull(_ server: JournalServer<Stock>) async throws { try await talk(.pull, to: server) }

  mutating func push(_ server: JournalServer<Stock>) async throws {
    try await talk(.push(file.submissions(limits: SyncLimits())), to: server)
  }

  private mutating func talk(_ first: Request.Body, to server: JournalServer<Stock>) async throws {
    var body = first
    // Far more exchanges than are needed.
    for _ in 0..<20 {
      let request = Request(
        body, position: file.mirror?.head, floor: file.floor, principal: file.principal, generation: file.generation,
        known: file.newestKnown, schemas: 1...1)
      let answer = try await server.answer(request, from: file.principal, arrival: 1)
      if case .page(let page) = answer { read += Int64(page.entries.count) }
      switch file.absorb(answer, to: request) {
      case .gone: body = .fetch(file.questions)
      case .adopted: body = file.outbox.hasUndecided ? .push(file.submissions(limits: SyncLimits())) : .pull
      case .page(let isMore, _):
        guard isMore || file.outbox.hasUndecided else { return }
        body = file.outbox.hasUndecided ? .push(file.submissions(limits: SyncLimits())) : .pull
      case let other: throw Unexpected(answer: "\(other)")
      }
    }
    throw Unexpected(answer: "no end")
  }
}

extension FoldedJournal {
  /// Folds a journal under some of the options of its stores.
  init(_ journal: any Journal, window: Int, spacing: Int = StoreOptions().snapshotSpacing) async throws(JournalError) {
    var options = StoreOptions()
    (options.undoWindow, options.snapshotSpacing) = (window, spacing)
    try await self.init(journal, options: options)
  }
}
