#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  // The device's side of sync for the inspector.
  extension SQLiteJournal: DeviceJournal {
    package func device() async throws(JournalError) -> DeviceReport? {
      guard try await role() == .mirror else { return nil }
      return try await readMirror { try $0.report() }
    }

    package func lineage() async throws(JournalError) -> Lineage? {
      guard try await role() == .mirror else { return nil }
      return try await readMirror { try $0.lineage() }
    }

    package func deviceMoment() async throws(JournalError) -> DeviceMoment? {
      guard try await role() == .mirror else { return nil }
      return try await readMirror { try $0.device()?.moment }
    }

    package func drafts(in list: DeviceList, after place: Int64?, limit: Int) async throws(JournalError) -> [ListedDraft] {
      guard limit > 0, try await role() == .mirror else { return [] }
      return try await readMirror { tables in
        var drafts: [ListedDraft] = []
        try DraftRow.forEachListed(in: list.table, after: place ?? .min, journal: tables.journal, in: tables.database) { item in
          drafts.append(item)
          return drafts.count < limit
        }
        return drafts
      }
    }

    package func origins() async throws(JournalError) -> Set<Origin> {
      guard try await role() == .mirror else { return [] }
      return try await readMirror { try $0.origins() }
    }

    package func verdict(on id: EntryID) async throws(JournalError) -> (verdict: String, revision: Revision?)? {
      guard try await role() == .mirror else { return nil }
      return try await readMirror { tables -> MirrorTables.Settled? in
        try tables.compacted(id).map { MirrorTables.Settled(id, $0.verdict, at: $0.revision) }
      }.map { ($0.verdict, $0.revision) }
    }

    package func verdicts(skipping offset: Int, limit: Int) async throws(JournalError) -> [VerdictRange] {
      guard limit > 0, try await role() == .mirror else { return [] }
      return try await readMirror { try $0.ranges(skipping: max(0, offset), limit: limit) }
    }
  }

  extension MirrorTables.Device {
    fileprivate var moment: DeviceMoment { DeviceMoment(transactions: transactions, starts: grounds) }
  }

  extension MirrorTables {
    /// Counts all that the file has apart from its mirror.
    ///
    /// - Throws: `damaged` if the row of the device is missing or invalid.
    /// - Complexity: O(drafts).
    func report() throws -> DeviceReport {
      guard let device = try device() else { throw JournalError.damagedDevice(name, "the row of the device is missing") }
      func count(_ table: String, _ condition: String = "") throws -> Int {
        Int(clamping: try database.number("SELECT count(*) FROM \(table) WHERE journal = ?\(condition)", journal) ?? 0)
      }
      var counts: [DeviceList: Int] = [:]
      for list in DeviceList.allCases { counts[list] = try count(list.table) }
      let lineage = try lineage()
      return DeviceReport(
        principal: device.principal, generation: lineage?.generation, former: lineage?.former.count ?? 0,
        moment: device.moment, counts: counts, decided: try count("drafts", " AND verdict IS NOT NULL"), origins: try count("own"),
        verdicts: try count("verdicts"))
    }
  }
#endif
