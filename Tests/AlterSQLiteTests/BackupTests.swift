#if SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Looking after a journal file", .timeLimit(.minutes(20)))
  struct BackupTests {
    @Test("A backup of a journal in use is complete, has its id, and can be opened and written")
    func backup() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"), durability: .relaxed)
        var writer = TestWriter()
        var head = try await journal.append(writer.drafts(50), after: try await journal.head()).head
        try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("{}".utf8)))
        // Another writer appends all the while.
        let writing = Task { [writer, head] in
          var (writer, head) = (writer, head)
          // Cancellation ends it, between two appends or while it waits for one.
          while !Task.isCancelled, let next = try? await journal.append(writer.drafts(3), after: head).head { head = next }
        }
        var lengths: [Revision] = []
        for number in 0..<5 {
          try await journal.backup(to: folder.path("backup-\(number).db"))
          let copy = try await SQLiteJournal(at: folder.path("backup-\(number).db"))
          let copied = try await copy.verify()
          lengths.append(copied.revision)
          #expect(copied.journal == head.journal)
          #expect((copied.revision.number - 50) % 3 == 0, "batches are whole")
          #expect(try await copy.snapshot(at: 50)?.isSound == true)
          var other = TestWriter()
          _ = try await copy.append(other.drafts(1), after: copied)
          await copy.close()
          let mode = try FileManager.default.attributesOfItem(atPath: folder.path("backup-\(number).db"))[.posixPermissions] as? Int
          #expect(mode == 0o600)
        }
        writing.cancel()
        await writing.value
        head = try await journal.head()
        #expect(lengths == lengths.sorted() && lengths.allSatisfy { $0 <= head.revision })
        #expect(!folder.contents.contains { $0.hasSuffix("-backup") })
        await journal.close()
      }
    }

    @Test("A backup never takes the place of something else, and needs a folder")
    func neverOverwrites() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        try folder.write(Data("mine".utf8), to: "other.txt")
        for path in ["other.txt", "journal.db"] {
          let before = try folder.bytes(path)
          let error = await #expect(throws: JournalError.self) { try await journal.backup(to: folder.path(path)) }
          #expect(error?.code == .conflict)
          #expect(
            error?.description.contains("'\(folder.url.resolvingSymlinksInPath().path)/\(path)' exists already") == true,
            "\(error?.description ?? "")")
          #expect(try folder.bytes(path) == before)
        }
        let error = await #expect(throws: JournalError.self) { try await journal.backup(to: folder.path("missing/backup.db")) }
        #expect(error?.code == .unreachable)
        await journal.close()
        #expect(folder.contents.filter { $0.contains("backup") } == [])
      }
    }

    @Test("A backup that was killed is not in the way of the next, and two at a time don't share a file") func interrupted() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(2), after: try await journal.head()).head
        try folder.write(Data("half of a copy".utf8), to: "backup.db-backup")
        let descriptor = open(folder.path("backup.db-backup"), O_RDWR | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let error = await #expect(throws: JournalError.self) { try await journal.backup(to: folder.path("backup.db")) }
        #expect(error?.code == .conflict)
        #expect(try folder.bytes("backup.db-backup") == Data("half of a copy".utf8))
        close(descriptor)
        try await journal.backup(to: folder.path("backup.db"))
        #expect(!folder.contents.contains("backup.db-backup"))
        await journal.close()
        let copy = try await SQLiteJournal(at: folder.path("backup.db"))
        #expect(try await copy.verify() == head)
        await copy.close()
      }
    }

    @Test("A backup that is put in the original's place is noticed by who has seen more")
    func restored() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        let early = try await journal.append(writer.drafts(2), after: try await journal.head()).head
        try await journal.backup(to: folder.path("backup.db"))
        let late = try await journal.append(writer.drafts(2), after: early).head
        await journal.close()
        let restored = try await SQLiteJournal(at: folder.path("backup.db"))
        #expect(try await restored.head() == early)
        let drafts = writer.drafts(1)
        let error = await #expect(throws: JournalError.self) { try await restored.append(drafts, after: late) }
        #expect(error?.code == .diverged)
        await restored.close()
      }
    }

    @Test("An index that lacks a row is found by verification, although every entry can be read")
    func damagedIndex() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(20), after: try await journal.head())
        try await journal.verify()
        await journal.close()
        let database = try DatabaseQueue(path: path)
        try await database.write { database in
          // The index is created again without one row, under the old definition, as a lost page would leave it.
          try database.execute(sql: "DROP INDEX entry_origin")
          try database.execute(sql: "CREATE UNIQUE INDEX entry_origin ON entries (journal, origin, sequence) WHERE sequence <> 7")
          try database.execute(sql: "PRAGMA writable_schema = ON")
          try database.execute(
            sql:
              "UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX entry_origin ON entries (journal, origin, sequence)' WHERE name = 'entry_origin'"
          )
        }
        try database.close()
        let damaged = try await SQLiteJournal(at: path)
        #expect(try await damaged.entries(after: .zero, limit: 100).count == 20)
        let error = await #expect(throws: JournalError.self) { try await damaged.verify() }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("entry_origin") == true, "\(error?.description ?? "")")
        await damaged.close()
      }
    }

    @Test("Snapshots in a file start a store, bit by bit damaged ones are ignored, and a read-only handle does without")
    func snapshots() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        var options = StoreOptions()
        options.undoWindow = 5
        options.snapshotSpacing = 40
        // Closing finishes a snapshot. While one is made, which is long on a busy machine, no other is begun.
        for _ in 0..<5 {
          let store = try await Store.open(Counter(), in: SQLiteJournal(at: path, durability: .relaxed), options: options)
          for number in 0..<40 {
            let commit = try store.change(.add(1))
            if number % 10 == 0 { try await commit.durable() }
          }
          await store.close()
        }
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let places = try await journal.snapshots(upTo: 1_000, limit: 100)
        #expect(places.count >= 3)
        try await Store<Counter>.verify(journal)
        let head = try await journal.head()
        let snapshot = try #require(try await journal.snapshot(at: places[0].revision))
        await #expect(throws: JournalError.self) { try await journal.keep(snapshot) }
        await journal.close()
        let database = try DatabaseQueue(path: path)
        try await database.write { try $0.execute(sql: "UPDATE snapshots SET payload = replace(payload, 'count', 'Count')") }
        try database.close()
        var readOnly = options
        readOnly.snapshotSpacing = 10
        let reading = try await Store.open(Counter(), in: SQLiteJournal(at: path, isReadOnly: true), options: readOnly)
        #expect(reading.state.count == 200 && reading.revision == head.revision)
        await reading.close()
        let again = try await Store.open(Counter(), in: SQLiteJournal(at: path), options: options)
        #expect(again.state.count == 200)
        await again.close()
        let repaired = try await SQLiteJournal(at: path)
        for place in try await repaired.snapshots(upTo: 1_000, limit: 100) {
          #expect(try await repaired.snapshot(at: place.revision)?.isSound == true)
        }
        try await Store<Counter>.verify(repaired)
        await repaired.close()
      }
    }
  }
#endif
