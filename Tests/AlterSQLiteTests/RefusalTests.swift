#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("What is at the path already", .timeLimit(.minutes(20)))
  struct RefusalTests {
    /// The error of opening a file with these bytes. Checks that the file is unchanged and that no other file appears beside it.
    private func refusal(of bytes: Data, name: String = "journal.db", isReadOnly: Bool = false) async throws -> JournalError {
      try await Folder.use { folder in
        try folder.write(bytes, to: name)
        let error = try await #require(throws: JournalError.self) { try await SQLiteJournal(at: folder.path(name), isReadOnly: isReadOnly) }
        #expect(try folder.bytes(name) == bytes)
        #expect(folder.contents == [name])
        #expect(error.description.contains(folder.path(name)))
        return error
      }
    }

    /// The bytes of a database that the closure fills.
    private func database(_ fill: (Database) throws -> Void) async throws -> Data {
      try await Folder.use { folder in
        let database = try DatabaseQueue(path: folder.path("other.db"))
        try database.inDatabase(fill)
        try database.close()
        return try folder.bytes("other.db")
      }
    }

    /// The bytes of a closed journal with some entries.
    private func journal(entries count: Int = 200) async throws -> Data {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(count), after: try await journal.head())
        await journal.close()
        return try folder.bytes("journal.db")
      }
    }

    @Test(
      "is refused and left alone when it is a file of another kind",
      arguments: ["Dear Jack,\n", "S", "SQLite format 4\0\(String(repeating: "x", count: 100))", "\0"])
    func otherFile(_ text: String) async throws {
      let error = try await refusal(of: Data(text.utf8))
      #expect([.notAJournal, .damaged].contains(error.code))
      if text != "S" { #expect(error.code == .notAJournal) }
    }

    @Test("is refused and left alone when it is another application's database", arguments: [false, true])
    func otherDatabase(isReadOnly: Bool) async throws {
      let plain = try await database { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") }
      #expect(try await refusal(of: plain, isReadOnly: isReadOnly).code == .notAJournal)
      let wal = try await database { try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA application_id = 7; CREATE TABLE t (x)") }
      let error = try await refusal(of: wal, isReadOnly: isReadOnly)
      #expect(error.code == .notAJournal)
      #expect(error.description.contains("application_id 7"))
    }

    @Test("is refused and left alone when its format is newer")
    func newerFormat() async throws {
      let newer = try await database {
        try $0.execute(sql: "PRAGMA application_id = \(0x416C_7472); PRAGMA user_version = 2; CREATE TABLE t (x)")
      }
      let error = try await refusal(of: newer)
      #expect(error.code == .newerFormat)
      #expect(error.description.contains("has file format 2; this version of Alter supports formats up to 1"))
    }

    @Test(
      "is refused as damaged and left alone when it was cut off", arguments: [1, 15, 16, 99, 100, 4_095, 4_096, 8_192, 12_000, -4_096, -1])
    func truncated(_ length: Int) async throws {
      let whole = try await journal()
      let error = try await refusal(of: length > 0 ? whole.prefix(length) : whole.dropLast(-length))
      #expect(error.code == .damaged)
    }

    @Test("is refused when it is a folder, or its folder doesn't exist, or it can't be a path at all")
    func noFile() async throws {
      try await Folder.use { folder in
        func code(_ path: String) async -> JournalError.Code? {
          await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path) }?.code
        }
        #expect(await code(folder.path) == .notAJournal)
        #expect(await code(folder.path("missing/journal.db")) == .unreachable)
        #expect(await code(folder.path + "/missing/") == .unreachable)
        #expect(await code("") == .unreachable)
        #expect(await code("/dev/null") == .notAJournal)
        #expect(await code(folder.path + "/a\0b") == .unreachable)
        #expect(folder.contents == [])
        let web = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: URL(string: "https://example.org/journal.db")!) }
        #expect(web?.code == .unreachable)
      }
    }

    @Test("is refused when it is a link that leads nowhere, and the link stays", arguments: [true, false])
    func danglingLink(isReadOnly: Bool) async throws {
      try await Folder.use { folder in
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: false)
        let path = folder.path("home.db")
        for target in ["disk/list.db", "away/list.db"] {
          try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: isReadOnly) }
          #expect(error?.code == .unreachable)
          #expect(
            error?.description.contains("'\(path)' is a symbolic link to '\(target)', which does not exist") == true, "\(error as Any)")
          #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
          #expect(folder.contents == ["disk", "home.db"])
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }

    @Test("is replaced when it is empty, as a file made for the purpose is")
    func emptyFile() async throws {
      try await Folder.use { folder in
        try folder.write(Data(), to: "journal.db")
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        await journal.close()
        #expect(try folder.bytes("journal.db").count > 0)
      }
    }

    @Test("is not started anew over when it is empty, but once held a journal")
    func emptiedFile() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(3), after: try await journal.head())
        await journal.close()
        try folder.write(Data(), to: "journal.db")
        let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: folder.path("journal.db")) }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("is empty, but once held revision 3") == true)
        #expect(try folder.bytes("journal.db").isEmpty)
        // To start from scratch, the user deletes the file.
        try FileManager.default.removeItem(atPath: folder.path("journal.db"))
        let fresh = try await SQLiteJournal(at: folder.path("journal.db"))
        #expect(try await fresh.head().revision == 0)
        await fresh.close()
        let again = try await SQLiteJournal(at: folder.path("journal.db"))
        #expect(try await again.head() == (try await again.verify()))
        await again.close()
      }
    }

    @Test("is not started anew over when only the file is gone, and its log holds changes")
    func orphanedLog() async throws {
      try await Folder.use { folder in
        try folder.write(Data("changes that were never moved into the file".utf8), to: "journal.db-wal")
        let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: folder.path("journal.db")) }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("journal.db-wal") == true)
        #expect(!folder.contents.contains("journal.db"))
        #expect(try folder.bytes("journal.db-wal").count == 43)
      }
    }
  }
#endif
