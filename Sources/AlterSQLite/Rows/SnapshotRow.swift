#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of a journal's snapshots.
  enum SnapshotRow {
    /// Stores a snapshot. It replaces a snapshot of the same revision.
    static func keep(_ snapshot: Snapshot, journal: Int64, in database: Database, _ tables: FileTables) throws {
      let statement = try database.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO \(tables.snapshot)
            (journal, revision, head_checksum, base, base_checksum, schema, written, size, checksum, payload)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))
          """)
      try statement.execute(arguments: [
        journal, snapshot.head.revision.number, snapshot.head.checksum.bytes, snapshot.base.revision.number, snapshot.base.checksum.bytes,
        Int64(snapshot.schema), snapshot.written, Int64(snapshot.payload.count), snapshot.checksum.bytes,
        snapshot.payload.isEmpty ? "".databaseValue : snapshot.payload.databaseValue,
      ])
    }

    /// Removes the snapshot of a revision, if there is one.
    static func remove(_ revision: Revision, journal: Int64, in database: Database, _ tables: FileTables) throws {
      // Some builds of SQLite overwrite all removed content, which would be as many bytes again. Everything in it is in the entries, too.
      try database.execute(sql: "PRAGMA secure_delete = FAST")
      let statement = try database.cachedStatement(sql: "DELETE FROM \(tables.snapshot) WHERE journal = ? AND revision = ?")
      try statement.execute(arguments: [journal, revision.number])
    }

    /// Lists the snapshots up to a revision whose bases are not before another, newest first. Invalid rows are skipped, because a snapshot is only a cache.
    static func places(
      upTo revision: Revision, limit: Int, from base: Revision = Revision(.min), journal: Int64, in database: Database,
      _ tables: FileTables, name: String
    ) throws -> [Snapshot.Place] {
      let statement = try database.cachedStatement(
        sql: """
          SELECT revision, base, schema, written, size FROM \(tables.snapshot) WHERE journal = ? AND revision <= ? AND base >= ?
          ORDER BY revision DESC LIMIT ?
          """)
      return try Row.fetchAll(statement, arguments: [journal, revision.number, base.number, limit]).compactMap { row in
        guard let revision = number(row, 0), let base = number(row, 1), let schema = number(row, 2), let written = number(row, 3),
          let size = number(row, 4), revision > 0
        else { return nil }
        return Snapshot.Place(
          revision: Revision(revision), base: Revision(base), schema: Int(clamping: schema), written: written, size: Int(clamping: size))
      }
    }

    /// Reads the snapshot of a revision, as stored.
    ///
    /// - Parameter id: The id of the journal, as read from the journal's own row.
    static func snapshot(
      at revision: Revision, of id: JournalID, journal: Int64, in database: Database, _ tables: FileTables, name: String
    ) throws -> Snapshot? {
      let statement = try PreparedStatement(
        """
        SELECT head_checksum, base, base_checksum, schema, written, checksum, rowid FROM \(tables.snapshot) WHERE journal = ? AND revision = ?
        """, in: database)
      statement.bind(journal, at: 1)
      statement.bind(revision.number, at: 2)
      var snapshot: Snapshot?
      try statement.run { row in
        guard let headChecksum = row.words(0), let base = row.number(1), let baseChecksum = row.words(2), let schema = row.number(3),
          let written = row.number(4), let own = row.words(5), let place = row.number(6)
        else { throw JournalError.damaged(name, "the row of the snapshot at revision \(revision) is invalid") }
        // While the statement is at the row, the payload is of the same moment.
        snapshot = Snapshot(
          head: Head(journal: id, revision: revision, checksum: Checksum(headChecksum)),
          base: Head(journal: id, revision: Revision(base), checksum: Checksum(baseChecksum)), schema: Int(clamping: schema),
          written: written, payload: try row.content(of: "payload", in: tables.snapshot, row: place), checksum: Checksum(own))
      }
      return snapshot
    }

    private static func number(_ row: Row, _ index: Int) -> Int64? { Int64.fromDatabaseValue(row[index] as DatabaseValue) }
  }

  extension Checksum {
    fileprivate init(_ words: (high: UInt64, low: UInt64)) { self.init(high: words.high, low: words.low) }
  }
#endif
