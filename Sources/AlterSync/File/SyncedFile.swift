#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSyncCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A device's file as the journal of one store: bytes below, records above.
  ///
  /// Each store has one of these. Those of one process may share a ``DeviceStorage``, with each other and with the engine.
  package final class SyncedFile<State: Journaled>: Sendable {
    private let storage: DeviceStorage
    private let initial: State
    private let window: Int
    private let ending: @Sendable () async -> Void

    /// The part of the file that the store knows.
    private struct Told {
      /// The transaction under which the store names it.
      var transaction: Int64 = 0
      var device = MirrorTables.Device(principal: "")
      var head: Head?
      /// The first entry of a newer schema, where the fold has stopped.
      var stop: Revision?
      /// The drafts in the outbox, by their ids.
      var outbox: Set<EntryID> = []
      /// The last of the store's own drafts that the news have named. It makes them in order.
      var lastOwn = Int64.min
      /// The list of refusals.
      var refusals = ListedRefusals<State>()
    }

    private struct Knowledge {
      /// The origin of the store.
      var origin: Origin?
      var acknowledged: Told?
      /// The part that the last answer has added. The store acknowledges it by its next question.
      var offered: Told?
    }

    private let knowledge = Lock(Knowledge())
    /// The last transaction that the store has taken in.
    private let absorbed: EventCount<Int64>

    /// Creates the journal of a store.
    ///
    /// - Parameters:
    ///   - storage: The file.
    ///   - initial: The state that stands at revision 0 until the first contact with the server.
    ///   - window: The undo window of the journal.
    ///   - ending: Releases the file; by default, the storage is closed.
    package init(_ storage: DeviceStorage, initial: State, window: Int, ending: (@Sendable () async -> Void)? = nil) {
      self.storage = storage
      absorbed = EventCount(journal: storage.journal.name)
      self.ending = ending ?? { await storage.close() }
      self.initial = initial
      self.window = window
    }

    deinit { absorbed.finish(.closed(storage.journal.name)) }

    // MARK: - News

    /// Reads what has happened since the last news, in one moment.
    ///
    /// - Parameters:
    ///   - told: The part that the store knows; nil for nothing.
    ///   - isWhole: Whether the news contain the whole mirror.
    ///
    /// | the store knows | the news |
    /// |---|---|
    /// | nothing, another start of the mirror, or a head below its floor | the state at the floor, and all entries after it |
    /// | the present start, with an older transaction | the entries after its head; the drafts that have left or entered the outbox |
    /// | the present transaction of the entries and drafts | the changes of the list of refusals |
    ///
    /// In each case the fold stops before an entry of a newer schema, and later entries tell only what became of this device's drafts.
    private func news(since told: Told?, isWhole: Bool) async throws(JournalError) -> (tidings: MirrorTidings<State>, told: Told) {
      let origin = knowledge.withLock { $0.origin }
      return try await storage.journal.readMirror { [initial, window] tables in
        guard let device = try tables.device() else { throw JournalError.noMirror(tables.journalName) }
        var now = told ?? Told()
        (now.transaction, now.device) = (device.transactions, device)
        // New drafts alone leave the list as it is.
        if told?.device.absorbed != device.absorbed {
          try now.refusals.follow(tables) { try Self.record($0, tables.journalName) }
        }
        let refusals = now.refusals.changes
        guard device != told?.device || isWhole else {
          return (MirrorTidings(news: [], transaction: device.transactions, refusals: refusals), now)
        }
        var news = MirrorNews<State>()
        var (named, fresh): (Set<EntryID>, Set<EntryID>) = ([], [])
        var removed: [EntryID: KeptVerdict] = [:]
        if try tables.lineage() != nil {
          let ends = try tables.ends()
          // A compaction of the mirror concerns a store that has not read the entries up to the new floor.
          let isBehind = told?.head.map { $0.revision < ends.start.revision } ?? false
          let isNew = told == nil || isWhole || isBehind || told?.device.grounds != device.grounds
          if isNew {
            let floor = try tables.floorState()
            // A newer version of the app has written the state: the fold stops before it, and the store keeps what it has shown.
            let isNewer = floor.map { $0.schema > State.schema.version } ?? false
            now.stop = isNewer ? ends.start.revision.next : nil
            if !isNewer || told == nil || isWhole {
              let state = try isNewer ? initial : floor.flatMap { try Self.state($0, in: &now, ends.start) } ?? initial
              let reason = Self.reason(device, since: told?.device.grounds, isBehind: isBehind)
              news.ground = MirrorNews.Ground(state, at: ends.start.revision, window: window, because: reason)
            }
          }
          let known = told?.device.grounds == device.grounds ? told?.head?.revision ?? .zero : .zero
          let own = try tables.origins()
          let outbox = told?.outbox ?? []
          for entry in try tables.entries(after: isNew ? ends.start.revision : told?.head?.revision ?? .zero) {
            named.insert(entry.id)
            if entry.revision > known { fresh.insert(entry.id) }
            try Self.add(entry, to: &news, &now, own: own, outbox: outbox, window, in: tables.journalName)
          }
          if isNew, known < ends.start.revision {
            removed = try Self.removed(since: told, after: known, named: named, of: origin, in: tables)
          }
          if let told, told.device.absorbed != device.absorbed {
            let lost = try Self.lost(refusals, since: told, named: named, of: origin, in: tables)
            removed.merge(lost) { known, _ in known }
          }
          (news.head, now.head) = (ends.head, ends.head)
        }
        try Self.addOutbox(to: &news, &now, since: told, named: named, removed: removed, of: origin, in: tables)
        let passing = try Self.passing(origin, named: fresh.union(removed.keys), since: told, in: tables)
        for id in named.union(removed.keys).union(now.outbox).union(news.decided.keys) where id.origin == origin {
          now.lastOwn = max(now.lastOwn, id.sequence)
        }
        return (MirrorTidings(news: passing + [news], transaction: device.transactions, refusals: refusals), now)
      }
    }

    /// Converts the state at the floor. If an update of the app does not begin at states of its schema, the driver fetches another floor, and
    /// the converted state is shown until then; the initial one, if it cannot be converted.
    private static func state(_ floor: (payload: Data, schema: Int), in now: inout Told, _ start: Head) throws -> State? {
      do { return try State.decoding(floor.payload, schema: floor.schema) } catch {
        guard start.revision > 1, floor.schema < State.schema.snapshotsFrom else { throw error }
        now.stop = start.revision.next
        return nil
      }
    }

    private static func reason(
      _ device: MirrorTables.Device, since told: Int64?, isBehind: Bool
    ) -> MirrorNews<State>.Ground.Reason {
      if told == device.grounds { return isBehind ? .floor : .refold }
      return switch MirrorStarts(device.reason).reason(after: told ?? 0) {
      case .contact: .contact
      case .restart: .restart
      case .floor: .floor
      }
    }

    /// Adds an entry of the mirror.
    private static func add(
      _ entry: Entry, to news: inout MirrorNews<State>, _ now: inout Told, own: Set<Origin>, outbox: Set<EntryID>, _ window: Int,
      in name: String
    ) throws {
      if entry.kind != .refused, entry.schema > State.schema.version, now.stop == nil { now.stop = entry.revision }
      let isBeyond = now.stop != nil
      switch entry.kind {
      case .initial:
        guard !isBeyond, let record = try Record<State>.decoding(entry, in: name), case .initial(let state) = record.kind else { return }
        news.ground = MirrorNews.Ground(state, at: entry.revision, window: window, because: news.ground?.reason ?? .contact)
      case .refused:
        let code = entry.refusal?.code ?? ""
        if !isBeyond {
          news.steps.append(.refused(entry.id, code: code, entry.revision))
        } else if outbox.contains(entry.id) || own.contains(entry.id.origin) {
          news.steps.append(.refusedBeyond(entry.id, code: code))
        }
      case .changes, .reset, .undo, .redo:
        guard !isBeyond || own.contains(entry.id.origin) && entry.schema <= State.schema.version else { return }
        guard let record = try Record<State>.decoding(entry, in: name) else { return }
        news.steps.append(isBeyond ? .acceptedBeyond(record) : .accepted(record))
      }
    }

    /// The verdict on a draft without an entry in the mirror, as the tables name it.
    private typealias KeptVerdict = (verdict: String, revision: Revision?)

    /// The verdicts on drafts that the store knows or has made, and whose entries have come and gone since: the mirror begins beyond them now.
    ///
    /// - Parameters:
    ///   - told: The part that the store knows.
    ///   - revision: The last revision that the store knows, of the present generation.
    private static func removed(
      since told: Told?, after revision: Revision, named: Set<EntryID>, of origin: Origin?, in tables: MirrorTables
    ) throws -> [EntryID: KeptVerdict] {
      guard let told else { return [:] }
      var verdicts: [EntryID: KeptVerdict] = [:]
      if let origin {
        for (id, verdict) in try tables.compacted(of: origin, after: revision) where id.sequence > told.lastOwn && !named.contains(id) {
          verdicts[id] = verdict
        }
      }
      for id in told.outbox where !named.contains(id) { verdicts[id] = try tables.compacted(id) }
      // A draft that was put into the outbox again, as that of a copied process, is not decided yet.
      return try verdicts.filter { try tables.draft($0.key, in: .drafts) == nil }
    }

    /// The verdicts on drafts that the store takes for open, and that are listed as refused: after a restart of the server's journal no entry
    /// reports those that it has lost or refused.
    private static func lost(
      _ refusals: [RefusedChange<State>], since told: Told, named: Set<EntryID>, of origin: Origin?, in tables: MirrorTables
    ) throws -> [EntryID: KeptVerdict] {
      var verdicts: [EntryID: KeptVerdict] = [:]
      for refused in refusals {
        let id = refused.record.id
        let isOpen = told.outbox.contains(id) || id.origin == origin && id.sequence > told.lastOwn
        guard isOpen, !named.contains(id), try tables.draft(id, in: .drafts) == nil else { continue }
        verdicts[id] = (refused.code, nil)
      }
      return verdicts
    }

    /// Adds the drafts that have entered or left the outbox.
    private static func addOutbox(
      to news: inout MirrorNews<State>, _ now: inout Told, since told: Told?, named: Set<EntryID>, removed: [EntryID: KeptVerdict],
      of origin: Origin?, in tables: MirrorTables
    ) throws {
      if let told, told.device.absorbed != now.device.absorbed {
        // A draft leaves the outbox only with an entry, or with a verdict without one.
        now.outbox.subtract(named)
        let settled = try tables.settled(after: told.device.transactions).filter { told.outbox.contains($0.key) || $0.key.origin == origin }
        // A later verdict on the same id is that of a clone.
        for (id, settled) in removed.merging(settled, uniquingKeysWith: { $1 }) {
          now.outbox.remove(id)
          let isAccepted = settled.verdict == "accepted"
          news.decided[id] = isAccepted ? .success(settled.revision ?? .zero) : .failure(RefusedDraft(code: settled.verdict))
        }
      }
      for item in try tables.drafts(of: now.device, after: told?.device.place ?? -1) {
        // A draft that this version of the app cannot read is sent, and not shown: a newer version of the app has made it.
        guard let (record, cause) = try? record(item.draft, tables.journalName) else { continue }
        news.entering.append(MirrorNews.Entering(record, requires: cause.requires))
        now.outbox.insert(record.id)
      }
    }

    /// The store's own drafts that have entered and left the outbox since the last news, as news of their own: the store must learn
    /// that the outbox had them before it learns their verdicts.
    private static func passing(
      _ origin: Origin?, named: Set<EntryID>, since told: Told?, in tables: MirrorTables
    ) throws -> [MirrorNews<State>] {
      guard let origin, let told else { return [] }
      let settled = try tables.settled(after: told.device.transactions).keys
      let ids = try named.union(settled).filter { $0.origin == origin && !told.outbox.contains($0) }
        .filter { try tables.draft($0, in: .drafts) == nil }
      guard !ids.isEmpty else { return [] }
      var news = MirrorNews<State>()
      // The store has the changes themselves. Only their ids matter.
      news.entering = ids.sorted { $0.sequence < $1.sequence }.map { id in
        MirrorNews.Entering(Record(revision: 0, id: id, time: 0, kind: .changes([])))
      }
      news.head = told.head
      return [news]
    }

    private static func record(_ draft: Entry.Draft, _ name: String) throws -> (Record<State>, Cause) {
      let entry = Entry(revision: 0, draft: draft, checksum: Checksum(high: 0, low: 0))
      guard let record = try Record<State>.decoding(entry, in: name) else {
        throw JournalError(.damaged, journal: name, message: "has a refusal in its outbox, where only drafts belong.")
      }
      return (record, record.cause ?? Cause())
    }
  }

  extension SyncedFile: MirrorJournal {
    package var name: String { storage.journal.name }

    package func floor() async throws(JournalError) -> Revision? { try await storage.journal.floor()?.revision }

    package func entries(in range: ClosedRange<Revision>) async throws(JournalError) -> [Record<State>] {
      try await Store<State>.entries(in: range, of: storage.journal)
    }

    package func state(at revision: Revision, refused: RefusedAtReplay) async throws(JournalError) -> State {
      try await Store<State>.state(at: revision, in: storage.journal, refusedAtReplay: refused)
    }

    package func head(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head? {
      try await storage.journal.head(at: revision, of: journal)
    }

    package func open(as origin: Origin) async throws(JournalError) -> MirrorTidings<State> {
      try await storage.open(as: origin)
      let (tidings, told) = try await news(since: nil, isWhole: true)
      knowledge.withLock { $0 = Knowledge(origin: origin, acknowledged: told) }
      return tidings
    }

    package func tidings(after transaction: Int64) async throws(JournalError) -> MirrorTidings<State> {
      let told: Told? = knowledge.withLock { knowledge in
        if let offered = knowledge.offered, offered.transaction == transaction {
          (knowledge.acknowledged, knowledge.offered) = (offered, nil)
        }
        return knowledge.acknowledged
      }
      let (tidings, next) = try await news(since: told, isWhole: false)
      knowledge.withLock { $0.offered = next }
      return tidings
    }

    package func whole(at transaction: Int64) async throws(JournalError) -> MirrorNews<State> {
      let (told, offered) = knowledge.withLock { ($0.acknowledged, $0.offered) }
      var (tidings, next) = try await news(since: told, isWhole: true)
      // The store will acknowledge the news that this one replaces.
      next.transaction = offered?.transaction ?? transaction
      knowledge.withLock { [next] in $0.offered = next }
      var whole = tidings.news.popLast() ?? MirrorNews()
      // The store's own drafts that have entered and left the outbox since: the store has them as unwritten, and must not write them again.
      let passed = Set(tidings.news.flatMap { $0.entering.map(\.record.id) })
      for step in whole.steps {
        switch step {
        case .accepted(let record) where passed.contains(record.id): whole.decided[record.id] = .success(record.revision)
        case .refused(let id, let code, _) where passed.contains(id): whole.decided[id] = .failure(RefusedDraft(code: code))
        default: break
        }
      }
      return whole
    }

    package func wait(past transaction: Int64, of _: @escaping @Sendable () -> Store<State>?) async throws(JournalError) {
      absorbed.advance(to: transaction)
      try await storage.journal.waitForTransaction(after: transaction)
    }

    /// Returns as soon as the store has taken in a transaction, or has ended.
    func waitUntilAbsorbed(_ transaction: Int64) async { try? await absorbed.wait(past: transaction - 1) }

    package func enqueue(
      _ drafts: [MirrorNews<State>.Entering], retrying refused: [EntryID: EntryID]
    ) async throws(JournalError) {
      let encoded: [Entry.Draft]
      do { encoded = try drafts.map { try $0.record.deviceDraft(requires: $0.requirement) } } catch {
        throw JournalError(
          .unencodable, journal: name, message: "can't hold a change: it can't be written as JSON: \(JournalCoding.explain(error))")
      }
      try await storage.enqueue(encoded, retrying: refused)
    }

    package func compact(
      keeping range: CompactionRange, leaving window: Int, refused: RefusedAtReplay
    ) async throws(JournalError) -> CompactionPlan {
      try await storage.checkOwner()
      return try await JournalError.replanning { () async throws(JournalError) in
        let (plan, pinned) = try await Snapshot.pinned(of: State.self, in: storage.journal, keeping: range, leaving: window)
        if let pinned { try await storage.moveFloor(to: pinned, seen: plan.head, leaving: window) }
        try await storage.removeBelowFloor()
        return plan
      }
    }

    package func dismiss(_ ids: [EntryID]) async throws(JournalError) { try await storage.dismiss(ids) }

    /// The store has ended: nothing waits for it any more.
    func endAbsorbing() { absorbed.finish(.closed(name)) }

    package func close() async {
      endAbsorbing()
      await ending()
    }
  }
#endif
