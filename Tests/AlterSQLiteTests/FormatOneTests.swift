#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  /// The content of the fixtures of format 1: a file, and an export of its journal 'main'.
  ///
  /// From the first release on they must never be made again: they stand for the files of all users of format 1.
  enum FormatOne {
    private static let ann = Origin(UUID(uuidString: "0A0A0A0A-0000-4000-8000-000000000001")!)
    private static let bob = Origin(UUID(uuidString: "0B0B0B0B-0000-4000-8000-000000000002")!)

    private static func draft(
      _ kind: Entry.Kind, _ origin: Origin, _ sequence: Int64, scope: UndoScope = .journal, schema: Int = 1, _ payload: String,
      cause: String? = nil
    ) -> Entry.Draft {
      Entry.Draft(
        kind: kind, id: EntryID(origin: origin, sequence: sequence), time: 1_764_580_200_250_000 + sequence, scope: scope, schema: schema,
        payload: Data(payload.utf8), cause: cause.map { Data($0.utf8) })
    }

    private static func targets(_ origin: Origin, _ sequences: Int64...) -> String {
      let ids = sequences.map { #"{"origin":"\#(origin.uuid.uuidString.lowercased())","sequence":\#($0)}"# }
      return #"{"targets":[\#(ids.joined(separator: ","))]}"#
    }

    /// All entries of the journal 'main': every kind, two origins with a gap, scopes, causes, schemas, and text beyond ASCII.
    static let drafts: [Entry.Draft] = [
      draft(.initial, ann, 1, #"{"items":[]}"#),
      draft(.changes, ann, 2, #"[{"add":{"title":"Grüße, 世界 👋🏽"}}]"#, cause: #"{"metadata":{"who":"a test"}}"#),
      draft(.changes, bob, 1, scope: "bob", schema: 2, #"[{"add":{"title":"\u0000 \"quoted\""}}]"#),
      draft(
        .changes, bob, 9, #"[{"answer":1}]"#,
        cause: #"{"answers":{"origin":"0a0a0a0a-0000-4000-8000-000000000001","sequence":2},"feedback":"prices"}"#),
      draft(.undo, ann, 3, targets(ann, 2)),
      draft(.redo, ann, 4, targets(ann, 3)),
      draft(.reset, bob, 10, #"{ "items" : [ 1.50 ] }"#),
      draft(.changes, ann, 5, "[]"),
    ]

    /// The entries of the file's second journal, 'lists/42'.
    static let neighbours: [Entry.Draft] = [draft(.initial, bob, 1, "{}"), draft(.changes, bob, 2, #"["x"]"#)]

    /// The end of the journal 'main', as the commit that has made the file computed it.
    static let checksum = "7f7650890c87d5e9b51913496f91d7cf"

    static func bytes(_ name: String) throws -> Data {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
      return try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// Opens a copy of the file in a folder.
    static func open(in folder: Folder, key: String = "main", isReadOnly: Bool = false) async throws -> SQLiteJournal {
      let path = folder.path("format-1.db")
      if !folder.contents.contains("format-1.db") { try folder.write(bytes("format-1.db"), to: "format-1.db") }
      return try await SQLiteJournal(at: path, key: key, isReadOnly: isReadOnly)
    }
  }

  @Suite("A file and an export of format 1", .timeLimit(.minutes(20)))
  struct FormatOneTests {
    @Test("are read to the last byte", arguments: [true, false])
    func read(isReadOnly: Bool) async throws {
      try await Folder.use { folder in
        let journal = try await FormatOne.open(in: folder, isReadOnly: isReadOnly)
        #expect(try await journal.entries(after: .zero, limit: 100).map(\.draft) == FormatOne.drafts)
        #expect(try await journal.verify().checksum.description == FormatOne.checksum)
        let places = try await journal.snapshots(upTo: Revision(.max), limit: 10)
        #expect(places.map(\.revision) == [8] && places.map(\.base) == [6])
        let snapshot = try #require(try await journal.snapshot(at: 8))
        #expect(snapshot.payload == Data(#"{"items":["a snapshot"]}"#.utf8))
        #expect(snapshot.isSound)
        #expect(try await journal.leases().map { [$0.name, "\($0.epoch)"] } == [["prices", "2"]])
        await journal.close()
        let neighbour = try await FormatOne.open(in: folder, key: "lists/42", isReadOnly: isReadOnly)
        #expect(try await neighbour.entries(after: .zero, limit: 100).map(\.draft) == FormatOne.neighbours)
        _ = try await neighbour.verify()
        try await neighbour.verifyStorage()
        await neighbour.close()
      }
    }

    @Test("are equal: the file exports as the export, and the export fills an empty journal")
    func export() async throws {
      try await Folder.use { folder in
        let journal = try await FormatOne.open(in: folder, isReadOnly: true)
        var lines = Data()
        try await journal.export { lines += $0 }
        await journal.close()
        #expect(lines == (try FormatOne.bytes("format-1.jsonl")))
        let copy = try await SQLiteJournal(at: folder.path("copy.db"), durability: .relaxed)
        try await copy.import(try FormatOne.bytes("format-1.jsonl"))
        #expect(try await copy.entries(after: .zero, limit: 100).map(\.draft) == FormatOne.drafts)
        await copy.close()
      }
    }

    @Test("are continued without a change to any row of an entry")
    func append() async throws {
      try await Folder.use { folder in
        func rows(_ path: String) async throws -> [[DatabaseValue]] {
          let database = try DatabaseQueue(path: path)
          defer { try? database.close() }
          return try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM entries ORDER BY journal, revision").map { $0.map(\.1) }
          }
        }
        let journal = try await FormatOne.open(in: folder)
        let head = try await journal.head()
        try folder.write(FormatOne.bytes("format-1.db"), to: "before.db")
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(20), after: head)
        #expect(try await journal.verify().revision == 28)
        await journal.close()
        let (before, after) = (try await rows(folder.path("before.db")), try await rows(folder.path("format-1.db")))
        #expect(before.count == 10 && after.count == 30)
        for row in before { #expect(after.contains(row)) }
      }
    }
  }
#endif
