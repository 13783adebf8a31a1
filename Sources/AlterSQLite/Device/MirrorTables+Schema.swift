#if SQLite
  import AlterJournal
  import GRDB

  extension MirrorTables {
    /// The newest schema of the mirror: of its accepted entries and of the state at its floor; 0 without any.
    ///
    /// - Complexity: O(entries).
    package func newestSchema() throws -> Int {
      let newest = try database.number(
        """
        SELECT max(schema) FROM (
          SELECT schema FROM entries WHERE journal = ?1 AND kind <> 'refused' UNION ALL SELECT schema FROM floors WHERE journal = ?1)
        """, journal)
      return newest.map { Int(clamping: $0) } ?? 0
    }
  }
#endif
