#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The statements of an append to any journal of the file.
  struct AppendStatements {
    /// The tables that the statements name.
    let tables: FileTables
    private let search: PreparedStatement
    private let position: PreparedStatement
    private let insertion: PreparedStatement
    /// Inserts an entry with a receipt; nil in a format without receipts.
    private let receiptInsertion: PreparedStatement?
    private let several: SeveralEntries
    private let advance: PreparedStatement

    /// Prepares the statements.
    init(in database: Database, _ tables: FileTables) throws {
      self.tables = tables
      search = try PreparedStatement("SELECT 1 FROM \(tables.entry) WHERE journal = ? AND origin = ? AND sequence = ?", in: database)
      position = try PreparedStatement(
        """
        SELECT coalesce(\(tables.source), id), head, checksum, coalesce((SELECT max(revision) FROM \(tables.entry) WHERE journal = number), \(tables.floor)), \(tables.isSynced ? "CAST(role AS BLOB)" : "NULL")
        FROM \(tables.journal) WHERE number = ?
        """, in: database)
      insertion = try PreparedStatement(EntryRow.insertion(rows: 1, into: tables), in: database)
      receiptInsertion = tables.isSynced ? try PreparedStatement(EntryRow.insertionWithReceipt, in: database) : nil
      several = SeveralEntries(tables)
      advance = try PreparedStatement("UPDATE \(tables.journal) SET head = ?, checksum = ? WHERE number = ?", in: database)
    }

    /// Releases the statements. Call it before the connection is closed.
    func finalize() {
      for statement in [search, position, insertion, advance] { statement.finalize() }
      receiptInsertion?.finalize()
      several.finalize()
    }

    /// Whether the journal has an entry of an id.
    func contains(_ id: EntryID, in journal: Int64) throws -> Bool {
      let origin = id.origin.uuid.halves
      search.bind(journal, at: 1)
      search.bind(blob: origin.high, origin.low, at: 2)
      search.bind(id.sequence, at: 3)
      return try search.run()
    }

    /// Reads the end of the journal.
    ///
    /// - Throws: `readOnly` unless the journal has the part in sync that the caller writes for.
    func head(of journal: Int64, as expected: JournalRole = .plain, name: String) throws -> Head {
      position.bind(journal, at: 1)
      var head: Head?
      var last = Revision.zero
      var role = JournalRole.plain
      let isThere = try position.run { row in
        if tables.isSynced { role = row.text(4).flatMap(JournalRole.init) ?? .mirror }
        last = Revision(row.number(3) ?? 0)
        guard let id = row.words(0), let revision = row.number(1), revision >= 0, let checksum = row.words(2) else { return }
        head = Head(
          journal: JournalID(UUID(high: id.high, low: id.low)), revision: Revision(revision),
          checksum: Checksum(high: checksum.high, low: checksum.low))
      }
      guard isThere else { throw JournalError.damaged(name, "the row with its head is missing") }
      guard let head else { throw JournalError.damaged(name, "the row with its head is invalid") }
      try JournalRow.checkEnd(head, last: last, name: name)
      guard role == expected else { throw expected == .server ? JournalError.notServed(name) : JournalError.decidedElsewhere(name, role) }
      return head
    }

    /// Inserts the first entries of a large append with one statement.
    ///
    /// - Returns: Their number, and the head after them; nil if the drafts are too few or too large for it, or if one of them is refused. Then
    ///   nothing was inserted: insert the first one alone.
    func insertSeveral(
      _ drafts: ArraySlice<Entry.Draft>, of journal: Int64, after head: Head, in database: Database
    ) throws -> (count: Int, end: Head)? {
      try several.insert(drafts, of: journal, after: head, in: database)
    }

    /// Inserts an entry.
    func insert(_ entry: Entry, in journal: Int64) throws {
      let statement = entry.receipt == nil ? insertion : receiptInsertion ?? insertion
      try EntryRow.insert(entry, journal: journal, by: statement)
    }

    /// Updates the end of the journal.
    func advance(_ journal: Int64, to head: Head) throws {
      advance.bind(head.revision.number, at: 1)
      advance.bind(blob: head.checksum.high, head.checksum.low, at: 2)
      advance.bind(journal, at: 3)
      try advance.run()
    }
  }
#endif
