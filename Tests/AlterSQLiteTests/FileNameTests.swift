#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("The name of a journal's file", .timeLimit(.minutes(20)))
  struct FileNameTests {
    @Test("is its only one: a file with a hard link is refused by either name, for writing and for reading, and nothing of it is lost")
    func hardLink() async throws {
      try await Folder.use { folder in
        let (path, other) = (folder.path("journal.db"), folder.path("other.db"))
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
        await journal.close()
        try #require(link(path, other) == 0)
        let before = folder.contents
        for name in [path, other] {
          for isReadOnly in [false, true] {
            let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: name, isReadOnly: isReadOnly) }
            #expect(error?.code == .unreachable && error?.description.contains("'\(name)' has another name, too") == true, "\(error!)")
          }
        }
        #expect(folder.contents == before)
        try #require(unlink(other) == 0)
        let again = try await SQLiteJournal(at: path)
        #expect(try await again.verify() == head)
        await again.close()
      }
    }

    @Test("may have that of an interrupted backup beside it")
    func backup() async throws {
      try await Folder.use { folder in
        let (path, copy) = (folder.path("journal.db"), folder.path("copy.db"))
        let journal = try await SQLiteJournal(at: path)
        try await journal.backup(to: copy)
        await journal.close()
        try #require(link(copy, copy + "-backup") == 0)
        await (try SQLiteJournal(at: copy)).close()
        try #require(link(copy, copy + "-third") == 0)
        await #expect(throws: JournalError.self) { try await SQLiteJournal(at: copy) }
      }
    }

    @Test("has at most 500 bytes with its folders; the error gives the number")
    func length() async throws {
      try await Folder.use { folder in
        var parent = folder.path
        while parent.utf8.count < 300 {
          parent += "/" + String(repeating: "f", count: 100)
          try #require(mkdir(parent, 0o700) == 0)
        }
        let resolved = try #require(realpath(parent, nil))
        defer { free(resolved) }
        parent = String(cString: resolved)
        func path(_ length: Int) -> String { parent + "/" + String(repeating: "n", count: length - parent.utf8.count - 1) }
        var writer = TestWriter()
        let journal = try await SQLiteJournal(at: path(500))
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        await journal.close()
        let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path(501)) }
        #expect(error?.code == .unreachable && error?.description.contains("its path has 501 bytes, and SQLite allows 500") == true)
      }
    }
  }
#endif
