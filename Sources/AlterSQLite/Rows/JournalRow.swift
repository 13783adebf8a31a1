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
    /// The last revision that compaction has removed, or that a device's copy never had.
    var floor: Int64 = 0

    private static let columns = "number, id, head, checksum, source, floor"

    /// Finds the journal of a key; nil if the file has none.
    static func find(key: String, in database: Database, name: String) throws -> JournalRow? {
      try database.first("SELECT \(columns) FROM journals WHERE key = ?", key) { try decode($0, name: name) }
    }

    /// The keys of the journals in the file, at most eleven.
    static func keys(in database: Database) throws -> [String] {
      // A damaged file may hold other values than text. They are skipped.
      try database.all("SELECT key FROM journals ORDER BY key LIMIT 11") { $0.text(0) }.compactMap { $0 }
    }

    /// Reads the row of a journal.
    static func read(_ number: Int64, in database: Database, name: String) throws -> JournalRow {
      let row = try database.first("SELECT \(columns) FROM journals WHERE number = ?", number) { try decode($0, name: name) }
      guard let row else { throw JournalError.damaged(name, "the row with its head is missing") }
      return row
    }

    /// Reads the row of a journal, and checks that the journal begins with revision 1 and ends with the entry of its head, in one snapshot
    /// of the database.
    ///
    /// - Throws: `damaged` at the first revision that is wrong, judged by the first and the last entry alone.
    /// - Complexity: O(log n).
    static func readWithEnds(_ number: Int64, in database: Database, name: String) throws -> JournalRow {
      let row = try database.first(
        """
        SELECT \(columns),
          (SELECT min(revision) FROM entries
            WHERE journal = number AND revision > CASE floor WHEN 0 THEN -9223372036854775807 ELSE floor END),
          (SELECT max(revision) FROM entries WHERE journal = number),
          (SELECT checksum FROM entries AS last WHERE last.journal = number AND last.revision = head)
        FROM journals WHERE number = ?
        """, number
      ) { (row: try decode($0, name: name), first: $0.number(6), last: $0.number(7), checksum: $0.checksum(8)) }
      guard let row else { throw JournalError.damaged(name, "the row with its head is missing") }
      let (found, first, checksum) = (row.row, row.first, row.checksum)
      let (end, floor) = (found.head.revision, found.floor)
      let last = row.last ?? floor
      guard floor >= 0, floor <= end.number else { throw JournalError.damaged(name, "the row with its floor is invalid") }
      try checkEnd(found.head, last: Revision(last), name: name)
      if let first, first != floor + 1 {
        throw JournalError.damaged(name, at: Revision(floor).next, "the first entry's revision is \(first)")
      }
      // All entries up to the head may be below the floor.
      if end.number == floor, floor > 0 { return found }
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
    static func checkCount(_ row: JournalRow, in database: Database, name: String) throws {
      let end = row.head.revision.number - row.floor
      let isShort = end <= 10_000
      if isShort {
        // Counted in the table itself, not in its index, which may lack a row.
        let count = try database.number("SELECT count(*) FROM entries WHERE journal = ? AND revision > ?", row.number, row.floor)
        // Another process may have appended since the row was read.
        guard count ?? 0 < end else { return }
      } else {
        let pages = try database.number("PRAGMA page_count") ?? 0
        let size = try database.number("PRAGMA page_size") ?? 0
        // An entry and its place in the index take at least 80 bytes. 64 leaves a margin.
        guard end > pages.multipliedReportingOverflow(by: size).partialValue / 64 else { return }
      }
      let before = try database.number(
        """
        SELECT revision FROM entries AS one WHERE journal = ?1
          AND NOT EXISTS (SELECT 1 FROM entries WHERE journal = ?1 AND revision = one.revision + 1)
        ORDER BY revision LIMIT 1
        """, row.number)
      let missing = Revision(before ?? row.floor).next
      throw JournalError.damaged(
        name, at: missing, "the entry is missing, although the journal's head says it ends at \(row.head.revision)")
    }

    /// Creates an empty journal.
    static func make(key: String, in database: Database, name: String) throws -> JournalRow {
      let head = Head(empty: .random())
      try database.run(
        "INSERT INTO journals (key, id, head, checksum, created) VALUES (?, ?, 0, ?, ?)", key, head.journal, head.checksum,
        Date().microseconds)
      return JournalRow(number: database.lastInsertedRowID, own: head.journal, head: head)
    }

    private static func decode(_ row: PreparedStatement, name: String) throws -> JournalRow {
      guard let number = row.number(0), let id = row.journal(1), let revision = row.number(2), revision >= 0, let checksum = row.checksum(3)
      else { throw JournalError.damaged(name, "the row with its head is invalid") }
      let head = Head(journal: row.journal(4) ?? id, revision: Revision(revision), checksum: checksum)
      return JournalRow(number: number, own: id, head: head, floor: row.number(5) ?? 0)
    }
  }
#endif
