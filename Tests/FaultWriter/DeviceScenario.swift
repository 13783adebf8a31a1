#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import FaultModel

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Uses all transactions of a device's file: drafts enter the outbox, pages with verdicts and a new floor are absorbed, refusals are
  /// dismissed and retried. The server is in memory, and does not fail.
  struct DeviceScenario: Scenario, Reopening {
    private let path: String
    var durability = Durability.full
    /// The number of steps, and the size of a draft in bytes.
    var (steps, size) = (8, 300)
    /// Called after each acknowledged transaction, with the number of the file's transactions and its contents.
    var onAcknowledged: (_ transactions: Int64, _ fingerprint: String) -> Void = { _, _ in }

    var errors: [JournalError] = []
    var handle: DeviceStorage?
    private var server = DeviceServer()
    private var drafts: Drafts
    private var tried: [Entry.Draft] = []
    /// The drafts whose transaction was acknowledged.
    private var durable: Set<EntryID> = []
    /// The refused drafts that were dismissed or retried, perhaps without a transaction.
    private var ended: Set<EntryID> = []
    private var dismissed: Set<EntryID> = []

    init(folder: String) { self.init(folder: folder, drafts: Drafts()) }

    init(folder: String, drafts: Drafts) {
      path = folder + "/journal.db"
      self.drafts = drafts
    }

    mutating func play() async {
      for step in 0..<steps {
        await make(step % 3 + 1)
        if step == 5 {
          // The answer to a request from below the new floor is that there is one.
          _ = try? server.compact()
        }
        if step % 2 == 1 { await exchange() }
        if step == 3 { await dismiss() }
        if step == 5 || step == 6 { await retry() }
        if step == 4 || step == 7 { await compact() }
        if step % 8 == 4 { await close() }
      }
      await close()
    }

    private mutating func make(_ count: Int) async {
      let made = drafts.next(count, size: size)
      await enqueue(made)
    }

    private mutating func enqueue(_ made: [Entry.Draft], retrying refused: [EntryID: EntryID] = [:]) async {
      tried += made
      let isDone: Bool? = await attempt { storage throws(JournalError) in
        try await storage.enqueue(made, retrying: refused)
        return true
      }
      guard isDone != nil else { return }
      durable.formUnion(made.map(\.id))
      await acknowledge()
    }

    private func acknowledge() async {
      guard let handle, let now = try? await Self.contents(of: handle) else { return }
      onAcknowledged(now.transactions, now.fingerprint)
    }

    private static func contents(of storage: DeviceStorage) async throws -> (transactions: Int64, fingerprint: String) {
      let transactions = try await storage.standing().transactions
      let ends = try await storage.journal.readMirror { try $0.ends() }
      return (transactions, try await storage.contents().fingerprint(start: ends.start, head: ends.head))
    }

    private mutating func exchange() async {
      for _ in 0..<4 {
        guard let request = await self.request(.push) else { return }
        switch server.answer(request) {
        case .gone:
          guard let fetch = await self.request(.fetch), await absorb(server.answer(fetch), to: fetch) != nil else { return }
        case let answer:
          guard case .page(isMore: true, _) = await absorb(answer, to: request) else { return }
        }
      }
    }

    /// Gives up all entries of the mirror but an undo window.
    private mutating func compact() async {
      let isDone: Bool? = await attempt { storage throws(JournalError) in
        let mirror = try await storage.journal.readMirror { tables in
          let ends = try tables.ends()
          return (ends: ends, entries: try tables.entries(after: ends.start.revision), state: try tables.floorState()?.payload)
        }
        let records = mirror.entries.filter { $0.kind != .refused }
        guard records.count > 2 else { return false }
        var count = Count(initial: mirror.state ?? Data())
        var floor = mirror.ends.start
        for entry in mirror.entries where entry.revision < records[records.count - 2].revision {
          floor = floor.advanced(by: entry)
          if entry.kind == .changes { count.number += entry.payload.isEmpty ? 0 : 1 }
        }
        guard floor != mirror.ends.start else { return false }
        let pinned = Snapshot(head: floor, base: floor, schema: 1, written: 0, payload: count.bytes.payload)
        try await storage.moveFloor(to: pinned, seen: mirror.ends.head, leaving: 2)
        return true
      }
      guard isDone == true else { return }
      await acknowledge()
      let _: Bool? = await attempt { storage throws(JournalError) in
        try await storage.removeBelowFloor()
        return true
      }
    }

    private mutating func request(_ exchange: EngineCommand.Exchange) async -> Request? {
      await attempt { storage throws(JournalError) in try await storage.request(for: exchange, limits: SyncLimits()) }
    }

    private mutating func absorb(_ answer: Answer, to request: Request) async -> Reply? {
      let reply = await attempt { storage throws(JournalError) in try await storage.absorb(answer, to: request) }
      if reply != nil { await acknowledge() }
      return reply
    }

    private mutating func firstRefusal() async -> SyncDraft? {
      await attempt { storage throws(JournalError) in try await storage.contents().refusals }?.first { !ended.contains($0.draft.id) }?.draft
    }

    private mutating func dismiss() async {
      guard let id = await firstRefusal()?.id else { return }
      ended.insert(id)
      let isDone: Bool? = await attempt { storage throws(JournalError) in
        try await storage.dismiss([id])
        return true
      }
      guard isDone != nil else { return }
      dismissed.insert(id)
      await acknowledge()
    }

    private mutating func retry() async {
      guard let refused = await firstRefusal(), let id = drafts.next(1).first?.id else { return }
      ended.insert(refused.id)
      await enqueue([refused.retried(as: id).stored], retrying: [id: refused.id])
      if durable.contains(id) { dismissed.insert(refused.id) }
    }

    func open() async throws(JournalError) -> DeviceStorage {
      let journal = try await SQLiteJournal(at: path, durability: durability)
      do throws(JournalError) {
        let storage = try await DeviceStorage(journal, principal: Principal("ann"))
        try await storage.open(as: drafts.origin)
        if let now = try? await Self.contents(of: storage) { onAcknowledged(now.transactions, now.fingerprint) }
        return storage
      } catch {
        await journal.close()
        throw error
      }
    }

    func close(_ handle: DeviceStorage) async { await handle.close() }

    // MARK: Afterwards

    mutating func check() async throws {
      await close()
      let storage = try await DeviceStorage(SQLiteJournal(at: path), principal: Principal("ann"))
      try await storage.open(as: drafts.origin)
      handle = storage
      var contents = try await storage.contents()
      for draft in tried where server.database.standings[draft.id] == nil {
        let isThere = try contents.outbox.contains(SyncDraft(draft))
        guard isThere || !durable.contains(draft.id) else { throw Violation("the undecided draft \(draft.id) is not in the outbox") }
      }
      guard contents.outbox.ids == contents.outbox.ids.sorted(by: { $0.sequence < $1.sequence }) else {
        throw Violation("the outbox is out of order: \(contents.outbox.ids)")
      }
      // What a failed transaction has left undone is done now.
      _ = try server.compact()
      for _ in 0..<20 {
        await exchange()
        contents = try await storage.contents()
        if contents.outbox.isEmpty, try await storage.journal.head() == server.database.head { break }
      }
      guard contents.outbox.isEmpty, try await storage.journal.head() == server.database.head else {
        throw Violation("the device does not reach the server's head: \(contents.outbox.ids) remain")
      }
      let listed = Set(contents.refusals.map(\.draft.id))
      for draft in tried {
        guard let standing = server.database.standings[draft.id] else {
          guard durable.contains(draft.id) else { continue }
          throw Violation("the draft \(draft.id) was lost")
        }
        guard standing.hash == draft.hash else { throw Violation("the draft \(draft.id) has changed") }
        guard case .refused = standing.verdict, !listed.contains(draft.id), !ended.contains(draft.id) else { continue }
        throw Violation("the refusal of \(draft.id) is not listed")
      }
      guard listed.isDisjoint(with: dismissed) else { throw Violation("a dismissed refusal is listed") }
      let (ends, entries, state) = try await storage.journal.readMirror { tables in
        let ends = try tables.ends()
        return (ends, try tables.entries(after: ends.start.revision), try tables.floorState()?.payload)
      }
      var head = ends.start
      for entry in entries { try head.verify(entry, in: path) }
      guard head == ends.head else { throw Violation("the chain of the mirror does not end at its head") }
      guard entries == server.database.entries.suffix(entries.count).map(\.stored) else { throw Violation("the mirror has other entries") }
      var count = Count(initial: state ?? Data())
      for entry in entries where entry.kind == .changes { count.number += entry.payload.isEmpty ? 0 : 1 }
      guard count.number == server.database.timeline.state.number else { throw Violation("the mirror leads to another state") }
      await close()
    }
  }
#endif
