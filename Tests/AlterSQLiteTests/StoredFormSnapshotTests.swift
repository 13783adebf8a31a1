#if SQLite && Macros
  import AlterJournal
  import AlterSQLite
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Snapshots of two builds of one schema version, in a file", .timeLimit(.minutes(20)))
  struct StoredFormSnapshotTests {
    private func journal(_ folder: Folder) async throws -> SQLiteJournal {
      try await SQLiteJournal(at: folder.path("shelf.db"), durability: .relaxed, lockTimeout: .patient)
    }

    @Test("of an older build, which has read and written 20,000 changes, take no price from the newer build")
    func olderThenNewer() async throws {
      try await Folder.use { folder in
        #expect(try await Shelves.new(journal(folder), adding: 1..<101) == 5_050)
        try await Shelves.old(journal(folder), renaming: 20_000)
        #expect(try await Shelves.new(journal(folder)) == 5_050)
      }
    }

    @Test("let only the newer build compact, whichever snapshots and floor there are")
    func compacting() async throws {
      try await Folder.use { folder in
        try await Shelves.old(journal(folder), adding: 1..<3, renaming: 5_500)
        try await Shelves.new(journal(folder), adding: 3..<101)
        try await Shelves.old(journal(folder), renaming: 5_500)
        let compacted = try await journal(folder)
        #expect(try await Shelves.compact(compacted) == [.newerSchema, nil, .newerSchema])
        #expect(try await compacted.floor()?.revision.number == compacted.head().revision.number - 50)
        #expect(try await compacted.snapshots(upTo: compacted.floor()?.revision ?? .zero, limit: 1).first?.form ?? 0 > 0)
        await compacted.close()
        #expect(try await Shelves.new(journal(folder)) == 5_047)
      }
    }

    @Test("of a newer build, which has written 20,000 changes, stay when an older one writes as many")
    func newerThenOlder() async throws {
      try await Folder.use { folder in
        try await Shelves.old(journal(folder), adding: 1..<3, renaming: 1)
        #expect(try await Shelves.new(journal(folder), adding: 3..<101, renaming: 20_000) == 5_047)
        let reading = try await journal(folder)
        let made = try await reading.snapshots(upTo: .init(1_000_000), limit: 100)
        #expect(made.count >= 3)
        try await Shelves.old(journal(folder), renaming: 20_000)
        let kept = try await reading.snapshots(upTo: .init(1_000_000), limit: 100)
        #expect(made.allSatisfy(kept.contains) && kept.count > made.count)
        await reading.close()
        #expect(try await Shelves.new(journal(folder)) == 5_047)
      }
    }

    @Test("of an older build's process, while a newer build has the journal open, take no price")
    func twoProcesses() async throws {
      try await Folder.use { folder in
        #expect(try await Shelves.new(journal(folder), adding: 1..<101) == 5_050)
        let path = folder.path("shelf.db")
        let outcome = try await onThread {
          Result { try ChildProcess.run([Product.path("people-writer"), "shelf", path, "20000"], mergesErrors: true) }
        }.get()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await Shelves.new(journal(folder), adding: 101..<102) == 5_151)
        #expect(try await Shelves.new(journal(folder)) == 5_151)
      }
    }
  }
#endif
