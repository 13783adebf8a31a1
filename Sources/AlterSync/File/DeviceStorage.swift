#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSyncCore

  /// A device's file: the outbox, the refusals and the mirror in SQLite, under the rules of `DeviceContents`.
  ///
  /// Several processes may have the file open. Each method that changes it is one transaction: after a kill or a power loss the file is as
  /// before it or as after it.
  package final class DeviceStorage: Sendable {
    /// The file.
    package let journal: SQLiteJournal

    /// The contents as they were after a transaction.
    private struct Known {
      var device: MirrorTables.Device
      var contents: DeviceContents
      /// The entry before the first one of the mirror, and the last one; nil before the first contact.
      var ends: (start: Head, head: Head)?
      /// The schema of the state at ``ends``; nil for a state of any schema, or before the first contact.
      var floorSchema: Int?
    }

    private let known = Lock<Known?>(nil)
    private let user: Lock<Principal?>

    /// Opens a device's file, and makes the empty journal a mirror the first time.
    ///
    /// - Parameters:
    ///   - journal: The journal in the file. This object closes it.
    ///   - principal: The signed-in user, to whom a new file belongs.
    /// - Throws: ``/AlterJournal/JournalError``; `conflict` if the journal has entries of its own, `readOnly` if a server writes it.
    package init(_ journal: SQLiteJournal, principal: Principal) async throws(JournalError) {
      self.journal = journal
      user = Lock(principal)
      guard try await journal.role() != .mirror else { return }
      try await journal.changeMirror { tables in
        guard try tables.device() == nil else { return ((), nil) }
        let device = MirrorTables.Device(principal: principal.name)
        try tables.become(device)
        return ((), device)
      }
    }

    /// The contents now.
    package func contents() async throws(JournalError) -> DeviceContents {
      try await journal.readMirror { [self] in try present(in: $0).contents }
    }

    /// The facts about the file that a driver needs for each of its decisions.
    package struct Standing: Sendable {
      /// The principal of the file.
      package var principal: Principal
      /// The number of the last transaction.
      package var transactions: Int64 = 0
      /// Whether a draft has no known verdict.
      package var hasUndecided = false
      /// Whether drafts wait for entries alone.
      package var awaitsEntries = false
      /// The newest draft, if it has no known verdict.
      package var lastDraft: EntryID?
      /// The generation of the mirror; nil before the first contact.
      package var generation: Generation?
      /// The head of the mirror; nil before the first contact.
      package var head: Head?
      /// The undecided drafts, for the server's operator.
      package var report = SyncHTTP.OutboxReport(count: 0, oldest: nil)
    }

    /// Returns the facts that a driver needs.
    package func standing() async throws(JournalError) -> Standing {
      let known = try await present()
      let (contents, outbox) = (known.contents, known.contents.outbox)
      return Standing(
        principal: contents.principal, transactions: known.device.transactions, hasUndecided: outbox.hasUndecided,
        awaitsEntries: !outbox.isEmpty && !outbox.hasUndecided,
        lastDraft: outbox.last.flatMap { outbox.known[$0.id] == nil ? $0.id : nil }, generation: contents.generation,
        head: known.ends?.head,
        report: SyncHTTP.OutboxReport(count: outbox.undecidedCount, oldest: outbox.firstUndecided?.time))
    }

    /// Whether the file has no other journal.
    package func isAlone() async throws(JournalError) -> Bool { try await journal.readMirror { try $0.journalCount() == 1 } }

    /// The newest schema of the mirror's entries and of the state at its floor.
    ///
    /// - Complexity: O(entries).
    package func newestSchema() async throws(JournalError) -> Int { try await journal.readMirror { try $0.newestSchema() } }

    /// Registers the origin of a handle.
    ///
    /// - Throws: `readOnly` if the file belongs to another principal than the signed-in user.
    package func open(as origin: Origin) async throws(JournalError) {
      try await change(needsOwner: true) { contents, _ in contents.open(as: origin) }
    }

    /// Changes the signed-in user of this process; nil after signing out.
    package func signIn(as user: Principal?) { self.user.withLock { $0 = user } }

    /// Whether a file of this principal is locked for the signed-in user.
    package func isLocked(_ principal: Principal) -> Bool { principal.locks(user.withLock { $0 }) }

    /// Corrects the principal, until the first contact.
    ///
    /// - Returns: Whether that was possible.
    package func correct(_ principal: Principal) async throws(JournalError) -> Bool {
      try await change { contents, _ in contents.correct(principal) }
    }

    /// Puts drafts at the end of the outbox. A draft that the file has already is skipped, so that the call can be repeated.
    ///
    /// The outbox is not read: the time does not depend on its length.
    ///
    /// - Parameters:
    ///   - drafts: The drafts, of one origin, in order.
    ///   - refused: The refused drafts that some of them repeat, by the id of the new draft. They leave the list of refusals.
    /// - Throws: `readOnly` if the file belongs to another principal than the signed-in user; `conflict` if one repeats a refused draft that is not in
    ///   the list any more. Then nothing has changed.
    package func enqueue(_ drafts: [Entry.Draft], retrying refused: [EntryID: EntryID] = [:]) async throws(JournalError) {
      _ = try await journal.changeMirror { [self] tables in
        guard var device = try tables.device() else { throw JournalError.noMirror(tables.journalName) }
        guard !isLocked(Principal(device.principal)) else { throw JournalError.otherUser(tables.journalName) }
        let before = device
        var added: [Entry.Draft] = []
        for draft in drafts {
          if let there = try tables.draft(draft.id, in: .drafts) {
            guard there == draft else { throw JournalError.originCollision(tables.journalName, draft.id, at: .zero) }
            continue
          }
          // An entry of other content belongs to a copy of this process. The draft enters the outbox, and its verdict is `clone`.
          if let entry = try tables.entry(draft.id), entry.standing?.hash == draft.hash { continue }
          // The verdict of an entry that a compaction has removed may be another draft's. The server repeats the verdict on this one.
          if try tables.hasLeft(draft.id) { continue }
          if let old = refused[draft.id] {
            guard try tables.draft(old, in: .refusals) != nil else { throw JournalError.settledElsewhere(tables.journalName, old) }
            try tables.remove(old, from: .refusals)
            device.absorbed += 1
          }
          device.place += 1
          try tables.add(MirrorTables.Item(place: device.place, draft), to: .drafts)
          added.append(draft)
        }
        guard !added.isEmpty else { return ((before, before, []), nil) }
        device.transactions += 1
        try tables.keep(device)
        return ((before, device, added), device)
      } then: { (before: MirrorTables.Device, after: MirrorTables.Device, added: [Entry.Draft]) in
        // A retry has changed the list of refusals, too, which is read then.
        guard after.absorbed == before.absorbed, let drafts = try? added.map({ try SyncDraft($0) }) else { return }
        known.withLock { known in
          guard known?.device == before else { return }
          known?.device = after
          for draft in drafts { known?.contents.append(draft) }
        }
      }
    }

    /// Gives refused drafts up. Ids that are not in the list are ignored.
    ///
    /// - Throws: `readOnly` if the file belongs to another principal than the signed-in user.
    package func dismiss(_ ids: [EntryID]) async throws(JournalError) {
      try await change(needsOwner: true) { contents, _ in contents.dismiss(Set(ids)) }
    }

    /// Makes the request of an exchange.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - limits: The limits of the server.
    ///   - hint: The last hint, if no answer to a request with it was absorbed.
    ///   - schemas: The schemas of snapshots at which this version of the app can begin the mirror.
    package func request(
      for exchange: EngineCommand.Exchange, limits: SyncLimits, hint: Hint? = nil, schemas: ClosedRange<Int>? = nil
    ) async throws(JournalError) -> Request {
      try await request(for: exchange, try present(), limits: limits, hint: hint, schemas: schemas)
    }

    /// Makes the request of an exchange, unless the mirror begins at a state that this version of the app does not begin at, because an update of
    /// the app has changed the meaning of older states. It shows the converted state, and the mirror must begin again.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - limits: The limits of the server.
    ///   - hint: The last hint, if no answer to a request with it was absorbed.
    ///   - schemas: The schemas of states at which this version of the app can begin the mirror.
    /// - Returns: nil if the mirror must begin again, and the exchange is no fetch.
    package func request(
      for exchange: EngineCommand.Exchange, limits: SyncLimits, hint: Hint?, unlessOutdatedFor schemas: ClosedRange<Int>
    ) async throws(JournalError) -> Request? {
      let known = try await present()
      if exchange != .fetch, Self.isOutdated(known.floorSchema, for: schemas) { return nil }
      return try await request(for: exchange, known, limits: limits, hint: hint, schemas: schemas)
    }

    private func request(
      for exchange: EngineCommand.Exchange, _ known: Known, limits: SyncLimits, hint: Hint?, schemas: ClosedRange<Int>?
    ) async throws(JournalError) -> Request {
      let contents = known.contents
      func request(_ body: Request.Body, _ known: Known) -> Request {
        Request(
          body, position: known.ends?.head, floor: known.ends?.start.revision ?? .zero, principal: known.contents.principal,
          generation: known.contents.generation, known: known.contents.newestKnown, hint: hint, schemas: exchange == .fetch ? schemas : nil)
      }
      switch exchange {
      case .pull: return request(.pull, known)
      case .push: return request(.push(contents.outbox.submissions(limit: limits.draftsPerPush, bytes: limits.bytesPerDraft)), known)
      case .probe: return request(.push(contents.outbox.submissions(limit: 1, bytes: limits.bytesPerDraft)), known)
      case .fetch:
        // In the same moment as the own entries of the mirror.
        let (questions, now) = try await journal.readMirror { [self] tables in
          let now = try present(in: tables)
          return (try now.contents.questions(for: try DeviceTables(tables, hasContact: now.contents.lineage != nil)), now)
        }
        return request(.fetch(questions), now)
      }
    }

    /// A state of a newer schema is no reason: a newer version of the app uses the file, too.
    private static func isOutdated(_ floorSchema: Int?, for schemas: ClosedRange<Int>) -> Bool {
      floorSchema.map { $0 < schemas.lowerBound } ?? false
    }

    /// Absorbs an answer in one transaction.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - request: The request. If another process has moved the file on since, nothing changes.
    /// - Returns: The event for the engine.
    package func absorb(_ answer: Answer, to request: Request) async throws(JournalError) -> Reply {
      // Most answers without entries change nothing: they cost no transaction, and wake no process.
      if !Self.isNews(answer) {
        let reply: Reply? = try await journal.readMirror { [self] tables in
          let contents = try present(in: tables).contents
          let mirror = try DeviceTables(tables, hasContact: contents.lineage != nil)
          guard contents.isPresent(request, at: mirror) else { return .superseded }
          if case .page(let page) = answer { return contents.reply(to: page, at: mirror) }
          return contents.reply(to: answer)
        }
        if let reply { return reply }
      }
      return try await change(isChange: { $0 != .superseded }) { contents, mirror in
        guard contents.isPresent(request, at: mirror) else { return .superseded }
        switch answer {
        case .page(let page): return try contents.absorb(page, into: &mirror)
        case .snapshot(let fetched):
          let hasLineage = contents.lineage != nil
          let isAnew = try hasLineage && request.schemas.map { Self.isOutdated(try mirror.tables.floorSchema(), for: $0) } ?? false
          let isRestart = contents.generation != fetched.lineage.generation
          return try contents.absorb(
            fetched.lineage, floor: fetched.floor.head, fetched.lines, anew: isAnew, into: &mirror
          ) { mirror throws(any Error) in
            try mirror.begin(at: fetched.floor.head, state: fetched.floor.state, isRestart: isRestart)
          }
        default: return contents.reply(to: answer) ?? .notUnderstood
        }
      }
    }

    /// Gives up the entries of the mirror up to a revision: one transaction moves the floor. Then ``removeBelowFloor()`` removes the rows.
    ///
    /// - Parameters:
    ///   - pinned: The state at the new floor.
    ///   - seen: The head up to which the caller has checked that no undo names an entry that goes.
    ///   - window: The undo window: the number of entries, without refusals, that must follow the floor.
    /// - Throws: ``/AlterJournal/JournalError``: `conflict` if the mirror has changed since, so that the floor is not possible any more; `readOnly`
    ///   if the file belongs to another principal than the signed-in user.
    package func moveFloor(to pinned: Snapshot, seen: Head, leaving window: Int) async throws(JournalError) {
      try await change(needsOwner: true) { contents, mirror in
        let isMoved = try contents.compact(to: pinned.head, in: &mirror) { mirror throws(any Error) in
          try mirror.moveFloor(to: pinned, seen: seen, leaving: window)
        }
        guard isMoved else {
          throw JournalError.planIsOutdated(
            mirror.tables.journalName, "the device's copy of the journal has begun again", at: mirror.head?.revision ?? .zero)
        }
      }
    }

    /// Checks that the signed-in user is the file's principal.
    ///
    /// - Throws: `readOnly` if another user is signed in.
    package func checkOwner() async throws(JournalError) {
      try await journal.readMirror { [self] tables in
        guard let device = try tables.device() else { throw JournalError.noMirror(tables.journalName) }
        guard !isLocked(Principal(device.principal)) else { throw JournalError.otherUser(tables.journalName) }
      }
    }

    /// Removes the rows of the mirror below its floor, in bounded transactions, also those that an interrupted call has left.
    ///
    /// - Throws: ``/AlterJournal/JournalError``; `cancelled` if the task was cancelled before all were removed.
    package func removeBelowFloor() async throws(JournalError) { try await journal.finishRemoval() }

    /// Whether an answer brings something to any device whose file is where it was.
    private static func isNews(_ answer: Answer) -> Bool {
      switch answer {
      case .page(let page): !page.lines.isEmpty || !page.entries.isEmpty
      case .snapshot: true
      default: false
      }
    }

    /// Releases the file.
    package func close() async { await journal.close() }

    // MARK: - Transactions

    /// Runs a transaction that may change anything.
    ///
    /// - Parameters:
    ///   - needsOwner: Whether the signed-in user must be the file's principal.
    ///   - isChange: Whether something was changed, by the answer. Otherwise the file stays as it is.
    ///   - body: Makes the changes.
    private func change<Answer: Sendable>(
      needsOwner: Bool = false, isChange: @escaping @Sendable (Answer) -> Bool = { _ in true },
      _ body: @escaping @Sendable (inout DeviceContents, inout DeviceTables) throws -> Answer
    ) async throws(JournalError) -> Answer {
      let (answer, _) = try await journal.changeMirror { [self] tables in
        var now = try present(in: tables)
        guard !needsOwner || !isLocked(now.contents.principal) else { throw JournalError.otherUser(tables.journalName) }
        // This transaction has the only copy, so that a change does not copy the outbox. If it fails, the file is read again.
        known.withLock { $0 = nil }
        let (lineage, origins) = (now.contents.lineage, now.contents.origins)
        now.contents.beginTransaction()
        var mirror = try DeviceTables(tables, hasContact: lineage != nil)
        let answer = try body(&now.contents, &mirror)
        guard isChange(answer) else { return ((answer, now), nil) }
        if mirror.hasBegun {
          now.device.grounds += 1
          var starts = MirrorStarts(now.device.reason)
          starts.add(
            lineage == nil ? .contact : lineage?.generation != now.contents.generation ? .restart : .floor, now.device.grounds)
          now.device.reason = starts.text
        }
        try now.contents.save(after: lineage, origins, in: mirror, &now.device)
        now.device.transactions += 1
        now.device.absorbed += 1
        try tables.keep(now.device)
        let start = now.ends?.start
        now.ends = mirror.start.flatMap { start in mirror.head.map { (start, $0) } }
        if mirror.hasBegun || now.ends?.start != start { now.floorSchema = try now.ends.flatMap { _ in try tables.floorSchema() } }
        // The record of the changes would keep what was removed.
        now.contents.beginTransaction()
        return ((answer, now), now.device)
      } then: {
        // Only now is it known that the transaction was committed.
        remember($0.1)
      }
      return answer
    }

    /// The contents now. The file is only read if another process has changed it since, or may have.
    private func present() async throws(JournalError) -> Known {
      if let known = known.withLock({ $0 }), journal.isLast(known.device.transactions) { return known }
      return try await journal.readMirror { [self] in try present(in: $0) }
    }

    /// The contents in the present moment. Only what other processes have changed since is read.
    private func present(in tables: MirrorTables) throws -> Known {
      guard let device = try tables.device() else { throw JournalError.noMirror(tables.journalName) }
      let earlier = known.withLock { $0 }
      if let earlier, earlier.device == device { return earlier }
      var now: Known
      if let earlier, earlier.device.absorbed == device.absorbed, earlier.device.transactions < device.transactions {
        now = earlier
        now.device = device
        try now.contents.appendDrafts(of: tables, after: earlier.device.place, device)
      } else {
        let contents = try DeviceContents(tables, device)
        let ends = contents.lineage == nil ? nil : try tables.ends()
        now = Known(device: device, contents: contents, ends: ends, floorSchema: try ends.flatMap { _ in try tables.floorSchema() })
        if let earlier { now.contents.keepComparisons(of: earlier.contents) }
      }
      remember(now)
      return now
    }

    /// Remembers contents, unless newer ones are known: a read may have begun before a transaction.
    private func remember(_ now: Known) {
      known.withLock { known in
        if known?.device.transactions ?? 0 <= now.device.transactions { known = now }
      }
    }
  }

  extension JournalError {
    /// The error of a change in a file that belongs to another user.
    static func otherUser(_ name: String) -> JournalError {
      JournalError(
        .readOnly, journal: name,
        message: """
          belongs to another user than the one who is signed in, so it takes no changes and shows nothing. Nothing was changed. Sign in as its owner, \
          or open a file of the present user.
          """)
    }
  }

  // The contents of a device's file in its tables.
  extension DeviceContents {
    /// Reads the contents of a file.
    init(_ tables: MirrorTables, _ device: MirrorTables.Device) throws {
      var (drafts, known): ([SyncDraft], [EntryID: Verdict]) = ([], [:])
      for item in try tables.drafts(of: device) {
        drafts.append(try SyncDraft(item.draft))
        if let verdict = Verdict(item) { known[item.draft.id] = verdict }
      }
      let refusals = try tables.items(of: .refusals).map {
        Refused(draft: try SyncDraft($0.draft), code: $0.verdict.flatMap(RefusalCode.init) ?? .refused, reason: $0.reason)
      }
      let awaited = try tables.items(of: .awaited).map {
        Awaited(
          draft: try SyncDraft($0.draft), revision: $0.revision ?? .zero,
          generation: Generation($0.verdict.flatMap { UInt64($0, radix: 16) } ?? 0))
      }
      self.init(
        Principal(device.principal), lineage: try tables.lineage(), outbox: Outbox(drafts, known: known), refusals: refusals,
        awaited: awaited, origins: try tables.origins())
    }

    /// Adds the drafts that were put into the outbox since the contents were read.
    mutating func appendDrafts(of tables: MirrorTables, after place: Int64, _ device: MirrorTables.Device) throws {
      for item in try tables.drafts(of: device, after: place) {
        guard !outbox.contains(item.draft.id) else {
          throw JournalError.damagedDevice(tables.journalName, "the draft \(item.draft.id) in its outbox has another place than before")
        }
        append(try SyncDraft(item.draft))
      }
    }

    /// Writes what the transaction has changed.
    ///
    /// - Parameters:
    ///   - lineage: The lineage before the transaction.
    ///   - origins: The origins before it.
    ///   - mirror: The mirror.
    ///   - device: The row of the device. The caller writes it.
    /// - Complexity: O(changes), not O(outbox).
    func save(
      after lineage: Lineage?, _ origins: Set<Origin>, in mirror: DeviceTables, _ device: inout MirrorTables.Device
    ) throws {
      let tables = mirror.tables
      device.principal = principal.name
      if let now = self.lineage, now != lineage { try tables.keep(now) }
      for origin in self.origins.subtracting(origins) { try tables.add(origin) }
      func add(_ draft: SyncDraft, to list: MirrorTables.List, verdict: String? = nil, at revision: Revision? = nil, reason: String? = nil)
        throws
      {
        device.place += 1
        let item = MirrorTables.Item(place: device.place, draft.stored, verdict: verdict, revision: revision, reason: reason)
        try tables.add(item, to: list)
      }
      for draft in outbox.list.removed { try tables.remove(draft.id, from: .drafts) }
      for id in outbox.noted where outbox.contains(id) {
        let verdict = outbox.known[id]
        try tables.note(verdict?.text, at: verdict?.revision, on: id)
      }
      for old in refused.removed { try tables.remove(old.draft.id, hash: old.draft.hash, from: .refusals) }
      for new in refused.added { try add(new.draft, to: .refusals, verdict: new.code.rawValue, reason: new.reason) }
      for old in awaiting.removed { try tables.remove(old.draft.id, hash: old.draft.hash, from: .awaited) }
      for new in awaiting.added { try add(new.draft, to: .awaited, verdict: new.generation.description, at: new.revision) }
      // Without a transaction: a draft under such an id is never skipped, because its content was not compared. The own verdict of a clone stays.
      let unknown = try folded.filter { try tables.settled($0.key) == nil }
      try tables.settle(unknown.map { MirrorTables.Settled($0, $1.text, at: $1.revision) }, in: 0)
      var settled: [MirrorTables.Settled] = []
      for (id, verdict) in left {
        // The entry of a clone's id is another draft's.
        let hasEntry = try mirror.entry(id) != nil && verdict.text != RefusalCode.clone.rawValue
        if !hasEntry { settled.append(MirrorTables.Settled(id, verdict.text, at: verdict.revision)) }
      }
      try tables.settle(settled, in: device.transactions + 1)
    }
  }

  extension Verdict {
    /// The verdict that a row names; nil if the server has told none.
    init?(_ item: MirrorTables.Item) {
      guard let text = item.verdict else { return nil }
      if text == "accepted", let revision = item.revision {
        self = .accepted(revision)
      } else {
        // A newer version may know more codes.
        self = .refused(RefusalCode(rawValue: text) ?? .refused, at: item.revision)
      }
    }

    /// 'accepted' or the code.
    var text: String { if case .refused(let code, _) = self { code.rawValue } else { "accepted" } }
  }
#endif
