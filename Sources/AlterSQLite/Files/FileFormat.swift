#if SQLite
  import GRDB

  /// The schema of a journal's file. `Design/0003-journal-format.md` promises that it stays readable.
  package enum FileFormat {
    /// 'Altr': the value of `PRAGMA application_id`, stored in bytes 68 to 71 of the file.
    static let applicationID: UInt32 = 0x416C_7472

    /// The version of the schema: the value of `PRAGMA user_version`, stored in bytes 60 to 63 of the file.
    static let version: UInt32 = 1

    /// An object of the file's schema: a row of `sqlite_schema`.
    package struct Object: Sendable, Hashable {
      /// The name of the object.
      package let name: String
      /// 'table', 'index' or 'view'.
      package let type: String
      /// The table that the object belongs to; for a table or view, its own name.
      package let table: String
      /// The statement that creates the object, byte for byte as SQLite stores it; nil for the index of a UNIQUE or PRIMARY KEY constraint.
      package let sql: String?

      /// The columns of a table, in order; empty for other objects.
      package var columns: [String] {
        guard type == "table", let sql else { return [] }
        // One column per line, between the first line and the last. PRIMARY KEY is not a column.
        return sql.split(separator: "\n").dropFirst().dropLast().compactMap { line in
          line.split(separator: " ").first.map(String.init).flatMap { $0.allSatisfy { $0.isLowercase || $0 == "_" } ? $0 : nil }
        }
      }
    }

    /// Fills an empty database. The file stores `journal_mode`, so it is WAL for every later connection.
    ///
    /// The first journal is created at once, so that the file without its log identifies the journal (`LogOwnership`).
    static func create(key: String, in database: Database, name: String) throws {
      try database.run("PRAGMA synchronous = FULL")
      try database.inTransaction(.immediate) {
        try database.run("PRAGMA application_id = \(applicationID)")
        try database.run("PRAGMA user_version = \(version)")
        for object in schema { if let sql = object.sql { try database.run(sql) } }
        _ = try JournalRow.make(key: key, in: database, name: name)
        return .commit
      }
      try database.run("PRAGMA journal_mode = WAL")
    }
  }
#endif
