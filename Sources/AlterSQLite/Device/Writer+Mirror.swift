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
      try write(journal.name) { database -> (answer: Answer, device: MirrorTables.Device?, end: Revision) in
        let statements = try prepared(in: database)
        let tables = MirrorTables(database: database, journal: journal.number, name: journal.name, statements: statements)
        let (answer, device) = try body(tables)
        return (answer, device, try JournalRow.read(journal.number, in: database, name: journal.name).head.revision)
      } then: { changed in
        if let device = changed.device { bell.ring(Revision(device.transactions), of: journal.number) }
      }
    }
  }
#endif
