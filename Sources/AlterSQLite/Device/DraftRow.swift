#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of the tables that hold drafts: the outbox, the refusals, and the awaited changes.
  enum DraftRow {
    /// The columns of a draft and of its verdict, after the journal and the place.
    static let columns = """
      origin, sequence, time, CAST(scope AS BLOB), schema, CAST(kind AS BLOB), CAST(payload AS BLOB), CAST(cause AS BLOB), \
      CAST(verdict AS BLOB), revision, hash
      """

    /// A draft in one of the tables.
    struct Content {
      let place: Int64
      let draft: Entry.Draft
      let verdict: String?
      let revision: Revision?
      /// The last column, if the table has one more.
      let reason: String?
    }

    /// Adds a draft.
    static func insert(_ content: Content, into table: String, journal: Int64, using statements: StatementCache) throws {
      let draft = content.draft
      let extra = table == "refusals"
      let statement = try statements.statement(
        """
        INSERT INTO \(table) (journal, place, origin, sequence, time, scope, schema, kind, payload, cause, verdict, revision, hash\(extra ? ", reason" : ""))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?\(extra ? ", ?" : ""))
        """)
      let origin = draft.id.origin.uuid.halves
      statement.bind(journal, at: 1)
      statement.bind(content.place, at: 2)
      statement.bind(blob: origin.high, origin.low, at: 3)
      statement.bind(draft.id.sequence, at: 4)
      statement.bind(draft.time, at: 5)
      statement.bind(text: draft.scope.rawValue, at: 6)
      statement.bind(Int64(draft.schema), at: 7)
      statement.bind(text: draft.kind.rawValue, at: 8)
      statement.bind(text: draft.payload, at: 9)
      if let cause = draft.cause { statement.bind(text: cause, at: 10) }
      if let verdict = content.verdict { statement.bind(text: verdict, at: 11) }
      if let revision = content.revision { statement.bind(revision.number, at: 12) }
      let hash = draft.hash
      statement.bind(blob: hash.high, hash.low, at: 13)
      if extra, let reason = content.reason { statement.bind(text: reason, at: 14) }
      try statement.run()
    }

    /// Reads the drafts of a table after a place, in order.
    static func all(in table: String, after place: Int64, journal: Int64, using statements: StatementCache, name: String) throws
      -> [Content]
    {
      let statement = try statements.statement(selection(table) + " AND place > ? ORDER BY place")
      statement.bind(journal, at: 1)
      statement.bind(place, at: 2)
      var contents: [Content] = []
      try statement.forEachRow { row in
        contents.append(try content(row, of: table, name: name))
        return true
      }
      return contents
    }

    /// Reads the drafts of an id, in order. Two refused drafts may have one id: one of them is a clone.
    static func all(_ id: EntryID, in table: String, journal: Int64, using statements: StatementCache, name: String) throws -> [Content] {
      let statement = try statements.statement(selection(table) + " AND origin = ? AND sequence = ? ORDER BY place")
      let origin = id.origin.uuid.halves
      statement.bind(journal, at: 1)
      statement.bind(blob: origin.high, origin.low, at: 2)
      statement.bind(id.sequence, at: 3)
      var contents: [Content] = []
      try statement.forEachRow { row in
        contents.append(try content(row, of: table, name: name))
        return true
      }
      return contents
    }

    private static func selection(_ table: String) -> String {
      "SELECT place, \(columns)\(table == "refusals" ? ", CAST(reason AS BLOB)" : "") FROM \(table) WHERE journal = ?"
    }

    private static func content(_ row: PreparedStatement, of table: String, name: String) throws -> Content {
      let found = listed(row, of: table)
      guard found.problem == nil, let draft = found.draft else {
        throw JournalError.damagedDevice(name, found.problem ?? "a draft in \(place(of: table)) cannot be read")
      }
      return Content(place: found.place, draft: draft, verdict: found.verdict, revision: found.revision, reason: found.reason)
    }

    /// Passes the drafts of a table after a place to a closure, in order, damaged ones, too.
    ///
    /// - Parameter body: Receives a draft. Returns whether to continue.
    static func forEachListed(
      in table: String, after place: Int64, journal: Int64, in database: Database, _ body: (ListedDraft) throws -> Bool
    ) throws {
      let statement = try PreparedStatement(selection(table) + " AND place > ? ORDER BY place", in: database)
      statement.bind(journal, at: 1)
      statement.bind(place, at: 2)
      try statement.forEachRow { try body(listed($0, of: table)) }
    }

    /// The name of a table in messages.
    static func place(of table: String) -> String {
      switch table {
      case "drafts": "its outbox"
      case "refusals": "its list of refusals"
      default: "its list of awaited changes"
      }
    }

    /// Reads one row, with the description of its damage.
    private static func listed(_ row: PreparedStatement, of table: String) -> ListedDraft {
      let place = row.number(0) ?? 0
      let revision = row.number(10).map { Revision($0) }
      let reason = table == "refusals" ? row.text(12) : nil
      func result(_ draft: Entry.Draft?, _ problem: String?) -> ListedDraft {
        ListedDraft(place: place, draft: draft, verdict: row.text(9), revision: revision, reason: reason, problem: problem)
      }
      guard row.number(0) != nil, let origin = row.words(1), let sequence = row.number(2), let time = row.number(3),
        let schema = row.number(5), let kind = row.text(6).flatMap(Entry.Kind.init)
      else { return result(nil, "the draft at place \(place) in \(Self.place(of: table)) has an invalid column") }
      let draft = Entry.Draft(
        kind: kind, id: EntryID(origin: Origin(UUID(high: origin.high, low: origin.low)), sequence: sequence), time: time,
        scope: UndoScope(rawValue: row.text(4) ?? ""), schema: Int(clamping: schema), payload: row.data(7) ?? Data(), cause: row.data(8))
      // Otherwise a damaged draft would be sent, and decided, as another change than the user's.
      let hash = draft.hash
      guard let stored = row.words(11), stored == (hash.high, hash.low) else {
        return result(draft, "the draft \(draft.id) in \(Self.place(of: table)) does not match its hash")
      }
      return result(draft, nil)
    }

    /// Removes a draft by its place.
    static func remove(_ place: Int64, from table: String, journal: Int64, in database: Database) throws {
      let statement = try database.cachedStatement(sql: "DELETE FROM \(table) WHERE journal = ? AND place = ?")
      try statement.execute(arguments: [journal, place])
    }
  }
#endif
