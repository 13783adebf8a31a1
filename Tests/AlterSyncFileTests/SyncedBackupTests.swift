#if SQLite
  import Alter
  @testable import AlterSQLite
  import AlterStore
  @testable import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("Backups and exports of synced journals", .timeLimit(.minutes(20)))
  struct SyncedBackupTests {
    private static let ann = Principal("ann")

    private static func open(_ path: String) async throws -> DeviceStorage {
      try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: ann)
    }

    /// All rows of all tables.
    private static func dump(_ path: String) async throws -> [String: [String]] {
      let journal = try await SQLiteJournal(at: path, isReadOnly: true)
      defer { Task { await journal.close() } }
      return try await journal.readMirror { tables in
        let names = try String.fetchAll(tables.database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        return try names.reduce(into: [:]) { dump, name in
          dump[name] = try Row.fetchAll(tables.database, sql: "SELECT * FROM \(name)").map(\.description).sorted()
        }
      }
    }

    private static func draft(_ origin: UInt8, _ sequence: Int64, _ change: Desk.Change) -> Entry.Draft {
      SyncDraft(id: EntryID(origin: .test(origin), sequence: sequence), time: sequence, content: .changes(Desk.bytes([change]))).stored
    }

    /// A change that the policy of the server denies.
    private static let denied: Desk.Change = {
      for length in 0..<7 {
        let change = Desk.Change.note(String(repeating: "x", count: length))
        if Desk.bytes([change]).count % 7 == 0 { return change }
      }
      preconditionFailure("One of seven consecutive lengths is a multiple of seven.")
    }()

    /// A note that the policy of the server permits.
    private static func note(_ text: String) -> Desk.Change {
      Desk.bytes([.note(text)]).count % 7 == 0 ? .note(text + ".") : .note(text)
    }

    /// A device's file that begins at a floor and has everything: entries, verdicts, a refusal, an awaited change, and drafts.
    private static func device(_ body: (String, DeskServer) async throws -> Void) async throws {
      try await FloorTests.use { path, first in
        var server = first
        let storage = try await open(path)
        try await storage.enqueue([draft(1, 22, denied)])
        try await storage.sync(with: &server)
        #expect(try await storage.contents().refusals.map(\.code) == [.denied])
        try await storage.enqueue([draft(1, 23, note("offline")), draft(1, 24, .claim(1))])
        try await storage.journal.changeMirror { tables in
          try tables.database.execute(
            sql: """
              INSERT INTO awaited SELECT journal, place, time, origin, sequence, scope, schema, kind, payload, cause, '1', 3, hash FROM refusals
              """)
          return ((), nil)
        }
        await storage.close()
        try await body(path, server)
      }
    }

    @Test("A device's file is backed up whole: each row of each table is in the backup, which opens as what it was, and is sound")
    func device() async throws {
      try await Self.device { path, _ in
        let journal = try await SQLiteJournal(at: path)
        try await journal.backup(to: path + ".backup")
        let (original, copied) = (try await Self.dump(path), try await Self.dump(path + ".backup"))
        #expect(original == copied)
        for table in ["entries", "own", "drafts", "refusals", "awaited", "verdicts", "floors", "devices"] {
          #expect(copied[table]?.isEmpty == false, "\(table) is empty")
        }
        let backup = try await SQLiteJournal(at: path + ".backup")
        #expect(try await backup.role() == .mirror)
        #expect(try await backup.verify() == (try await journal.verify()))
        #expect(try await backup.floor()?.revision == 25)
        #expect(try await backup.device() == (try await journal.device()))
        let error = await #expect(throws: JournalError.self) {
          _ = try await backup.append([Self.draft(7, 1, .mark)], after: try await backup.head())
        }
        #expect(error?.code == .readOnly)
        await backup.close()
        await journal.close()
        let storages = [try await Self.open(path), try await Self.open(path + ".backup")]
        let contents = [try await storages[0].contents(), try await storages[1].contents()]
        #expect(contents[0].outbox == contents[1].outbox && contents[1].outbox.ids.map(\.sequence) == [23, 24])
        #expect(contents[0].refusals == contents[1].refusals && contents[0].awaited == contents[1].awaited)
        #expect(contents[0].lineage == contents[1].lineage && contents[0].principal == contents[1].principal)
        for storage in storages { await storage.close() }
        // The file belongs to its user, in the place of a backup, too.
        await #expect(throws: JournalError.self) {
          let stranger = try await DeviceStorage(SQLiteJournal(at: path + ".backup"), principal: Principal("bob"))
          try await stranger.open(as: .test(8))
        }
      }
    }

    @Test("Copies of a device's file that are used in parallel lose no change and apply none twice")
    func copies() async throws {
      try await FloorTests.use { path, first in
        var server = first
        let original = try await Self.open(path)
        try await original.enqueue([
          Self.draft(1, 22, Self.denied), Self.draft(1, 23, Self.note("before the copy")), Self.draft(1, 24, .claim(1)),
        ])
        try await original.journal.backup(to: path + ".old")
        let copy = try await Self.open(path + ".old")
        // Both go on, each process under an origin of its own.
        for (storage, origin) in [(original, 2), (copy, 3)] as [(DeviceStorage, UInt8)] {
          try await storage.open(as: .test(origin))
          try await storage.enqueue([Self.draft(origin, 1, Self.note("from \(origin)")), Self.draft(origin, 2, .claim(Int(origin)))])
        }
        try await original.sync(with: &server)
        try await copy.sync(with: &server)
        // A second, older copy arrives after everything.
        try await original.journal.backup(to: path + ".late")
        try await original.enqueue([Self.draft(2, 3, Self.note("later"))])
        try await original.sync(with: &server)
        let late = try await Self.open(path + ".late")
        for storage in [late, copy, original] { try await storage.sync(with: &server) }
        let ids = server.database.entries.map(\.stored.id)
        #expect(Set(ids).count == ids.count)
        for (origin, sequence) in [(1, 21), (1, 22), (1, 23), (1, 24), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] as [(UInt8, Int64)] {
          let entries = server.database.entries.filter { $0.stored.id == EntryID(origin: .test(origin), sequence: sequence) }
          #expect(entries.count == 1, "\(origin) \(sequence)")
        }
        let notes = server.database.timeline.state.desk.notes
        for note in ["before the copy", "from 2", "from 3", "later"] { #expect(notes.filter { $0.hasPrefix(note) }.count == 1, "\(note)") }
        #expect(server.database.timeline.state.desk.slots.sorted() == [1, 2, 3])
        for storage in [original, copy, late] {
          #expect(try await storage.journal.verify() == server.database.head)
          #expect(try await storage.contents().refusals.map(\.draft.id.sequence) == [22])
          await storage.close()
        }
      }
    }

    @Test("A mirror without a floor is exported with receipts and refusals, and becomes a journal that is not synced")
    func whole() async throws {
      try await Folder.use { folder in
        var server = DeskServer()
        let storage = try await Self.open(folder.path("device.db"))
        try await storage.open(as: .test(1))
        try await storage.enqueue([Self.draft(1, 1, Self.note("one")), Self.draft(1, 2, Self.denied), Self.draft(1, 3, .claim(3))])
        try await storage.sync(with: &server)
        try await storage.enqueue([Self.draft(1, 4, Self.note("not sent"))])
        var lines: [Data] = []
        let head = try await storage.journal.export { lines.append($0) }
        #expect(head == server.database.head && lines.count == 5)
        let checksums = try lines.dropFirst().map { try JSONValue(parsing: $0.dropLast())["checksum"]?.text }
        #expect(checksums == server.database.entries.map(\.stored.checksum.description))
        let accepted = server.database.entries.map(\.stored.draft).filter { $0.kind != .refused }
        let imported = try await SQLiteJournal(at: folder.path("imported.db"))
        _ = try await imported.import(Data(lines.joined()))
        let copied = try await SQLiteJournal(at: folder.path("copied.db"))
        _ = try await storage.journal.copy(to: copied)
        for journal in [imported, copied] {
          #expect(try await journal.role() == .plain)
          #expect(try await journal.entries(after: .zero, limit: 10).map(\.draft) == accepted)
          #expect(try await journal.entries(after: .zero, limit: 10).allSatisfy { $0.receipt == nil })
          let store = try await Store.open(Desk(), in: journal)
          #expect(store.state == server.database.timeline.state.desk)
          await store.close()
        }
        await storage.close()
      }
    }

    @Test("A journal that a server decides is backed up whole: position, origins, attempts and reasons decide as before")
    func served() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("served.db"), durability: .relaxed)
        let initial = Entry.Draft(kind: .initial, id: EntryID(origin: .test(200), sequence: 1), time: 0, payload: Desk.empty)
        _ = try await journal.append([initial], after: journal.head())
        try await journal.serve(Lineage(Generation(7), former: [Generation(5)]), schema: 3)
        let receipt = Receipt(author: Pseudonym(bits: 0xA), arrival: 9)
        let refused = Self.draft(1, 1, Self.denied)
        let refusal = Entry.Draft(refusing: refused.id, Entry.Refusal(code: "denied", hash: refused.hash), time: 9)
        _ = try await journal.append(
          [
            DecidedDraft(refusal, receipt: receipt, principal: "ann", reason: "unlucky"),
            DecidedDraft(Self.draft(1, 2, .note("again")), receipt: receipt, principal: "ann", retries: refused.id),
          ], at: journal.position())
        try await journal.backup(to: folder.path("backup.db"))
        #expect(try await Self.dump(folder.path("served.db")) == (try await Self.dump(folder.path("backup.db"))))
        let backup = try await SQLiteJournal(at: folder.path("backup.db"), durability: .relaxed)
        #expect(try await backup.role() == .server)
        #expect(try await backup.verify() == (try await journal.verify()))
        var questions = ServerQuestions()
        questions.ids = [refused.id, Self.draft(1, 2, .mark).id]
        questions.origins = [.test(1)]
        questions.families = [refused.id]
        let (facts, expected) = (try await backup.facts(about: questions), try await journal.facts(about: questions))
        #expect(facts.position == expected.position && facts.position.lineage.former == [Generation(5)] && facts.position.schema == 3)
        #expect(facts.standings == expected.standings && facts.standings.count == 2)
        #expect(facts.origins == expected.origins && facts.attempts == expected.attempts && facts.attempts.count == 1)
        #expect(try await backup.reasons(of: [refused.id]) == [refused.id: "unlucky"])
        // Stores still may not write to it, and its server may.
        let error = await #expect(throws: JournalError.self) {
          _ = try await backup.append([Self.draft(7, 1, .mark)], after: try await backup.head())
        }
        #expect(error?.code == .readOnly)
        _ = try await backup.append(
          [DecidedDraft(Self.draft(1, 3, .claim(1)), receipt: receipt, principal: "ann")], at: backup.position())
        #expect(try await backup.verify().revision == 4)
        #expect(try await journal.head().revision == 3)
        await backup.close()
        await journal.close()
      }
    }
  }
#endif
