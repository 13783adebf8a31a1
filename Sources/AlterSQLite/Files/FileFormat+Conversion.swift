#if SQLite
  import GRDB

  // Format 2: the format of a file with a synced or a compacted journal. It is format 1, converted.
  extension FileFormat {
    /// Converts a file of format 1 to format 2, in the present transaction.
    ///
    /// Rows stay where they are, so the time does not depend on their number, and no byte of an entry changes. Every table is renamed; see
    /// ``FileTables``.
    ///
    /// - Throws: `damaged` if this build of SQLite stores other texts than openings expect; the transaction must be rolled back.
    static func convert(_ database: Database, name: String) throws {
      // It names the tables of format 1.
      try database.execute(sql: "DROP VIEW log")
      for (old, new) in [("journal", "journals"), ("entry", "entries"), ("lease", "leases"), ("snapshot", "snapshots")] {
        try database.execute(sql: "ALTER TABLE \(old) RENAME TO \(new)")
      }
      for (table, column) in additions { try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column)") }
      for object in new { if let sql = object.sql { try database.execute(sql: sql) } }
      try database.execute(sql: "PRAGMA user_version = \(FileTables.synced.format)")
      try check(database, name: name)
    }

    /// The new columns of the tables of format 1.
    private static let additions = [
      ("journals", "role TEXT NOT NULL DEFAULT 'plain'"),
      ("journals", "source BLOB"),
      ("journals", "generation INTEGER"),
      ("journals", "accepts INTEGER"),
      ("journals", "floor INTEGER NOT NULL DEFAULT 0"),
      ("journals", "floor_checksum BLOB"),
      ("journals", "floor_state BLOB"),
      ("entries", "author INTEGER"),
      ("entries", "arrival INTEGER"),
    ]

    /// The complete schema of a file of format 2: the text of each table is as SQLite stores it after the conversion.
    static let synced: [Object] = renamed + new

    private static let renamed: [Object] = [
      Object(
        name: "journals", type: "table", table: "journals",
        sql: """
          CREATE TABLE "journals" (
            number   INTEGER PRIMARY KEY,
            key      TEXT NOT NULL UNIQUE,
            id       BLOB NOT NULL,     -- 16 random bytes
            head     INTEGER NOT NULL,  -- the revision of the last entry, 0 when there is none
            checksum BLOB NOT NULL,     -- of the last entry; the id when there is none
            created  INTEGER NOT NULL   -- microseconds since 1970 UTC
          , role TEXT NOT NULL DEFAULT 'plain', source BLOB, generation INTEGER, accepts INTEGER, floor INTEGER NOT NULL DEFAULT 0, floor_checksum BLOB, floor_state BLOB) STRICT
          """),
      Object(name: "sqlite_autoindex_journals_1", type: "index", table: "journals", sql: nil),
      Object(
        name: "entries", type: "table", table: "entries",
        sql: """
          CREATE TABLE "entries" (
            journal  INTEGER NOT NULL REFERENCES "journals",
            revision INTEGER NOT NULL,  -- 1, 2, 3 …
            time     INTEGER NOT NULL,  -- microseconds since 1970 UTC, by the maker's clock
            origin   BLOB NOT NULL,     -- who made it: 16 bytes
            sequence INTEGER NOT NULL,  -- its number there
            scope    TEXT NOT NULL,     -- whose undo takes it back
            schema   INTEGER NOT NULL,  -- which generation of payload
            kind     TEXT NOT NULL,     -- initial, changes, reset, undo, redo
            payload  TEXT NOT NULL,     -- JSON
            cause    TEXT,              -- JSON
            checksum BLOB NOT NULL, author INTEGER, arrival INTEGER,     -- of all of it and the entry before
            PRIMARY KEY (journal, revision)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "entry_origin", type: "index", table: "entries",
        sql: """
          CREATE UNIQUE INDEX entry_origin ON "entries" (journal, origin, sequence)
          """),
      Object(
        name: "leases", type: "table", table: "leases",
        sql: """
          CREATE TABLE "leases" (
            journal INTEGER NOT NULL REFERENCES "journals",
            name    TEXT NOT NULL,
            holder  BLOB NOT NULL,      -- who had it last: 16 bytes
            epoch   INTEGER NOT NULL,   -- raised by each takeover
            granted INTEGER NOT NULL,   -- microseconds since 1970 UTC
            expires INTEGER NOT NULL,
            PRIMARY KEY (journal, name)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "snapshots", type: "table", table: "snapshots",
        sql: """
          CREATE TABLE "snapshots" (
            journal       INTEGER NOT NULL REFERENCES "journals",
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
      Object(name: "sqlite_autoindex_snapshots_1", type: "index", table: "snapshots", sql: nil),
    ]

    /// The objects that format 1 does not have.
    private static let new: [Object] = [
      Object(
        name: "former", type: "table", table: "former",
        sql: """
          CREATE TABLE former (             -- the generations of a synced journal that have ended
            journal    INTEGER NOT NULL REFERENCES journals,
            generation INTEGER NOT NULL,
            PRIMARY KEY (journal, generation)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "origins", type: "table", table: "origins",
        sql: """
          CREATE TABLE origins (            -- the origins that a served journal knows
            journal   INTEGER NOT NULL REFERENCES journals,
            origin    BLOB NOT NULL,        -- 16 bytes
            principal TEXT NOT NULL,        -- who used it first
            last      INTEGER NOT NULL,     -- the last decided sequence
            PRIMARY KEY (journal, origin)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "attempts", type: "table", table: "attempts",
        sql: """
          CREATE TABLE attempts (           -- changes that were accepted in a later attempt
            journal  INTEGER NOT NULL REFERENCES journals,
            origin   BLOB NOT NULL,         -- of the first attempt
            sequence INTEGER NOT NULL,
            accepted_origin   BLOB NOT NULL,
            accepted_sequence INTEGER NOT NULL,
            PRIMARY KEY (journal, origin, sequence)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "reasons", type: "table", table: "reasons",
        sql: """
          CREATE TABLE reasons (            -- explanations of refusals, for their authors
            journal  INTEGER NOT NULL REFERENCES journals,
            revision INTEGER NOT NULL,
            reason   TEXT NOT NULL,
            PRIMARY KEY (journal, revision)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "devices", type: "table", table: "devices",
        sql: """
          CREATE TABLE devices (            -- mirrors: the device's side of a synced journal
            journal      INTEGER PRIMARY KEY REFERENCES journals,
            principal    TEXT NOT NULL,     -- whose file it is
            transactions INTEGER NOT NULL,  -- how many there were
            absorbed     INTEGER NOT NULL,  -- how many of them did more than add drafts
            grounds      INTEGER NOT NULL,  -- how often the mirror has started anew
            reason       TEXT NOT NULL,     -- of the last new start
            place        INTEGER NOT NULL   -- the last one in the outbox and the lists
          ) STRICT
          """),
      Object(
        name: "floors", type: "table", table: "floors",
        sql: """
          CREATE TABLE floors (             -- mirrors: the state at the floor, twice
            journal INTEGER NOT NULL REFERENCES journals,
            copy    INTEGER NOT NULL,       -- 1 or 2
            schema  INTEGER NOT NULL,       -- which generation of payload
            size    INTEGER NOT NULL,       -- bytes of the payload
            payload TEXT NOT NULL,          -- JSON; last, so that a list does not read it
            PRIMARY KEY (journal, copy)
          ) STRICT
          """),
      Object(name: "sqlite_autoindex_floors_1", type: "index", table: "floors", sql: nil),
      Object(
        name: "own", type: "table", table: "own",
        sql: """
          CREATE TABLE own (                -- mirrors: the origins of this file
            journal INTEGER NOT NULL REFERENCES journals,
            origin  BLOB NOT NULL,          -- 16 bytes
            PRIMARY KEY (journal, origin)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "drafts", type: "table", table: "drafts",
        sql: """
          CREATE TABLE drafts (             -- mirrors: the outbox
            journal  INTEGER NOT NULL REFERENCES journals,
            place    INTEGER NOT NULL,      -- ascends
            origin   BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            time     INTEGER NOT NULL,
            scope    TEXT NOT NULL,
            schema   INTEGER NOT NULL,
            kind     TEXT NOT NULL,
            payload  TEXT NOT NULL,
            cause    TEXT,
            verdict  TEXT,                  -- 'accepted' or a code, once the server has told it
            revision INTEGER,               -- of the verdict's entry
            hash     BLOB NOT NULL,         -- of the draft
            PRIMARY KEY (journal, place)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "draft_origin", type: "index", table: "drafts",
        sql: """
          CREATE UNIQUE INDEX draft_origin ON drafts (journal, origin, sequence)
          """),
      Object(
        name: "refusals", type: "table", table: "refusals",
        sql: """
          CREATE TABLE refusals (           -- mirrors: refused drafts, until they are retried or dismissed
            journal  INTEGER NOT NULL REFERENCES journals,
            place    INTEGER NOT NULL,      -- ascends
            origin   BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            time     INTEGER NOT NULL,
            scope    TEXT NOT NULL,
            schema   INTEGER NOT NULL,
            kind     TEXT NOT NULL,
            payload  TEXT NOT NULL,
            cause    TEXT,
            verdict  TEXT NOT NULL,         -- a code
            revision INTEGER,               -- always NULL
            hash     BLOB NOT NULL,         -- of the draft
            reason   TEXT,                  -- for people
            PRIMARY KEY (journal, place)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "refusal_origin", type: "index", table: "refusals",
        sql: """
          CREATE INDEX refusal_origin ON refusals (journal, origin, sequence)
          """),
      Object(
        name: "awaited", type: "table", table: "awaited",
        sql: """
          CREATE TABLE awaited (            -- mirrors: accepted drafts whose entries must come again after a restart
            journal  INTEGER NOT NULL REFERENCES journals,
            place    INTEGER NOT NULL,      -- ascends
            origin   BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            time     INTEGER NOT NULL,
            scope    TEXT NOT NULL,
            schema   INTEGER NOT NULL,
            kind     TEXT NOT NULL,
            payload  TEXT NOT NULL,
            cause    TEXT,
            verdict  TEXT NOT NULL,         -- the generation of the verdict, in hexadecimal
            revision INTEGER NOT NULL,      -- of the verdict's entry
            hash     BLOB NOT NULL,         -- of the draft
            PRIMARY KEY (journal, place)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "verdicts", type: "table", table: "verdicts",
        sql: """
          CREATE TABLE verdicts (           -- verdicts on drafts without an entry in the file, as runs
            journal  INTEGER NOT NULL REFERENCES journals,
            origin   BLOB NOT NULL,
            first    INTEGER NOT NULL,      -- sequence
            last     INTEGER NOT NULL,      -- sequence
            verdict  TEXT NOT NULL,         -- 'accepted' or a code
            revision INTEGER,               -- of the first one; those of the others follow it
            number   INTEGER NOT NULL,      -- mirrors: of the transaction
            hashes   BLOB,                  -- servers: of the drafts, 16 bytes each
            PRIMARY KEY (journal, origin, first)
          ) STRICT, WITHOUT ROWID
          """),
      Object(
        name: "verdict_number", type: "index", table: "verdicts",
        sql: """
          CREATE INDEX verdict_number ON verdicts (journal, number)
          """),
      Object(
        name: "log", type: "view", table: "log",
        sql: """
          CREATE VIEW log AS
            SELECT journals.key AS journal, revision, strftime('%Y-%m-%d %H:%M:%f', time / 1000000.0, 'unixepoch') AS time,
              lower(hex(substr(origin, 1, 4))) AS origin, sequence, kind, payload, cause, printf('%016x', author) AS author,
              strftime('%Y-%m-%d %H:%M:%f', arrival / 1000000.0, 'unixepoch') AS arrival, reason
            FROM entries JOIN journals ON journals.number = entries.journal LEFT JOIN reasons USING (journal, revision)
            ORDER BY entries.journal, revision
          """),
      Object(
        name: "outbox", type: "view", table: "outbox",
        sql: """
          CREATE VIEW outbox AS             -- mirrors: the changes of the device that are not confirmed
            SELECT journals.key AS journal, list, place, strftime('%Y-%m-%d %H:%M:%f', time / 1000000.0, 'unixepoch') AS time,
              lower(hex(substr(origin, 1, 4))) AS origin, sequence, kind, payload, cause, verdict, revision, reason
            FROM (
              SELECT 'waiting' AS list, journal, place, time, origin, sequence, kind, payload, cause, verdict, revision, NULL AS reason
                FROM drafts
              UNION ALL
              SELECT 'refused', journal, place, time, origin, sequence, kind, payload, cause, verdict, revision, reason FROM refusals
              UNION ALL
              SELECT 'awaited', journal, place, time, origin, sequence, kind, payload, cause, verdict, revision, NULL FROM awaited
            ) AS lists JOIN journals ON journals.number = lists.journal
            ORDER BY journals.key, list DESC, place
          """),
    ]
  }
#endif
