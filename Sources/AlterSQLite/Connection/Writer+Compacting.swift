#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // The transactions of a compaction.
  extension Writer {
    /// The free pages that one transaction returns to the system: 1 MiB.
    private static let freedPages: Int64 = 256

    /// Moves the floor to the head of a snapshot.
    func moveFloor(of journal: OpenJournal, to pinned: Snapshot, seen: Head) throws(JournalError) {
      let (number, name) = (journal.number, journal.name)
      try write(name) { database in
        let head = try JournalRow.read(number, in: database, name: name).head
        let role = try ServedRow.role(number, in: database, name: name)
        guard role != .mirror else { throw JournalError.decidedElsewhere(name, role) }
        if try CompactedRow.floor(number, in: database) >= pinned.head.revision { return }
        let checksum = try EntryRow.checksum(at: pinned.head.revision, journal: number, in: database)
        guard pinned.base == pinned.head, pinned.head.journal == head.journal, checksum == pinned.head.checksum else {
          throw JournalError.diverged(name, at: pinned.head.revision, head: head.revision)
        }
        try CompactedRow.checkSchema(pinned, after: seen.revision, head: head.revision, journal: number, in: database, name: name)
        try CompactedRow.checkMarks(after: seen.revision, floor: pinned.head.revision, journal: number, in: database, name: name)
        try CompactedRow.move(to: pinned, journal: number, in: database)
      }
    }

    /// Removes some of the rows below the floor.
    func removeBelowFloor(of journal: OpenJournal) throws(JournalError) -> Bool {
      try write(journal.name) { database in
        switch try ServedRow.role(journal.number, in: database, name: journal.name) {
        case .plain: return try CompactedRow.removeSome(journal: journal.number, in: database)
        case .server: return try CompactedRow.removeSomeServed(journal: journal.number, in: database, name: journal.name)
        case .mirror:
          return try MirrorTables(database: database, journal: journal.number, name: journal.name, statements: nil).removeBelowFloor()
        }
      }
    }

    /// Returns some free pages at the end of the file to the system, if the file was made for that.
    func shrink(_ name: String) throws(JournalError) -> Bool {
      try write(name) { database in
        guard try database.number("PRAGMA auto_vacuum") == 2 else { return false }
        let free = try database.number("PRAGMA freelist_count") ?? 0
        guard free > 0 else { return false }
        try database.run("PRAGMA incremental_vacuum(\(Self.freedPages))")
        let rest = try database.number("PRAGMA freelist_count") ?? 0
        return rest > 0 && rest < free
      }
    }

    /// Writes the whole file again, without its free pages, so that later compactions can shrink it in steps. Other writers wait meanwhile.
    ///
    /// - Throws: `locked` if a reader keeps the write-ahead log: the former content is then still in the log, and may be in the file.
    func vacuum(_ name: String) throws(JournalError) {
      try checkUsable(name: name)
      try translating(name, "rewrite the file") {
        try database.inDatabase { database in
          // The copy may be larger than the memory.
          let store = try database.number("PRAGMA temp_store") ?? 0
          try database.run("PRAGMA temp_store = 1")
          defer { try? database.run("PRAGMA temp_store = \(store)") }
          try database.run("PRAGMA auto_vacuum = 2")
          try database.run("VACUUM")
          // Only a checkpoint makes the file itself smaller, and removes the former content from the log.
          do { try database.checkpoint(.truncate) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw JournalError(
              .locked, journal: name,
              message: """
                was rewritten, but a reader of the file keeps the write-ahead log, so the former content is still in the files. Close the other \
                readers, or let them finish, and rewrite it again.
                """)
          }
        }
      }
    }

    /// Checks drafts that are not in the journal above its floor: they must not have been there below it, and their undos must not name an
    /// entry from there.
    func checkCompacted(
      _ drafts: [Entry.Draft], in journal: OpenJournal, after head: Head, current: Head, floor: Revision, in database: Database
    ) throws {
      let (number, name) = (journal.number, journal.name)
      guard let first = drafts.first?.id, let last = drafts.last?.id else { return }
      if last.sequence >= first.sequence,
        let there = try CompactedRow.revision(
          ofAnyIn: first.origin, first.sequence...last.sequence, floor: floor, journal: number, in: database)
      {
        // A writer that has not read so far finds its draft there. One that has read everything uses an id of another process.
        throw head == current
          ? JournalError.originCollision(name, first, at: there) : .conflict(name, at: current.revision, expected: head.revision)
      }
      guard head == current else { return }
      for target in drafts.lazy.compactMap(\.targets).joined()
      where try CompactedRow.revision(of: target, floor: floor, journal: number, in: database) != nil {
        throw JournalError.undoBelowFloor(name, target, floor: floor)
      }
    }
  }
#endif
