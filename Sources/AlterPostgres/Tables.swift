#if Postgres
  import AlterJournal

  /// The tables of the journals in a schema. `Design/0010-postgres.md` promises that they stay readable.
  enum Tables {
    /// The version of new tables.
    static let first: Int64 = 1
    /// The newest version that this version of Alter reads and writes: that of tables with a served or a compacted journal.
    static let newest: Int64 = 2

    /// Returns the statements that make the tables of version 1. Each string is one command.
    ///
    /// Texts of the app are `bytea`, because PostgreSQL's `text` accepts neither invalid UTF-8 nor a zero byte; the view `log` shows them
    /// as text. The pages of `journal` have free space, so that a head can be updated without touching the index.
    static func creation(_ schema: String) -> [String] {
      let schema = schema.quoted
      return [
        "CREATE SCHEMA IF NOT EXISTS \(schema)",
        "CREATE TABLE \(schema).format (version bigint NOT NULL)",
        """
        CREATE TABLE \(schema).journal (
          number   bigint PRIMARY KEY,      -- follows from the key
          key      text NOT NULL,
          id       uuid NOT NULL,           -- random
          head     bigint NOT NULL,         -- the revision of the last entry, 0 when there is none
          checksum bytea NOT NULL,          -- of the last entry; the id when there is none
          created  bigint NOT NULL          -- microseconds since 1970 UTC
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE \(schema).entry (
          journal  bigint NOT NULL,
          revision bigint NOT NULL,         -- 1, 2, 3 …
          time     bigint NOT NULL,         -- microseconds since 1970 UTC, by the maker's clock
          origin   uuid NOT NULL,           -- who made it
          sequence bigint NOT NULL,         -- its number there
          scope    bytea NOT NULL,          -- whose undo takes it back: UTF-8
          schema   bigint NOT NULL,         -- which generation of payload
          kind     text NOT NULL,           -- initial, changes, reset, undo, redo
          payload  bytea NOT NULL,          -- JSON
          cause    bytea,                   -- JSON
          checksum bytea NOT NULL,          -- of all of it and the entry before
          PRIMARY KEY (journal, revision),
          UNIQUE (journal, origin, sequence)
        )
        """,
        """
        CREATE TABLE \(schema).lease (
          journal bigint NOT NULL,
          name    text NOT NULL,
          holder  uuid NOT NULL,            -- who had it last
          epoch   bigint NOT NULL,          -- raised by each takeover
          granted bigint NOT NULL,          -- microseconds since 1970 UTC, by the server's clock
          expires bigint NOT NULL,
          PRIMARY KEY (journal, name)
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE \(schema).snapshot (
          journal       bigint NOT NULL,
          revision      bigint NOT NULL,    -- of its head
          head_checksum bytea NOT NULL,     -- of the entry there
          base          bigint NOT NULL,    -- the last entry that is folded in
          base_checksum bytea NOT NULL,     -- of that entry
          schema        bigint NOT NULL,    -- which generation of payload
          written       bigint NOT NULL,    -- bytes of the entries up to its head
          checksum      bytea NOT NULL,     -- of all of it
          payload       bytea NOT NULL,     -- JSON
          PRIMARY KEY (journal, revision)
        )
        """,
        """
        CREATE FUNCTION \(schema).readable(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          RETURN convert_from(bytes, 'UTF8');
        EXCEPTION WHEN others THEN
          RETURN encode(bytes, 'escape');
        END $$
        """,
        """
        CREATE VIEW \(schema).log AS
          SELECT journal.key AS journal, revision, \(timestamp("time")) AS time, left(origin::text, 8) AS origin, sequence, kind,
            \(schema).readable(payload) AS payload
          FROM \(schema).entry JOIN \(schema).journal ON journal.number = entry.journal
        """,
        "INSERT INTO \(schema).format VALUES (\(first))",
      ]
    }

    /// A column with microseconds since 1970 UTC, as a timestamp for people. PostgreSQL has none before 4714 BC, and a device may claim any
    /// time; times before the year 1 are shown as its beginning.
    static func timestamp(_ column: String) -> String { "to_timestamp(greatest(\(column), -62135596800000000) / 1000000.0)" }

    /// Locks the tables of a schema for the transaction. Of several processes that start at once, one creates the tables and the others
    /// find them.
    static func lock(_ schema: String) -> String {
      "SELECT pg_advisory_xact_lock(hashtextextended(\("alter tables \(schema)".quotedText), 0))"
    }

    /// Reads the version of the tables; no row, or an error, if there are none.
    static func existing(_ schema: String) -> String { "SELECT version FROM \(schema.quoted).format" }
  }
#endif
