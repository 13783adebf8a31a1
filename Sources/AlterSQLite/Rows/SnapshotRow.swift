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
    static func keep(_ snapshot: Snapshot, journal: Int64, in database: Database) throws {
      try database.run(
        """
        INSERT OR REPLACE INTO snapshots
          (journal, revision, head_checksum, base, base_checksum, schema, form, written, size, checksum, payload)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, journal, snapshot.head.revision, snapshot.head.checksum, snapshot.base.revision, snapshot.base.checksum, snapshot.schema,
        snapshot.form, snapshot.written, snapshot.payload.count, snapshot.checksum, TextBytes(snapshot.payload))
    }

    /// Removes the snapshot of a revision, if there is one.
    static func remove(_ revision: Revision, journal: Int64, in database: Database) throws {
      // Some builds of SQLite overwrite all removed content, which would be as many bytes again. Everything in it is in the entries, too.
      try database.run("PRAGMA secure_delete = FAST")
      try database.run("DELETE FROM snapshots WHERE journal = ? AND revision = ?", journal, revision)
    }

    /// Lists the snapshots up to a revision whose bases are not before another, newest first. Invalid rows are skipped, because a snapshot is only a cache.
    static func places(
      upTo revision: Revision, limit: Int, from base: Revision = Revision(.min), journal: Int64, in database: Database,
      name: String
    ) throws -> [Snapshot.Place] {
      try database.all(
        """
        SELECT revision, base, schema, written, size, form FROM snapshots WHERE journal = ? AND revision <= ? AND base >= ?
        ORDER BY revision DESC LIMIT ?
        """, journal, revision, base, limit
      ) { row in
        guard let revision = row.number(0), let base = row.number(1), let schema = row.number(2), let written = row.number(3),
          let size = row.number(4), let form = row.number(5), revision > 0
        else { return nil }
        return Snapshot.Place(
          revision: Revision(revision), base: Revision(base), schema: Int(clamping: schema), form: form, written: written,
          size: Int(clamping: size))
      }.compactMap { $0 }
    }

    /// Reads the snapshot of a revision, as stored.
    ///
    /// - Parameter id: The id of the journal, as read from the journal's own row.
    static func snapshot(
      at revision: Revision, of id: JournalID, journal: Int64, in database: Database, name: String
    ) throws -> Snapshot? {
      try database.first(
        "SELECT head_checksum, base, base_checksum, schema, written, checksum, rowid, form FROM snapshots WHERE journal = ? AND revision = ?",
        journal, revision
      ) { row in
        guard let headChecksum = row.checksum(0), let base = row.number(1), let baseChecksum = row.checksum(2), let schema = row.number(3),
          let written = row.number(4), let own = row.checksum(5), let place = row.number(6), let form = row.number(7)
        else { throw JournalError.damaged(name, "the row of the snapshot at revision \(revision) is invalid") }
        // While the statement is at the row, the payload is of the same moment.
        return Snapshot(
          head: Head(journal: id, revision: revision, checksum: headChecksum),
          base: Head(journal: id, revision: Revision(base), checksum: baseChecksum), schema: Int(clamping: schema), form: form,
          written: written,
          payload: try row.content(of: "payload", in: "snapshots", row: place), checksum: own)
      }
    }
  }
#endif
