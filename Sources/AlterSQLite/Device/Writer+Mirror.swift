#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  // The transactions of a device.
  extension Writer {
    /// Runs a transaction of a device's file.
    func mirror<Answer>(
      _ journal: OpenJournal, _ body: (MirrorTables) throws -> (answer: Answer, device: MirrorTables.Device?)
    ) throws(JournalError) -> (answer: Answer, device: MirrorTables.Device?, end: Revision) {
      let changed = try write(journal.name) { database -> (answer: Answer, device: MirrorTables.Device?, end: Revision) in
        if !tables.isSynced { try FileFormat.convert(database, name: journal.name) }
        let statements = tables.isSynced ? try prepared(in: database) : try AppendStatements(in: database, .synced)
        defer { if !tables.isSynced { statements.finalize() } }
        // The statements of a file that is being converted end with the transaction.
        let cache = tables.isSynced ? mirrorStatements(in: database) : nil
        let tables = MirrorTables(database: database, journal: journal.number, name: journal.name, statements: statements, cache: cache)
        let (answer, device) = try body(tables)
        return (answer, device, try JournalRow.read(journal.number, in: database, .synced, name: journal.name).head.revision)
      } then: { changed in
        if let device = changed.device { bell.ring(Revision(device.transactions), of: journal.number) }
      }
      if !tables.isSynced { adopt(.synced) }
      return changed
    }
  }
#endif
