#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Checks that the write-ahead log beside a file belongs to the file.
  ///
  /// A log does not name its database: SQLite combines any complete log with any file. This check reads the heads of the journals from the
  /// file alone, as of the last checkpoint, and looks them up through the log. The ids must be the same, the journals must not be shorter,
  /// and the entries at those heads must have the same checksums.
  struct LogOwnership {
    let location: FileLocation
    let name: String
    /// The configuration of connections that only read.
    let configuration: Configuration

    /// Checks the log before a connection that may write is opened, because closing such a connection would checkpoint the log into the
    /// file. The caller holds the lock.
    ///
    /// - Throws: `damaged` if the log belongs to another file.
    func check(file: FileStatus) throws(JournalError) {
      guard hasLog else { return }
      let traces = ReaderTraces(location, file: file)
      do {
        let database = try DatabaseQueue(path: SQLiteFileSystem.own.uri(of: location.path, for: name), configuration: configuration)
        do {
          try check(through: database)
          try database.close()
        } catch {
          try? database.close()
          throw error
        }
      } catch {
        // Only the shared memory can be left behind, because the log existed before. After a success the next connection needs it.
        traces.clear()
        throw .translated(error, in: name, doing: "open")
      }
    }

    /// Checks the log on a connection that only reads.
    ///
    /// - Throws: `damaged` if the log belongs to another file; any error of reading through the log.
    func check(through database: DatabaseQueue) throws {
      for round in 0..<3 {
        guard hasLog, let alone = inFileAlone() else { return }
        let complaint = try database.inDatabase { database in
          try FileFormat.check(database, name: name)
          return try difference(from: alone, in: database)
        }
        guard let complaint else { return }
        // Another process may have been checkpointing while the file was read alone.
        guard round == 2 else { continue }
        throw JournalError(
          .damaged, journal: name,
          message: """
            can't be opened: '\(location.wal)' beside it is the log of another journal: \(complaint). Nothing was changed. Find the log that belongs to this \
            file and put it there; if there is none, move that one away. Then open it again.
            """)
      }
    }

    private var hasLog: Bool { FileStatus(path: location.wal)?.size ?? 0 > 0 }

    /// A journal as read from the file alone.
    private struct Known {
      let key: String
      let row: JournalRow
      /// The number of transactions, of a device's copy of a server's journal.
      let transactions: Int64?
    }

    /// The journals in the file without its log, at most 100. Nil if they cannot be read: after a power loss during a checkpoint the file
    /// may be complete only together with its log.
    private func inFileAlone() -> [Known]? {
      guard let path = try? SQLiteFileSystem.own.uri(of: location.path, isImmutable: true, for: name),
        let database = try? DatabaseQueue(path: path, configuration: configuration)
      else { return nil }
      defer { try? database.close() }
      return try? database.inDatabase { database in
        try FileFormat.check(database, name: name)
        let keys = try database.all("SELECT key FROM journals ORDER BY number LIMIT 100") { $0.text(0) }.compactMap { $0 }
        return keys.compactMap { key in
          (try? JournalRow.find(key: key, in: database, name: name)).flatMap { $0 }.map { row in
            Known(key: key, row: row, transactions: (try? Self.transactions(of: row, in: database)) ?? nil)
          }
        }
      }
    }

    private static func transactions(of row: JournalRow, in database: Database) throws -> Int64? {
      try database.number("SELECT transactions FROM devices WHERE journal = ?", row.number)
    }

    /// The floor of a journal that was compacted; nil for a whole one.
    private static func floor(of row: JournalRow, in database: Database) throws -> (revision: Revision, checksum: Checksum?)? {
      try database.first("SELECT floor, floor_checksum FROM journals WHERE number = ?", row.number) { found in
        guard let revision = found.number(0), revision > 0 else { return nil }
        return (Revision(revision), found.checksum(1))
      }
    }

    private func difference(from alone: [Known], in database: Database) throws -> String? {
      for known in alone {
        guard let row = try JournalRow.find(key: known.key, in: database, name: name) else {
          return "with it, the journal with the key '\(known.key)' is missing"
        }
        let (there, here) = (row.head, known.row.head)
        guard row.own == known.row.own else { return "the file holds journal \(known.row.own), the log \(row.own)" }
        if let now = try Self.transactions(of: row, in: database) {
          // A mirror may begin anew, so that it ends earlier and has other entries.
          guard now >= known.transactions ?? 0 else {
            return "the file has had \(known.transactions ?? 0) transactions, the log \(now)"
          }
          continue
        }
        guard there.revision >= here.revision else {
          return "the file ends at revision \(here.revision), the log at \(there.revision)"
        }
        guard here.revision > .zero else { continue }
        if let floor = try Self.floor(of: row, in: database), here.revision <= floor.revision {
          // A compaction in the log has removed the entry. The floor has its checksum in the journal's row.
          guard here.revision == floor.revision, here.checksum != floor.checksum else { continue }
          return "with it, the entry at revision \(here.revision), where the journal begins, was a different one"
        }
        guard try EntryRow.checksum(at: here.revision, journal: row.number, in: database) == here.checksum else {
          return "with it, the entry at revision \(here.revision) is a different one"
        }
      }
      return nil
    }
  }
#endif
