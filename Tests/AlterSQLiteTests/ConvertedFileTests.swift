#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A file that a newer version converts", .timeLimit(.minutes(20)))
  struct ConvertedFileTests {
    /// Converts a file as `Design/0003-journal-format.md` requires it of a later format: one transaction renames every table.
    private static func convert(_ path: String) throws {
      let database = try DatabaseQueue(path: path)
      defer { try? database.close() }
      try database.inDatabase { database in
        try database.inTransaction(.immediate) {
          for object in FileFormat.schema where object.type == "view" { try database.execute(sql: "DROP VIEW \(object.name)") }
          for object in FileFormat.schema where object.type == "table" {
            try database.execute(sql: "ALTER TABLE \(object.name) RENAME TO \(object.name)_2")
          }
          try database.execute(sql: "PRAGMA user_version = 2")
          return .commit
        }
      }
    }

    private typealias Call = (name: String, run: @Sendable (SQLiteJournal) async throws -> Void)

    private static func reads(_ id: EntryID) -> [Call] {
      [
        ("head", { _ = try await $0.head() }), ("entries", { _ = try await $0.entries(after: .zero, limit: 10) }),
        ("entry", { _ = try await $0.entry(id) }), ("leases", { _ = try await $0.leases() }),
        ("snapshots", { _ = try await $0.snapshots(upTo: 9, limit: 9) }), ("snapshot", { _ = try await $0.snapshot(at: 3) }),
        ("wait", { try await $0.waitForEntry(after: 3) }), ("verify", { _ = try await $0.verify() }),
      ]
    }

    private static func writes(_ drafts: [Entry.Draft], after head: Head, _ lease: Lease, _ snapshot: Snapshot) -> [Call] {
      [
        ("append", { _ = try await $0.append(drafts, after: head) }),
        ("one", { _ = try await $0.append([drafts[0]], after: head, in: nil, under: [lease]) }),
        ("lease", { _ = try await $0.lease("two", for: lease.holder, lasting: .seconds(1)) }), ("release", { try await $0.release(lease) }),
        ("keep", { try await $0.keep(snapshot) }), ("remove", { try await $0.removeSnapshot(at: 3) }),
      ]
    }

    private static func expectConverted(_ journal: SQLiteJournal, _ calls: [Call]) async {
      for call in calls {
        let error = await #expect(throws: JournalError.self, "\(call.name)") { try await call.run(journal) }
        #expect(error?.code == .newerFormat, "\(call.name): \(error as Any)")
        #expect(
          error?.message.contains("was converted to file format 2 while it was open here; this version supports formats up to 1") == true)
      }
    }

    @Test("stops every open handle with the reason, whether it has worked before or not, and nothing is written", arguments: [true, false])
    func openHandles(haveWorked: Bool) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let writer = try await SQLiteJournal(at: path)
        let reader = try await SQLiteJournal(at: path, isReadOnly: true)
        var maker = TestWriter()
        let origin = maker.origin
        let maid = try await SQLiteJournal(at: path)
        let head = try await maid.append(maker.drafts(3), after: try await maid.head()).head
        let snapshot = Snapshot(head: head, base: head, schema: 1, written: 10, payload: Data("{}".utf8))
        try await maid.keep(snapshot)
        let lease = try await maid.lease("one", for: origin, lasting: .seconds(60))
        await maid.close()
        let id = EntryID(origin: origin, sequence: 2)
        var last = head
        if haveWorked {
          // The statements of all calls are prepared.
          last = try await writer.append(maker.drafts(40), after: head, in: nil, under: [lease]).head
          try await writer.keep(snapshot)
          for journal in [writer, reader] {
            for call in Self.reads(id) { try await call.run(journal) }
          }
        }
        let end = last
        let waits = [writer, reader].map { journal in Task { try await journal.waitForEntry(after: end.revision) } }
        try Self.convert(path)
        let calls = Self.reads(id).filter { $0.name != "wait" || !haveWorked }
        await Self.expectConverted(reader, calls)
        await Self.expectConverted(writer, calls + Self.writes(maker.drafts(40), after: end, lease, snapshot))
        for wait in waits {
          let error = await #expect(throws: JournalError.self) { try await wait.value }
          #expect(error?.code == .newerFormat)
        }
        await reader.close()
        await writer.close()
        let database = try DatabaseQueue(path: path)
        let rows = try await database.read { database in
          try ["entries_2", "leases_2", "snapshots_2"].map { try Int64.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1 }
        }
        try database.close()
        #expect(rows == [end.revision.number, 1, 1])
        for isReadOnly in [true, false] {
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: isReadOnly) }
          #expect(error?.description.contains("has file format 2; this version of Alter supports formats up to 1") == true)
        }
      }
    }

    @Test("is not confused with a file that has lost a table")
    func lostTable() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let database = try DatabaseQueue(path: path)
        try await database.write { try $0.execute(sql: "DROP TABLE leases") }
        try database.close()
        #expect(await #expect(throws: JournalError.self) { try await journal.leases() }?.code == .damaged)
        let error = await #expect(throws: JournalError.self) { try await journal.lease("one", for: .random(), lasting: .seconds(1)) }
        #expect(error?.code == .damaged)
        await journal.close()
      }
    }
  }
#endif
