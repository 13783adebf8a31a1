#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of the state at the floor of a mirror or of a compacted journal. It is no cache: the entries that led to it are not in the file. Therefore it is kept twice,
  /// with its checksum in the journal's row, and never removed or replaced while the journal begins there.
  enum FloorRow {
    private static let copies = 1...2 as ClosedRange<Int64>

    /// Stores the state. The caller has written its checksum into the journal's row.
    static func keep(_ snapshot: Snapshot, journal: Int64, in database: Database) throws {
      for copy in copies {
        try database.run(
          "INSERT INTO floors (journal, copy, schema, form, size, payload) VALUES (?, ?, ?, ?, ?, ?)", journal, copy, snapshot.schema,
          snapshot.form, snapshot.payload.count, TextBytes(snapshot.payload))
      }
    }

    /// Describes the state, without reading it if the rows of both copies agree; nil if the journal is whole.
    ///
    /// - Throws: `damaged` if no copy matches the checksum.
    static func place(at floor: Head, journal: Int64, in database: Database, name: String) throws -> Snapshot.Place? {
      let rows = try database.all("SELECT schema, size, form FROM floors WHERE journal = ? ORDER BY copy", journal) { row in
        [row.number(0), row.number(1), row.number(2)].compactMap { $0 }
      }
      guard rows.count == copies.count, let row = rows.first, row.count == 3, rows.allSatisfy({ $0 == row }) else {
        return try snapshot(at: floor, journal: journal, in: database, name: name)?.place
      }
      return Snapshot.Place(
        revision: floor.revision, base: floor.revision, schema: Int(clamping: row[0]), form: row[2], written: 0, size: Int(clamping: row[1])
      )
    }

    /// Reads the state from the first copy that matches the checksum; nil if the journal is whole.
    ///
    /// - Throws: `damaged` if no copy matches.
    static func snapshot(at floor: Head, journal: Int64, in database: Database, name: String) throws -> Snapshot? {
      let checksum = try checksum(journal: journal, in: database)
      guard floor.revision > .zero || checksum != nil else { return nil }
      for copy in copies {
        if let found = try? read(copy, at: floor, journal: journal, in: database), found.checksum == checksum { return found }
      }
      throw JournalError(
        .damaged, journal: name, revision: floor.revision,
        message: """
          is damaged at its floor, revision \(floor.revision): neither copy of the state there matches its checksum. Nothing was changed. Keep \
          a copy of the file, and restore a backup; of a device's file, the server has the journal itself, and the copy has the outbox.
          """)
    }

    /// Checks both copies.
    ///
    /// - Throws: `damaged` if one of them does not match the checksum.
    static func check(at floor: Head, journal: Int64, in database: Database, name: String) throws {
      guard let sound = try snapshot(at: floor, journal: journal, in: database, name: name) else { return }
      for copy in copies where (try? read(copy, at: floor, journal: journal, in: database)) != sound {
        throw JournalError(
          .damaged, journal: name, revision: floor.revision,
          message: """
            is damaged at its floor, revision \(floor.revision): copy \(copy) of the state there does not match its checksum. The other copy is \
            sound and is used, so nothing is lost. Check the disk; the next floor is written twice again.
            """)
      }
    }

    private static func checksum(journal: Int64, in database: Database) throws -> Checksum? {
      try database.first("SELECT floor_state FROM journals WHERE number = ?", journal) { $0.checksum(0) }
    }

    /// Reads one copy, with the checksum that it has.
    private static func read(_ copy: Int64, at floor: Head, journal: Int64, in database: Database) throws -> Snapshot? {
      try database.first("SELECT schema, size, payload, form FROM floors WHERE journal = ? AND copy = ?", journal, copy) { row in
        let payload = row.data(2) ?? Data()
        guard let schema = row.number(0), row.number(1) == Int64(payload.count), let form = row.number(3) else { return nil }
        return Snapshot(head: floor, base: floor, schema: Int(clamping: schema), form: form, written: 0, payload: payload)
      }
    }
  }
#endif
