#if SQLite
  import Alter
  import AlterCore
  import AlterSQLite
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  /// The procedure of `docs/compaction.md`, 'Erasing a person's data'.
  @Suite("Erased data", .timeLimit(.minutes(20)))
  struct ErasureTests {

    private static let needle = "Qx7-needle-of-a-person"

    /// The names of the files of a folder that contain the needle.
    private func found(in folder: Folder) throws -> [String] {
      try folder.contents.filter { try folder.bytes($0).range(of: Data(Self.needle.utf8)) != nil }
    }

    private func fill(_ store: Store<Members>) async throws {
      for id in 1...200 { try await store.change(.put(Members.Member(id: id, name: "member \(id)"))).durable() }
      for number in 1...40 {
        try await store.change(.rename(id: 7, "\(Self.needle) \(number) \(String(repeating: "y", count: 3_000))")).durable()
      }
      _ = try await store.undo()
      try await store.change(.rename(id: 7, Self.needle), cause: Cause(metadata: ["who": Self.needle])).durable()
    }

    @Test("are in no byte of any file: not in entries, snapshots, free pages, the log or the files beside it")
    func file() async throws {
      try await Folder.use { folder in
        var options = StoreOptions()
        options.snapshotSpacing = 20
        options.undoWindow = 10
        options.keepsJournalOpen = true
        let journal = try await SQLiteJournal(at: folder.path("members.db"), lockTimeout: .patient)
        let store = try await Store.open(Members(), in: journal, options: options)
        try await fill(store)
        try await journal.backup(to: folder.path("backup.db"))
        let before = try found(in: folder)
        #expect(before.contains("backup.db") && before.contains { $0.hasPrefix("members.db") })
        // 1. The app's own change. 2. The history goes. 3. The file is written again.
        try await store.change(.erase(7)).durable()
        #expect(try await store.compact(keeping: .last(0)).limitation == nil)
        try await journal.vacuum()
        let state = store.state
        await store.close()
        await journal.close()
        // 4. Backups from before are files of their own.
        #expect(try found(in: folder) == ["backup.db"])
        try FileManager.default.removeItem(atPath: folder.path("backup.db"))
        #expect(try found(in: folder) == [])

        let again = try await SQLiteJournal(at: folder.path("members.db"))
        try await again.verify()
        let reopened = try await Store.open(Members(), in: again)
        #expect(reopened.state == state && reopened.state.members.count == 199)
        await reopened.close()
      }
    }

    @Test("may still be in the log while a reader of the file is at work: the call fails, and later it is done")
    func reader() async throws {
      try await Folder.use { folder in
        let path = folder.path("members.db")
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let journal = try await SQLiteJournal(at: path, lockTimeout: .patient)
        let store = try await Store.open(Members(), in: journal, options: options)
        try await fill(store)
        try await store.change(.erase(7)).durable()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try await reader.writeWithoutTransaction { database in
          try database.execute(sql: "BEGIN DEFERRED")
          _ = try Row.fetchAll(database, sql: "SELECT name FROM sqlite_schema")
        }
        try await store.compact(keeping: .last(0))
        let error = await #expect(throws: JournalError.self) { try await journal.vacuum() }
        #expect(error?.code == .locked && error?.description.contains("the former content is still in the files") == true)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try reader.close()
        try await journal.vacuum()
        #expect(try found(in: folder) == [])
        try await store.change(.put(Members.Member(id: 201, name: "later"))).durable()
        await store.close()
        await journal.close()
      }
    }

    @Test("are not returned by a store that was open when another handle compacted the file")
    func openStore() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("members.db"), lockTimeout: .patient)
        let store = try await Store.open(Members(), in: journal)
        try await fill(store)
        try await store.change(.erase(7)).durable()
        let end = store.revision
        let (before, first) = (Revision(end.number - 1), Revision(end.number - 5))
        #expect(try await store.state(at: before).members[id: 7]?.name == Self.needle)
        let other = try await SQLiteJournal(at: folder.path("members.db"), lockTimeout: .patient)
        try await Store<Members>.compact(other, keeping: .last(0))
        try await other.vacuum()
        await other.close()
        let error = await #expect(throws: JournalError.self) { try await store.state(at: before) }
        #expect(error?.code == .noSuchRevision && error?.description.contains("\(end)") == true)
        #expect(try await store.state(at: end).members.count == 199)
        await #expect(throws: JournalError.self) { try await store.bisect(in: first...end) { $0.members[id: 7] == nil } }
        await #expect(throws: JournalError.self) { try await store.scan(in: first...end) { $0.members[id: 7] == nil } }
        await #expect(throws: JournalError.self) { try await store.entries(in: first...end) }
        await store.close()
      }
    }
  }
#endif
