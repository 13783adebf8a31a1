#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of the table of entries.
  enum EntryRow {
    /// The table.
    static let table = FileFormat.Object(
      name: "entries", type: "table", table: "entries",
      sql: """
        CREATE TABLE entries (
          journal  INTEGER NOT NULL REFERENCES journals,
          revision INTEGER NOT NULL,  -- 1, 2, 3 …
          \(DraftColumns.declaration)
          checksum BLOB NOT NULL,     -- of all of it and the entry before
          author   INTEGER,           -- the receipt of a server: a pseudonym
          arrival  INTEGER,           -- microseconds since 1970 UTC, by the server's clock
          PRIMARY KEY (journal, revision)
        ) STRICT, WITHOUT ROWID
        """)

    /// The number of columns.
    static let count = DraftColumns.count + 5

    private static let names = table.columns
    /// The columns that ``entry(_:)`` reads: all but the journal.
    private static let selection = names.dropFirst().joined(separator: ", ")

    /// The statement that inserts a number of entries.
    static func insertion(rows: Int) -> String {
      let row = "(\(names.map { _ in "?" }.joined(separator: ", ")))"
      return "INSERT INTO entries (\(names.joined(separator: ", "))) VALUES \(Array(repeating: row, count: rows).joined(separator: ", "))"
    }

    /// Binds an entry to consecutive places of ``insertion(rows:)``.
    static func bind(_ entry: Entry, journal: Int64, to statement: PreparedStatement, at place: Int32 = 1) {
      statement.bind(journal, at: place)
      statement.bind(entry.revision.number, at: place + 1)
      DraftColumns.bind(entry.draft, to: statement, at: place + 2)
      let rest = place + 2 + DraftColumns.count
      statement.bind(blob: entry.checksum.high, entry.checksum.low, at: rest)
      if let receipt = entry.receipt {
        statement.bind(Int64(bitPattern: receipt.author.bits), at: rest + 1)
        statement.bind(receipt.arrival, at: rest + 2)
      }
    }

    /// Reads a row of ``select(_:in:)``.
    ///
    /// - Returns: The entry, or a description of the problem with the row.
    static func entry(_ row: PreparedStatement) -> Result<Entry, DraftColumns.Complaint> {
      guard let revision = row.number(0) else { return .failure(DraftColumns.Complaint("one of its numbers is invalid")) }
      return DraftColumns.draft(row, from: 1).flatMap { draft in
        let rest = 1 + DraftColumns.count
        guard let checksum = row.checksum(rest) else { return .failure(DraftColumns.Complaint("its checksum is invalid")) }
        let receipt: Receipt?
        switch (row.number(rest + 1), row.number(rest + 2)) {
        case (let author?, let arrival?): receipt = Receipt(author: Pseudonym(bits: UInt64(bitPattern: author)), arrival: arrival)
        case (nil, nil): receipt = nil
        default: return .failure(DraftColumns.Complaint("its receipt is invalid"))
        }
        return .success(Entry(revision: Revision(revision), draft: draft, receipt: receipt, checksum: checksum))
      }
    }

    /// The statement that selects the entries of a journal, its first value, that fulfil a condition.
    static func select(_ condition: String, in database: Database) throws -> PreparedStatement {
      try database.prepared("SELECT \(selection) FROM entries WHERE journal = ? AND \(condition)")
    }

    /// The statement that selects a page of entries: of a journal, from a revision on, as many as a limit. Each row has the journal's floor, too.
    static func page(in database: Database) throws -> PreparedStatement {
      try database.prepared(
        """
        SELECT \(selection), (SELECT floor FROM journals WHERE number = ?1) FROM entries
        WHERE journal = ?1 AND revision >= ?2 ORDER BY revision LIMIT ?3
        """)
    }

    /// The floor in a row of ``page(in:)``.
    static func floor(_ row: PreparedStatement) -> Revision { Revision(row.number(count - 1) ?? 0) }

    /// Reads an entry of a row.
    ///
    /// - Throws: `damaged`.
    static func sound(_ row: PreparedStatement, name: String) throws -> Entry {
      switch entry(row) {
      case .success(let entry): return entry
      case .failure(let complaint):
        throw row.number(0).map { JournalError.damaged(name, at: Revision($0), complaint.text) }
          ?? JournalError.damaged(name, complaint.text)
      }
    }

    /// The checksum of an entry as it is stored; nil without one.
    static func checksum(at revision: Revision, journal: Int64, in database: Database) throws -> Checksum? {
      try database.first("SELECT checksum FROM entries WHERE journal = ? AND revision = ?", journal, revision) { $0.checksum(0) }
    }

    /// Looks an entry up by its id. A row at or below the floor, which a compaction is about to remove, is found, too.
    static func find(_ id: EntryID, journal: Int64, in database: Database, name: String) throws -> Entry? {
      let statement = try select("origin = ? AND sequence = ?", in: database)
      statement.bind(journal, at: 1)
      id.origin.bind(to: statement, at: 2)
      statement.bind(id.sequence, at: 3)
      return try statement.first { try sound($0, name: name) }
    }
  }
#endif
