#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSyncCore

  // The contents of a device's file in its tables.
  extension DeviceContents {
    /// Reads the contents of a file.
    init(_ tables: MirrorTables, _ device: MirrorTables.Device) throws {
      var (drafts, known): ([Draft], [EntryID: Verdict]) = ([], [:])
      for item in try tables.drafts(of: device) {
        drafts.append(try Draft(item.draft))
        if let verdict = Verdict(item) { known[item.draft.id] = verdict }
      }
      let refusals = try tables.items(of: .refusals).map {
        Refused(draft: try Draft($0.draft), code: $0.verdict.flatMap(RefusalCode.init) ?? .refused, reason: $0.reason)
      }
      let awaited = try tables.items(of: .awaited).map {
        Awaited(
          draft: try Draft($0.draft), revision: $0.revision ?? .zero,
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
        append(try Draft(item.draft))
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
      func add(_ draft: Draft, to list: MirrorTables.List, verdict: String? = nil, at revision: Revision? = nil, reason: String? = nil)
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
