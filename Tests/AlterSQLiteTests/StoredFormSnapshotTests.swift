#if SQLite && Macros
  import Alter
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

    /// A third build: it has as many names as the newer one, and no price.
    @Alterable struct OtherShelf: Hashable {
      @Each(.add) let products: IdentityArray<OtherProduct>
    }

    @Alterable struct OtherProduct: Identifiable, Hashable {
      let id: Int
      let name: String
      @Default("") let colour: String
    }

    /// A fourth build: it knows the name of the first under a new one.
    @Alterable struct RenamedShelf: Hashable {
      @Each(.add) let products: IdentityArray<RenamedProduct>
    }

    @Alterable struct RenamedProduct: Identifiable, Hashable {
      let id: Int
      @Renamed(from: "name") let title: String
      @Default(0) let price: Int
    }

    private func compact<State: Journaled>(_ folder: Folder, by type: State.Type) async throws -> JournalError? {
      let journal = try await journal(folder)
      var failure: JournalError?
      do throws(JournalError) { try await Store<State>.compact(journal, keeping: .last(5)) } catch { failure = error }
      await journal.close()
      return failure
    }

    @Test("are not needed to refuse a compaction that would lose the value of an unknown name, of an entry or of the state at the floor")
    func unknownNames() async throws {
      try await Folder.use { folder in
        #expect(try await Shelves.new(journal(folder), adding: 1..<101) == 5_050)
        try await Shelves.old(journal(folder), renaming: 20)
        for _ in 0..<2 {
          let old = try await compact(folder, by: OldShelf.self)
          #expect(old?.code == .newerSchema && old?.description.contains("a name that this build does not know") == true, "\(old as Any)")
          let other = try await compact(folder, by: OtherShelf.self)
          #expect(other?.code == .newerSchema)
          #expect(try await Shelves.new(journal(folder)) == 5_050)
        }
        #expect(try await compact(folder, by: NewShelf.self) == nil)
        try await Shelves.old(journal(folder), renaming: 20)
        let atFloor = try await compact(folder, by: OtherShelf.self)
        #expect(atFloor?.code == .newerSchema && atFloor?.revision == 116)
        #expect(try await Shelves.new(journal(folder)) == 5_050)
      }
    }

    @Test("are not needed to compact by a build that knows each name, also as an older one")
    func knownNames() async throws {
      try await Folder.use { folder in
        try await Shelves.old(journal(folder), adding: 1..<11, renaming: 20)
        #expect(try await compact(folder, by: RenamedShelf.self) == nil)
        let store = try await Store.open(RenamedShelf(), in: journal(folder))
        #expect(store.state.products.map(\.title).sorted().first == "renamed 10")
        await store.close()
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
