#if Postgres
  /// The tables of the journals in a schema. `Design/0010-postgres.md` promises that they stay readable.
  enum Tables {
    /// The version of the tables that this version of Alter creates, reads and writes.
    static let version: Int64 = 1

    /// Returns the statements that make the tables. Each string is one command, in ASCII.
    ///
    /// Texts of the app are `bytea`, because PostgreSQL's `text` accepts neither invalid UTF-8 nor a zero byte; the view `log` shows them
    /// as text. The pages of `journal` have free space, so that a head can be updated without touching the index.
    ///
    /// `format`, and the columns `number`, `key` and `id` of `journal`, keep their names in every version: with them each version of Alter
    /// detects at its opening that the tables are newer.
    static func creation(_ schema: String) -> [String] {
      let schema = schema.quoted
      return [
        "CREATE SCHEMA IF NOT EXISTS \(schema)",
        "CREATE TABLE \(schema).format (version bigint NOT NULL)",
        """
        CREATE TABLE \(schema).journal (
          number         bigint PRIMARY KEY,           -- follows from the key
          key            text NOT NULL,
          id             uuid NOT NULL,                -- random
          head           bigint NOT NULL,              -- the revision of the last entry, 0 when there is none
          checksum       bytea NOT NULL,               -- of the last entry; the id when there is none
          created        bigint NOT NULL,              -- microseconds since 1970 UTC
          generation     bigint,                       -- of the server's journal; NULL unless a server decides it
          former         bigint[] NOT NULL DEFAULT '{}', -- the generations that have ended, ascending
          accepts        bigint,                       -- the newest schema that the server decides
          floor          bigint NOT NULL DEFAULT 0,    -- the last revision that compaction has removed
          floor_checksum bytea,                        -- of that entry; NULL for a whole journal
          floor_state    bytea                         -- the checksum of the state there
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE \(schema).entry (
          journal  bigint NOT NULL,
          \(EntryColumn.definitions)
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
          schema        bigint NOT NULL,    -- the generation of the payload
          form          bigint NOT NULL,    -- the fingerprint of its stored form, or 0
          written       bigint NOT NULL,    -- bytes of the entries up to its head
          checksum      bytea NOT NULL,     -- of all of it
          payload       bytea NOT NULL,     -- JSON
          PRIMARY KEY (journal, revision)
        )
        """,
        """
        CREATE TABLE \(schema).origin (
          journal   bigint NOT NULL,
          origin    uuid NOT NULL,
          principal bytea NOT NULL,         -- who used it first: UTF-8
          last      bigint NOT NULL,        -- the last decided sequence
          PRIMARY KEY (journal, origin)
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE \(schema).attempt (
          journal           bigint NOT NULL,
          origin            uuid NOT NULL,  -- of the first attempt
          sequence          bigint NOT NULL,
          accepted_origin   uuid NOT NULL,  -- of the accepted one
          accepted_sequence bigint NOT NULL,
          PRIMARY KEY (journal, origin, sequence)
        )
        """,
        """
        CREATE TABLE \(schema).reason (
          journal  bigint NOT NULL,
          revision bigint NOT NULL,         -- of a refusal
          reason   bytea NOT NULL,          -- for its author: UTF-8
          PRIMARY KEY (journal, revision)
        )
        """,
        """
        CREATE TABLE \(schema).verdict (    -- on drafts whose entries compaction has removed, as runs
          journal  bigint NOT NULL,
          origin   uuid NOT NULL,
          first    bigint NOT NULL,         -- sequence
          last     bigint NOT NULL,         -- sequence
          verdict  text NOT NULL,           -- 'accepted' or a code
          revision bigint NOT NULL,         -- of the first one; those of the others follow it
          hashes   bytea,                   -- of the drafts, 16 bytes each; NULL if stores have written them
          PRIMARY KEY (journal, origin, first)
        )
        """,
        """
        CREATE TABLE \(schema).floor_copy ( -- the state at the floor, twice
          journal bigint NOT NULL,
          copy    bigint NOT NULL,          -- 1 or 2
          schema  bigint NOT NULL,          -- the generation of the payload
          form    bigint NOT NULL,          -- the fingerprint of its stored form, or 0
          payload bytea NOT NULL,           -- JSON
          PRIMARY KEY (journal, copy)
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
            \(schema).readable(payload) AS payload, \(schema).readable(cause) AS cause,
            lpad(to_hex(author), 16, '0') AS author, \(timestamp("arrival")) AS arrival
          FROM \(schema).entry JOIN \(schema).journal ON journal.number = entry.journal
        """,
        "INSERT INTO \(schema).format VALUES (\(version))",
      ]
    }

    /// A column with microseconds since 1970 UTC, as a timestamp for people. PostgreSQL has none before 4714 BC, and a device may claim any
    /// time; times before the year 1 are shown as its beginning.
    private static func timestamp(_ column: String) -> String {
      "to_timestamp(greatest(\(column), -62135596800000000) / 1000000.0)"
    }

    /// Locks the tables of a schema for the transaction. Of several processes that start at once, one creates the tables and the others
    /// find them.
    static func lock(_ schema: String) -> String {
      "SELECT pg_advisory_xact_lock(hashtextextended(\("alter tables \(schema)".quotedText), 0))"
    }

    /// Reads the version of the tables; no row, or an error, if there are none.
    static func existing(_ schema: String) -> String { "SELECT version FROM \(schema.quoted).format" }
  }

  extension Pool {
    /// Returns a failure of statements that were sent to the tables of a schema. If a newer version of Alter has changed the tables meanwhile,
    /// the server refuses each statement, because the newer version has renamed a column in it; then the failure is `otherTables`.
    func explaining<Success>(_ result: Result<Success, ServerFailure>, in schema: String) async -> Result<Success, ServerFailure> {
      // A column, a table or a function for such types does not exist.
      guard case .failure(.refused(let state, _)) = result, ["42703", "42P01", "42883"].contains(state) else { return result }
      guard case .success(let answers) = await retrying([Call(once: Tables.existing(schema))]), answers[0].rowCount == 1,
        let version = answers[0].number(0, 0), version > Tables.version
      else { return result }
      return .failure(.otherTables(version: version))
    }
  }
#endif
