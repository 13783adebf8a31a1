#if Postgres
  import AlterJournal

  /// The statements, for a schema. `Design/0010-postgres.md` says why they are as they are.
  struct Statements: Sendable {
    private let schema: String

    /// The statements for the tables of a schema.
    init(schema: String) { self.schema = schema.quoted }

    // MARK: Journals

    /// Which generation of tables there is, and a journal's row, if there is one.
    ///
    /// $1: its number. Gives version, key, id, head and checksum.
    var opening: String {
      """
      SELECT format.version, journal.key, journal.id, current_setting('transaction_read_only')
      FROM \(schema).format LEFT JOIN \(schema).journal ON journal.number = $1
      """
    }

    /// The keys that there are: some of them, if they are many.
    var keys: String { "SELECT key FROM \(schema).journal ORDER BY key LIMIT 11" }

    /// Makes an empty journal, unless there is one. $1: number, $2: key, $3: id, $4: checksum.
    var making: String {
      """
      INSERT INTO \(schema).journal (number, key, id, head, checksum, created)
      VALUES ($1, $2, $3, 0, $4, \(Self.now)) ON CONFLICT DO NOTHING
      """
    }

    /// Where a journal ends, and the last entry that is there, at one moment. $1: number.
    var head: String {
      """
      SELECT id, head, checksum, (SELECT max(revision) FROM \(schema).entry WHERE entry.journal = number)
      FROM \(schema).journal WHERE number = $1
      """
    }

    /// Where many journals end. $1: their numbers.
    var heads: String { "SELECT number, head FROM \(schema).journal WHERE number = ANY($1)" }

    // MARK: Appending

    /// Takes a journal's row for this transaction alone, which is what a turn is. $1: number.
    var turn: String { "SELECT head FROM \(schema).journal WHERE number = $1 FOR UPDATE" }

    /// How long this transaction waits for each lock. $1: lock timeout.
    static let lockSetting = "SELECT set_config('lock_timeout', $1, true)"

    /// Settings that end with the transaction. $1: lock timeout, $2: how long the transaction may stand idle.
    static let turnSettings = "SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)"

    /// Fails with a division by zero unless every lease is of its epoch, and keeps it so until the transaction ends.
    ///
    /// $1: number, $2: the leases' names, $3: their epochs. A takeover waits for the row, so that nothing can be appended under the
    /// old epoch once it has succeeded.
    var fence: String {
      """
      SELECT 1 / (count(*) = cardinality($2))::int FROM (
        SELECT FROM \(schema).lease JOIN unnest($2, $3) AS wanted (name, epoch) USING (name, epoch)
        WHERE lease.journal = $1 FOR SHARE OF lease
      ) AS held
      """
    }

    /// Appends one entry at a head: a row is inserted, or none if the journal ends elsewhere.
    ///
    /// $1: number, $2: id, $3: head, $4: its checksum; $5: time, $6: origin, $7: sequence, $8: scope, $9: schema, $10: kind,
    /// $11: payload, $12: cause, $13: checksum; $14: `synchronous_commit`, $15: lock timeout.
    var appendingOne: String {
      """
      WITH \(settings(14)), \(advance("$3 + 1", "$13"))
      INSERT INTO \(schema).entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
      SELECT number, $3 + 1, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM advanced
      """
    }

    /// Appends entries at a head: all rows are inserted, or none if the journal ends elsewhere.
    ///
    /// As ``appendingOne``, with arrays from $5 to $13.
    var appendingMany: String {
      """
      WITH \(settings(14)), \(advance("$3 + cardinality($5)", "($13)[cardinality($13)]"))
      INSERT INTO \(schema).entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
      SELECT number, $3 + place, draft.time, draft.origin, draft.sequence, draft.scope, draft.schema, draft.kind, draft.payload, draft.cause,
        draft.checksum
      FROM advanced, unnest($5, $6, $7, $8, $9, $10, $11, $12, $13) WITH ORDINALITY
        AS draft (time, origin, sequence, scope, schema, kind, payload, cause, checksum, place)
      """
    }

    /// Settings that end with the transaction. The update takes its row after this has been read, so the lock timeout holds for it. What
    /// waits for more than the disk of this server (`remote_apply`) is not made less; what is right already is not set, which costs more than to look.
    private func settings(_ first: Int) -> String {
      let (wanted, current) = ("$\(first)", "current_setting('synchronous_commit')")
      return """
        settings AS MATERIALIZED (
          SELECT set_config('lock_timeout', $\(first + 1), true),
            CASE WHEN \(current) <> \(wanted) AND NOT (\(wanted) = 'on' AND \(current) = 'remote_apply')
              THEN set_config('synchronous_commit', \(wanted), true) END)
        """
    }

    private func advance(_ head: String, _ checksum: String) -> String {
      """
      advanced AS (
        UPDATE \(schema).journal SET head = \(head), checksum = \(checksum) FROM settings
        WHERE number = $1 AND id = $2 AND head = $3 AND checksum = $4 RETURNING number)
      """
    }

    /// Commits something that comes after an entry in the server's log, if the entry is there: a message that nobody reads. It takes no lock, and
    /// the wait for its commit is a wait for the entry's, which was visible before. The commit of a transaction that wrote nothing
    /// would not wait.
    ///
    /// $1: number, $2: revision, $3: `synchronous_commit`, $4: lock timeout. Gives the entry's checksum.
    var confirming: String {
      """
      WITH \(settings(3))
      SELECT checksum, pg_logical_emit_message(true, 'alter', ''::text) FROM settings, \(schema).entry WHERE journal = $1 AND revision = $2
      """
    }

    /// The checksum of an entry. $1: number, $2: revision.
    var checksum: String { "SELECT checksum FROM \(schema).entry WHERE journal = $1 AND revision = $2" }

    /// The entries of some ids, in order. $1: number, $2: origins, $3: sequences.
    var found: String {
      """
      SELECT \(Self.entryColumns) FROM \(schema).entry JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence)
      WHERE journal = $1 ORDER BY revision
      """
    }

    /// The epochs of some leases. $1: number, $2: their names.
    var epochs: String { "SELECT name, epoch FROM \(schema).lease WHERE journal = $1 AND name = ANY($2)" }

    // MARK: Reading

    /// What ``EntryRow`` reads.
    static let entryColumns = "revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum"

    /// A page of entries. $1: number, $2: the revision before the first, $3: how many at most, $4: how many bytes at most, though never no entry.
    ///
    /// The length of a large payload is known without reading it.
    var page: String {
      let size = "(octet_length(payload) + octet_length(scope) + coalesce(octet_length(cause), 0))"
      return """
        SELECT \(Self.entryColumns) FROM (
          SELECT *, sum(\(size)) OVER (ORDER BY revision ROWS UNBOUNDED PRECEDING) AS total
          FROM (SELECT * FROM \(schema).entry WHERE journal = $1 AND revision > $2 ORDER BY revision LIMIT $3) AS page
        ) AS measured WHERE total <= $4 OR total = \(size) ORDER BY revision
        """
    }

    /// What a journal's rows amount to. $1: number. Gives how many entries, the last one, how many ids, and where the journal ends.
    var census: String {
      """
      SELECT count(*), coalesce(max(revision), 0), count(DISTINCT (origin, sequence)),
        (SELECT head FROM \(schema).journal WHERE number = $1)
      FROM \(schema).entry WHERE journal = $1
      """
    }

    // MARK: Leases

    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// Grants or renews a lease, by the server's clock; no row when somebody else has it.
    ///
    /// $1: number, $2: name, $3: holder, $4: duration in microseconds, $5: `synchronous_commit`, $6: lock timeout. `LeaseRecord.granting` says the same in Swift. What comes after the
    /// conflict is evaluated when the row is locked: the clock must be read then, since a grant that was waited for is later than the
    /// statement's beginning, and would be taken for one of a clock that was set back.
    var granting: String {
      """
      WITH \(settings(5))
      INSERT INTO \(schema).lease AS held (journal, name, holder, epoch, granted, expires)
      SELECT $1, $2, $3, 1, \(Self.now), \(Self.now) + $4 FROM settings
      ON CONFLICT (journal, name) DO UPDATE SET holder = excluded.holder, epoch = held.epoch + (held.holder <> excluded.holder)::int,
        granted = \(Self.now), expires = \(Self.now) + $4
      WHERE held.holder = excluded.holder
        OR held.epoch < \(Int64.max)
          AND NOT (held.granted <= \(Self.now) AND held.granted > \(Self.now) - \(LeaseRecord.longest) AND held.expires > \(Self.now))
      RETURNING epoch, expires
      """
    }

    /// A lease as it is. $1: number, $2: name.
    var lease: String { "SELECT holder, epoch, granted, expires FROM \(schema).lease WHERE journal = $1 AND name = $2" }

    /// All leases of a journal. $1: number.
    var leases: String { #"SELECT name, holder, epoch, expires FROM \#(schema).lease WHERE journal = $1 ORDER BY name COLLATE "C""# }

    /// Ends a lease at once, if it is of the epoch. $1: number, $2: name, $3: epoch.
    var releasing: String { "UPDATE \(schema).lease SET expires = granted WHERE journal = $1 AND name = $2 AND epoch = $3" }

    // MARK: Snapshots

    /// Keeps a snapshot. $1: number, then what ``SnapshotRow`` says.
    var keeping: String {
      """
      INSERT INTO \(schema).snapshot (journal, revision, head_checksum, base, base_checksum, schema, written, checksum, payload)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (journal, revision) DO UPDATE SET head_checksum = excluded.head_checksum, base = excluded.base,
        base_checksum = excluded.base_checksum, schema = excluded.schema, written = excluded.written, checksum = excluded.checksum,
        payload = excluded.payload
      """
    }

    /// The snapshots up to a revision, newest first. $1: number, $2: revision, $3: how many at most.
    var snapshots: String {
      """
      SELECT revision, base, schema, written, octet_length(payload) FROM \(schema).snapshot
      WHERE journal = $1 AND revision <= $2 ORDER BY revision DESC LIMIT $3
      """
    }

    /// A snapshot. $1: number, $2: revision.
    var snapshot: String {
      """
      SELECT journal.id, head_checksum, base, base_checksum, schema, written, snapshot.checksum, payload
      FROM \(schema).snapshot JOIN \(schema).journal ON number = journal WHERE journal = $1 AND revision = $2
      """
    }

    /// Removes a snapshot. $1: number, $2: revision.
    var removing: String { "DELETE FROM \(schema).snapshot WHERE journal = $1 AND revision = $2" }
  }

  extension String {
    /// As an SQL identifier.
    var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }

    /// As an SQL text.
    var quotedText: String { "'\(replacing("'", with: "''"))'" }
  }
#endif
