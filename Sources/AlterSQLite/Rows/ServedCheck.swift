#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Checks the rows of a journal that a server decides against its entries: a wrong row would lead to other decisions.
  struct ServedCheck {
    /// The file, in one moment of reading.
    let database: Database
    /// The number of the journal in the file.
    let journal: Int64
    /// The name of the journal in errors.
    let name: String

    /// Runs all checks.
    ///
    /// - Throws: `damaged` with the first damage, its place, and advice.
    /// - Complexity: O(entries).
    func run() throws {
      let position = try ServedRow.position(journal, in: database, name: name)
      try checkOrigins()
      try checkReasons()
      // The accepted attempt may lie below a floor.
      if position.floor.revision == .zero { try checkAttempts() }
      try checkRetries()
      guard position.floor.revision > .zero else { return }
      try FloorRow.check(at: position.floor, journal: journal, in: database, name: name)
      try checkRuns(floor: position.floor.revision)
    }

    /// Each accepted retry is recorded as the accepted attempt of its change: otherwise another retry would be accepted, too.
    private func checkRetries() throws {
      try database.forEachRow(
        """
        SELECT revision, cause FROM entries
        WHERE journal = ? AND author IS NOT NULL AND kind <> 'refused' AND cause LIKE '%"retries"%' ORDER BY revision
        """, journal
      ) { row in
        // Another text of a cause may contain the word.
        guard let cause = row.data(1), let first = try? JournalCoding.decode(Cause.self, from: cause).retries,
          try !database.hasRow(
            "SELECT 1 FROM attempts WHERE journal = ? AND origin = ? AND sequence = ?", journal, first.origin, first.sequence)
        else { return true }
        throw damaged(
          at: row.number(0) ?? 0,
          "it is an accepted retry of the change \(first), but the row of that change's attempts is missing")
      }
    }

    /// The origin of each decided draft has a principal, and its last sequence.
    private func checkOrigins() throws {
      try database.forEachRow(
        """
        SELECT used.origin, used.last, origins.last, max(used.revision) FROM (
          SELECT origin, max(sequence) AS last, revision FROM entries WHERE journal = ?1 AND author IS NOT NULL GROUP BY origin) AS used
        LEFT JOIN origins ON origins.journal = ?1 AND origins.origin = used.origin
        WHERE origins.last IS NULL OR origins.last < used.last GROUP BY used.origin LIMIT 1
        """, journal
      ) { row in
        let origin = row.origin(0).map { "\($0)" } ?? "an invalid one"
        throw damaged(
          at: row.number(3) ?? 0,
          row.number(2).map {
            "the row of the origin \(origin) says that its last decided draft is \($0), but draft \(row.number(1) ?? 0) is an entry"
          } ?? "the row of the origin \(origin), with its principal, is missing")
      }
    }

    private func checkReasons() throws {
      let lost = try database.number(
        """
        SELECT reasons.revision FROM reasons LEFT JOIN entries USING (journal, revision)
        WHERE reasons.journal = ? AND coalesce(entries.kind, '') <> 'refused' LIMIT 1
        """, journal)
      if let lost { throw damaged(at: lost, "it has the reason of a refusal, but is no refusal") }
    }

    private func checkAttempts() throws {
      try database.forEachRow(
        """
        SELECT attempts.origin, attempts.sequence FROM attempts LEFT JOIN entries
          ON entries.journal = attempts.journal AND entries.origin = accepted_origin AND entries.sequence = accepted_sequence
        WHERE attempts.journal = ? AND coalesce(entries.kind, 'refused') = 'refused' LIMIT 1
        """, journal
      ) { row in
        let origin = row.origin(0).map { "\($0)" } ?? "an invalid one"
        throw JournalError.damaged(
          name, "the accepted attempt of the change \(origin)#\(row.number(1) ?? 0) is no accepted entry")
      }
    }

    func damaged(at revision: Int64, _ why: String) -> JournalError {
      JournalError(
        .damaged, journal: name, revision: Revision(revision),
        message: """
          is damaged at revision \(revision): \(why). The entries are unharmed, but the server would decide by this row. Nothing was changed. Stop \
          the server, keep a copy of the journal, and restore a backup.
          """)
    }
  }
#endif
