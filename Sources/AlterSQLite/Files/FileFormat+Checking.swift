#if SQLite
  import AlterJournal
  import CAlterSQLite
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // A file may come from an attacker. This code follows SQLite's own advice, "Defense Against The Dark Arts".
  extension FileFormat {
    /// Keeps a connection from running code of the file: triggers, views, and functions in its schema.
    ///
    /// Call it before any other use of the connection. If SQLite does not accept one of the settings, the file is not opened.
    static func distrust(_ database: Database, name: String) throws(JournalError) {
      guard let setting = alter_sqlite_harden(database.sqliteConnection) else { return }
      throw JournalError(
        .failed, journal: name,
        message: """
          can't be opened: this build of SQLite doesn't accept the setting \(String(cString: setting)), which protects against files with \
          hostile content. Link another build of SQLite.
          """)
    }

    /// Checks that the file has exactly the schema that ``create(key:in:name:)`` makes.
    ///
    /// Call it before reading from any table: a table of the expected name may be a view that never ends.
    ///
    /// - Returns: The tables of the file's format.
    /// - Throws: `newerFormat` if another process has converted the file since its header was examined; `damaged` with the first object that is
    ///   missing, different, or unknown.
    @discardableResult
    static func check(_ database: Database, name: String) throws -> FileTables {
      let version = try format(of: database)
      guard version <= Int64(FileFormat.version) else { throw JournalError.newerFormat(name, found: version) }
      guard let tables = FileTables.of(format: version) else { throw foreign(name, "its format is \(version)") }
      let schema = schema(ofFormat: version)
      // Compared as bytes, because Swift's string equality ignores differences in encoding.
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB), rootpage FROM sqlite_schema
          LIMIT \(schema.count + 1)
          """)
      // Arrays instead of sets: a schema has few objects, and every process that opens a file would have to instantiate the sets' types.
      var found: [String] = []
      var roots: [Int64] = []
      func bytes(_ row: Row, _ column: Int) -> Data? { Data.fromDatabaseValue(row[column] as DatabaseValue) }
      func isSame(_ row: Row, _ column: Int, as text: String?) -> Bool {
        switch (bytes(row, column), text) {
        case (nil, nil): true
        case (let bytes?, let text?): bytes.withUnsafeBytes { $0.elementsEqual(text.utf8) }
        default: false
        }
      }
      for row in rows {
        guard let known = schema.first(where: { isSame(row, 1, as: $0.name) }) else {
          let object = bytes(row, 1).map { String(decoding: $0.prefix(200), as: UTF8.self) } ?? ""
          let type = bytes(row, 0).map { String(decoding: $0.prefix(20), as: UTF8.self) } ?? "object"
          throw foreign(name, "it has the \(type) '\(object)', which is not part of a journal")
        }
        let isSame = isSame(row, 0, as: known.type) && isSame(row, 2, as: known.table) && isSame(row, 3, as: known.sql)
        guard isSame else { throw foreign(name, "its \(known.type) '\(known.name)' differs from a journal's") }
        let root = Int64.fromDatabaseValue(row[4] as DatabaseValue)
        guard let root, known.type == "view" ? root == 0 : root > 0 && !roots.contains(root), !found.contains(known.name) else {
          throw foreign(name, "its \(known.type) '\(known.name)' is listed twice, or its root page is invalid or belongs to another one")
        }
        roots.append(root)
        found.append(known.name)
      }
      for known in schema where !found.contains(known.name) {
        throw foreign(name, "its \(known.type) '\(known.name)' is missing")
      }
      return tables
    }

    private static func format(of database: Database) throws -> Int64 { try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0 }

    /// Returns the reason for a failed statement: a conversion to a newer format renames every table, so that each statement of an open
    /// handle fails from then on.
    ///
    /// Call it outside a transaction of the statement.
    static func explained(_ error: any Error, since tables: FileTables, in database: Database, name: String) -> any Error {
      guard (error as? DatabaseError)?.resultCode == .SQLITE_ERROR, let found = try? format(of: database), found > tables.format else {
        return error
      }
      return JournalError.converted(name, to: found)
    }

    /// Checks every page of the file, and every index against its table.
    static func checkIntegrity(_ database: Database, name: String) throws {
      let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
      guard found == ["ok"] else { throw JournalError.damaged(name, "SQLite says '\(found.first ?? "")'") }
    }

    private static func foreign(_ name: String, _ what: String) -> JournalError {
      .damaged(name, "its schema is not that of a journal, because \(what)")
    }
  }
#endif
