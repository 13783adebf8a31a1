#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A file with several kinds of journals", .timeLimit(.minutes(20)))
  struct JournalKindTests {
    private static let lineage = Lineage(Generation(1), former: [Generation(.max)])

    private static func rows(_ sql: String, in path: String) throws -> [[DatabaseValue]] {
      let database = try DatabaseQueue(path: path)
      defer { try? database.close() }
      return try database.read { try Row.fetchAll($0, sql: sql).map { $0.map(\.1) } }
    }

    @Test("has served and plain journals side by side")
    func roles() async throws {
      try await Folder.use { folder in
        let journal = try await FormatOne.open(in: folder)
        // Another handle is open meanwhile, with connections of its own, as in another process.
        let apart = try await SQLiteJournal(at: folder.path("format-1.db"), durability: .relaxed)
        _ = try await apart.entries(after: .zero, limit: 10)
        try await journal.serve(Self.lineage, schema: 3)
        #expect(try await journal.role() == .server)
        #expect(try await apart.role() == .server)
        #expect(try await journal.verify().checksum.description == FormatOne.checksum)
        try await journal.verifyStorage()
        var writer = TestWriter()
        let refused = await #expect(throws: JournalError.self) { try await apart.append([writer.draft()], after: try await apart.head()) }
        #expect(refused?.code == .readOnly)
        for handle in [journal, apart] { await handle.close() }
        let neighbour = try await FormatOne.open(in: folder, key: "lists/42")
        #expect(try await neighbour.role() == .plain)
        #expect(try await neighbour.entries(after: .zero, limit: 100).map(\.draft) == FormatOne.neighbours)
        _ = try await neighbour.append(writer.drafts(40), after: try await neighbour.head())
        #expect(try await neighbour.verify().revision == 42)
        await #expect(throws: JournalError.self) { try await neighbour.position() }
        await neighbour.close()
      }
    }

    @Test("has the schema that is promised, and is refused with any other object")
    func schema() async throws {
      try await Folder.use { folder in
        let journal = try await FormatOne.open(in: folder)
        try await journal.serve(Self.lineage, schema: 1)
        await journal.close()
        let path = folder.path("format-1.db")
        let rows = try Self.rows("SELECT name, type, tbl_name, sql FROM sqlite_schema", in: path).map {
          $0.map { String.fromDatabaseValue($0) }
        }
        #expect(Set(rows) == Set(FileFormat.schema.map { [$0.name, $0.type, $0.table, $0.sql] }))
        for (statement, words) in [
          ("DROP TABLE reasons", "its view 'log'"), ("CREATE TABLE entry (x)", "the table 'entry'"),
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
      try await Folder.use { folder in
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

  /// From the first release on, the files must never be made again: they stand for those of all users of format 1.
  @Suite("Kept files of format 1", .timeLimit(.minutes(20)))
  struct KeptFileTests {
    private static let ann = Origin(UUID(uuidString: "0A0A0A0A-0000-4000-8000-000000000001")!)
    private static let bob = Origin(UUID(uuidString: "0B0B0B0B-0000-4000-8000-000000000002")!)

    /// Opens a copy of a file, and verifies all of it.
    private func withFile(
      _ name: String, checksum: String, isReadOnly: Bool, _ body: (SQLiteJournal) async throws -> Void
    ) async throws {
      try await Folder.use { folder in
        try folder.write(FormatOne.bytes(name), to: name)
        let journal = try await SQLiteJournal(at: folder.path(name), isReadOnly: isReadOnly)
        #expect(try await journal.verify().checksum.description == checksum)
        try await journal.verifyStorage()
        try await body(journal)
        try await journal.verifyStorage()
        await journal.close()
      }
    }

    @Test("a compacted journal is read to the last byte, and continued", arguments: [true, false])
    func compacted(isReadOnly: Bool) async throws {
      try await withFile("format-1-compacted.db", checksum: "af5c83f1f0c584ec2f33b9c75a676976", isReadOnly: isReadOnly) { journal in
        #expect(try await journal.role() == .plain)
        #expect(try await journal.floor()?.revision == 6)
        #expect(try await journal.snapshot(at: 6)?.payload == Data(#"{"count":113}"#.utf8))
        let entries = try await journal.entries(after: 6, limit: 10)
        #expect(entries.map(\.revision) == [7, 8, 9] && entries.map(\.kind) == [.changes, .undo, .changes])
        #expect(entries.map(\.id.sequence) == [8, 6, 7] && entries[0].payload == Data(#"[{"add":{"_0":1000}}]"#.utf8))
        let removed = [1, 2, 3, 4, 5].map { EntryID(origin: Self.ann, sequence: $0) } + [EntryID(origin: Self.bob, sequence: 7)]
        let found = try await journal.compactedRevisions(of: removed + [entries[0].id])
        #expect(removed.map { found[$0] } == [1, 2, 3, 4, 6, 5] && found.count == 6)
        guard !isReadOnly else { return }
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(20), after: journal.head())
        #expect(try await journal.verify().revision == 29)
      }
    }

    @Test("a compacted journal of a server has its verdicts, receipts and principals", arguments: [true, false])
    func server(isReadOnly: Bool) async throws {
      try await withFile("format-1-server.db", checksum: "66702f473c57bc375f276cbac7870557", isReadOnly: isReadOnly) { journal in
        #expect(try await journal.role() == .server)
        #expect(try await journal.floor()?.revision == 3)
        let entries = try await journal.entries(after: 3, limit: 10)
        #expect(entries.map(\.revision) == [4, 5, 6, 7] && entries.allSatisfy { $0.receipt?.arrival == 1_800_000_000_000_000 })
        let origin = entries[0].id.origin
        var questions = ServerQuestions()
        questions.ids = [EntryID(origin: origin, sequence: 1), EntryID(origin: origin, sequence: 2)]
        questions.origins = [origin]
        let facts = try await journal.facts(about: questions)
        let standings = [1, 2].map { facts.standings[EntryID(origin: origin, sequence: $0)] }
        #expect(standings.map { $0?.revision } == [2, 3])
        #expect(standings.map { $0?.code } == [nil, "denied"])
        #expect(facts.origins[origin]?.principal == "ann")
        #expect(facts.position.lineage == Lineage(Generation(0x77), former: [Generation(5)]))
      }
    }

    @Test("a device's file has its copy, outbox, refusals and verdicts", arguments: [true, false])
    func device(isReadOnly: Bool) async throws {
      try await withFile("format-1-device.db", checksum: "2fb1f68dde803955944249d407a008a2", isReadOnly: isReadOnly) { journal in
        #expect(try await journal.role() == .mirror)
        #expect(try await journal.floor()?.revision == 8)
        #expect(try await journal.head().revision == 16)
        let outbox = try await journal.drafts(in: .outbox, after: nil, limit: 10)
        #expect(outbox.count == 4 && outbox.allSatisfy { $0.problem == nil })
        let refusals = try await journal.drafts(in: .refusals, after: nil, limit: 10)
        #expect(refusals.count == 1 && refusals.allSatisfy { $0.problem == nil })
        #expect(try await journal.verdicts(skipping: 0, limit: 10).count == 1)
        #expect(try await journal.lineage()?.generation == Generation(0x77))
      }
    }
  }
#endif
