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
    /// The columns of each table but the first, the journal. In a table of drafts: the place, the draft, its verdict, the verdict's revision, the
    /// draft's hash, and of a refusal the reason.
    private static let columns = Dictionary(
      uniqueKeysWithValues: FileFormat.schema.filter { $0.type == "table" }.map { ($0.name, Array($0.columns.dropFirst())) })

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
    static func insert(_ content: Content, into table: String, journal: Int64, in database: Database) throws {
      let names = columns[table] ?? []
      let statement = try database.prepared(
        "INSERT INTO \(table) (journal, \(names.joined(separator: ", "))) VALUES (?\(String(repeating: ", ?", count: names.count)))")
      statement.bind(journal, at: 1)
      statement.bind(content.place, at: 2)
      DraftColumns.bind(content.draft, to: statement, at: 3)
      let rest = 3 + DraftColumns.count
      content.verdict?.bind(to: statement, at: rest)
      content.revision?.bind(to: statement, at: rest + 1)
      content.draft.hash.bind(to: statement, at: rest + 2)
      if table == "refusals" { content.reason?.bind(to: statement, at: rest + 3) }
      try statement.run()
    }

    /// Reads the drafts of a table after a place, in order.
    static func all(in table: String, after place: Int64, journal: Int64, in database: Database, name: String) throws -> [Content] {
      try database.all(selection(table, "place > ?"), journal, place) { try content($0, of: table, name: name) }
    }

    /// Reads the drafts of an id, in order. Two refused drafts may have one id: one of them is a clone.
    static func all(_ id: EntryID, in table: String, journal: Int64, in database: Database, name: String) throws -> [Content] {
      try database.all(selection(table, "origin = ? AND sequence = ?"), journal, id.origin, id.sequence) {
        try content($0, of: table, name: name)
      }
    }

    private static func selection(_ table: String, _ condition: String) -> String {
      "SELECT \((columns[table] ?? []).joined(separator: ", ")) FROM \(table) WHERE journal = ? AND \(condition) ORDER BY place"
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
      try database.forEachRow(selection(table, "place > ?"), journal, place) { try body(listed($0, of: table)) }
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
      let rest = 1 + DraftColumns.count
      let revision = row.number(rest + 1).map { Revision($0) }
      let reason = table == "refusals" ? row.text(rest + 3) : nil
      func result(_ draft: Entry.Draft?, _ problem: String?) -> ListedDraft {
        ListedDraft(place: place, draft: draft, verdict: row.text(rest), revision: revision, reason: reason, problem: problem)
      }
      guard row.number(0) != nil, case .success(let draft) = DraftColumns.draft(row, from: 1) else {
        return result(nil, "the draft at place \(place) in \(Self.place(of: table)) has an invalid column")
      }
      // Otherwise a damaged draft would be sent, and decided, as another change than the user's.
      guard row.checksum(rest + 2) == draft.hash else {
        return result(draft, "the draft \(draft.id) in \(Self.place(of: table)) does not match its hash")
      }
      return result(draft, nil)
    }

    /// Removes a draft by its place.
    static func remove(_ place: Int64, from table: String, journal: Int64, in database: Database) throws {
      try database.run("DELETE FROM \(table) WHERE journal = ? AND place = ?", journal, place)
    }
  }
#endif
