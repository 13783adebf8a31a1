#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // A device gives up the oldest entries of its copy of the journal.
  //
  // As in other journals (`Writer+Compacting`), a small transaction moves the floor, and bounded ones remove the rows: no reader is shown a row
  // at or below the floor. The verdicts on own drafts stay, as runs of transaction 0: a store that has not read the file up to the floor yet learns
  // from them what became of its drafts.
  extension MirrorTables {
    /// Moves the floor to the head of a snapshot, whose base is its head.
    ///
    /// - Parameters:
    ///   - pinned: The state at the new floor.
    ///   - seen: The head up to which the caller has checked that no undo names an entry below the floor. Later entries are checked here.
    ///   - window: The undo window: the number of entries, without refusals, that must follow the floor.
    /// - Throws: `conflict` if the mirror has begun again since the plan, a later undo names an entry below the floor, a later entry has a newer schema,
    ///   or less than a window of entries would stay.
    package func moveFloor(to pinned: Snapshot, seen: Head, leaving window: Int) throws {
      let (start, head) = try ends()
      let checksum = try Data?.fetchOne(
        database, sql: "SELECT checksum FROM entries WHERE journal = ? AND revision = ?", arguments: [journal, pinned.head.revision.number])
      guard pinned.base == pinned.head, pinned.head.journal == head.journal, pinned.head.revision > start.revision,
        checksum.flatMap({ $0 }) == pinned.head.checksum.bytes
      else {
        throw JournalError.planIsOutdated(name, "the device's copy of the journal has begun again", at: head.revision)
      }
      try CompactedRow.checkSchema(pinned, after: seen.revision, head: head.revision, journal: journal, in: database, .synced, name: name)
      try CompactedRow.checkMarks(
        after: seen.revision, floor: pinned.head.revision, journal: journal, in: database, .synced, name: name)
      let rest = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM (SELECT 1 FROM entries WHERE journal = ? AND revision > ? AND kind <> 'refused' LIMIT ?)",
        arguments: [journal, pinned.head.revision.number, window])
      guard rest ?? 0 >= window else {
        throw JournalError.planIsOutdated(name, "less than an undo window of entries would stay", at: pinned.head.revision)
      }
      try CompactedRow.move(to: pinned, journal: journal, in: database)
    }

    /// The oldest rows at or below the floor.
    func belowFloor(limit: Int) throws -> [Entry] {
      let statement = try PreparedStatement(
        "SELECT \(EntryRow.columns(of: .synced)) FROM entries WHERE journal = ? AND revision <= ? ORDER BY revision LIMIT ?", in: database)
      statement.bind(journal, at: 1)
      statement.bind(try CompactedRow.floor(journal, in: database).number, at: 2)
      statement.bind(Int64(limit), at: 3)
      var entries: [Entry] = []
      var size: Int64 = 0
      try statement.forEachRow { row in
        switch EntryRow.entry(row, of: .synced) {
        case .success(let entry):
          entries.append(entry)
          size = size.saturatingAdding(entry.size)
          return limit == .max || size < CompactedRow.bytes
        case .failure(let complaint):
          throw row.number(0).map { JournalError.damaged(name, at: Revision($0), complaint.text) }
            ?? JournalError.damaged(name, complaint.text)
        }
      }
      return entries
    }

    /// Removes the oldest rows at or below the floor, and keeps the verdicts on own drafts.
    ///
    /// - Returns: Whether there may be more.
    /// - Throws: `damaged` if a row cannot be read; then nothing is removed.
    func removeBelowFloor() throws -> Bool {
      guard try CompactedRow.floor(journal, in: database) > .zero else { return false }
      let entries = try belowFloor(limit: CompactedRow.rows)
      guard let last = entries.last?.revision else { return false }
      let own = try origins()
      var verdicts: [Settled] = []
      // A draft that has left the outbox as a clone has its own verdict. The entry is another draft's.
      for entry in entries where own.contains(entry.id.origin) {
        guard let standing = entry.standing, try settled(entry.id) == nil else { continue }
        verdicts.append(Settled(entry.id, standing.code ?? "accepted", at: entry.revision))
      }
      try settle(verdicts, in: 0)
      try database.execute(sql: "DELETE FROM entries WHERE journal = ? AND revision <= ?", arguments: [journal, last.number])
      return true
    }
  }
#endif
