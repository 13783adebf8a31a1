#if SQLite
  import AlterCore
  import AlterJournal
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("The lock file", .timeLimit(.minutes(20)))
  struct LockTests {
    private let short = Duration.milliseconds(20)
    private let long = Duration.seconds(60)

    @Test("says who holds it, and is empty when nobody does")
    func mark() async throws {
      try await Folder.use { folder in
        let lock = FileLock(path: folder.path("lock"), name: "todo")
        try folder.write(Data("a longer mark that a process left when it was killed, with all its words\n".utf8), to: "lock")
        try lock.take(for: "append", waiting: LockWait(), timeout: long)
        let words = String(decoding: try folder.bytes("lock"), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        #expect(words.count == 4)
        #expect(words[0] == "\(ProcessInfo.processInfo.processIdentifier)")
        #expect(words[2] == "append")
        #expect(try Date.ISO8601FormatStyle().parse(String(words[3])) > Date(timeIntervalSince1970: 1_700_000_000))
        lock.release()
        #expect(try folder.bytes("lock").isEmpty)
        lock.release()
      }
    }

    @Test("is waited for only so long; the error names the holder, and the lock can be taken once it is free")
    func timeOut() async throws {
      try await Folder.use { folder in
        let holder = FileLock(path: folder.path("lock"), name: "todo")
        let other = FileLock(path: folder.path("lock"), name: "todo")
        for _ in 0..<3 {
          try holder.take(for: "append", waiting: LockWait(), timeout: long)
          #expect(!other.takeIfFree(for: "checkpoint"))
          let error = #expect(throws: JournalError.self) { try other.take(for: "append", waiting: LockWait(), timeout: short) }
          #expect(error?.code == .locked)
          #expect(error?.isTransient == true)
          #expect(error?.description.contains("in use by process \(ProcessInfo.processInfo.processIdentifier) ") == true)
          #expect(!other.isHeld)
          holder.release()
          // The abandoned wait must not keep the lock.
          try other.take(for: "append", waiting: LockWait(), timeout: long)
          other.release()
        }
      }
    }

    @Test("is not taken by a wait that was given up before or meanwhile")
    func givenUp() async throws {
      try await Folder.use { folder in
        let holder = FileLock(path: folder.path("lock"), name: "todo")
        let other = FileLock(path: folder.path("lock"), name: "todo")
        let early = LockWait()
        early.giveUp(.cancelled("todo"))
        #expect(throws: JournalError.cancelled("todo")) { try other.take(for: "append", waiting: early, timeout: long) }
        try holder.take(for: "append", waiting: LockWait(), timeout: long)
        let wait = LockWait()
        let waiting = Task.detached { [long] in try other.take(for: "append", waiting: wait, timeout: long) }
        wait.giveUp(.closed("todo"))
        await #expect(throws: JournalError.closed("todo")) { try await waiting.value }
        holder.release()
        try holder.take(for: "append", waiting: LockWait(), timeout: long)
        holder.release()
      }
    }

    @Test("is refused by a wait that is granted it just after it has timed out, so that it is passed on")
    func late() async throws {
      try await Folder.use { folder in
        let holder = FileLock(path: folder.path("lock"), name: "todo")
        let other = FileLock(path: folder.path("lock"), name: "todo")
        try holder.take(for: "append", waiting: LockWait(), timeout: long)
        let wait = LockWait()
        let place = try #require(try other.takeOrJoin(for: "append", waiting: wait))
        #expect(wait.settle(.timedOut))
        #expect(throws: JournalError.self) { try other.adopt(place, after: wait, timeout: short) }
        #expect(!wait.settle(.granted))
        holder.release()
      }
    }

    @Test("is handed on by a wait that was given up and got it later, also when another wait has stood in its place meanwhile")
    func takenOver() async throws {
      try await Folder.use { folder in
        let holder = FileLock(path: folder.path("lock"), name: "todo")
        try holder.take(for: "append", waiting: LockWait(), timeout: long)
        // One handle abandons the wait, another takes it over and abandons it, too.
        for _ in 0..<5 {
          let other = FileLock(path: folder.path("lock"), name: "todo")
          #expect(throws: JournalError.self) { try other.take(for: "append", waiting: LockWait(), timeout: short) }
        }
        let last = FileLock(path: folder.path("lock"), name: "todo")
        let waiting = Task.detached { [long] in
          try last.take(for: "append", waiting: LockWait(), timeout: long)
          last.release()
        }
        holder.release()
        try await waiting.value
        try holder.take(for: "append", waiting: LockWait(), timeout: long)
        #expect(holder.isHeld)
        holder.release()
      }
    }

    #if os(Linux)
      @Test("leaves one thread and one descriptor of a file behind, however many waits for it time out or are cancelled")
      func bounded() async throws {
        try await Folder.use { folder in
          let path = folder.path("journal.db")
          let journal = try await SQLiteJournal(at: path)
          let process = try LineProcess([Product.path("people-writer"), "wait", path, "50"])
          func census(_ prefix: String) async throws -> (threads: Int, descriptors: Int) {
            let line = try #require(await process.line { $0.hasPrefix(prefix) })
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return try #require(numbers.count == 2 ? (numbers[0], numbers[1]) : nil)
          }
          let before = try await census("ready")
          // The handles share it.
          #expect(before.descriptors == 1)
          let turn = try await journal.takeTurn()
          process.say("held")
          for way in ["turns", "cancelled", "openings"] {
            let after = try await census(way)
            #expect(after.descriptors == 1, "\(way)")
            // One thread may be blocked. The others belong to the system, which keeps some for later work.
            #expect(after.threads - before.threads < 16, "\(way)")
          }
          turn.end()
          process.say("free")
          #expect(await process.line { $0 == "appended" } != nil)
          process.child.wait()
          #expect(try await journal.head().revision == 1)
          await journal.close()
        }
      }
    #endif

    @Test("protects although its file was deleted")
    func deleted() async throws {
      try await Folder.use { folder in
        let first = FileLock(path: folder.path("lock"), name: "todo")
        let second = FileLock(path: folder.path("lock"), name: "todo")
        try first.take(for: "append", waiting: LockWait(), timeout: long)
        first.release()
        try FileManager.default.removeItem(atPath: folder.path("lock"))
        try second.take(for: "append", waiting: LockWait(), timeout: long)
        #expect(throws: JournalError.self) { try first.take(for: "append", waiting: LockWait(), timeout: short) }
        second.release()
        try first.take(for: "append", waiting: LockWait(), timeout: long)
        #expect(!second.takeIfFree(for: "append"))
        first.release()
      }
    }

    @Test("keeps other handles' appends and openings out while a turn lasts, and says by whom", arguments: Durability.allCases)
    func turn(_ durability: Durability) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        // With the same durability the handles share the lock, otherwise they do not.
        let other = try await SQLiteJournal(at: path, durability: durability, lockTimeout: short)
        let head = try await journal.head()
        var writer = TestWriter()
        let turn = try await journal.takeTurn()
        #expect(try folder.bytes("journal.db-lock").isEmpty == false)
        let draft = writer.draft()
        for attempt in [
          { _ = try await other.append([draft], after: head) }, { _ = try await other.takeTurn() },
          { _ = try await SQLiteJournal(at: path, key: "new", durability: durability, lockTimeout: short) },
        ] as [() async throws -> Void] {
          let error = await #expect(throws: JournalError.self) { try await attempt() }
          #expect(error?.code == .locked)
          #expect(error?.description.contains(" turn ") == true)
        }
        // Reading is still possible.
        #expect(try await other.head() == head)
        turn.end()
        _ = try await journal.settings()
        _ = try await other.append([draft], after: head)
        _ = try await other.settings()
        #expect(try folder.bytes("journal.db-lock").isEmpty)
        await other.close()
        await journal.close()
      }
    }

    @Test("is not passed by with a turn that has ended, or is another journal's", arguments: Durability.allCases)
    func foreignTurn(_ durability: Durability) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let other = try await SQLiteJournal(at: path, durability: durability, lockTimeout: short)
        let head = try await journal.head()
        var writer = TestWriter()
        let ended = try await other.takeTurn()
        ended.end()
        let turn = try await journal.takeTurn()
        for pass in [ended, turn, Turn {}] {
          let draft = writer.draft()
          let error = await #expect(throws: JournalError.self) { try await other.append([draft], after: head, in: pass) }
          #expect(error?.code == .locked)
        }
        turn.end()
        await other.close()
        await journal.close()
      }
    }
  }
#endif
