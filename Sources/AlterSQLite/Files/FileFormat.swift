#if SQLite
  import GRDB

  /// The schema of a journal's file. `Design/0003-journal-format.md` promises that it stays readable.
  package enum FileFormat {
    /// 'Altr': the value of `PRAGMA application_id`, stored in bytes 68 to 71 of the file.
    static let applicationID: UInt32 = 0x416C_7472

    /// The newest version of the schema that is known: a value of `PRAGMA user_version`, stored in bytes 60 to 63 of the file.
    static let version: UInt32 = 2

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

    /// Returns the complete schema of a file of a format. Opening compares the file with it, byte for byte, and accepts no other object.
    package static func schema(ofFormat format: Int64) -> [Object] { format == 1 ? schema : synced }

    /// The complete schema of a file of format 1.
    ///
    /// Several journals may share a file; their keys distinguish them. Payload and cause are text, for people with SQL tools.
    package static let schema: [Object] = [
      Object(
        name: "journal", type: "table", table: "journal",
        sql: """
          CREATE TABLE journal (
            number   INTEGER PRIMARY KEY,
            key      TEXT NOT NULL UNIQUE,
            id       BLOB NOT NULL,     -- 16 random bytes
            head     INTEGER NOT NULL,  -- the revision of the last entry, 0 when there is none
            checksum BLOB NOT NULL,     -- of the last entry; the id when there is none
            created  INTEGER NOT NULL   -- microseconds since 1970 UTC
          ) STRICT
          """),
      Object(name: "sqlite_autoindex_journal_1", type: "index", table: "journal", sql: nil),
      Object(
        name: "entry", type: "table", table: "entry",
        sql: """
          CREATE TABLE entry (
            journal  INTEGER NOT NULL REFERENCES journal,
            revision INTEGER NOT NULL,  -- 1, 2, 3 …
            time     INTEGER NOT NULL,  -- microseconds since 1970 UTC, by the maker's clock
            origin   BLOB NOT NULL,     -- who made it: 16 bytes
            sequence INTEGER NOT NULL,  -- its number there
            scope    TEXT NOT NULL,     -- whose undo takes it back
            schema   INTEGER NOT NULL,  -- which generation of payload
            kind     TEXT NOT NULL,     -- initial, changes, reset, undo, redo
            payload  TEXT NOT NULL,     -- JSON
            cause    TEXT,              -- JSON
            checksum BLOB NOT NULL,     -- of all of it and the entry before
            PRIMARY KEY (journal, revision)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "entry_origin", type: "index", table: "entry",
        sql: """
          CREATE UNIQUE INDEX entry_origin ON entry (journal, origin, sequence)
          """),
      Object(
        name: "lease", type: "table", table: "lease",
        sql: """
          CREATE TABLE lease (
            journal INTEGER NOT NULL REFERENCES journal,
            name    TEXT NOT NULL,
            holder  BLOB NOT NULL,      -- who had it last: 16 bytes
            epoch   INTEGER NOT NULL,   -- raised by each takeover
            granted INTEGER NOT NULL,   -- microseconds since 1970 UTC
            expires INTEGER NOT NULL,
            PRIMARY KEY (journal, name)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "snapshot", type: "table", table: "snapshot",
        sql: """
          CREATE TABLE snapshot (
            journal       INTEGER NOT NULL REFERENCES journal,
            revision      INTEGER NOT NULL,  -- of its head
            head_checksum BLOB NOT NULL,     -- of the entry there
            base          INTEGER NOT NULL,  -- the last entry that is folded in
            base_checksum BLOB NOT NULL,     -- of that entry
            schema        INTEGER NOT NULL,  -- which generation of payload
            written       INTEGER NOT NULL,  -- bytes of the entries up to its head
            size          INTEGER NOT NULL,  -- bytes of the payload
            checksum      BLOB NOT NULL,     -- of all of it
            payload       TEXT NOT NULL,     -- JSON; last, so that a list does not read it
            PRIMARY KEY (journal, revision)
          ) STRICT
          """),
      Object(name: "sqlite_autoindex_snapshot_1", type: "index", table: "snapshot", sql: nil),
      Object(
        name: "log", type: "view", table: "log",
        sql: """
          CREATE VIEW log AS
            SELECT journal.key AS journal, revision, strftime('%Y-%m-%d %H:%M:%f', time / 1000000.0, 'unixepoch') AS time,
              lower(hex(substr(origin, 1, 4))) AS origin, sequence, kind, payload
            FROM entry JOIN journal ON journal.number = entry.journal
            ORDER BY entry.journal, revision
          """),
    ]

    /// Fills an empty database. The file stores `journal_mode`, so it is WAL for every later connection.
    ///
    /// The first journal is created at once, so that the file without its log identifies the journal (`LogOwnership`).
    static func create(key: String, in database: Database, name: String) throws {
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try database.inTransaction(.immediate) {
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(FileTables.new.format)")
        for object in schema { if let sql = object.sql { try database.execute(sql: sql) } }
        _ = try JournalRow.make(key: key, in: database, .new, name: name)
        return .commit
      }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
    }
  }
#endif
