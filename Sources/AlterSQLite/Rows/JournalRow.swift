#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The row of one journal in its file: its number and its head.
  struct JournalRow: Sendable {
    /// The number of the journal in the rows of its entries.
    let number: Int64
    /// The id that the row was made with. It never changes.
    let own: JournalID
    /// The end of the journal. The head of a device's copy is that of the server's journal.
    let head: Head
    /// The last revision that compaction has removed, or that a device's copy never had. Only ``readWithEnds(_:in:_:name:)`` reads it.
    var floor: Int64 = 0

    /// Finds the journal of a key; nil if the file has none.
    static func find(key: String, in database: Database, _ tables: FileTables, name: String) throws -> JournalRow? {
      let row = try Row.fetchOne(
        database, sql: "SELECT number, id, head, checksum, \(tables.source) FROM \(tables.journal) WHERE key = ?", arguments: [key])
      return try row.map { try decode($0, name: name) }
    }

    /// The keys of the journals in the file, at most eleven.
    static func keys(in database: Database, _ tables: FileTables) throws -> [String] {
      // A damaged file may hold other values than text. They are skipped.
      try String?.fetchAll(database, sql: "SELECT key FROM \(tables.journal) ORDER BY key LIMIT 11").compactMap { $0 }
    }

    /// Reads the row of a journal.
    static func read(_ number: Int64, in database: Database, _ tables: FileTables, name: String) throws -> JournalRow {
      let statement = try database.cachedStatement(
        sql: "SELECT number, id, head, checksum, \(tables.source) FROM \(tables.journal) WHERE number = ?")
      guard let row = try Row.fetchOne(statement, arguments: [number]) else {
        throw JournalError.damaged(name, "the row with its head is missing")
      }
      return try decode(row, name: name)
    }

    /// Reads the row of a journal, and checks that the journal begins with revision 1 and ends with the entry of its head, in one snapshot
    /// of the database.
    ///
    /// - Throws: `damaged` at the first revision that is wrong, judged by the first and the last entry alone.
    /// - Complexity: O(log n).
    static func readWithEnds(_ number: Int64, in database: Database, _ tables: FileTables, name: String) throws -> JournalRow {
      let statement = try database.cachedStatement(
        sql: """
          SELECT number, id, head, checksum, \(tables.source), (SELECT min(revision) FROM \(tables.entry) WHERE journal = number AND \(tables.isAboveFloor)),
            (SELECT max(revision) FROM \(tables.entry) WHERE journal = number),
            (SELECT checksum FROM \(tables.entry) AS last WHERE last.journal = number AND last.revision = head), \(tables.floor)
          FROM \(tables.journal) WHERE number = ?
          """)
      guard let row = try Row.fetchOne(statement, arguments: [number]) else {
        throw JournalError.damaged(name, "the row with its head is missing")
      }
      var found = try decode(row, name: name)
      let end = found.head.revision
      let floor = Int64.fromDatabaseValue(row[8] as DatabaseValue) ?? 0
      guard floor >= 0, floor <= end.number else { throw JournalError.damaged(name, "the row with its floor is invalid") }
      found.floor = floor
      let (first, last) = (Int64.fromDatabaseValue(row[5] as DatabaseValue), Int64.fromDatabaseValue(row[6] as DatabaseValue) ?? floor)
      try checkEnd(found.head, last: Revision(last), name: name)
      if let first, first != floor + 1 {
        throw JournalError.damaged(name, at: Revision(floor).next, "the first entry's revision is \(first)")
      }
      // All entries up to the head may be below the floor.
      if end.number == floor, floor > 0 { return found }
      let checksum = Data.fromDatabaseValue(row[7] as DatabaseValue).flatMap(Checksum.init(bytes:))
      if end > .zero, checksum != found.head.checksum {
        throw JournalError.damaged(name, at: end, "the journal's head does not match its last entry")
      }
      return found
    }

    /// Checks that a journal ends with its last entry.
    static func checkEnd(_ head: Head, last: Revision, name: String) throws(JournalError) {
      let end = head.revision
      guard last <= end else {
        throw .damaged(name, at: end.next, "there are entries up to revision \(last), but the journal's head says it ends before")
      }
      guard last >= end else {
        throw .damaged(name, at: max(last, .zero).next, "the entry is missing, although the journal's head says it ends at \(end)")
      }
      guard end > .zero || head == Head(empty: head.journal) else {
        throw .damaged(name, "the row with its head is invalid")
      }
    }

    /// Checks that no entry is missing, as far as that is cheap: in a long journal only that the file is large enough for so many entries.
    ///
    /// A missing entry that this check does not detect is detected when it is read. The check also bounds loops over the revisions: there
    /// cannot be more of them than the file has bytes.
    ///
    /// - Complexity: O(n) for up to 10,000 entries, O(1) for more. O(n) if an entry is missing.
    static func checkCount(_ row: JournalRow, in database: Database, _ tables: FileTables, name: String) throws {
      let end = row.head.revision.number - row.floor
      let isShort = end <= 10_000
      if isShort {
        // Counted in the table itself, not in its index, which may lack a row.
        let count = try Int64.fetchOne(
          database, sql: "SELECT count(*) FROM \(tables.entry) WHERE journal = ? AND revision > ?", arguments: [row.number, row.floor])
        // Another process may have appended since the row was read.
        guard count ?? 0 < end else { return }
      } else {
        let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        // An entry and its place in the index take at least 80 bytes. 64 leaves a margin.
        guard end > pages.multipliedReportingOverflow(by: size).partialValue / 64 else { return }
      }
      let before = try Int64.fetchOne(
        database,
        sql: """
          SELECT revision FROM \(tables.entry) AS one WHERE journal = ?1
            AND NOT EXISTS (SELECT 1 FROM \(tables.entry) WHERE journal = ?1 AND revision = one.revision + 1)
          ORDER BY revision LIMIT 1
          """, arguments: [row.number])
      let missing = Revision(before ?? row.floor).next
      throw JournalError.damaged(
        name, at: missing, "the entry is missing, although the journal's head says it ends at \(row.head.revision)")
    }

    /// Creates an empty journal.
    static func make(key: String, in database: Database, _ tables: FileTables, name: String) throws -> JournalRow {
      let head = Head(empty: .random())
      try database.execute(
        sql: "INSERT INTO \(tables.journal) (key, id, head, checksum, created) VALUES (?, ?, 0, ?, ?)",
        arguments: [key, EntryRow.bytes(of: head.journal.uuid), head.checksum.bytes, Date().microseconds])
      return JournalRow(number: database.lastInsertedRowID, own: head.journal, head: head)
    }

    private static func decode(_ row: Row, name: String) throws -> JournalRow {
      guard let number = Int64.fromDatabaseValue(row[0] as DatabaseValue),
        let id = Data.fromDatabaseValue(row[1] as DatabaseValue).flatMap(EntryRow.uuid(of:)),
        let revision = Int64.fromDatabaseValue(row[2] as DatabaseValue), revision >= 0,
        let checksum = Data.fromDatabaseValue(row[3] as DatabaseValue).flatMap(Checksum.init(bytes:))
      else { throw JournalError.damaged(name, "the row with its head is invalid") }
      let source = Data.fromDatabaseValue(row[4] as DatabaseValue).flatMap(EntryRow.uuid(of:)) ?? id
      return JournalRow(
        number: number, own: JournalID(id), head: Head(journal: JournalID(source), revision: Revision(revision), checksum: checksum))
    }
  }
#endif
