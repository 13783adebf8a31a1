#if SQLite
  import AlterCore
  import AlterJournal
  import Foundation
  import Testing

  @testable import AlterSQLite

  @Suite("The reading connections of a process", .timeLimit(.minutes(20)))
  struct ReadingPoolTests {
    @Test("beyond the limit, the one that was used longest ago is closed")
    func order() {
      let pool = ReadingPool(limit: 2)
      let closed = Lock<[String]>([])
      let keys = ["a", "b", "c", "d"]
      let objects = Dictionary(uniqueKeysWithValues: keys.map { ($0, NSObject()) })
      func use(_ key: String) { pool.use(ObjectIdentifier(objects[key]!)) { closed.withLock { $0.append(key) } } }
      for key in ["a", "b", "a", "a", "c"] { use(key) }
      #expect(closed.withLock { $0 } == ["b"] && pool.count == 2)
      pool.remove(ObjectIdentifier(objects["a"]!))
      use("d")
      #expect(closed.withLock { $0 } == ["b"] && pool.count == 2)
      use("b")
      #expect(closed.withLock { $0 } == ["b", "c"] && pool.count == 2)
    }

    @Test("are closed and opened again without any effect on reads, on followers, and on other journals", arguments: [true, false])
    func reopening(isOneFile: Bool) async throws {
      try await TemporaryFolder.use { folder in
        var journals: [SQLiteJournal] = []
        for number in 0..<80 {
          let journal = try await SQLiteJournal(
            at: folder.path(isOneFile ? "all.alter" : "\(number).alter"), key: isOneFile ? "\(number)" : "main")
          var writer = TestWriter()
          _ = try await journal.append(writer.drafts(1 + number % 3), after: try await journal.head())
          journals.append(journal)
        }
        // A follower of the first one, whose connection has been closed since.
        let first = journals[0]
        let follower = Task { try await first.waitForEntry(after: 1) }
        for _ in 0..<2 {
          for (number, journal) in journals.enumerated() {
            #expect(try await journal.entries(after: .zero, limit: 10).count == 1 + number % 3)
          }
        }
        #expect(ReadingPool.shared.count <= 32)
        let other = try await SQLiteJournal(at: first.path, key: first.key)
        var writer = TestWriter()
        _ = try await other.append(writer.drafts(1), after: try await other.head())
        try await follower.value
        #expect(try await first.head().revision == 2)
        for journal in journals + [other] { await journal.close() }
      }
    }

    @Test("that would lead to a file that has taken the journal's place are refused")
    func replaced() async throws {
      try await TemporaryFolder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("1.alter"))
        _ = try await journal.head()
        var others: [SQLiteJournal] = []
        for number in 0..<40 {
          let other = try await SQLiteJournal(at: folder.path("other \(number).alter"))
          _ = try await other.head()
          others.append(other)
        }
        try FileManager.default.moveItem(atPath: folder.path("1.alter"), toPath: folder.path("2.alter"))
        try FileManager.default.copyItem(atPath: folder.path("other 0.alter"), toPath: folder.path("1.alter"))
        await #expect { _ = try await journal.head() } throws: { ($0 as? JournalError)?.code == .diverged }
        for journal in others + [journal] { await journal.close() }
      }
    }

    #if os(Linux)
      @Test("of a hundred journals need no more descriptors than those of 32")
      func descriptors() async throws {
        try await TemporaryFolder.use { folder in
          var journals: [SQLiteJournal] = []
          for number in 0..<100 { journals.append(try await SQLiteJournal(at: folder.path("\(number).alter"))) }
          for journal in journals { _ = try await journal.head() }
          // The connections are closed on their own queues, after all earlier work.
          for journal in journals { try await journal.reading.run { () throws(JournalError) in } }
          let root = folder.url.resolvingSymlinksInPath().path
          let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
          }.filter { $0.hasPrefix(root) }
          // SQLite keeps a closed descriptor of the file itself while another connection has locks on it, and uses it for the next one.
          #expect(open.count <= 100 * 6 + 32)
          for journal in journals { await journal.close() }
        }
      }
    #endif
  }
#endif
