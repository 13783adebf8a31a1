#if SQLite
  import AlterCore
  public import AlterJournal

  // A journal that a server decides.
  extension SQLiteJournal: ServerJournal {
    /// Returns who decides the entries: the journal's writers, a server of sync, or the server that a device's copy follows.
    public func role() async throws(JournalError) -> JournalRole {
      try await read { reader, journal throws(JournalError) in try reader.role(of: journal) }
    }

    package func serve(_ lineage: Lineage, schema: Int, replacing present: Generation?) async throws(JournalError) {
      try await write(for: "serve") { writer, journal throws(JournalError) in
        try writer.serve(journal, lineage, schema: schema, replacing: present)
      }
    }

    package func position() async throws(JournalError) -> ServerPosition { try await facts(about: ServerQuestions()).position }

    package func facts(about questions: ServerQuestions) async throws(JournalError) -> ServerFacts {
      try await read { reader, journal throws(JournalError) in try reader.facts(of: journal, about: questions) }
    }

    package func append(_ decided: [DecidedDraft], at position: ServerPosition, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      precondition(!decided.isEmpty, "An append needs at least one draft.")
      let appended = try await write(for: "append") { writer, journal throws(JournalError) in
        try writer.append(decided, to: journal, at: position, under: leases)
      }
      file.followers.advance(journal.number, to: appended.head.revision)
      return appended
    }

    package func reasons(of ids: [EntryID]) async throws(JournalError) -> [EntryID: String] {
      try await read { reader, journal throws(JournalError) in try reader.reasons(of: journal, for: ids) }
    }
  }
#endif
