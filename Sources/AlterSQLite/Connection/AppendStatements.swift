#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  /// The statements of an append to any journal of the file. Release them before the connection is closed.
  struct AppendStatements {
    private let search: PreparedStatement
    private let position: PreparedStatement
    private let insertion: PreparedStatement
    private let several = SeveralEntries()
    private let advance: PreparedStatement

    /// Prepares the statements.
    init(in database: Database) throws {
      search = try database.prepared("SELECT 1 FROM entries WHERE journal = ? AND origin = ? AND sequence = ?")
      position = try database.prepared(
        """
        SELECT coalesce(source, id), head, checksum, coalesce((SELECT max(revision) FROM entries WHERE journal = number), floor), role, floor
        FROM journals WHERE number = ?
        """)
      insertion = try database.prepared(EntryRow.insertion(rows: 1))
      advance = try database.prepared("UPDATE journals SET head = ?, checksum = ? WHERE number = ?")
    }

    /// Whether the journal has an entry of an id.
    func contains(_ id: EntryID, in journal: Int64) throws -> Bool {
      search.bind(journal, at: 1)
      id.origin.bind(to: search, at: 2)
      search.bind(id.sequence, at: 3)
      return try search.first { _ in true } ?? false
    }

    /// Reads the end of the journal, and its floor: revision 0 if it is whole.
    ///
    /// - Throws: `readOnly` unless the journal has the part in sync that the caller writes for.
    func ends(of journal: Int64, as expected: JournalRole = .plain, name: String) throws -> (head: Head, floor: Revision) {
      position.bind(journal, at: 1)
      let found = try position.first { row -> (head: Head, last: Revision, role: JournalRole, floor: Revision) in
        guard let id = row.journal(0), let revision = row.number(1), revision >= 0, let checksum = row.checksum(2) else {
          throw JournalError.damaged(name, "the row with its head is invalid")
        }
        let head = Head(journal: id, revision: Revision(revision), checksum: checksum)
        return (head, Revision(row.number(3) ?? 0), row.text(4).flatMap(JournalRole.init) ?? .mirror, Revision(row.number(5) ?? 0))
      }
      guard let found else { throw JournalError.damaged(name, "the row with its head is missing") }
      try JournalRow.checkEnd(found.head, last: found.last, name: name)
      guard found.role == expected else {
        throw expected == .server ? JournalError.notServed(name) : JournalError.decidedElsewhere(name, found.role)
      }
      return (found.head, found.floor)
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
      EntryRow.bind(entry, journal: journal, to: insertion)
      try insertion.run()
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
