#if SQLite
  // The schema of a journal's file.
  extension FileFormat {
    /// The complete schema. Opening compares the file with it, byte for byte, and accepts no other object.
    ///
    /// Several journals may share a file; their keys distinguish them. Payload and cause are text, for people with SQL tools.
    package static let schema: [Object] = journals + sync + views

    private static let journals: [Object] = [
      Object(
        name: "journals", type: "table", table: "journals",
        sql: """
          CREATE TABLE journals (
            number   INTEGER PRIMARY KEY,
            key      TEXT NOT NULL UNIQUE,
            id       BLOB NOT NULL,     -- 16 random bytes
            head     INTEGER NOT NULL,  -- the revision of the last entry, 0 when there is none
            checksum BLOB NOT NULL,     -- of the last entry; the id when there is none
            created  INTEGER NOT NULL,  -- microseconds since 1970 UTC
            role     TEXT NOT NULL DEFAULT 'plain',  -- plain, server, mirror
            source   BLOB,              -- mirrors: the id of the server's journal
            generation INTEGER,         -- servers and mirrors
            accepts  INTEGER,           -- servers: the newest schema that is decided
            floor    INTEGER NOT NULL DEFAULT 0,     -- the last revision that was removed
            floor_checksum BLOB,        -- of that entry
            floor_state    BLOB         -- the checksum of the state there
          ) STRICT
          """),
      Object(name: "sqlite_autoindex_journals_1", type: "index", table: "journals", sql: nil),
      EntryRow.table,
      Object(
        name: "entry_origin", type: "index", table: "entries",
        sql: """
          CREATE UNIQUE INDEX entry_origin ON entries (journal, origin, sequence)
          """),
      Object(
        name: "leases", type: "table", table: "leases",
        sql: """
          CREATE TABLE leases (
            journal INTEGER NOT NULL REFERENCES journals,
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
          CREATE TABLE snapshots (
            journal       INTEGER NOT NULL REFERENCES journals,
            revision      INTEGER NOT NULL,  -- of its head
            head_checksum BLOB NOT NULL,     -- of the entry there
            base          INTEGER NOT NULL,  -- the last entry that is folded in
            base_checksum BLOB NOT NULL,     -- of that entry
            schema        INTEGER NOT NULL,  -- which generation of payload
            form          INTEGER NOT NULL,  -- the fingerprint of its stored form, or 0
            written       INTEGER NOT NULL,  -- bytes of the entries up to its head
            size          INTEGER NOT NULL,  -- bytes of the payload
            checksum      BLOB NOT NULL,     -- of all of it
            payload       TEXT NOT NULL,     -- JSON; last, so that a list does not read it
            PRIMARY KEY (journal, revision)
          ) STRICT
          """),
      Object(name: "sqlite_autoindex_snapshots_1", type: "index", table: "snapshots", sql: nil),
    ]

    /// The tables of synced and of compacted journals.
    private static let sync: [Object] = [
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
          CREATE TABLE floors (             -- the state at a floor, twice
            journal INTEGER NOT NULL REFERENCES journals,
            copy    INTEGER NOT NULL,       -- 1 or 2
            schema  INTEGER NOT NULL,       -- which generation of payload
            form    INTEGER NOT NULL,       -- the fingerprint of its stored form, or 0
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
            \(DraftColumns.declaration)
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
            \(DraftColumns.declaration)
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
            \(DraftColumns.declaration)
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
    ]

    /// The views are for people.
    private static let views: [Object] = [
      Object(
        name: "log", type: "view", table: "log",
        sql: """
          CREATE VIEW log AS
            SELECT journals.key AS journal, revision, strftime('%Y-%m-%d %H:%M:%f', time / 1000000.0, 'unixepoch') AS time,
              lower(hex(substr(origin, 1, 4))) AS origin, sequence, kind, payload, cause, iif(author IS NULL, NULL, printf('%016x', author)) AS author,
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
