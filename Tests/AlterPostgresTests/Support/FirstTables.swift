#if Postgres
  extension MigrationTests {
    /// The statements with which Alter made the tables of version 1, before there was a version 2. Never change them.
    static let tables = """
      CREATE SCHEMA IF NOT EXISTS alter;
      CREATE TABLE alter.format (version bigint NOT NULL);
      CREATE TABLE alter.journal (
        number   bigint PRIMARY KEY,      -- follows from the key
        key      text NOT NULL,
        id       uuid NOT NULL,           -- random
        head     bigint NOT NULL,         -- the revision of the last entry, 0 when there is none
        checksum bytea NOT NULL,          -- of the last entry; the id when there is none
        created  bigint NOT NULL          -- microseconds since 1970 UTC
      ) WITH (fillfactor = 50);
      CREATE TABLE alter.entry (
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
      );
      CREATE TABLE alter.lease (
        journal bigint NOT NULL,
        name    text NOT NULL,
        holder  uuid NOT NULL,            -- who had it last
        epoch   bigint NOT NULL,          -- raised by each takeover
        granted bigint NOT NULL,          -- microseconds since 1970 UTC, by the server's clock
        expires bigint NOT NULL,
        PRIMARY KEY (journal, name)
      ) WITH (fillfactor = 50);
      CREATE TABLE alter.snapshot (
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
      );
      CREATE FUNCTION alter.readable(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN
        RETURN convert_from(bytes, 'UTF8');
      EXCEPTION WHEN others THEN
        RETURN encode(bytes, 'escape');
      END $$;
      CREATE VIEW alter.log AS
        SELECT journal.key AS journal, revision, to_timestamp(time / 1000000.0) AS time, left(origin::text, 8) AS origin, sequence, kind,
          alter.readable(payload) AS payload
        FROM alter.entry JOIN alter.journal ON journal.number = entry.journal;
      INSERT INTO alter.format VALUES (1);

      """
  }
#endif
