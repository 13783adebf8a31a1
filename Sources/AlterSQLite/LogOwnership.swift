#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Whether the write-ahead log beside a file is the file's own.
  ///
  /// Nothing in a log says which database it belongs to: SQLite mixes any whole log with any file. So the journals that the file alone holds, as of the last checkpoint, are looked up
  /// through the log: they must be the same ones, have grown, and still have the entries that they ended with.
  struct LogOwnership {
    let location: FileLocation
    let name: String
    /// For connections that only read.
    let configuration: Configuration

    /// Makes sure of it before a connection that may write is opened: closing such a one would move the log into the file. The caller holds the lock.
    ///
    /// - Throws: `damaged` when the log is another file's.
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
        // A log that is kept has no trace but the shared memory. One that is used next needs it.
        traces.clear()
        throw .translated(error, in: name, doing: "open")
      }
    }

    /// Makes sure of it on a connection that only reads.
    ///
    /// - Throws: `damaged` when the log is another file's; what can't be read through the log.
    func check(through database: DatabaseQueue) throws {
      for round in 0..<3 {
        guard hasLog, let alone = inFileAlone() else { return }
        let complaint = try database.inDatabase { database in
          try FileFormat.check(database, name: name)
          return try difference(from: alone, in: database)
        }
        guard let complaint else { return }
        // What was read from the file alone may have been in the middle of a checkpoint of another process's.
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

    /// A journal as the file alone knows it.
    private struct Known {
      let key: String
      let head: Head
    }

    /// The journals that the file holds without its log: some of them, if they are many. Nil when that can't be told: a power loss during a checkpoint may leave a file that is whole only
    /// together with its log.
    private func inFileAlone() -> [Known]? {
      guard let path = try? SQLiteFileSystem.own.uri(of: location.path, isImmutable: true, for: name),
        let database = try? DatabaseQueue(path: path, configuration: configuration)
      else { return nil }
      defer { try? database.close() }
      return try? database.inDatabase { database in
        try FileFormat.check(database, name: name)
        let keys = try String?.fetchAll(database, sql: "SELECT key FROM journal ORDER BY number LIMIT 100").compactMap { $0 }
        return keys.compactMap { key in
          (try? JournalRow.find(key: key, in: database, name: name)).flatMap { $0 }.map { Known(key: key, head: $0.head) }
        }
      }
    }

    private func difference(from alone: [Known], in database: Database) throws -> String? {
      for known in alone {
        guard let row = try JournalRow.find(key: known.key, in: database, name: name) else {
          return "with it, the journal with the key '\(known.key)' is missing"
        }
        let (there, here) = (row.head, known.head)
        guard there.journal == here.journal else { return "the file holds journal \(here.journal), the log \(there.journal)" }
        guard there.revision >= here.revision else {
          return "the file ends at revision \(here.revision), the log at \(there.revision)"
        }
        guard here.revision > .zero else { continue }
        let entry = try Row.fetchOne(
          database, sql: "SELECT checksum FROM entry WHERE journal = ? AND revision = ?", arguments: [row.number, here.revision.number])
        let checksum = entry.flatMap { Data.fromDatabaseValue($0[0] as DatabaseValue) }.flatMap(Checksum.init(bytes:))
        guard checksum == here.checksum else {
          return "with it, the entry at revision \(here.revision) is a different one"
        }
      }
      return nil
    }
  }
#endif
