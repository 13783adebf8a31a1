#if Postgres
  import AlterCore
  import AlterJournal

  /// The SQL statements for the tables of a schema, in ASCII. `Design/0010-postgres.md` gives their reasons.
  struct Statements: Sendable {
    /// The schema as an identifier.
    let schema: String

    /// The statements of appends, which are composed once, because each append needs one. The place is that of ``appending(many:isCompacted:inTurn:)``.
    private var appends: [String] = []

    /// The statements of all schemas that this process has used.
    private static let known = Lock<[String: Statements]>([:])

    /// Returns the statements for the tables of a schema.
    static func of(schema: String) -> Statements {
      known.withLock { known in
        if let statements = known[schema] { return statements }
        var statements = Statements(schema: schema.quoted)
        statements.appends = (0..<8).map { statements.append(many: $0 & 1 > 0, isCompacted: $0 & 2 > 0, inTurn: $0 & 4 > 0) }
        known[schema] = statements
        return statements
      }
    }

    private init(schema: String) { self.schema = schema }

    // MARK: Journals

    /// Reads the version of the tables, and a journal's row if there is one.
    ///
    /// $1: number. Returns the version, the key, the id, and whether the server is read-only ('on' or 'off').
    var opening: String {
      """
      SELECT format.version, journal.key, journal.id, current_setting('transaction_read_only')
      FROM \(schema).format LEFT JOIN \(schema).journal ON journal.number = $1
      """
    }

    /// Reads the keys of the journals, at most eleven.
    var keys: String { "SELECT key FROM \(schema).journal ORDER BY key LIMIT 11" }

    /// Creates an empty journal, unless it exists. $1: number, $2: key, $3: id, $4: checksum.
    var making: String {
      """
      INSERT INTO \(schema).journal (number, key, id, head, checksum, created)
      VALUES ($1, $2, $3, 0, $4, \(Self.now)) ON CONFLICT DO NOTHING
      """
    }

    /// Reads a journal's row as a ``HeadRow``, and the revision of its last entry, in one snapshot of the database. $1: number.
    var head: String {
      """
      SELECT \(HeadRow.list), (SELECT max(revision) FROM \(schema).entry WHERE entry.journal = number)
      FROM \(schema).journal WHERE number = $1
      """
    }

    /// Reads the heads of several journals. $1: their numbers.
    var heads: String { "SELECT number, head FROM \(schema).journal WHERE number = ANY($1)" }

    // MARK: Appending

    /// Locks a journal's row for this transaction: the lock is the turn. $1: number.
    var turn: String { "SELECT head FROM \(schema).journal WHERE number = $1 FOR UPDATE" }

    /// The same, after the settings of this transaction, with a ``HeadRow``. An append in the turn needs no settings of its own then.
    ///
    /// $1: number, $2: lock timeout, $3: the longest time that the transaction may be idle, $4: `synchronous_commit`. A row is locked after the
    /// settings were read.
    var turnHead: String {
      """
      WITH settings AS MATERIALIZED (
        SELECT set_config('lock_timeout', $2, true), set_config('idle_in_transaction_session_timeout', $3, true), \(synchronousCommit("$4")))
      SELECT \(HeadRow.list) FROM settings, \(schema).journal WHERE number = $1 FOR UPDATE OF journal
      """
    }

    /// Sets how long this transaction waits for each lock. $1: lock timeout.
    static let lockSetting = "SELECT set_config('lock_timeout', $1, true)"

    /// Sets timeouts of this transaction. $1: lock timeout, $2: the longest time that the transaction may be idle.
    static let turnSettings = "SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)"

    /// Fails with a division by zero unless every lease has the given epoch, and locks the leases until the transaction ends.
    ///
    /// $1: number, $2: the leases' names, $3: their epochs. A takeover waits for the row, so once it has succeeded, nothing can be appended
    /// under the old epoch.
    var fence: String {
      """
      SELECT 1 / (count(*) = cardinality($2))::int FROM (
        SELECT FROM \(schema).lease JOIN unnest($2, $3) AS wanted (name, epoch) USING (name, epoch)
        WHERE lease.journal = $1 FOR SHARE OF lease
      ) AS held
      """
    }

    /// Appends entries at a head. Inserts all rows, or none if the journal's head has moved.
    ///
    /// $1: number, $2: id, $3: head, $4: its checksum, $5: the new head, $6: its checksum; from $7 on the columns of the only entry, or their
    /// arrays; unless ``turnHead`` has made the settings: `synchronous_commit`, lock timeout.
    func appending(many: Bool, isCompacted: Bool = false, inTurn: Bool = false) -> String {
      appends[(many ? 1 : 0) + (isCompacted ? 2 : 0) + (inTurn ? 4 : 0)]
    }

    private func append(many: Bool, isCompacted: Bool, inTurn: Bool) -> String {
      let condition = " AND generation IS NULL\(isCompacted ? "" : " AND floor = 0")"
      return """
        WITH \(advance(if: condition, after: inTurn ? nil : Self.firstColumn + EntryColumn.allCases.count))
        \(many ? insertion : "INSERT INTO \(schema).entry (journal, \(EntryColumn.list)) SELECT number, \(Self.columns) FROM advanced")
        """
    }

    /// The first parameter with a column of entries.
    static let firstColumn = 7
    /// The parameters with the columns of entries.
    private static let columns = EntryColumn.places(from: firstColumn)

    /// The insertion of several entries after ``advance(if:after:)``.
    var insertion: String {
      """
      INSERT INTO \(schema).entry (journal, \(EntryColumn.list))
      SELECT number, draft.* FROM advanced, unnest(\(Self.columns)) AS draft (\(EntryColumn.list))
      """
    }

    /// Sets the lock timeout and `synchronous_commit` for the transaction. The update takes its row after these settings were read, so the
    /// timeout applies to it.
    func settings(_ first: Int) -> String {
      """
      settings AS MATERIALIZED (
        SELECT set_config('lock_timeout', $\(first + 1), true), \(synchronousCommit("$\(first)")))
      """
    }

    /// Sets `synchronous_commit` for the transaction. A stricter setting of the server (`remote_apply`) is kept. A setting that is already right
    /// is not set again, because setting costs more than reading.
    private func synchronousCommit(_ wanted: String) -> String {
      let current = "current_setting('synchronous_commit')"
      return """
        CASE WHEN \(current) <> \(wanted) AND NOT (\(wanted) = 'on' AND \(current) = 'remote_apply')
          THEN set_config('synchronous_commit', \(wanted), true) END
        """
    }

    /// Moves the head of a journal if it is the expected one and another condition holds. $1 to $6 are those of ``appending(many:isCompacted:inTurn:)``.
    ///
    /// - Parameter first: The first parameter of ``settings(_:)``, which come first; nil in a turn that has made them.
    func advance(if condition: String, after first: Int?) -> String {
      """
      \(first.map { settings($0) + ", " } ?? "")advanced AS (
        UPDATE \(schema).journal SET head = $5, checksum = $6\(first == nil ? "" : " FROM settings")
        WHERE number = $1 AND id = $2 AND head = $3 AND checksum = $4\(condition) RETURNING number)
      """
    }

    /// Commits something after an entry in the server's log, if the entry exists: a message that no process reads. It takes no lock.
    /// Waiting for its commit also waits for the commit of the entry, which was visible before. The commit of a transaction that wrote
    /// nothing would not wait.
    ///
    /// $1: number, $2: revision, $3: `synchronous_commit`, $4: lock timeout. Returns the entry's checksum.
    var confirming: String {
      """
      WITH \(settings(3))
      SELECT checksum, pg_logical_emit_message(true, 'alter', ''::text) FROM settings, \(schema).entry
      WHERE journal = $1 AND revision = $2
      """
    }

    /// Reads the checksum of an entry. $1: number, $2: revision.
    var checksum: String { "SELECT checksum FROM \(schema).entry WHERE journal = $1 AND revision = $2" }

    /// Reads the entries of some ids, in order of revision. $1: number, $2: origins, $3: sequences.
    var found: String {
      """
      SELECT \(EntryColumn.list) FROM \(schema).entry JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence)
      WHERE journal = $1 ORDER BY revision
      """
    }

    /// Reads the epochs of some leases. $1: number, $2: their names.
    var epochs: String { "SELECT name, epoch FROM \(schema).lease WHERE journal = $1 AND name = ANY($2)" }

    // MARK: Reading

    /// Reads a page of entries, with the floor in the last column of each row. If there is no entry, one row has only the floor.
    ///
    /// $1: number, $2: the revision before the first, $3: the largest number of entries, $4: the largest number of bytes. The first entry is
    /// returned even if it is larger. PostgreSQL knows the length of a large payload without reading it.
    var page: String {
      """
      SELECT page.*, bottom.floor FROM (SELECT floor FROM \(schema).journal WHERE number = $1) AS bottom
      LEFT JOIN LATERAL (
        SELECT \(EntryColumn.list) FROM (
          SELECT *, sum(\(Self.size)) OVER (ORDER BY revision ROWS UNBOUNDED PRECEDING) AS total
          FROM (
            SELECT * FROM \(schema).entry WHERE journal = $1 AND revision > greatest($2, bottom.floor) ORDER BY revision LIMIT $3
          ) AS page
        ) AS measured WHERE total <= $4 OR total = \(Self.size)
      ) AS page ON true ORDER BY revision
      """
    }

    /// Reads the entries that a writer has missed, in its turn, for which the others wait: a page without the sum of the bytes and without the
    /// floor, which ``turnHead`` has read.
    ///
    /// The parameters are those of ``page``, except $4: the largest number of bytes of each entry. The page has a gap instead of a larger entry.
    var turnPage: String {
      """
      SELECT \(EntryColumn.list) FROM \(schema).entry
      WHERE journal = $1 AND revision > $2 AND revision <= $2 + $3 AND \(Self.size) <= $4 ORDER BY revision
      """
    }

    /// Counts a journal's rows. $1: number. Returns the number of entries, the last revision, the number of ids, and the revisions of the head
    /// and of the floor.
    var census: String {
      """
      SELECT count(*), coalesce(max(revision), 0), count(DISTINCT (origin, sequence)),
        (SELECT head FROM \(schema).journal WHERE number = $1), \(floor)
      FROM \(schema).entry WHERE journal = $1\(isAboveFloor)
      """
    }

    // MARK: Leases

    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// Grants or renews a lease by the server's clock. Returns no row if another replica holds it.
    ///
    /// $1: number, $2: name, $3: holder, $4: duration in microseconds, $5: `synchronous_commit`, $6: lock timeout. `LeaseRecord.granting`
    /// is the same rule in Swift. The conflict clause is evaluated once the row is locked, and must read the clock then: if the statement
    /// waited, the present grant may be later than the statement's beginning, and would look as if the clock had been set back.
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

    /// Renews leases of several journals that their holders have and have not released, and reads those that other replicas hold. It waits
    /// for no lock: a locked lease, and one that can be taken over, is in no row of the result. A statement that waited for one lease would
    /// delay all others.
    ///
    /// $1: numbers, $2: names, $3: holders, $4: durations in microseconds, $5: `synchronous_commit`, $6: lock timeout. Returns the place in
    /// the arrays from 1 on, the holder, the epoch and the expiry.
    var renewing: String {
      """
      WITH \(settings(5)), wanted AS MATERIALIZED (
        SELECT place, number AS journal, wanted.name, wanted.holder, length
        FROM settings, unnest($1, $2, $3, $4) WITH ORDINALITY AS wanted (number, name, holder, length, place)
      ), own AS MATERIALIZED (
        SELECT place, length, held.journal, held.name FROM wanted JOIN \(schema).lease AS held USING (journal, name)
        WHERE held.holder = wanted.holder AND held.expires > held.granted FOR UPDATE OF held SKIP LOCKED
      ), renewed AS (
        UPDATE \(schema).lease AS held SET granted = \(Self.now), expires = \(Self.now) + length FROM own
        WHERE held.journal = own.journal AND held.name = own.name RETURNING place, holder, epoch, expires
      )
      SELECT place, holder, epoch, expires FROM renewed
      UNION ALL
      SELECT place, held.holder, held.epoch, held.expires FROM wanted JOIN \(schema).lease AS held USING (journal, name)
      WHERE held.holder <> wanted.holder AND held.granted <= \(Self.now) AND held.granted > \(Self.now) - \(LeaseRecord.longest)
        AND held.expires > \(Self.now)
      """
    }

    /// Reads a lease. $1: number, $2: name.
    var lease: String { "SELECT holder, epoch, granted, expires FROM \(schema).lease WHERE journal = $1 AND name = $2" }

    /// Reads all leases of a journal. $1: number.
    var leases: String { #"SELECT name, holder, epoch, expires FROM \#(schema).lease WHERE journal = $1 ORDER BY name COLLATE "C""# }

    /// Ends a lease at once, if it has the given epoch. $1: number, $2: name, $3: epoch.
    var releasing: String { "UPDATE \(schema).lease SET expires = granted WHERE journal = $1 AND name = $2 AND epoch = $3" }

    // MARK: Snapshots

    /// Stores a snapshot. $1: number, then the parameters of ``SnapshotRow``.
    var keeping: String {
      """
      INSERT INTO \(schema).snapshot (journal, revision, head_checksum, base, base_checksum, schema, form, written, checksum, payload)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 WHERE $4 >= \(floor)
      ON CONFLICT (journal, revision) DO UPDATE SET head_checksum = excluded.head_checksum, base = excluded.base,
        base_checksum = excluded.base_checksum, schema = excluded.schema, form = excluded.form, written = excluded.written,
        checksum = excluded.checksum, payload = excluded.payload
      """
    }

    /// Lists the snapshots up to a revision, newest first. $1: number, $2: revision, $3: the largest number of rows.
    var snapshots: String {
      """
      SELECT revision, base, schema, written, octet_length(payload), form FROM \(schema).snapshot
      WHERE journal = $1 AND revision <= $2\(isAboveFloor) AND base >= \(floor)
      ORDER BY revision DESC LIMIT $3
      """
    }

    /// Reads a snapshot. $1: number, $2: revision.
    var snapshot: String {
      """
      SELECT journal.id, head_checksum, base, base_checksum, schema, written, snapshot.checksum, payload, form
      FROM \(schema).snapshot JOIN \(schema).journal ON number = journal WHERE journal = $1 AND revision = $2
      """
    }

    /// Removes a snapshot. $1: number, $2: revision.
    var removing: String { "DELETE FROM \(schema).snapshot WHERE journal = $1 AND revision = $2" }
  }

  extension String {
    /// This name as an SQL identifier.
    package var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }

    /// This text as an SQL string literal.
    package var quotedText: String { "'\(replacing("'", with: "''"))'" }
  }
#endif
