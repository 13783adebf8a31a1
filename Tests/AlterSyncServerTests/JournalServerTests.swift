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
import StoreTesting
import Testing

@Suite("A server of one journal", .timeLimit(.minutes(30)))
struct JournalServerTests {
  private static func served(schema: Int = 1) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    try await ServedStock.begin(journal, schema: schema)
    return journal
  }

  private static func code(_ line: VerdictLine?) -> RefusalCode? {
    if case .refused(let code, _)? = line?.verdict { code } else { nil }
  }

  @Test("decides, repeats its verdicts, and sends the entries with the reasons of the principal's own refusals")
  func decides() async throws {
    let journal = try await Self.served()
    let server = ServedStock.server(journal)
    var (ann, bob) = (Asker(.ann), Asker(.bob))
    let drafts = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .claim(9))]
    let page = try await ann.push(drafts, to: server)
    #expect(page.lines.map(\.verdict) == [.accepted(2), .refused(.refused, at: 3), .refused(.denied, at: 4)])
    #expect(page.entries.map(\.revision) == [1, 2, 3, 4])
    #expect(page.reasons[EntryID(1, 3)] == "the slot is reserved")
    #expect(page.reasons.count == 2)
    // Another server process answers the same.
    let again = try await ann.push(drafts, to: ServedStock.server(journal))
    #expect(again.lines == page.lines)
    #expect(try await journal.head() == page.head)
    #expect(try await bob.pull(server).reasons.isEmpty)
    #expect(bob.position == page.head)
  }

  @Test("refuses principals that may not read, other principals' files, and answers 'busy' if the policy cannot say")
  func principals() async throws {
    let server = ServedStock.server(try await Self.served(), policy: StockPolicy(readers: [.ann]))
    let request = Asker(.ann).request(.pull)
    guard case .forbidden = try await server.answer(request, from: .bob, arrival: 1) else { throw Unexpected(answer: "bob reads") }
    guard case .forbidden = try await server.answer(Asker(.bob).request(.pull), from: .bob, arrival: 1) else {
      throw Unexpected(answer: "bob reads")
    }
    guard case .page = try await server.answer(request, from: .ann, arrival: 1) else { throw Unexpected(answer: "ann does not read") }
  }

  @Test("holds drafts while the policy fails, and decides them afterwards")
  func policyFails() async throws {
    let policy = StockPolicy()
    let server = ServedStock.server(try await Self.served(), policy: policy)
    var ann = Asker()
    policy.isDown.withLock { $0 = true }
    let drafts = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(2))]
    let held = try await ann.push(drafts, to: server)
    #expect(held.lines.isEmpty && held.hold?.code == .policy && held.hold?.id == EntryID(1, 1))
    #expect(held.head?.revision == 1)
    policy.isDown.withLock { $0 = false }
    #expect(try await ann.push(drafts, to: server).lines.map(\.verdict) == [.accepted(2), .accepted(3)])
  }

  @Test("holds newer schemas, also those that the operator has enabled and this version of the app cannot read")
  func newerSchema() async throws {
    let server = ServedStock.server(try await Self.served(schema: 2))
    var ann = Asker()
    let page = try await ann.push([SyncDraft(1, 1, .add), SyncDraft(1, 2, .claim(1), schema: 2), SyncDraft(1, 3, .add)], to: server)
    #expect(page.lines.map(\.verdict) == [.accepted(2)])
    #expect(page.hold?.code == .schema && page.hold?.id == EntryID(1, 2))
  }

  @Test("stops a principal's refusals at their budget for a minute, and no one else's")
  func budget() async throws {
    let server = ServedStock.server(try await Self.served()) { $0.limits.refusalsPerMinute = 2 }
    var (ann, bob) = (Asker(.ann), Asker(.bob))
    func refused(_ origin: UInt8, _ first: Int64) -> [SyncDraft] { (0..<3).map { SyncDraft(origin, first + $0, .claim(9)) } }
    let minute: Int64 = 60_000_000
    let page = try await ann.push(refused(1, 1), to: server, at: minute)
    #expect(page.lines.count == 2 && page.hold?.code == .budget)
    #expect(try await bob.push(refused(2, 1), to: server, at: minute).lines.count == 2)
    #expect(try await ann.push([SyncDraft(1, 3, .claim(9))], to: server, at: 2 * minute - 1).hold?.code == .budget)
    #expect(try await ann.push([SyncDraft(1, 3, .claim(9))], to: server, at: 2 * minute).lines.count == 1)
    // A clock that was set back ends the period, too.
    #expect(try await ann.push([SyncDraft(1, 4, .claim(9)), SyncDraft(1, 5, .claim(9))], to: server, at: 5).lines.count == 2)
  }

  @Test("sends pages that are bounded by entries and bytes, and always at least one entry")
  func pages() async throws {
    let server = ServedStock.server(try await Self.served()) { options in
      (options.limits.entriesPerPage, options.limits.bytesPerPage) = (4, 3_000)
    }
    var ann = Asker()
    let long = String(repeating: "n", count: 5_000)
    let drafts = (1...9 as ClosedRange<Int64>).map { SyncDraft(1, $0, $0 == 6 ? .note(long) : .claim(Int($0) + 100)) }
    let head = try await ann.push(drafts, to: server).head
    var sizes: [Int] = []
    while ann.position != head { sizes.append(try await ann.pull(server).entries.count) }
    // The long entry has a page of its own.
    #expect(sizes == [4, 2, 1, 3])
    #expect(try await ann.pull(server).entries.isEmpty)
  }

  @Test("tells a device that its head or its generation is unknown, and decides nothing then")
  func places() async throws {
    let journal = try await Self.served()
    let server = ServedStock.server(journal)
    var ann = Asker()
    _ = try await ann.push([SyncDraft(1, 1, .add), SyncDraft(1, 2, .add)], to: server)
    _ = try await ann.pull(server)
    let known = try #require(ann.position)
    let wrong = [
      Head(journal: known.journal, revision: known.revision, checksum: Checksum(high: 1, low: 2)),
      Head(journal: known.journal, revision: 2, checksum: known.checksum),
      Head(journal: known.journal, revision: 9, checksum: known.checksum), Head(journal: .random(), revision: 2, checksum: known.checksum),
    ]
    for head in wrong {
      ann.position = head
      let push = ann.request(.push(Asker.submissions([SyncDraft(1, 3, .add)])))
      for request in [push, ann.request(.pull)] {
        guard case .diverged(ServedStock.lineage) = try await server.answer(request, from: .ann, arrival: 1) else {
          throw Unexpected(answer: "\(head) is known")
        }
      }
    }
    ann.position = known
    for generation in [Generation(7), Generation(3)] {
      ann.generation = generation
      #expect(try await ann.pull(server).head == known)
    }
    ann.generation = Generation(99)
    guard case .diverged = try await server.answer(ann.request(.pull), from: .ann, arrival: 1) else {
      throw Unexpected(answer: "an unknown generation")
    }
    // A mirror that begins above the journal's start: a restored window may reach below it.
    ann.generation = nil
    guard case .gone = try await server.answer(ann.request(.pull, floor: 2), from: .ann, arrival: 1) else {
      throw Unexpected(answer: "a floor above the journal's")
    }
    #expect(try await journal.head() == known)
  }

  @Test("grants the scope of changes that are no step without asking, and refuses an undo in it")
  func neverUndone() async throws {
    let server = ServedStock.server(try await Self.served(), policy: StockPolicy(scopes: []))
    var ann = Asker(.ann)
    let undo = SyncDraft(id: EntryID(1, 3), time: 0, scope: .never, content: .undo(EntryID(1, 1)))
    let page = try await ann.push([SyncDraft(1, 1, .claim(1), scope: .never), SyncDraft(1, 2, .claim(2)), undo], to: server)
    #expect(page.lines.map(\.verdict) == [.accepted(2), .refused(.scope, at: 3), .refused(.kind, at: 4)])
  }

  @Test("gives a new device the initial state and the verdicts that it asks for")
  func fetch() async throws {
    let server = ServedStock.server(try await Self.served())
    var ann = Asker()
    _ = try await ann.push([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(9))], to: server)
    let request = ann.request(.fetch([EntryID(1, 2), EntryID(1, 1), EntryID(1, 7)]))
    guard case .snapshot(let fetched) = try await server.answer(request, from: .ann, arrival: 1) else {
      throw Unexpected(answer: "no snapshot")
    }
    #expect(fetched.lines.map(\.verdict) == [.refused(.denied, at: 3), .accepted(2)])
    #expect(fetched.floor.head.revision == 1 && fetched.floor.state.payload == Stock.empty)
    ann.position = fetched.floor.head
    #expect(try await ann.pull(server).entries.map(\.revision) == [2, 3])
  }

  @Test("gives a new device the state at the floor, also if a compaction comes between the two readings")
  func fetchBesideCompaction() async throws {
    let journal = FlakyJournal(try await Self.served())
    let server = ServedStock.server(journal)
    var ann = Asker()
    _ = try await ann.push((1...20).map { SyncDraft(1, $0, .add) }, to: server)
    @Sendable func compact(to revision: Revision) async throws {
      let base = journal.present.withLock { $0 }
      let head = try #require(try await base.head(at: revision, of: try await base.head().journal))
      let payload = try JournalCoding.encode(Stock())
      try await base.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: payload))
      try await base.compact(base.compactionPlan(keeping: .from(revision.next)))
    }
    try await compact(to: 8)
    journal.beforeSnapshot.withLock { action in
      action = { do { try await compact(to: 15) } catch { Issue.record("\(error)") } }
    }
    // Without the schemas that it can read, a device begins at the journal's own floor.
    guard case .snapshot(let fetched) = try await server.answer(ann.request(.fetch([EntryID(1, 2)])), from: .ann, arrival: 1) else {
      throw Unexpected(answer: "no snapshot")
    }
    #expect(journal.beforeSnapshot.withLock { $0 == nil })
    #expect(fetched.floor.head.revision == 15)
    #expect(fetched.lines.map(\.verdict) == [.accepted(3)])
  }

  @Test("makes snapshots, and a server that starts later begins at the newest one")
  func snapshots() async throws {
    let journal = try await Self.served()
    let server = ServedStock.server(journal) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (5, 20) }
    var ann = Asker()
    // Without a position the device would have to begin at a snapshot.
    ann.position = try await journal.head()
    for first in stride(from: Int64(1), to: 100, by: 10) {
      _ = try await ann.push((first..<first + 10).map { SyncDraft(1, $0, .claim(100 + Int($0 % 2) * 1_000 + Int($0))) }, to: server)
    }
    await server.close()
    let places = try await journal.snapshots(upTo: 1_000, limit: 10)
    #expect(!places.isEmpty)
    #expect(places.allSatisfy { $0.base <= $0.revision + -5 })
    // The next decision depends on a state from before the snapshot.
    let next = ServedStock.server(journal) { $0.store.undoWindow = 5 }
    #expect(Self.code(try await ann.push([SyncDraft(1, 200, .claim(100 + 1_000 + 1))], to: next).lines.first) == .refused)
  }

  @Test("an append whose outcome is unknown is found by its ids, whether it was written or not", arguments: [true, false])
  func unknownOutcome(isWritten: Bool) async throws {
    let journal = FlakyJournal(try await Self.served())
    let server = ServedStock.server(journal)
    var ann = Asker()
    let drafts = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1))]
    journal.failures.withLock { $0 = [isWritten ? .afterwards : .before, isWritten ? .before : .afterwards] }
    #expect(try await ann.push(drafts, to: server).lines.map(\.verdict) == [.accepted(2), .refused(.refused, at: 3)])
    #expect(try await journal.head().revision == 3)
    #expect(try await ann.push([SyncDraft(1, 3, .claim(2))], to: server).lines.map(\.verdict) == [.accepted(4)])
  }

  @Test("an append that fails decides nothing, and the server goes on")
  func failure() async throws {
    let journal = FlakyJournal(try await Self.served())
    let server = ServedStock.server(journal)
    var ann = Asker()
    journal.failures.withLock { $0 = [.failing] }
    await #expect(throws: JournalError.self) { try await ann.push([SyncDraft(1, 1, .claim(1))], to: server) }
    #expect(try await ann.push([SyncDraft(1, 1, .claim(1))], to: server).lines.map(\.verdict) == [.accepted(2)])
  }

  @Test("an undecided push becomes 'busy' when others are faster each time")
  func starved() async throws {
    let journal = FlakyJournal(try await Self.served())
    let server = ServedStock.server(journal) { $0.attempts = 3 }
    journal.failures.withLock { $0 = [.conflicting, .conflicting, .conflicting] }
    let request = Asker().request(.push(Asker.submissions([SyncDraft(1, 1, .claim(1))])))
    guard case .busy(1) = try await server.answer(request, from: .ann, arrival: 1) else { throw Unexpected(answer: "an answer") }
    guard case .page(let page) = try await server.answer(request, from: .ann, arrival: 1) else { throw Unexpected(answer: "none") }
    #expect(page.lines.map(\.verdict) == [.accepted(2)])
  }

  @Test("a push that conflicts is tried with half of its drafts, and the rest stays undecided")
  func halved() async throws {
    let journal = FlakyJournal(try await Self.served())
    let server = ServedStock.server(journal)
    journal.failures.withLock { $0 = [.conflicting, .conflicting] }
    var ann = Asker()
    let drafts = (1...9 as ClosedRange<Int64>).map { SyncDraft(1, $0, .add) }
    let page = try await ann.push(drafts, to: server)
    #expect(page.lines.map(\.verdict) == [.accepted(2), .accepted(3)] && page.hold == nil)
    #expect(try await ann.push(drafts, to: server).lines.count == 9)
  }

  @Test("pages are the same to the byte, whether their entries are remembered or read", arguments: [0, 1 << 20])
  func remembered(limit: Int) async throws {
    let journal = try await Self.served()
    let server = ServedStock.server(journal) { $0.recentBytes = RecentBytes(limit: limit) }
    var (ann, bob) = (Asker(.ann), Asker(.bob))
    for number in 1...60 as ClosedRange<Int64> {
      // Every third one is refused, with a reason.
      _ = try await ann.push(
        [SyncDraft(1, 2 * number, .add), SyncDraft(1, 2 * number + 1, .claim(number % 3 == 0 ? 9 : Int(number) * 10))], to: server)
      _ = try await bob.push([SyncDraft(2, number, .add)], to: server)
    }
    var head = Head(empty: try await journal.head().journal)
    for entry in try await journal.entries(after: .zero, limit: 1_000) {
      head = head.advanced(by: entry)
      for principal in [Principal.ann, .bob] {
        let request = Request(.pull, position: head, principal: principal, generation: ServedStock.lineage.generation)
        let fresh = ServedStock.server(journal)
        let remembered = try await server.answer(request, from: principal, arrival: 1)
        let read = try await fresh.answer(request, from: principal, arrival: 1)
        #expect(SyncMessage.encode(remembered) == SyncMessage.encode(read), "after \(head.revision)")
      }
    }
  }

  @Test("a push that takes too long answers with the verdicts so far")
  func longPush() async throws {
    let server = ServedStock.server(try await Self.served()) { $0.pushTime = .zero }
    var ann = Asker()
    let drafts = [SyncDraft(1, 1, .add), SyncDraft(1, 2, .add), SyncDraft(1, 3, .add)]
    #expect(try await ann.push(drafts, to: server).lines.map(\.verdict) == [.accepted(2)])
    #expect(try await ann.push(Array(drafts[1...]), to: server).lines.map(\.verdict) == [.accepted(3)])
  }

  @Test("a policy that never answers is a hold, and no other push waits for it without end")
  func silentPolicy() async throws {
    let policy = StockPolicy()
    let isAsked = Lock(false)
    let server = ServedStock.server(try await Self.served(), policy: policy) { options in
      // The limit ends when the policy has been asked.
      options.sleep = { _ in
        while !isAsked.withLock({ $0 }) {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
    policy.pause.withLock { pause in
      pause = { id in
        guard id.origin == .test(1) else { return }
        isAsked.withLock { $0 = true }
        try await Task.sleep(for: .seconds(86_400))
      }
    }
    var (ann, bob) = (Asker(.ann), Asker(.bob))
    #expect(try await ann.push([SyncDraft(1, 1, .add)], to: server).hold?.code == .policy)
    isAsked.withLock { $0 = false }
    #expect(try await bob.push([SyncDraft(2, 1, .add)], to: server).lines.map(\.verdict) == [.accepted(2)])
    await server.close()
  }

  @Test("the client goes while the policy is asked: the drafts before are decided all the same")
  func clientGoes() async throws {
    let folder = try Folder()
    let journal = try await SQLiteJournal(at: folder.path("server.db"), durability: .relaxed)
    try await ServedStock.begin(journal)
    let policy = StockPolicy()
    let server = ServedStock.server(journal, policy: policy)
    let asked = Waiter<Void>()
    policy.pause.withLock { pause in
      pause = { id in
        guard id.sequence == 2 else { return }
        asked.finish(())
        try await Task.sleep(for: .seconds(86_400))
      }
    }
    let push = Task {
      var ann = Asker()
      _ = try await ann.push([SyncDraft(1, 1, .add), SyncDraft(1, 2, .add)], to: server)
    }
    _ = await asked.value()
    push.cancel()
    _ = try? await push.value
    #expect(try await journal.head().revision == 2)
    await server.close()
    await journal.close()
  }

  @Test("refuses forged drafts: the id of the initial entry, and an undo or a cause with megabytes that no one reads")
  func forged() async throws {
    let journal = try await Self.served()
    let server = ServedStock.server(journal) { $0.limits.bytesPerDraft = 2_000 }
    var ann = Asker()
    #expect(Self.code(try await ann.push([SyncDraft(200, 1, .add)], to: server).lines.first) == .clone)
    let junk = String(repeating: "j", count: 10_000)
    let target = #"{"target":{"origin":"01000000-0000-0000-0000-000000000001","sequence":1},"junk":"\#(junk)"}"#
    let undo = Entry.Draft(kind: .undo, id: EntryID(1, 2), time: 0, payload: Data(target.utf8))
    let cause = Entry.Draft(
      kind: .changes, id: EntryID(1, 3), time: 0, payload: Stock.bytes([.add]), cause: Data(#"{"junk":"\#(junk)"}"#.utf8))
    let page = try await ann.push([try SyncDraft(undo), try SyncDraft(cause)], to: server)
    #expect(page.lines.map { Self.code($0) } == [.tooLarge, .tooLarge])
  }

  @Test("shortens the reason of a refusal, which comes with every page")
  func longReason() async throws {
    let policy = StockPolicy()
    let server = ServedStock.server(try await Self.served(), policy: policy)
    var ann = Asker()
    policy.reason.withLock { $0 = String(repeating: "r", count: 100_000) }
    let page = try await ann.push([SyncDraft(1, 1, .claim(9))], to: server)
    #expect(page.reasons[EntryID(1, 1)]?.count == 1_001)
  }

  @Test("a redo reaches as far as the window, however many records a server keeps")
  func redoWindow() async throws {
    let journal = try await Self.served()
    // The server keeps all records, but the entry to restore is older than the window.
    let first = ServedStock.server(journal) { ($0.store.undoWindow, $0.store.snapshotSpacing) = (10, 20) }
    var ann = Asker()
    _ = try await ann.push([SyncDraft(1, 1, .claim(1))], to: first)
    for number in 2...9 as ClosedRange<Int64> { _ = try await ann.push([SyncDraft(1, number, .add)], to: first) }
    let undo = SyncDraft(id: EntryID(1, 10), time: 0, content: .undo(EntryID(1, 1)))
    #expect(try await ann.push([undo], to: first).lines.map(\.verdict) == [.accepted(11)])
    _ = try await ann.push([SyncDraft(1, 11, .add), SyncDraft(1, 12, .add)], to: first)
    let redo = SyncDraft(id: EntryID(1, 13), time: 0, content: .redo(EntryID(1, 10)))
    #expect(Self.code(try await ann.push([redo], to: first).lines.first) == .outsideWindow)
  }

  @Test("a device may ask for more verdicts than one look-up answers")
  func longFetch() async throws {
    let server = ServedStock.server(try await Self.served()) { $0.limits.draftsPerPush = 2 }
    var ann = Asker()
    let drafts = (1...7).map { SyncDraft(1, Int64($0), .claim($0 % 3)) }
    var rest = drafts[...]
    while !rest.isEmpty { rest = rest.dropFirst(try await ann.push(Array(rest), to: server).lines.count) }
    let ids = drafts.map(\.id) + [EntryID(9, 9)]
    let answer = try await server.answer(ann.request(.fetch(ids)), from: .ann, arrival: 1)
    guard case .snapshot(let fetched) = answer else { throw Unexpected(answer: "\(answer)") }
    #expect(fetched.lines.map(\.id) == drafts.map(\.id) && fetched.lines.map(\.hash) == drafts.map(\.hash))
    #expect(fetched.lines.map(\.verdict.revision) == (2...8).map { Revision($0) })
  }

  @Test("several servers of one SQLite file and many devices: each draft has one verdict, in the order of its outbox")
  func contended() async throws {
    let folder = try Folder()
    let path = folder.path("server.db")
    var journals: [SQLiteJournal] = []
    for key in 0..<3 {
      // Handles of another durability share no connection, and all are in one process.
      journals.append(try await SQLiteJournal(at: path, durability: key == 0 ? .full : .relaxed, lockTimeout: .seconds(600)))
    }
    try await ServedStock.begin(journals[0])
    try await Contention.run(journals)
    for journal in journals { await journal.close() }
  }

  @Test("a journal that was replaced beneath a server is folded again")
  func replaced() async throws {
    let (journal, other) = (try await Self.served(), try await Self.served())
    let swapped = FlakyJournal(journal)
    let server = ServedStock.server(swapped)
    var ann = Asker()
    _ = try await ann.push([SyncDraft(1, 1, .claim(1))], to: server)
    var bob = Asker(.bob)
    _ = try await bob.push([SyncDraft(2, 1, .claim(2)), SyncDraft(2, 2, .claim(3))], to: ServedStock.server(other))
    swapped.present.withLock { $0 = other }
    // In the restored journal the slot 1 is free, and the slot 2 is taken.
    let page = try await ann.push([SyncDraft(1, 2, .claim(2)), SyncDraft(1, 3, .claim(1))], to: server)
    #expect(page.lines.map(\.verdict) == [.refused(.refused, at: 4), .accepted(5)])
  }
}
