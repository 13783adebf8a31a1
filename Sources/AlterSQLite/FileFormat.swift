#if SQLite
  import GRDB

  /// The database that a journal file is. `Design/0003-journal-format.md` promises to keep it readable.
  enum FileFormat {
    /// "Altr": what `PRAGMA application_id` says, and the bytes 68 to 71 of the file.
    static let applicationID: UInt32 = 0x416C_7472

    /// The generation of these tables: what `PRAGMA user_version` says, and the bytes 60 to 63 of the file.
    static let version: UInt32 = 1

    /// Several journals may share a file, told apart by their keys. Payload and cause are text, for people with SQL tools.
    private static let tables = """
      CREATE TABLE journal (
        number   INTEGER PRIMARY KEY,
        key      TEXT NOT NULL UNIQUE,
        id       BLOB NOT NULL,     -- 16 random bytes
        head     INTEGER NOT NULL,  -- the revision of the last entry, 0 when there is none
        checksum BLOB NOT NULL,     -- of the last entry; the id when there is none
        created  INTEGER NOT NULL   -- microseconds since 1970 UTC
      ) STRICT;
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
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX entry_origin ON entry (journal, origin, sequence);
      CREATE TABLE lease (
        journal INTEGER NOT NULL REFERENCES journal,
        name    TEXT NOT NULL,
        holder  BLOB NOT NULL,      -- who had it last: 16 bytes
        epoch   INTEGER NOT NULL,   -- raised by each takeover
        granted INTEGER NOT NULL,   -- microseconds since 1970 UTC
        expires INTEGER NOT NULL,
        PRIMARY KEY (journal, name)
      ) STRICT, WITHOUT ROWID;
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
      ) STRICT;
      CREATE VIEW log AS
        SELECT journal.key AS journal, revision, strftime('%Y-%m-%d %H:%M:%f', time / 1000000.0, 'unixepoch') AS time,
          lower(hex(substr(origin, 1, 4))) AS origin, sequence, kind, payload
        FROM entry JOIN journal ON journal.number = entry.journal
        ORDER BY entry.journal, revision;
      """

    /// Fills an empty database. `journal_mode` is kept in the file, so it is WAL for everybody from the start.
    static func create(in database: Database) throws {
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try database.inTransaction(.immediate) {
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(version)")
        try database.execute(sql: tables)
        return .commit
      }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
    }
  }
#endif
