#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A rollback journal beside the file", .timeLimit(.minutes(20)))
  struct RollbackJournalTests {
    /// The kinds of rollback journals that an attacker may plant.
    enum Harm: CaseIterable, Sendable {
      /// It names a file that SQLite deletes.
      case deletes
      /// It contains a page with which SQLite overwrites a page of the file.
      case overwrites
    }

    private static func big(_ number: Int) -> Data { withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Data($0) } }

    private static func planted(_ harm: Harm, victim: String) -> Data {
      let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
      switch harm {
      case .deletes:
        let name = Data(victim.utf8)
        return Data(repeating: 120, count: 512) + big(0x4000_0000 / 4096 + 1) + name + big(name.count)
          + big(name.reduce(0) { $0 + Int($1) }) + magic
      case .overwrites:
        // One page of zeros. Its checksum equals the initial value of the sum.
        var head = magic + big(1) + big(7) + big(100) + big(512) + big(4096)
        head.append(Data(repeating: 0, count: 512 - head.count))
        return head + big(2) + Data(repeating: 0, count: 4096) + big(7)
      }
    }

    /// Runs a test with a closed journal, a file of the owner's, and the planted rollback journal.
    private static func use(_ harm: Harm, _ body: (Folder, Data) async throws -> Void) async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(5), after: try await journal.head())
        await journal.close()
        try folder.write(Data("of value".utf8), to: "victim")
        try await body(folder, planted(harm, victim: folder.path("victim")))
      }
    }

    @Test("is refused by every opening and by a backup, and nothing is changed", arguments: Harm.allCases)
    func refused(_ harm: Harm) async throws {
      try await Self.use(harm) { folder, planted in
        let path = folder.path("journal.db")
        let bytes = try folder.bytes("journal.db")
        try folder.write(planted, to: "journal.db-journal")
        let contents = folder.contents
        for isReadOnly in [true, false] {
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: isReadOnly) }
          #expect(error?.code == .unreachable)
          #expect(error?.description.contains("'\(path)-journal' beside it is a rollback journal") == true, "\(error as Any)")
        }
        #expect(folder.contents == contents)
        #expect(try folder.bytes("journal.db") == bytes)
        try FileManager.default.removeItem(atPath: path + "-journal")
        let journal = try await SQLiteJournal(at: path)
        try folder.write(planted, to: "journal.db-journal")
        let error = await #expect(throws: JournalError.self) { try await journal.backup(to: folder.path("copy.db")) }
        #expect(error?.code == .unreachable)
        // A handle that is already open can continue.
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(1), after: try await journal.head()).head
        #expect(try await journal.verify() == head)
        await journal.close()
        #expect(try folder.bytes("victim") == Data("of value".utf8))
        #expect(try folder.bytes("journal.db-journal") == planted)
        try FileManager.default.removeItem(atPath: path + "-journal")
        let again = try await SQLiteJournal(at: path)
        #expect(try await again.verify() == head)
        await again.close()
      }
    }

    @Test("that comes while a handle for reading is open does nothing when that is closed", arguments: Harm.allCases)
    func late(_ harm: Harm) async throws {
      try await Self.use(harm) { folder, planted in
        let bytes = try folder.bytes("journal.db")
        let reader = try await SQLiteJournal(at: folder.path("journal.db"), isReadOnly: true)
        _ = try await reader.head()
        try folder.write(planted, to: "journal.db-journal")
        await reader.close()
        #expect(try folder.bytes("victim") == Data("of value".utf8))
        #expect(try folder.bytes("journal.db") == bytes)
        #expect(try folder.bytes("journal.db-journal") == planted)
      }
    }

    @Test("is not there for SQLite itself, where others in the process see it", arguments: Harm.allCases)
    func unseen(_ harm: Harm) async throws {
      try await Self.use(harm) { folder, planted in
        let path = folder.path("journal.db")
        let bytes = try folder.bytes("journal.db")
        try folder.write(planted, to: "journal.db-journal")
        for system in ["alter", "alter-guest", nil] {
          // A guest creates no log, and therefore can't open the file.
          let database = try? DatabaseQueue(path: "file:\(path)" + (system.map { "?vfs=\($0)" } ?? ""))
          #expect(system != "alter" || database != nil)
          try? database?.inDatabase { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM journals") }
          try? database?.close()
          let isHarmed = try !folder.contents.contains("victim") || folder.bytes("journal.db") != bytes
          #expect(isHarmed == (system == nil), "\(system ?? "the default")")
          if system != nil { #expect(try folder.bytes("journal.db-journal") == planted) }
        }
      }
    }

    @Test("that lies where a backup's would doesn't disturb it, and the backup can be written", arguments: Harm.allCases)
    func beside(_ harm: Harm) async throws {
      try await Self.use(harm) { folder, planted in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let head = try await journal.head()
        try folder.write(planted, to: "copy.db-backup-journal")
        try await journal.backup(to: folder.path("copy.db"))
        await journal.close()
        #expect(try folder.bytes("copy.db-backup-journal") == planted)
        #expect(try folder.bytes("victim") == Data("of value".utf8))
        let copy = try await SQLiteJournal(at: folder.path("copy.db"))
        var writer = TestWriter()
        let next = try await copy.append(writer.drafts(1), after: head).head
        #expect(try await copy.verify() == next)
        #expect(try await copy.settings().journalMode == "wal")
        await copy.close()
      }
    }

    @Test("that is empty, as SQLite may leave one, is let be")
    func empty() async throws {
      try await Self.use(.deletes) { folder, _ in
        try folder.write(Data(), to: "journal.db-journal")
        await (try await SQLiteJournal(at: folder.path("journal.db"))).close()
        #expect(folder.contents.contains("journal.db-journal"))
      }
    }
  }
#endif
