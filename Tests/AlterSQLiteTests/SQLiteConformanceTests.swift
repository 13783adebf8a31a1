#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A journal in a SQLite file", .timeLimit(.minutes(20)))
  struct SQLiteConformanceTests {
    @Test("keeps every promise of a journal", arguments: JournalConformance.checks)
    func conforms(_ check: JournalConformance.Check) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try await JournalConformance { try await SQLiteJournal(at: path, lockTimeout: .patient) }.run(check)
      }
    }

    @Test("keeps every promise, and its capabilities, behind a type that wraps it", arguments: JournalConformance.checks)
    func conformsWrapped(_ check: JournalConformance.Check) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try await JournalConformance {
          let wrapped = WrappedJournal(base: try await SQLiteJournal(at: path, lockTimeout: .patient))
          let capabilities = wrapped.capabilities
          #expect(capabilities.compaction != nil && capabilities.leases != nil && capabilities.space != nil && capabilities.device != nil)
          #expect(capabilities.withoutGroups.groups == nil)
          return wrapped
        }.run(check)
      }
    }

    @Test("keeps every promise among handles that share no connection", arguments: JournalConformance.checks)
    func conformsApart(_ check: JournalConformance.Check) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let opened = Lock(0)
        try await JournalConformance {
          let number = opened.withLock { opened in
            opened += 1
            return opened
          }
          return try await SQLiteJournal(at: path, durability: number % 2 == 0 ? .full : .relaxed, lockTimeout: .patient)
        }.run(check)
      }
    }

    @Test("keeps every promise beside another journal in the same file", arguments: JournalConformance.checks)
    func conformsBeside(_ check: JournalConformance.Check) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let neighbour = try await SQLiteJournal(at: path, key: "neighbour")
        var writer = TestWriter()
        let before = try await neighbour.append(writer.drafts(3), after: try await neighbour.head()).head
        try await JournalConformance { try await SQLiteJournal(at: path, durability: .relaxed, lockTimeout: .patient) }.run(check)
        let after = try await neighbour.verify()
        #expect(after == before)
        await neighbour.close()
      }
    }

    @Test("keeps every promise of a journal that a server writes", arguments: ServerConformance.checks + ServerConformance.compaction)
    func serves(_ check: ServerConformance.Check) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try await ServerConformance { try await SQLiteJournal(at: path, lockTimeout: .patient) }.run(check)
      }
    }

    @Test(
      "keeps every promise of a journal that a server writes, among handles that share no connection",
      arguments: ServerConformance.checks + ServerConformance.compaction)
    func servesApart(_ check: ServerConformance.Check) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let opened = Lock(0)
        try await ServerConformance {
          let number = opened.withLock { opened in
            opened += 1
            return opened
          }
          return try await SQLiteJournal(at: path, durability: number % 2 == 0 ? .full : .relaxed, lockTimeout: .patient)
        }.run(check)
      }
    }
  }

  /// A journal of an app that wraps another one.
  private struct WrappedJournal: ForwardingJournal {
    let base: any Journal
    var capabilities: JournalCapabilities { base.capabilities }
  }
#endif
