#if Postgres
  // The statements of a compacted journal, and of a compaction.
  extension Statements {
    /// The size of an entry's texts, in bytes.
    static let size = "(octet_length(payload) + octet_length(scope) + coalesce(octet_length(cause), 0))"

    /// The revision of the floor of the journal $1.
    var floor: String { "(SELECT floor FROM \(schema).journal WHERE number = $1)" }

    /// The condition that an entry or a snapshot lies above the floor. Below it there may be rows that are about to be removed.
    var isAboveFloor: String { " AND revision > \(floor)" }

    /// Reads the entry of an id, unless it lies at or below the floor. $1: number, $2: origins, $3: sequences.
    var foundAboveFloor: String {
      """
      SELECT \(EntryColumn.list) FROM \(schema).entry JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence)
      WHERE journal = $1\(isAboveFloor) ORDER BY revision
      """
    }

    /// Joins the ids `wanted` of the journal $1 with the runs of verdicts that contain them.
    var runs: String {
      """
      JOIN LATERAL (
        SELECT * FROM \(schema).verdict WHERE journal = $1 AND verdict.origin = wanted.origin AND first <= wanted.sequence
        ORDER BY first DESC LIMIT 1
      ) AS run ON run.last >= wanted.sequence
      """
    }

    /// Reads the revisions of those ids whose entries are or were at or below the floor. $1: number, $2: origins, $3: sequences.
    var removed: String {
      """
      SELECT wanted.origin, wanted.sequence, coalesce(run.revision + (wanted.sequence - run.first), below.revision) AS revision
      FROM unnest($2, $3) AS wanted (origin, sequence)
      LEFT \(runs)
      LEFT JOIN \(schema).entry AS below
        ON below.journal = $1 AND below.origin = wanted.origin AND below.sequence = wanted.sequence AND below.revision <= \(floor)
      WHERE run.first IS NOT NULL OR below.revision IS NOT NULL
      """
    }

    /// Fails with a division by zero if one of some ids is or was at or below the floor. The transaction has locked the journal's row, so this
    /// remains true until it ends. $1: number, $2: origins, $3: sequences.
    var removedGuard: String { "SELECT 1 / (NOT EXISTS (\(removed)))::int" }

    /// Locks a journal's row for a compaction, as a new version of the row: a transaction that has begun before cannot append with what it has
    /// read. $1: number. Returns a ``HeadRow``.
    var compacting: String {
      """
      UPDATE \(schema).journal SET floor = floor WHERE number = $1
      RETURNING \(HeadRow.list)
      """
    }

    /// Makes the commit of a compaction as durable as that of an append.
    static let durably = """
      SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
      """

    /// Reads the undos and redos after a revision. $1: number, $2: revision.
    var marks: String {
      "SELECT revision, payload FROM \(schema).entry WHERE journal = $1 AND revision > $2 AND kind IN ('undo', 'redo') ORDER BY revision"
    }

    /// Reads the newest schema of the entries after a revision, and of all snapshots; 0 without any. $1: number, $2: revision.
    var newestSchema: String {
      """
      SELECT greatest(
        coalesce((SELECT max(schema) FROM \(schema).entry WHERE journal = $1 AND revision > $2), 0),
        coalesce((SELECT max(schema) FROM \(schema).snapshot WHERE journal = $1), 0))::bigint
      """
    }

    /// Reads the largest fingerprint of the snapshots and of the state at the floor. $1: number, $2: schema.
    var newestForm: String {
      """
      SELECT coalesce(max(form), 0)::bigint FROM (
        SELECT journal, schema, form FROM \(schema).snapshot UNION ALL SELECT journal, schema, form FROM \(schema).floor_copy
      ) AS kept WHERE journal = $1 AND schema = $2
      """
    }

    /// Moves the floor. $1: number, $2: revision, $3: its checksum, $4: the checksum of the state.
    var movingFloor: String {
      "UPDATE \(schema).journal SET floor = $2, floor_checksum = $3, floor_state = $4 WHERE number = $1 AND head >= $2"
    }

    /// Stores both copies of the state at the floor. $1: number, $2: schema, $3: fingerprint, $4: payload.
    var keepingFloor: String {
      """
      INSERT INTO \(schema).floor_copy (journal, copy, schema, form, payload)
      SELECT $1, copy, $2, $3, $4 FROM unnest(ARRAY[1, 2]::bigint[]) AS copy
      ON CONFLICT (journal, copy) DO UPDATE SET schema = excluded.schema, form = excluded.form, payload = excluded.payload
      """
    }

    /// Reads the copies of the state at the floor. $1: number.
    var floorCopies: String { "SELECT copy, schema, payload, form FROM \(schema).floor_copy WHERE journal = $1 ORDER BY copy" }

    /// Reads the oldest entries up to a revision. $1: number, $2: revision, $3: the largest number of entries, $4: the largest number of bytes.
    var oldest: String {
      """
      SELECT \(EntryColumn.list) FROM (
        SELECT *, sum(\(Self.size)) OVER (ORDER BY revision ROWS UNBOUNDED PRECEDING) AS total
        FROM (SELECT * FROM \(schema).entry WHERE journal = $1 AND revision <= $2 ORDER BY revision LIMIT $3) AS page
      ) AS measured WHERE total <= $4 OR total = \(Self.size) ORDER BY revision
      """
    }

    /// Reads the last run of an origin that begins before a sequence. $1: number, $2: origin, $3: sequence.
    var runBefore: String {
      """
      SELECT first, last, verdict, revision, hashes FROM \(schema).verdict WHERE journal = $1 AND origin = $2 AND first < $3
      ORDER BY first DESC LIMIT 1
      """
    }

    /// Stores runs, or replaces those that begin at the same sequence. $1: number; arrays: $2: origins, $3: first and $4: last sequences,
    /// $5: verdicts, $6: revisions, $7: hashes.
    var keepingRuns: String {
      """
      INSERT INTO \(schema).verdict (journal, origin, first, last, verdict, revision, hashes)
      SELECT $1, made.* FROM unnest($2, $3, $4, $5, $6, $7) AS made
      ON CONFLICT (journal, origin, first) DO UPDATE SET last = excluded.last, hashes = excluded.hashes
      """
    }

    /// Removes the entries up to a revision. $1: number, $2: revision.
    var removingEntries: String { "DELETE FROM \(schema).entry WHERE journal = $1 AND revision <= $2" }

    /// Removes the reasons of refusals up to a revision. $1: number, $2: revision.
    var removingReasons: String { "DELETE FROM \(schema).reason WHERE journal = $1 AND revision <= $2" }

    /// Removes one of the snapshots whose base lies below a revision. $1: number, $2: revision.
    var removingOldSnapshot: String {
      """
      DELETE FROM \(schema).snapshot WHERE journal = $1 AND revision =
        (SELECT revision FROM \(schema).snapshot WHERE journal = $1 AND base < $2 ORDER BY revision LIMIT 1)
      """
    }

    /// Finds a fault of the runs of a journal that stores write: with the entries that are not removed yet, they have each revision up to the
    /// floor once, and no id twice. $1: number.
    var plainCheck: String {
      """
      WITH run AS (
        SELECT *, revision::numeric + last - first AS ending, lag(last) OVER (PARTITION BY origin ORDER BY first) AS earlier
        FROM \(schema).verdict WHERE journal = $1
      ), part AS (
        SELECT revision, ending FROM run
        UNION ALL SELECT revision, revision FROM \(schema).entry WHERE journal = $1 AND revision <= \(floor)
      ), ordered AS (
        SELECT revision, coalesce(max(ending) OVER (ORDER BY revision ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS reached FROM part
      )
      SELECT 'a run of removed ids is invalid' AS problem, origin, first AS number FROM run
      WHERE verdict <> 'accepted' OR first > last OR revision < 1
      UNION ALL
      SELECT 'the ids of the removed entries before this revision are missing', NULL, revision FROM ordered WHERE revision > reached + 1
      UNION ALL
      SELECT 'two removed ids have the same revision', NULL, revision FROM ordered WHERE revision <= reached
      UNION ALL
      SELECT 'the removed ids do not end at the floor', NULL, \(floor)
      WHERE (SELECT coalesce(max(ending), 0) FROM part) <> \(floor)
      UNION ALL
      SELECT 'two runs of removed ids contain one id', origin, first FROM run WHERE earlier >= first
      UNION ALL
      SELECT 'a removed id is the id of an entry, too', run.origin, entry.sequence FROM run
      JOIN \(schema).entry ON entry.journal = $1 AND entry.origin = run.origin AND entry.sequence BETWEEN run.first AND run.last
      LIMIT 1
      """
    }
  }
#endif
