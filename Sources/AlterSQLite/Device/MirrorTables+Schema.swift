#if SQLite
  import AlterJournal
  import GRDB

  extension MirrorTables {
    /// The newest schema of the mirror: of its accepted entries and of the state at its floor; 0 without any.
    ///
    /// - Complexity: O(entries).
    package func newestSchema() throws -> Int {
      let newest = try Int64.fetchOne(
        database,
        sql: """
          SELECT max(schema) FROM (
            SELECT schema FROM entries WHERE journal = ? AND kind <> 'refused' UNION ALL SELECT schema FROM floors WHERE journal = ?)
          """,
        arguments: [journal, journal])
      return newest.map { Int(clamping: $0) } ?? 0
    }
  }
#endif
