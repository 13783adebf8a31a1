#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Handles on journal files", .timeLimit(.minutes(20)))
  struct HandleTests {
    @Test(
      "are as durable as asked for, on drives with a cache, too, checkpoint only when they mean to, and need no temporary files",
      arguments: [(Durability.full, 2, 1), (.relaxed, 1, 0)])
    func settings(_ durability: Durability, _ synchronous: Int, _ fullSync: Int) async throws {
      try await Folder.use { folder in
        let expected = SQLiteJournal.Settings(
          journalMode: "wal", synchronous: synchronous, walAutocheckpoint: 0, temporaryStore: 2, fullSync: fullSync,
          checkpointFullSync: fullSync)
        for _ in 0..<2 {
          let journal = try await SQLiteJournal(at: folder.path("journal.db"), durability: durability)
          #expect(try await journal.settings() == expected)
          var writer = TestWriter()
          _ = try await journal.append(writer.drafts(2), after: try await journal.head())
          #expect(try await journal.settings() == expected)
          await journal.close()
        }
      }
    }

    @Test("sync files and folders through one function, which tells why it could not")
    func sync() throws {
      #expect(syncToDisk(-1) == EBADF)
      let folder = open(FileManager.default.temporaryDirectory.path, O_RDONLY | O_CLOEXEC)
      #expect(syncToDisk(folder) == 0)
      close(folder)
    }

    @Test("keep several journals in one file apart, by their keys")
    func keys() async throws {
      try await Folder.use { folder in
        let keys = ["main", "other", "", "a key 'with' \"quotes\""]
        var heads: [Head] = []
        for (index, key) in keys.enumerated() {
          let journal = try await SQLiteJournal(at: folder.path("journal.db"), key: key)
          var writer = TestWriter()
          heads.append(try await journal.append(writer.drafts(index + 1), after: try await journal.head()).head)
          await journal.close()
        }
        #expect(Set(heads.map(\.journal)).count == keys.count)
        for (index, key) in keys.enumerated() {
          let journal = try await SQLiteJournal(at: folder.path("journal.db"), key: key)
          #expect(try await journal.verify() == heads[index])
          #expect(journal.name.hasSuffix(key == "main" ? "journal.db" : "journal.db (\(key))"))
          await journal.close()
        }
      }
    }

    @Test("may open a new file all at once: one makes it, and all have the same journal")
    func creationRace() async throws {
      for _ in 0..<5 {
        try await Folder.use { folder in
          let ids = try await withThrowingTaskGroup(of: JournalID.self) { group in
            for _ in 0..<12 {
              group.addTask {
                let journal = try await SQLiteJournal(at: folder.path("journal.db"), lockTimeout: .patient)
                let id = try await journal.head().journal
                await journal.close()
                return id
              }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
          }
          #expect(ids.count == 1)
        }
      }
    }

    @Test("make files that only their owner can read, and leave one database file when the last is closed")
    func files() async throws {
      try await Folder.use { folder in
        func mode(_ name: String) throws -> Int? {
          try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
        }
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        #expect(folder.contents == ["journal.db", "journal.db-bell", "journal.db-lock", "journal.db-shm", "journal.db-wal"])
        for name in folder.contents { #expect(try mode(name) == 0o600, "\(name)") }
        await journal.close()
        #expect(folder.contents == ["journal.db", "journal.db-bell", "journal.db-lock"])
      }
    }

    @Test("mean the same file by whichever path they are opened")
    func links() async throws {
      try await Folder.use { folder in
        let link = folder.path("link.db")
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("journal.db"))
        let other = try await SQLiteJournal(at: link)
        #expect(other.path == journal.path)
        #expect(try await other.head() == (try await journal.head()))
        await other.close()
        await journal.close()
        #expect(!folder.contents.contains("link.db-lock"))
      }
    }

    @Test("that are dropped without being closed let go of the file")
    func dropped() async throws {
      try await Folder.use { folder in
        var writer = TestWriter()
        func use() async throws -> Head {
          let journal = try await SQLiteJournal(at: folder.path("journal.db"))
          return try await journal.append(writer.drafts(2), after: try await journal.head()).head
        }
        let head = try await use()
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        #expect(try await journal.verify() == head)
        await journal.close()
      }
    }

    @Test("for reading see everything, change nothing and refuse to write")
    func readOnly() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let missing = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: true) }
        #expect(missing?.code == .unreachable)
        #expect(folder.contents == [])
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
        let reader = try await SQLiteJournal(at: path, isReadOnly: true)
        #expect(try await reader.verify() == head)
        let next = Task { try await reader.waitForEntry(after: head.revision) }
        _ = try await journal.append(writer.drafts(1), after: head)
        try await next.value
        let refused = await #expect(throws: JournalError.self) { try await reader.append(writer.drafts(1), after: head) }
        #expect(refused?.code == .readOnly)
        await #expect(throws: JournalError.self) { try await reader.takeTurn() }
        let wrongKey = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, key: "no", isReadOnly: true) }
        #expect(wrongKey?.code == .unreachable)
        #expect(wrongKey?.description.contains("there is no journal with the key 'no'. The keys that exist: 'main'") == true)
        await reader.close()
        await journal.close()
      }
    }

    @Test("keep the write-ahead log short, whatever is written and read")
    func checkpoints() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"), durability: .relaxed)
        var writer = TestWriter()
        var head = try await journal.head()
        let payload = "\"\(String(repeating: "x", count: 1 << 20))\""
        for _ in 0..<30 {
          head = try await journal.append([writer.draft(payload)], after: head).head
          // A page of entries that was truncated must not keep the log from being checkpointed.
          #expect(try await journal.entries(after: .zero, limit: 1_000).count <= 9)
        }
        // The checkpoint runs after the answer, so the last one may not have finished. The answer to another call comes after it.
        _ = try await journal.settings()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: folder.path("journal.db-wal"))[.size] as? Int)
        #expect(size < 8 << 20)
        #expect(try await journal.verify() == head)
        await journal.close()
      }
    }

    @Test("write what people can read with SQL tools")
    func log() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let origin = try #require(UUID(uuidString: "1F0C9A3E-0000-4000-8000-000000000000"))
        let draft = Entry.Draft(
          kind: .changes, id: EntryID(origin: Origin(origin), sequence: 7), time: 1_796_117_400_250_000, payload: Data(#"["ä"]"#.utf8))
        _ = try await journal.append([draft], after: try await journal.head())
        await journal.close()
        let database = try DatabaseQueue(path: folder.path("journal.db"))
        let row = try database.inDatabase { try Row.fetchOne($0, sql: "SELECT * FROM log") }
        #expect(
          row == [
            "journal": "main", "revision": 1, "time": "2026-12-01 09:30:00.250", "origin": "1f0c9a3e", "sequence": 7, "kind": "changes",
            "payload": #"["ä"]"#, "cause": nil, "author": nil, "arrival": nil, "reason": nil,
          ])
        try database.close()
      }
    }
  }
#endif
