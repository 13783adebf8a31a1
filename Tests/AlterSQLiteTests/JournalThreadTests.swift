#if SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import Dispatch
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("A store's writer on the thread of its journal", .timeLimit(.minutes(20)))
  struct JournalThreadTests {

    /// Appends a draft on the journal's thread.
    private func appendAtOnce(_ draft: [Entry.Draft], to journal: SQLiteJournal) async throws -> Appended? {
      let head = try await journal.head()
      return try await withCheckedContinuation { continuation in
        journal.enqueue {
          continuation.resume(
            returning: Result { () throws(JournalError) in try journal.appendAtOnce(draft, after: head, under: []) { _ in } })
        }
      }.get()
    }

    @Test("waits for no turn: neither for that of another handle, nor for its own")
    func turns() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let (journal, other) = (try await SQLiteJournal(at: path), try await SQLiteJournal(at: path))
        var writer = TestWriter()
        #expect(try await appendAtOnce(writer.drafts(1), to: journal)?.head.revision == 1)
        let drafts = writer.drafts(1)
        for handle in [journal, other] {
          let turn = try await handle.takeTurn()
          #expect(try await appendAtOnce(drafts, to: journal) == nil)
          turn.end()
        }
        #expect(try await appendAtOnce(drafts, to: journal)?.head.revision == 2)
        let late = writer.drafts(1)
        await journal.close()
        await #expect(throws: JournalError.self) { _ = try await appendAtOnce(late, to: journal) }
        #expect(try await other.verify().revision == 2)
        await other.close()
      }
    }

    @Test("does not wake a reader for an entry that it has, and wakes it for the next one")
    func growing() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        let known = Lock<Revision>(1)
        let reader = Task { try await journal.waitForEntry(after: 1) { known.withLock { $0 } } }
        while !journal.journal.waiters.hasWaiters { await Task.yield() }
        known.withLock { $0 = 2 }
        _ = try await appendAtOnce(writer.drafts(1), to: journal)
        #expect(journal.journal.waiters.hasWaiters)
        _ = try await appendAtOnce(writer.drafts(1), to: journal)
        try await reader.value
        await journal.close()
      }
    }

    @Test("an observer that waits for another store of the file stops neither")
    func observer() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let observed = try await Store.open(Counter(), in: SQLiteJournal(at: path, key: "a"))
        let other = try await Store.open(Counter(), in: SQLiteJournal(at: path, key: "b"))
        let isDurable = DispatchSemaphore(value: 0)
        let token = observed.observe { record, _ in if record != nil { isDurable.wait() } }
        let commit = try observed.change(.add(1))
        try await other.change(.add(1)).durable()
        isDurable.signal()
        try await commit.durable()
        token.cancel()
        await observed.close()
        await other.close()
      }
    }

    @Test("stores of one journal that change at once write each change once")
    func conflicts() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let stores = [
          try await Store.open(Counter(), in: SQLiteJournal(at: path)), try await Store.open(Counter(), in: SQLiteJournal(at: path)),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
          for store in stores {
            group.addTask { for _ in 0..<50 { try await store.change(.add(1)).durable() } }
          }
          try await group.waitForAll()
        }
        for store in stores { #expect(await store.close().isEmpty) }
        let journal = try await SQLiteJournal(at: path)
        #expect(try await journal.verify().revision == 101)
        let store = try await Store.open(Counter(), in: journal)
        #expect(store.state.count == 100)
        await store.close()
      }
    }

    @Test("a change behind another handle's turn is written after it")
    func behind() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let store = try await Store.open(Counter(), in: SQLiteJournal(at: path))
        let other = try await SQLiteJournal(at: path)
        let turn = try await other.takeTurn()
        let commit = try store.change(.add(1))
        #expect(try await other.head().revision == 1)
        turn.end()
        #expect(try await commit.confirmed() == 2)
        await store.close()
        await other.close()
      }
    }
  }
#endif
