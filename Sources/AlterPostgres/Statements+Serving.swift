#if Postgres
  // The statements of a journal that a server decides.
  extension Statements {
    /// Makes a server the writer of a journal. $1: number, $2: generation, $3: former generations, $4: schema, $5: `synchronous_commit`,
    /// $6: lock timeout, $7: an array with the generation that it
    /// replaces, if there is one. The comparison of the head is always true: it lets the statement fail in newer tables.
    var serving: String {
      """
      WITH \(settings(5))
      UPDATE \(schema).journal SET generation = $2, former = $3, accepts = $4 FROM settings
      WHERE number = $1 AND generation IS NOT DISTINCT FROM ($7)[1] AND head >= 0
      """
    }

    /// Reads the position of a served journal, in the row of ``facts`` that has it. It reads no other table, so a reader needs no right to one.
    /// $1: number.
    var position: String {
      let row = EntryColumn.row([
        .revision: "head", .time: "generation", .origin: "id", .sequence: "accepts", .scope: "floor_checksum", .schema: "floor",
        .kind: "former::text", .checksum: "checksum",
      ])
      return "SELECT \(row), 0::bigint AS part FROM \(schema).journal WHERE number = $1"
    }

    /// Reads the position of a served journal, and its answers about some drafts, in one snapshot of the database.
    ///
    /// $1: number; $2, $3: ids; $4: origins; $5, $6: ids of first attempts. Returns rows with the columns of an entry, and the part: 0: the
    /// position, 1: an entry, 2: an origin, 3: an accepted attempt, 4: the run of verdicts that contains a draft.
    var facts: String {
      let origin = EntryColumn.row([.origin: "origin", .sequence: "last", .scope: "principal"])
      let attempt = EntryColumn.row([
        .revision: "accepted_sequence", .origin: "origin", .sequence: "sequence", .scope: "uuid_send(accepted_origin)",
      ])
      let run = EntryColumn.row([
        .revision: "run.revision", .time: "wanted.sequence", .origin: "wanted.origin", .sequence: "run.first", .scope: "run.hashes",
        .schema: "run.last", .kind: "run.verdict",
      ])
      return """
        \(position)
        UNION ALL
        SELECT \(EntryColumn.list), 1 FROM \(schema).entry JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence)
        WHERE journal = $1
        UNION ALL
        SELECT \(origin), 2 FROM \(schema).origin JOIN unnest($4) AS wanted (origin) USING (origin) WHERE journal = $1
        UNION ALL
        SELECT \(attempt), 3 FROM \(schema).attempt JOIN unnest($5, $6) AS wanted (origin, sequence) USING (origin, sequence)
        WHERE journal = $1
        UNION ALL
        SELECT \(run), 4 FROM unnest($2, $3) AS wanted (origin, sequence) \(runs)
        """
    }

    /// Appends decided drafts at a position. Inserts all rows, or none if the position has changed.
    ///
    /// The first parameters are those of ``appending(many:isCompacted:inTurn:)`` with arrays. After the columns follows the rest of the
    /// position: generation, former generations, schema, floor, its checksum; then arrays, each row once: three with origins, four with
    /// accepted attempts, two with reasons; then `synchronous_commit` and the lock timeout.
    var appendingDecided: String {
      let first = Self.firstColumn + EntryColumn.allCases.count
      func parameters(_ range: Range<Int>) -> String { range.map { "$\(first + $0)" }.joined(separator: ", ") }
      let position = """
         AND generation = \(parameters(0..<1)) AND former = \(parameters(1..<2)) AND accepts = \(parameters(2..<3)) AND floor = \(parameters(3..<4))
          AND floor_checksum IS NOT DISTINCT FROM \(parameters(4..<5))
        """
      return """
        WITH \(advance(if: position, after: first + 14)),
        origins AS (
          INSERT INTO \(schema).origin AS known (journal, origin, principal, last)
          SELECT number, made.* FROM advanced, unnest(\(parameters(5..<8))) AS made
          ON CONFLICT (journal, origin) DO UPDATE SET last = greatest(known.last, excluded.last),
            principal = CASE WHEN known.principal = '' THEN excluded.principal ELSE known.principal END),
        attempts AS (
          INSERT INTO \(schema).attempt (journal, origin, sequence, accepted_origin, accepted_sequence)
          SELECT number, made.* FROM advanced, unnest(\(parameters(8..<12))) AS made
          ON CONFLICT (journal, origin, sequence)
            DO UPDATE SET accepted_origin = excluded.accepted_origin, accepted_sequence = excluded.accepted_sequence),
        reasons AS (
          INSERT INTO \(schema).reason (journal, revision, reason)
          SELECT number, made.* FROM advanced, unnest(\(parameters(12..<14))) AS made)
        \(insertion)
        """
    }

    /// Reads the reasons of refusals. $1: number, $2, $3: the ids of the drafts.
    var reasons: String {
      """
      SELECT origin, sequence, reason FROM \(schema).reason JOIN \(schema).entry USING (journal, revision)
        JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence)
      WHERE journal = $1
      """
    }

    /// Finds a row by which a server would decide wrongly: an origin that the entries have used further, an accepted attempt or a reason without
    /// its entry. $1: number. Returns what is wrong, and the origin and the sequence, if the row has them.
    var servedCheck: String {
      """
      SELECT 'the last decided sequence of an origin is missing or too low' AS problem, used.origin, used.last AS sequence FROM (
        SELECT origin, max(sequence) AS last FROM \(schema).entry WHERE journal = $1 AND author IS NOT NULL GROUP BY origin) AS used
      LEFT JOIN \(schema).origin AS known ON known.journal = $1 AND known.origin = used.origin
      WHERE known.last IS NULL OR known.last < used.last
      UNION ALL
      SELECT 'the accepted attempt of a change is no accepted entry', attempt.origin, attempt.sequence FROM \(schema).attempt
      LEFT JOIN \(schema).entry ON entry.journal = $1 AND entry.origin = accepted_origin AND entry.sequence = accepted_sequence
      WHERE attempt.journal = $1 AND coalesce(kind, 'refused') = 'refused'
        AND (SELECT floor FROM \(schema).journal WHERE number = $1) = 0
      UNION ALL
      SELECT 'a reason belongs to no entry', NULL, reason.revision FROM \(schema).reason LEFT JOIN \(schema).entry USING (journal, revision)
      WHERE reason.journal = $1 AND entry.revision IS NULL
        AND reason.revision > \(floor)
      UNION ALL
      SELECT 'a run of verdicts is invalid, lies above the floor, or contains a draft that is an entry', run.origin, first FROM \(schema).verdict AS run
      WHERE run.journal = $1 AND (first > last OR run.revision < 1 OR run.revision + (last - first) > \(floor)
        OR octet_length(hashes) <> 16 * (last - first + 1)
        OR EXISTS (SELECT FROM \(schema).entry WHERE entry.journal = $1 AND entry.origin = run.origin AND sequence BETWEEN first AND last))
      UNION ALL
      SELECT 'two runs of verdicts contain one draft', one.origin, two.first FROM \(schema).verdict AS one
      JOIN \(schema).verdict AS two ON two.journal = $1 AND two.origin = one.origin AND two.first > one.first AND two.first <= one.last
      WHERE one.journal = $1
      UNION ALL
      SELECT 'the last decided sequence of an origin is too low', run.origin, run.last FROM \(schema).verdict AS run
      JOIN \(schema).origin AS known ON known.journal = $1 AND known.origin = run.origin
      WHERE run.journal = $1 AND known.last < run.last AND hashes IS NOT NULL
      LIMIT 1
      """
    }
  }
#endif
