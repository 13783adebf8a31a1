#if Postgres
  // A journal that a server decides. These statements are for tables of version 2.
  extension Statements {
    /// Makes a server the only writer of a journal, or begins another generation. Returns a row if the journal is there.
    ///
    /// $1: number, $2: id, $3: generation, $4: the former ones, ascending, $5: the newest schema; $6: `synchronous_commit`, $7: lock timeout.
    var serving: String {
      """
      WITH \(settings(6))
      UPDATE \(schema).journal SET generation = $3, former = $4, accepts = $5 FROM settings WHERE number = $1 AND id = $2 RETURNING number
      """
    }

    /// Reads all that a journal knows of drafts, in one snapshot of the database: ``FactsRow`` reads the rows.
    ///
    /// $1: number, $2: origins and $3: sequences of ids, $4: origins, $5: origins and $6: sequences of first attempts.
    var facts: String {
      """
      SELECT last_revision AS revision, generation AS time, id AS origin, floor AS sequence, floor_checksum AS scope, accepts AS schema,
        NULL::text AS kind, NULL::bytea AS payload, NULL::bytea AS cause, checksum, NULL::bigint AS author, NULL::bigint AS arrival,
        \(FactsRow.position.rawValue)::bigint AS part
      FROM \(schema).journal WHERE number = $1
      UNION ALL
      SELECT unnest(former), 0, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, \(FactsRow.former.rawValue)
      FROM \(schema).journal WHERE number = $1
      UNION ALL
      SELECT \(entryColumns), \(FactsRow.entry.rawValue)
      FROM \(schema).entry JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence) WHERE journal_number = $1
      UNION ALL
      SELECT 0, 0, known.origin, known.last, NULL, 0, NULL, known.principal, NULL, NULL, NULL, NULL, \(FactsRow.origin.rawValue)
      FROM \(schema).origin AS known WHERE journal_number = $1 AND known.origin = ANY($4)
      UNION ALL
      SELECT accepted_sequence, 0, known.origin, known.sequence, NULL, 0, NULL, uuid_send(accepted_origin), NULL, NULL, NULL, NULL,
        \(FactsRow.attempt.rawValue)
      FROM \(schema).attempt AS known JOIN unnest($5, $6) AS wanted (origin, sequence) USING (origin, sequence) WHERE journal_number = $1
      """
    }

    /// Appends decided drafts at a position, with all that later decisions depend on. Inserts all rows, or none if the position is another.
    ///
    /// $1: number, $2: id, $3: head, $4: its checksum; arrays from $5 to $13 as in ``appendingMany``; $14: `synchronous_commit`, $15: lock
    /// timeout; $16: authors, $17: arrivals; $18: generation, $19: the former ones, $20: the newest schema, $21: floor; $22: origins, $23:
    /// their principals, $24: their last sequences; $25: origins and $26: sequences of first attempts, $27: origins and $28: sequences of the
    /// accepted ones; $29: revisions of refusals, $30: their reasons.
    var appendingDecided: String {
      let position = " AND generation = $18 AND former = $19 AND accepts = $20 AND floor = $21"
      return """
        WITH \(settings(14)), \(advance("$3 + cardinality($5)", "($13)[cardinality($13)]", if: position)), bound AS (
          INSERT INTO \(schema).origin AS known (journal_number, origin, principal, last)
          SELECT number, used.origin, used.principal, used.last FROM advanced, unnest($22, $23, $24) AS used (origin, principal, last)
          ON CONFLICT (journal_number, origin) DO UPDATE SET last = greatest(known.last, excluded.last)
        ), attempted AS (
          INSERT INTO \(schema).attempt (journal_number, origin, sequence, accepted_origin, accepted_sequence)
          SELECT number, made.* FROM advanced, unnest($25, $26, $27, $28) AS made
          ON CONFLICT (journal_number, origin, sequence) DO UPDATE
            SET accepted_origin = excluded.accepted_origin, accepted_sequence = excluded.accepted_sequence
        ), explained AS (
          INSERT INTO \(schema).reason (journal_number, revision, reason)
          SELECT number, given.* FROM advanced, unnest($29, $30) AS given
        )
        INSERT INTO \(schema).entry
          (journal_number, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum, author, arrival)
        SELECT number, $3 + place, draft.time, draft.origin, draft.sequence, draft.scope, draft.schema, draft.kind, draft.payload,
          draft.cause, draft.checksum, draft.author, draft.arrival
        FROM advanced, unnest($5, $6, $7, $8, $9, $10, $11, $12, $13, $16, $17) WITH ORDINALITY
          AS draft (time, origin, sequence, scope, schema, kind, payload, cause, checksum, author, arrival, place)
        """
    }

    /// Reads the reasons of refusals. $1: number, $2: origins, $3: sequences.
    var reasons: String {
      """
      SELECT origin, sequence, reason FROM \(schema).entry
      JOIN unnest($2, $3) AS wanted (origin, sequence) USING (origin, sequence)
      JOIN \(schema).reason USING (journal_number, revision)
      WHERE journal_number = $1
      """
    }
  }
#endif
