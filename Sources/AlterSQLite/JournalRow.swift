#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// One journal's row in its file: which one it is, and where it ends.
  struct JournalRow: Sendable {
    /// What the entries' rows call the journal.
    let number: Int64
    /// Where it ends.
    let head: Head

    /// The journal of a key; nil when the file has none of that key.
    static func find(key: String, in database: Database, name: String) throws -> JournalRow? {
      let row = try Row.fetchOne(database, sql: "SELECT number, id, head, checksum FROM journal WHERE key = ?", arguments: [key])
      return try row.map { try decode($0, name: name) }
    }

    /// The keys of the journals in the file: some of them, if they are many.
    static func keys(in database: Database) throws -> [String] {
      try String.fetchAll(database, sql: "SELECT key FROM journal ORDER BY key LIMIT 11")
    }

    /// The journal as it is now.
    static func read(_ number: Int64, in database: Database, name: String) throws -> JournalRow {
      let statement = try database.cachedStatement(sql: "SELECT number, id, head, checksum FROM journal WHERE number = ?")
      guard let row = try Row.fetchOne(statement, arguments: [number]) else {
        throw JournalError.damaged(name, "the row that says where it ends is missing")
      }
      return try decode(row, name: name)
    }

    /// The journal as it is now, and the revision of the last entry that is there, at one moment.
    static func readWithLast(_ number: Int64, in database: Database, name: String) throws -> (JournalRow, last: Revision) {
      let statement = try database.cachedStatement(
        sql: """
          SELECT number, id, head, checksum, (SELECT max(revision) FROM entry WHERE entry.journal = number) FROM journal WHERE number = ?
          """)
      guard let row = try Row.fetchOne(statement, arguments: [number]) else {
        throw JournalError.damaged(name, "the row that says where it ends is missing")
      }
      return (try decode(row, name: name), Revision(Int64.fromDatabaseValue(row[4] as DatabaseValue) ?? 0))
    }

    /// Makes an empty journal.
    static func make(key: String, in database: Database, name: String) throws -> JournalRow {
      let head = Head(empty: .random())
      try database.execute(
        sql: "INSERT INTO journal (key, id, head, checksum, created) VALUES (?, ?, 0, ?, ?)",
        arguments: [key, EntryRow.bytes(of: head.journal.uuid), head.checksum.bytes, Date().microseconds])
      return JournalRow(number: database.lastInsertedRowID, head: head)
    }

    private static func decode(_ row: Row, name: String) throws -> JournalRow {
      guard let number = Int64.fromDatabaseValue(row[0] as DatabaseValue),
        let id = Data.fromDatabaseValue(row[1] as DatabaseValue).flatMap(EntryRow.uuid(of:)),
        let revision = Int64.fromDatabaseValue(row[2] as DatabaseValue), revision >= 0,
        let checksum = Data.fromDatabaseValue(row[3] as DatabaseValue).flatMap(Checksum.init(bytes:))
      else { throw JournalError.damaged(name, "the row that says where it ends makes no sense") }
      return JournalRow(number: number, head: Head(journal: JournalID(id), revision: Revision(revision), checksum: checksum))
    }
  }
#endif
