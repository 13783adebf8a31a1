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

  /// The columns of a draft: of an entry, and of each list of a device's outbox. They are declared, bound and read here alone.
  ///
  /// Texts are read and written as bytes. A damaged text may not be UTF-8, and the checksum must cover the bytes as they are.
  enum DraftColumns {
    /// The lines of a table's declaration.
    static let declaration = """
      time     INTEGER NOT NULL,  -- microseconds since 1970 UTC, by the maker's clock
        origin   BLOB NOT NULL,     -- who made it: 16 bytes
        sequence INTEGER NOT NULL,  -- its number there
        scope    TEXT NOT NULL,     -- whose undo takes it back
        schema   INTEGER NOT NULL,  -- which generation of payload
        kind     TEXT NOT NULL,     -- initial, changes, reset, undo, redo, refused
        payload  TEXT NOT NULL,     -- JSON
        cause    TEXT,              -- JSON
      """

    /// The number of columns.
    static let count: Int32 = 8

    /// Binds a draft to consecutive places.
    static func bind(_ draft: Entry.Draft, to statement: PreparedStatement, at place: Int32) {
      let origin = draft.id.origin
      statement.bind(draft.time, at: place)
      statement.bind(blob: origin.high, origin.low, at: place + 1)
      statement.bind(draft.id.sequence, at: place + 2)
      statement.bind(text: draft.scope.rawValue, at: place + 3)
      statement.bind(Int64(draft.schema), at: place + 4)
      statement.bind(text: draft.kind.rawValue, at: place + 5)
      statement.bind(text: draft.payload, at: place + 6)
      if let cause = draft.cause { statement.bind(text: cause, at: place + 7) }
    }

    /// Reads a draft from consecutive columns, or describes the problem with them.
    static func draft(_ row: PreparedStatement, from column: Int32) -> Result<Entry.Draft, Complaint> {
      guard let time = row.number(column), let sequence = row.number(column + 2), let schema = row.number(column + 4) else {
        return .failure(Complaint("one of its numbers is invalid"))
      }
      guard let origin = row.origin(column + 1) else { return .failure(Complaint("its origin is invalid")) }
      guard let kind = row.kind(column + 5) else { return .failure(Complaint("its kind is unknown")) }
      return .success(
        Entry.Draft(
          kind: kind, id: EntryID(origin: origin, sequence: sequence), time: time, scope: UndoScope(rawValue: row.text(column + 3) ?? ""),
          schema: Int(clamping: schema), payload: row.data(column + 6) ?? Data(), cause: row.data(column + 7)))
    }

    /// The problem with a row.
    struct Complaint: Error {
      let text: String
      init(_ text: String) { self.text = text }
    }
  }

  /// Inserts a group of entries with one statement: the start of a statement, and finding the end of a table and of its index, take longer
  /// than a row does. Used on its connection's queue only.
  final class SeveralEntries {
    /// The number of entries in a group. Twice as many would save another 4 %.
    static let count = 16

    private let buffer = BindBuffer()
    /// Prepared at the first group, because a program that makes a few changes never needs it.
    private var statement: PreparedStatement?

    /// Inserts the first drafts.
    ///
    /// SQLite keeps the pages that a statement changes in memory, in case the statement fails: so the group has at most the bytes of a buffer.
    ///
    /// - Returns: Their number, and the head after them; nil if there are too few, if they are too large, or if one of them is refused. Then
    ///   nothing was inserted.
    func insert(
      _ drafts: ArraySlice<Entry.Draft>, of journal: Int64, after head: Head, in database: Database
    ) throws -> (count: Int, end: Head)? {
      let group = drafts.prefix(Self.count)
      guard group.count == Self.count, group.reduce(0, { $0 + Self.size(of: $1) }) <= BindBuffer.capacity else { return nil }
      let statement = try self.statement ?? database.prepared(EntryRow.insertion(rows: Self.count), keeping: buffer)
      self.statement = statement
      var end = head
      var place: Int32 = 1
      for draft in group {
        let entry = Entry(draft, after: end)
        EntryRow.bind(entry, journal: journal, to: statement, at: place)
        end = end.advanced(by: entry)
        place += EntryRow.count
      }
      do {
        try statement.run()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        return nil
      }
      return (Self.count, end)
    }

    /// The number of bytes of a draft in the buffer: its texts, its origin and its checksum.
    private static func size(of draft: Entry.Draft) -> Int {
      draft.scope.rawValue.utf8.count + draft.kind.rawValue.utf8.count + draft.payload.count + (draft.cause?.count ?? 0) + 32
    }
  }
#endif
