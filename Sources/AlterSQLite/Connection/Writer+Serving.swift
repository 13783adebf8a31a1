#if SQLite
  import AlterJournal
  import GRDB

  // The transactions of a server.
  extension Writer {
    /// Makes a server the only writer of a journal, or begins another generation.
    func serve(_ journal: OpenJournal, _ lineage: Lineage, schema: Int, replacing present: Generation?) throws(JournalError) {
      try write(journal.name) { database in
        try ServedRow.serve(lineage, schema: schema, replacing: present, journal: journal.number, in: database, name: journal.name)
      }
    }

    /// Appends decided drafts in one transaction.
    func append(
      _ decided: [DecidedDraft], to journal: OpenJournal, at position: ServerPosition, under leases: [Lease]
    ) throws(JournalError) -> Appended {
      try write(journal.name) { database in
        let statements = try prepared(in: database)
        let current = try ServedRow.position(journal.number, in: database, name: journal.name)
        // Checks the role and the end of the table, too.
        let head = try statements.ends(of: journal.number, as: .server, name: journal.name).head
        for lease in leases { try LeaseRow.check(lease, journal: journal.number, in: database, name: journal.name) }
        guard current == position, head == position.head else {
          throw JournalError.conflict(journal.name, at: head.revision, expected: position.head.revision)
        }
        try checkCompacted(decided, in: journal, floor: position.floor.revision, database)
        var end = head
        try ServedRow.bind(decided, journal: journal.number, in: database)
        for draft in decided {
          let entry = Entry(draft.draft, receipt: draft.receipt, after: end)
          do {
            try statements.insert(entry, in: journal.number)
          } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            let there = try EntryRow.find(entry.id, journal: journal.number, in: database, name: journal.name)
            throw JournalError.originCollision(journal.name, entry.id, at: there?.revision ?? entry.revision)
          }
          try ServedRow.note(draft, at: entry.revision, journal: journal.number, in: database)
          end = end.advanced(by: entry)
        }
        try statements.advance(journal.number, to: end)
        return Appended(first: head.revision.next, head: end)
      } then: { appended in
        bell.ring(appended.head.revision, of: journal.number)
      }
    }
  }
#endif
