#if SQLite
  import AlterJournal
  import CAlterSQLite
  import GRDB

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
    /// - Throws: `newerFormat` if another process has converted the file since its header was examined; `damaged` with the first object that is
    ///   missing, different, or unknown.
    static func check(_ database: Database, name: String) throws {
      let found = try database.number("PRAGMA user_version") ?? 0
      guard found <= Int64(version) else { throw JournalError.newerFormat(name, found: found) }
      guard found == version else { throw foreign(name, "its format is \(found)") }
      // Arrays instead of sets: a schema has few objects, and every process that opens a file would have to instantiate the sets' types.
      var names: [String] = []
      var roots: [Int64] = []
      // Compared as bytes, because Swift's string equality ignores differences in encoding; and at once, because each byte is a call in a program
      // that was not optimised.
      func isSame(_ row: PreparedStatement, _ column: Int32, as text: String?) -> Bool {
        guard let text else { return row.isNull(column) }
        return row.holds(text, at: column)
      }
      let rows = "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema LIMIT \(schema.count + 1)"
      try database.forEachRow(rows) { row in
        guard let known = schema.first(where: { isSame(row, 1, as: $0.name) }) else {
          let (type, object) = (row.text(0) ?? "object", row.text(1) ?? "")
          throw foreign(name, "it has the \(type.prefix(20)) '\(object.prefix(200))', which is not part of a journal")
        }
        guard isSame(row, 0, as: known.type), isSame(row, 2, as: known.table), isSame(row, 3, as: known.sql) else {
          throw foreign(name, "its \(known.type) '\(known.name)' differs from a journal's")
        }
        let root = row.number(4)
        guard let root, known.type == "view" ? root == 0 : root > 0 && !roots.contains(root), !names.contains(known.name) else {
          throw foreign(name, "its \(known.type) '\(known.name)' is listed twice, or its root page is invalid or belongs to another one")
        }
        roots.append(root)
        names.append(known.name)
        return true
      }
      for known in schema where !names.contains(known.name) { throw foreign(name, "its \(known.type) '\(known.name)' is missing") }
    }

    /// Returns the reason for a failed statement: a conversion to a newer format renames every table, so that each statement of an open
    /// handle fails from then on.
    ///
    /// Call it outside a transaction of the statement.
    static func explained(_ error: any Error, in database: Database, name: String) -> any Error {
      guard (error as? DatabaseError)?.resultCode == .SQLITE_ERROR, let found = try? database.number("PRAGMA user_version"),
        found > Int64(version)
      else { return error }
      return JournalError.converted(name, to: found)
    }

    /// Checks every page of the file, and every index against its table.
    static func checkIntegrity(_ database: Database, name: String) throws {
      let found = try database.text("PRAGMA integrity_check(1)")
      guard found == "ok" else { throw JournalError.damaged(name, "SQLite says '\(found ?? "")'") }
    }

    private static func foreign(_ name: String, _ what: String) -> JournalError {
      .damaged(name, "its schema is not that of a journal, because \(what)")
    }
  }
#endif
