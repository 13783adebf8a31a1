#if SQLite
  import Alter
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("The handles of one file", .timeLimit(.minutes(20)))
  struct SharedFileTests {
    private let short = Duration.milliseconds(20)

    #if os(Linux)
      /// The number of this process's descriptors of files in a folder.
      private func descriptors(_ folder: Folder) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(folder.path + "/") == true
        }
      }

      @Test("share its descriptors, however many journals are open; the last one's close() releases them before it returns")
      func descriptors() async throws {
        try await Folder.use { folder in
          let path = folder.path("journal.db")
          var journals: [SQLiteJournal] = []
          for number in 0..<40 {
            let journal = try await SQLiteJournal(at: path, key: "\(number / 2)")
            var writer = TestWriter()
            _ = try await journal.append(writer.drafts(1), after: try await journal.head())
            journals.append(journal)
          }
          #expect(descriptors(folder) == 7)
          for number in 1...3 {
            try await journals[0].verify()
            try await journals[1].backup(to: folder.path("copy \(number)"))
            unlink(folder.path("copy \(number)"))
          }
          // SQLite keeps the descriptor of a connection that was closed for the next one.
          #expect(descriptors(folder) <= 8)
          for journal in journals.dropLast() { await journal.close() }
          #expect(descriptors(folder) >= 7)
          #expect(try await journals[39].verify().revision == 2)
          await journals[39].close()
          #expect(descriptors(folder) == 0)
          #expect(folder.contents == ["journal.db", "journal.db-bell", "journal.db-lock"])
          // The handles are still there, and refuse calls.
          for journal in journals { await #expect(throws: JournalError.self) { try await journal.head() } }
        }
      }

      @Test("for reading, and of another durability, have their own, and release them, too")
      func apart() async throws {
        try await Folder.use { folder in
          let path = folder.path("journal.db")
          let journals = [
            try await SQLiteJournal(at: path), try await SQLiteJournal(at: path, durability: .relaxed),
            try await SQLiteJournal(at: path, isReadOnly: true),
          ]
          #expect(Set(journals.map { ObjectIdentifier($0.file) }).count == 3)
          for journal in journals { await journal.close() }
          #expect(descriptors(folder) == 0)
        }
      }
    #endif

    @Test("are not limited by a budget of descriptors")
    func budget() async throws {
      try await Folder.use { folder in
        var budget = StoresBudget(stores: 100)
        budget.descriptors = 10
        budget.timeout = .milliseconds(10)
        let stores = Stores(in: .file(folder.path("all.db"), durability: .relaxed), budget: budget) { _ in Counter() }
        var held: [Store<Counter>] = []
        for number in 0..<20 { held.append(try await stores["\(number)"]) }
        #expect(stores.report.open == 20 && stores.report.descriptors == 0)
        await stores.close()
      }
    }

    @Test("a turn of one journal lasts while the handles of others are refused, cancelled and closed")
    func turns() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        var writer = TestWriter()
        let journal = try await SQLiteJournal(at: path, key: "a")
        let head = try await journal.head()
        let turn = try await journal.takeTurn()
        let refused = try await SQLiteJournal(at: path, key: "a", lockTimeout: short)
        let error = await #expect(throws: JournalError.self) { try await refused.append([writer.draft()], after: head) }
        #expect(error?.code == .locked && error?.journal == "\(refused.path) (a)")
        let patient = try await SQLiteJournal(at: path, key: "a", lockTimeout: .patient)
        let draft = writer.draft()
        let cancelled = Task { try await patient.append([draft], after: head) }
        cancelled.cancel()
        #expect(await #expect(throws: JournalError.self) { try await cancelled.value }?.code == .cancelled)
        let closed = Task { try await patient.takeTurn() }
        await patient.close()
        #expect(await #expect(throws: JournalError.self) { try await closed.value }?.code == .closed)
        await refused.close()
        // The lock is held for processes, too.
        let other = try #require(open(folder.path("journal.db-lock"), O_RDWR | O_CLOEXEC) as Int32?)
        #expect(flock(other, LOCK_EX | LOCK_NB) != 0)
        // The handle's own work passes, with and without the turn.
        let end = try await journal.append(writer.drafts(1), after: head, in: turn).head
        _ = try await journal.lease("a", for: writer.origin, lasting: .zero)
        turn.end()
        _ = try await journal.append(writer.drafts(1), after: end)
        _ = try await journal.settings()
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        close(other)
        await journal.close()
      }
    }

    @Test("a handle that is closed ends its turn, and ending it later does not end another one's")
    func closedInTurn() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let first = try await SQLiteJournal(at: path, key: "a")
        let second = try await SQLiteJournal(at: path, key: "b", lockTimeout: .patient)
        let third = try await SQLiteJournal(at: path, key: "c", lockTimeout: short)
        let old = try await first.takeTurn()
        let waiting = Task { try await second.takeTurn() }
        await first.close()
        let turn = try await waiting.value
        old.end()
        await #expect(throws: JournalError.self) { try await third.takeTurn() }
        turn.end()
        await second.close()
        try await third.takeTurn().end()
        await third.close()
      }
    }

    @Test("wait for another process at most as long as each may; one that waits longer delays neither them nor reads")
    func timeouts() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let patient = try await SQLiteJournal(at: path, key: "a", lockTimeout: .patient)
        let hasty = try await SQLiteJournal(at: path, key: "b", lockTimeout: short)
        let (head, other) = (try await patient.head(), try await hasty.head())
        // The lock of another process.
        let lock = open(folder.path("journal.db-lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX) == 0)
        var writer = TestWriter()
        let drafts = writer.drafts(1)
        let waiting = Task { try await patient.append(drafts, after: head) }
        for _ in 0..<3 {
          let error = await #expect(throws: JournalError.self) { try await hasty.append([writer.draft()], after: other) }
          #expect(error?.code == .locked && error?.journal == hasty.name)
          #expect(try await hasty.head() == other)
        }
        await hasty.close()
        close(lock)
        #expect(try await waiting.value.first == 1)
        await patient.close()
      }
    }

    @Test("wait longer than they may while the others of the file take the lock one after the other")
    func progress() async throws {
      let turns = FileTurns()
      #expect(await turns.take(LockWait(), timeout: short))
      let wait = LockWait()
      // The time has passed, but the lock was taken since.
      let first = turns.deadline(of: wait, timeout: .zero)
      turns.progress()
      #expect(turns.deadline(of: wait, timeout: .zero) > first)
      let ended = LockWait()
      #expect(await !turns.take(ended, timeout: short))
      let next = Task { [short] in await turns.take(wait, timeout: short * 10_000) }
      turns.pass()
      #expect(await next.value)
      turns.pass()
      #expect(await turns.take(LockWait(), timeout: short))
    }

    @Test("stop together when a commit has failed, each with its own name; a new handle opens the file again")
    func failure() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journals = [try await SQLiteJournal(at: path, key: "a"), try await SQLiteJournal(at: path, key: "b")]
        let heads = [try await journals[0].head(), try await journals[1].head()]
        var writer = TestWriter()
        let database = try #require(journals[0].file.writer).database
        try await database.writeWithoutTransaction { database in
          // A commit that fails as on a failing disk.
          try database.execute(sql: "PRAGMA max_page_count = 1000000")
          database.add(transactionObserver: FailingCommit(), extent: .nextTransaction)
        }
        await #expect(throws: JournalError.self) { try await journals[0].append(writer.drafts(1), after: heads[0]) }
        for (journal, head) in zip(journals, heads) {
          let error = await #expect(throws: JournalError.self) { try await journal.append(writer.drafts(1), after: head) }
          #expect(error?.code == .failed && error?.journal == journal.name)
          #expect(try await journal.head() == head)
        }
        let again = try await SQLiteJournal(at: path, key: "b")
        #expect(try await again.append(writer.drafts(1), after: heads[1]).first == 1)
        await again.close()
        for journal in journals { await journal.close() }
      }
    }

    private final class FailingCommit: TransactionObserver {
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseWillCommit() throws { throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC) }
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }

    @Test("may be opened and closed at once: each finds all earlier entries, and the last one leaves no log")
    func races() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<6 {
            group.addTask {
              var head: Head?
              for round in 1...15 {
                let journal = try await SQLiteJournal(at: path, key: "\(number % 4)-\(number)", durability: .relaxed, lockTimeout: .patient)
                var writer = TestWriter()
                let found = try await journal.head()
                #expect(head == nil || head == found)
                head = try await journal.append(writer.drafts(1), after: found).head
                #expect(head?.revision == Revision(Int64(round)))
                if round % 3 > 0 { await journal.close() }
              }
            }
          }
          try await group.waitForAll()
        }
        // A handle that was dropped closes itself a moment later.
        while folder.contents.contains("journal.db-wal") { await Task.yield() }
        let journal = try await SQLiteJournal(at: path, key: "1-1")
        #expect(try await journal.verify().revision == 15)
        await journal.close()
      }
    }

    @Test("never take a key that a damaged index has lost for a new one, however many keys are created")
    func damagedKeys() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        for key in ["main", "lost"] { await (try SQLiteJournal(at: path, key: key)).close() }
        var bytes = try folder.bytes("journal.db")
        let page = try #require(
          stride(from: 0, to: bytes.count, by: 4_096).first {
            bytes[$0] == 10 && bytes[$0..<$0 + 4_096].firstRange(of: Data("lost".utf8)) != nil
          })
        let place = try #require(bytes[page..<page + 4_096].firstRange(of: Data("lost".utf8)))
        bytes.replaceSubrange(place, with: Data("lust".utf8))
        try folder.write(bytes, to: "journal.db")
        let journal = try await SQLiteJournal(at: path)
        // The ninth new key has the whole index checked, and so has every later one.
        for number in 1...8 { await (try SQLiteJournal(at: path, key: "new \(number)")).close() }
        for key in ["lost", "new 9", "lost", "new 9"] {
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, key: key) }
          #expect(error?.code == .damaged && error?.description.contains("the index of its journals' keys") == true)
        }
        await journal.close()
      }
    }

    @Test("keep no file for a holder when most descriptors of the process are in use; its lease then ends by the clock")
    func holders() async throws {
      try await Folder.use { folder in
        let location = try FileLocation(folder.path("journal.db"), name: "journal")
        for (most, count) in [(Int32.max, 1), (0, 0)] {
          let holders = HolderFiles(location, mostDescriptors: most)
          holders.hold("work", for: .random())
          #expect(folder.contents.count == count)
          #expect(holders.isEmpty == (count == 0))
          holders.close()
          #expect(folder.contents.isEmpty)
        }
      }
    }
  }
#endif
