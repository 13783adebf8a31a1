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
      for item in try tables.items(of: .drafts) {
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

    /// Writes the differences from earlier contents.
    ///
    /// - Complexity: O(outbox).
    func save(since old: DeviceContents, in mirror: inout DeviceTables, _ device: inout MirrorTables.Device) throws {
      let tables = mirror.tables
      device.principal = principal.name
      if let lineage, lineage != old.lineage { try tables.keep(lineage) }
      for origin in origins.subtracting(old.origins) { try tables.add(origin) }
      try saveOutbox(since: old.outbox, in: tables, &device)
      let listed = Set(refusals)
      for refused in old.refusals where !listed.contains(refused) {
        try tables.remove(refused.draft.id, hash: refused.draft.hash, from: .refusals)
      }
      let known = Set(old.refusals)
      for refused in refusals where !known.contains(refused) {
        device.place += 1
        try tables.add(
          MirrorTables.Item(place: device.place, refused.draft.stored, verdict: refused.code.rawValue, reason: refused.reason),
          to: .refusals)
      }
      if awaited != old.awaited {
        try tables.removeAll(from: .awaited)
        for change in awaited {
          device.place += 1
          let item = MirrorTables.Item(
            place: device.place, change.draft.stored, verdict: change.generation.description, revision: change.revision)
          try tables.add(item, to: .awaited)
        }
      }
      for (id, verdict) in left where old.left[id] != verdict {
        // The entry of a clone's id is another draft's.
        let hasEntry = try mirror.entry(id) != nil && verdict.text != RefusalCode.clone.rawValue
        if !hasEntry { try tables.settle(id, verdict.text, at: verdict.revision, in: device.transactions + 1) }
      }
    }

    private func saveOutbox(since old: Outbox, in tables: MirrorTables, _ device: inout MirrorTables.Device) throws {
      for draft in old.drafts where !outbox.contains(draft) { try tables.remove(draft.id, from: .drafts) }
      for draft in outbox.drafts where !old.contains(draft) {
        device.place += 1
        try tables.add(MirrorTables.Item(place: device.place, draft.stored), to: .drafts)
      }
      for (id, verdict) in outbox.known where old.known[id] != verdict { try tables.note(verdict.text, at: verdict.revision, on: id) }
      for id in old.known.keys where outbox.known[id] == nil && outbox.contains(id) { try tables.note(nil, at: nil, on: id) }
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
