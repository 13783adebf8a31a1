#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("A file of format 2", .timeLimit(.minutes(20)))
  struct FormatTwoTests {
    private static let lineage = Lineage(Generation(1), former: [Generation(.max)])

    private static func rows(_ sql: String, in path: String) throws -> [[DatabaseValue]] {
      let database = try DatabaseQueue(path: path)
      defer { try? database.close() }
      return try database.read { try Row.fetchAll($0, sql: sql).map { $0.map(\.1) } }
    }

    private static let entryColumns = "revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum"

    @Test("is made by the first synced journal of a file of format 1, which loses no byte of any row")
    func conversion() async throws {
      try await TemporaryFolder.use { folder in
        try folder.write(FormatOne.bytes("format-1.db"), to: "before.db")
        let journal = try await FormatOne.open(in: folder)
        try await journal.serve(Self.lineage, schema: 3)
        #expect(try await journal.role() == .server)
        #expect(try await journal.verify().checksum.description == FormatOne.checksum)
        try await journal.verifyStorage()
        await journal.close()
        let (before, after) = (folder.path("before.db"), folder.path("format-1.db"))
        for (old, new, columns) in [
          ("entry", "entries", "journal, " + Self.entryColumns), ("journal", "journals", "number, key, id, head, checksum, created"),
          ("lease", "leases", "*"), ("snapshot", "snapshots", "*"),
        ] {
          let rows = try Self.rows("SELECT \(columns) FROM \(old)", in: before)
          let converted = try Self.rows("SELECT \(columns) FROM \(new)", in: after)
          #expect(!rows.isEmpty && rows == converted, "\(old)")
        }
        #expect(try Self.rows("PRAGMA user_version", in: after) == [[2.databaseValue]])
        #expect(try Self.rows("SELECT count(*) FROM log", in: after) == [[10.databaseValue]])
        // The other journal of the file is not synced, and goes on.
        let neighbour = try await FormatOne.open(in: folder, key: "lists/42")
        #expect(try await neighbour.role() == .plain)
        #expect(try await neighbour.entries(after: .zero, limit: 100).map(\.draft) == FormatOne.neighbours)
        var writer = TestWriter()
        _ = try await neighbour.append(writer.drafts(40), after: try await neighbour.head())
        #expect(try await neighbour.verify().revision == 42)
        await #expect(throws: JournalError.self) { try await neighbour.position() }
        await neighbour.close()
      }
    }

    @Test(
      "is read through handles that were open before, of this process and of others, whether they had worked or not",
      arguments: [true, false])
    func openHandles(haveWorked: Bool) async throws {
      try await TemporaryFolder.use { folder in
        let journal = try await FormatOne.open(in: folder)
        let path = folder.path("format-1.db")
        // Handles of another durability, and those for reading, have connections of their own, as in another process.
        let apart = try await SQLiteJournal(at: path, durability: .relaxed)
        let reader = try await SQLiteJournal(at: path, isReadOnly: true)
        let neighbour = try await SQLiteJournal(at: path, key: "lists/42", durability: .relaxed)
        let head = try await journal.head()
        var (writer, other) = (TestWriter(), TestWriter())
        if haveWorked {
          for handle in [apart, reader] {
            _ = try await handle.entries(after: .zero, limit: 10)
            _ = try await handle.entry(FormatOne.drafts[0].id)
            _ = try await handle.snapshot(at: 8)
          }
          _ = try await neighbour.append(other.drafts(20), after: try await neighbour.head())
        }
        try await journal.serve(Self.lineage, schema: 1)
        let wait = Task { try await reader.waitForEntry(after: head.revision) }
        let draft = writer.draft("[]")
        let receipt = Receipt(author: Pseudonym(bits: .max), arrival: 5)
        let decided = DecidedDraft(draft, receipt: receipt, principal: "ann", reason: nil)
        _ = try await journal.append([decided], at: try await journal.position())
        try await wait.value
        for handle in [apart, reader] {
          #expect(try await handle.head().revision == 9)
          #expect(try await handle.role() == .server)
          #expect(try await handle.entries(after: .zero, limit: 100).map(\.draft) == FormatOne.drafts + [draft])
          #expect(try await handle.entry(draft.id)?.receipt == receipt)
          #expect(try await handle.snapshot(at: 8)?.isSound == true)
          #expect(try await handle.leases().map(\.name) == ["prices"])
          let error = await #expect(throws: JournalError.self) {
            try await handle.append([writer.draft()], after: try await handle.head())
          }
          #expect(error?.code == .readOnly)
        }
        _ = try await apart.lease("new", for: writer.origin, lasting: .seconds(60))
        _ = try await neighbour.append(other.drafts(20), after: try await neighbour.head())
        #expect(try await neighbour.verify().revision == (haveWorked ? 42 : 22))
        for handle in [journal, apart, reader, neighbour] { await handle.close() }
      }
    }

    @Test("has the schema that is promised, and is refused with any other object")
    func schema() async throws {
      try await TemporaryFolder.use { folder in
        let journal = try await FormatOne.open(in: folder)
        try await journal.serve(Self.lineage, schema: 1)
        await journal.close()
        let path = folder.path("format-1.db")
        let rows = try Self.rows("SELECT name, type, tbl_name, sql FROM sqlite_schema", in: path).map {
          $0.map { String.fromDatabaseValue($0) }
        }
        #expect(Set(rows) == Set(FileFormat.schema(ofFormat: 2).map { [$0.name, $0.type, $0.table, $0.sql] }))
        for (statement, words) in [
          ("DROP TABLE reasons", "its view 'log'"), ("CREATE TABLE entry (x)", "the table 'entry'"),
          ("PRAGMA user_version = 1", "'journals'"),
        ] {
          let copy = folder.path("copy.db")
          try? FileManager.default.removeItem(atPath: copy)
          try FileManager.default.copyItem(atPath: path, toPath: copy)
          let database = try DatabaseQueue(path: copy)
          try await database.writeWithoutTransaction { database in
            if statement.hasPrefix("DROP") { try database.execute(sql: "DROP VIEW log") }
            try database.execute(sql: statement)
          }
          try database.close()
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: copy) }
          #expect(error?.code == .damaged, "\(statement): \(error as Any)")
          #expect(error?.description.contains(statement.hasPrefix("DROP") ? "is missing" : words) == true, "\(error as Any)")
        }
      }
    }

    @Test("is backed up, exported and read by people with its receipts and reasons")
    func people() async throws {
      try await TemporaryFolder.use { folder in
        let journal = try await FormatOne.open(in: folder)
        try await journal.serve(Self.lineage, schema: 1)
        var writer = TestWriter()
        let draft = writer.draft("[]")
        let refusal = Entry.Draft(refusing: draft.id, Entry.Refusal(code: "denied", hash: draft.hash), time: 9)
        let receipt = Receipt(author: Pseudonym(bits: 0xa), arrival: 1_764_580_200_250_000)
        _ = try await journal.append(
          [DecidedDraft(refusal, receipt: receipt, principal: "ann", reason: "not now")], at: try await journal.position())
        let copy = folder.path("copy.db")
        try await journal.backup(to: copy)
        let position = try await journal.position()
        var lines = Data()
        try await journal.export { lines += $0 }
        await journal.close()
        let backup = try await SQLiteJournal(at: copy)
        #expect(try await backup.position() == position)
        #expect(try await backup.reasons(of: [draft.id]) == [draft.id: "not now"])
        var again = Data()
        try await backup.export { again += $0 }
        #expect(again == lines && String(decoding: lines, as: UTF8.self).contains(#""author":"000000000000000a""#))
        await backup.close()
        let log = try Self.rows("SELECT kind, payload, cause, author, arrival, reason FROM log WHERE revision = 9", in: copy)
        #expect(
          log.map { $0.map { String.fromDatabaseValue($0) } } == [
            [
              "refused", #"{"code":"denied","hash":"\#(draft.hash)"}"#, nil, "000000000000000a", "2025-12-01 09:10:00.250", "not now",
            ]
          ])
      }
    }
  }
#endif
