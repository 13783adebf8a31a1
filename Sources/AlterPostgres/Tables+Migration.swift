#if Postgres
  // Version 2: the tables with a journal that a server decides, or that was compacted.
  extension Tables {
    /// Returns the statements that make version 2 of the tables from version 1. Each string is one command, and
    /// does not end with a comment.
    ///
    /// No row is rewritten, so the time does not depend on their number, and no entry changes. The renamed columns are in each statement of
    /// version 1 except those of an opening, so a handle that knows version 1 fails until it reads the version. `format`, and the columns
    /// `number`, `key` and `id` of `journal`, keep their names: with them each version of Alter detects at its opening that the tables are newer.
    ///
    /// The lock of `journal` comes first: a turn holds it, and its owner reads entries on another connection. If the migration had the lock of
    /// `entry` and waited for the turn, that reading would wait for the migration. A statement that has taken them in another order may
    /// be ended as a deadlock: appends and reads are repeated then.
    static func migration(_ schema: String) -> [String] {
      let schema = schema.quoted
      return [
        "LOCK TABLE \(schema).journal, \(schema).entry, \(schema).lease, \(schema).snapshot IN ACCESS EXCLUSIVE MODE",
        "ALTER TABLE \(schema).journal RENAME COLUMN head TO last_revision",
        """
        ALTER TABLE \(schema).journal
          -- The generation of the server's journal, NULL unless a server decides it; the generations that have ended, ascending.
          ADD COLUMN generation     bigint,
          ADD COLUMN former         bigint[] NOT NULL DEFAULT '{}',
          -- The newest schema that the server decides.
          ADD COLUMN accepts        bigint,
          -- The last revision that compaction has removed, and the checksum of that entry; NULL for a whole journal.
          ADD COLUMN floor          bigint NOT NULL DEFAULT 0,
          ADD COLUMN floor_checksum bytea,
          -- The checksum of the state there.
          ADD COLUMN floor_state    bytea
        """,
        "ALTER TABLE \(schema).entry RENAME COLUMN journal TO journal_number",
        """
        ALTER TABLE \(schema).entry
          -- The receipt: the pseudonym of the author, and microseconds since 1970 UTC by the server's clock; NULL without a receipt.
          ADD COLUMN author  bigint,
          ADD COLUMN arrival bigint
        """,
        "ALTER TABLE \(schema).lease RENAME COLUMN journal TO journal_number",
        "ALTER TABLE \(schema).snapshot RENAME COLUMN journal TO journal_number",
        """
        CREATE TABLE \(schema).origin (
          journal_number bigint NOT NULL,
          origin         uuid NOT NULL,
          principal      bytea NOT NULL,    -- who used it first: UTF-8
          last           bigint NOT NULL,   -- the last decided sequence
          PRIMARY KEY (journal_number, origin)
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE \(schema).attempt (
          journal_number    bigint NOT NULL,
          origin            uuid NOT NULL,  -- of the first attempt
          sequence          bigint NOT NULL,
          accepted_origin   uuid NOT NULL,  -- of the accepted one
          accepted_sequence bigint NOT NULL,
          PRIMARY KEY (journal_number, origin, sequence)
        )
        """,
        """
        CREATE TABLE \(schema).reason (
          journal_number bigint NOT NULL,
          revision       bigint NOT NULL,   -- of a refusal
          reason         bytea NOT NULL,    -- for its author: UTF-8
          PRIMARY KEY (journal_number, revision)
        )
        """,
        """
        CREATE TABLE \(schema).verdict (     -- on drafts whose entries compaction has removed, as runs
          journal_number bigint NOT NULL,
          origin         uuid NOT NULL,
          first          bigint NOT NULL,   -- sequence
          last           bigint NOT NULL,   -- sequence
          verdict        text NOT NULL,     -- 'accepted' or a code
          revision       bigint NOT NULL,   -- of the first one; those of the others follow it
          hashes         bytea,             -- of the drafts, 16 bytes each; NULL if stores have written them
          PRIMARY KEY (journal_number, origin, first)
        )
        """,
        """
        CREATE TABLE \(schema).floor_copy (  -- the state at the floor, twice
          journal_number bigint NOT NULL,
          copy           bigint NOT NULL,   -- 1 or 2
          schema         bigint NOT NULL,   -- which generation of payload
          payload        bytea NOT NULL,    -- JSON
          PRIMARY KEY (journal_number, copy)
        )
        """,
        """
        CREATE OR REPLACE VIEW \(schema).log AS
          SELECT journal.key AS journal, revision, \(timestamp("time")) AS time, left(origin::text, 8) AS origin, sequence, kind,
            \(schema).readable(payload) AS payload, \(schema).readable(cause) AS cause,
            lpad(to_hex(author), 16, '0') AS author, \(timestamp("arrival")) AS arrival
          FROM \(schema).entry JOIN \(schema).journal ON journal.number = entry.journal_number
        """,
        "UPDATE \(schema).format SET version = 2",
      ]
    }
  }
#endif
