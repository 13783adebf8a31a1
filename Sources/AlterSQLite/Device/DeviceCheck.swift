#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Checks the device's side of sync in a file: all that no chain of checksums covers.
  struct DeviceCheck {
    /// The tables, in one moment of reading.
    let tables: MirrorTables
    /// The floor of the mirror; nil for a whole one.
    let floor: Head?

    /// Runs all checks.
    ///
    /// - Throws: `damaged` with the first damage, its place, and advice.
    /// - Complexity: O(drafts + verdicts + the state at the floor).
    func run() throws {
      guard let device = try tables.device() else { throw damaged("the row of the device is missing") }
      // The checksum of the state at the floor depends on the journal's id.
      try checkHead()
      try checkFloor()
      for list in DeviceList.allCases { try check(list, device) }
      try checkVerdicts(device)
      try checkOrigins()
    }

    /// Checks that a journal that is not synced has no part of a device's file: otherwise stores would write to the mirror. Of a compacted
    /// journal it checks both copies of the state at the floor, and the ids of the removed entries.
    ///
    /// - Throws: `damaged`.
    static func checkPlain(_ journal: Int64, floor: Head?, in database: Database, name: String) throws {
      guard try !database.hasRow("SELECT 1 FROM devices WHERE journal = ?", journal) else {
        throw JournalError.damagedDevice(name, "its row says that it is not synced, but it has the row of a device")
      }
      if let floor { try FloorRow.check(at: floor, journal: journal, in: database, name: name) }
      try CompactedRow.check(journal, floor: floor?.revision ?? .zero, in: database, name: name)
    }

    private func damaged(_ why: String) -> JournalError { .damagedDevice(tables.journalName, why) }

    private func checkFloor() throws {
      guard let floor else { return }
      try FloorRow.check(at: floor, journal: tables.journal, in: tables.database, name: tables.name)
    }

    /// Checks that a mirror with entries names the journal that it is a copy of.
    private func checkHead() throws {
      let ends = try tables.ends()
      guard ends.head.revision > .zero else { return }
      guard try tables.lineage() != nil else { throw damaged("it has entries of a server, and no generation") }
      let source = try tables.database.first("SELECT source FROM journals WHERE number = ?", tables.journal) { $0.journal(0) }
      guard source != nil else { throw damaged("it has entries of a server, and no id of the server's journal") }
    }

    private func check(_ list: DeviceList, _ device: MirrorTables.Device) throws {
      let place = DraftRow.place(of: list.table)
      try DraftRow.forEachListed(in: list.table, after: .min, journal: tables.journal, in: tables.database) { item in
        if let problem = item.problem { throw damaged(problem) }
        guard let draft = item.draft, item.place >= 0, item.place <= device.place else {
          throw damaged("a draft in \(place) has the place \(item.place), but the last place of the device is \(device.place)")
        }
        switch (list, item.verdict) {
        case (.outbox, "accepted") where item.revision == nil:
          throw damaged("the accepted draft \(draft.id) in \(place) has no revision")
        case (.awaited, let generation) where generation.flatMap({ UInt64($0, radix: 16) }) == nil:
          throw damaged("the draft \(draft.id) in \(place) has no generation")
        default: return true
        }
      }
    }

    private func checkVerdicts(_ device: MirrorTables.Device) throws {
      var last: VerdictRange?
      for range in try tables.ranges() {
        if let last, last.origin == range.origin, last.sequences.upperBound >= range.sequences.lowerBound {
          let id = EntryID(origin: range.origin, sequence: range.sequences.lowerBound)
          throw damaged("two ranges of its verdicts contain the draft \(id)")
        }
        last = range
      }
      let newest = try tables.database.number("SELECT max(number) FROM verdicts WHERE journal = ?", tables.journal)
      guard newest ?? 0 <= device.transactions else {
        throw damaged(
          "a range of its verdicts is from transaction \(newest ?? 0), but the last transaction of the device is \(device.transactions)")
      }
    }

    private func checkOrigins() throws {
      guard try !tables.database.hasRow("SELECT 1 FROM own WHERE journal = ? AND length(origin) <> 16", tables.journal) else {
        throw damaged("the id of one of its origins has another length than 16 bytes")
      }
      // After a restart the device asks for the verdicts of its own origins alone.
      let id = try tables.database.first(
        "SELECT origin, sequence FROM drafts WHERE journal = ?1 AND origin NOT IN (SELECT origin FROM own WHERE journal = ?1) LIMIT 1",
        tables.journal
      ) { row in row.origin(0).map { EntryID(origin: $0, sequence: row.number(1) ?? 0) } }
      guard let id else { return }
      throw damaged("the origin of the draft \(id) in its outbox is not among its own origins")
    }
  }

  extension DeviceList {
    /// The table of the list.
    var table: String {
      switch self {
      case .outbox: "drafts"
      case .refusals, .awaited: rawValue
      }
    }
  }

  extension JournalError {
    /// The error of damage in the device's side of sync.
    package static func damagedDevice(_ name: String, _ why: String) -> JournalError {
      JournalError(
        .damaged, journal: name,
        message: """
          is damaged: \(why). Nothing was changed. Keep a copy of the file, because changes that were not sent yet are nowhere else. Then restore a \
          backup of it, or begin with a new file: the server has the journal itself.
          """)
    }
  }
#endif
