#if SQLite
  import AlterCore
  import AlterJournal
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("When writing fails", .timeLimit(.minutes(20)))
  struct FailureTests {
    /// Makes commits fail with the errors of a failing disk.
    private final class FailingCommits: TransactionObserver {
      let code: ResultCode
      init(_ code: ResultCode) { self.code = code }
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseWillCommit() throws { throw DatabaseError(resultCode: code, message: "secret-free words") }
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }

    @Test(
      "a commit that failed fails the handle for good, and nothing is acknowledged from a re-read",
      arguments: [ResultCode.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_WRITE, .SQLITE_CORRUPT])
    func commitFails(_ code: ResultCode) async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        let first = writer.drafts(1)
        let head = try await journal.append(first, after: try await journal.head()).head
        let database = try #require(journal.file.writer).database
        let fault = FailingCommits(code)
        database.add(transactionObserver: fault)
        let drafts = writer.drafts(1)
        let error = try await #require(throws: JournalError.self) { try await journal.append(drafts, after: head) }
        #expect(error.code == .failed)
        #expect(!error.isTransient)
        database.remove(transactionObserver: fault)
        // The disk works again, but its content is unknown. The handle does not even acknowledge a repeated append that it acknowledged
        // before.
        for again in [drafts, writer.drafts(1), first] {
          await #expect(throws: error) { try await journal.append(again, after: head) }
        }
        #expect(try await journal.head() == head)
        // A new handle continues from the actual content.
        let reopened = try await SQLiteJournal(at: folder.path("journal.db"))
        #expect(try await reopened.append(drafts, after: head).first == 2)
        await reopened.close()
        await journal.close()
      }
    }

    @Test("a full disk fails an append, and the next one that fits goes through")
    func full() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        let head = try await journal.head()
        let database = try #require(journal.file.writer).database
        let pages = try await database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 2)") }
        let big = writer.draft("\"\(String(repeating: "x", count: 100_000))\"")
        let error = await #expect(throws: JournalError.self) { try await journal.append([big], after: head) }
        #expect(error?.code == .full)
        #expect(error?.description.contains("Free some space") == true)
        #expect(error?.description.contains("xxx") == false)
        #expect(try await journal.head() == head)
        let small = try await journal.append([writer.draft()], after: head).head
        try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        #expect(try await journal.append([big], after: small).first == 2)
        #expect(try await journal.verify().revision == 2)
        await journal.close()
      }
    }

    @Test("a file that was deleted before its first change is gone, and not read-only")
    func deletedEarly() async throws {
      try await Folder.use { folder in
        let database = try DatabaseQueue(path: folder.path("journal.db"))
        try await database.write { try $0.execute(sql: "CREATE TABLE a (x)") }
        try FileManager.default.removeItem(atPath: folder.path("journal.db"))
        let thrown = await #expect(throws: DatabaseError.self) { try await database.write { try $0.execute(sql: "CREATE TABLE b (x)") } }
        let error = JournalError.translated(try #require(thrown), in: "journal.db", doing: "open")
        #expect(
          error.code == .diverged && error.description.contains("is gone: its file was deleted or moved while it was open"), "\(error)")
        try database.close()
      }
    }

    @Test("a file that another program deletes while it is made is gone, and not read-only or damaged")
    func deletedWhileMade() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let temporary = try FileLocation(path, name: path).temporary
        let isOver = Lock(false)
        let deleting = Task.detached { while !isOver.withLock({ $0 }) { unlink(temporary) } }
        var deleted = 0
        while deleted < 5 {
          do throws(JournalError) {
            await (try await SQLiteJournal(at: path)).close()
            unlink(path)
          } catch {
            // At the end the file can't be moved into place.
            #expect(error.code == .diverged || error.code == .unreachable, "\(error)")
            if error.code == .diverged { deleted += 1 }
          }
        }
        isOver.withLock { $0 = true }
        await deleting.value
        await (try await SQLiteJournal(at: path)).close()
      }
    }

    @Test("a file that was deleted or replaced while it was open is not written to", arguments: [true, false])
    func replaced(isMissing: Bool) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(1), after: try await journal.head()).head
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("moved.db"))
        if !isMissing { try folder.write(Data("another file".utf8), to: "journal.db") }
        let drafts = writer.drafts(1)
        let error = await #expect(throws: JournalError.self) { try await journal.append(drafts, after: head) }
        #expect(error?.code == .diverged)
        #expect(error?.description.contains(isMissing ? "is gone" : "is another file now") == true)
        #expect(try await journal.head() == head)
        // When the file is moved back, it is the same journal again.
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.path("moved.db"), toPath: path)
        #expect(try await journal.append(drafts, after: head).first == 2)
        await journal.close()
      }
    }

    @Test("a program that keeps the database locked is waited for, and then named as the reason")
    func foreignLock() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let head = try await journal.head()
        var writer = TestWriter()
        // The test doesn't wait for the five seconds of the normal timeout.
        try await #require(journal.file.writer).database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let foreign = try DatabaseQueue(path: folder.path("journal.db"), configuration: configuration)
        try await foreign.writeWithoutTransaction {
          try $0.execute(sql: "BEGIN IMMEDIATE")
        }
        let drafts = writer.drafts(1)
        let error = await #expect(throws: JournalError.self) { try await journal.append(drafts, after: head) }
        #expect(error?.code == .locked)
        #expect(error?.description.contains("a program other than Alter") == true)
        try await foreign.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await journal.append(drafts, after: head).first == 1)
        try foreign.close()
        await journal.close()
      }
    }
  }
#endif
