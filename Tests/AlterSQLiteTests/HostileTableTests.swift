#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A file that means harm", .timeLimit(.minutes(20)))
  struct HostileTableTests {
    private static let values = [
      "9223372036854775807", "-9223372036854775808", "-1", "0", "2", "1000000000", "''", "'initial'", "x''", "x'00'", "zeroblob(16)",
      "randomblob(16)", "zeroblob(5000000)", "NULL", "1e300", "CAST(x'FF' AS TEXT)",
    ]

    private static func makeJournal(_ path: String) async throws {
      var writer = TestWriter()
      let journal = try await SQLiteJournal(at: path, durability: .relaxed)
      let head = try await journal.append(writer.drafts(6), after: try await journal.head()).head
      try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 10, payload: Data("{}".utf8)))
      _ = try await journal.lease("one", for: writer.origin, lasting: .zero)
      await journal.close()
    }

    private static func change(_ path: String, _ sql: String) throws {
      let database = try DatabaseQueue(path: path)
      defer { try? database.close() }
      try database.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Calls every function of a journal. The duration must depend on the actual content of the file, not on the numbers that it claims.
    private static func useAll(_ path: String, isReadOnly: Bool) async throws {
      let journal = try await SQLiteJournal(at: path, isReadOnly: isReadOnly)
      func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch {
          #expect(error is JournalError, "\(error)")
        }
      }
      await attempt {
        var position = Revision.zero
        var count = 0
        while let last = try await journal.entries(after: position, limit: 3).last?.revision {
          try #require(last > position)
          position = last
          count += 1
          try #require(count < 100)
        }
      }
      for revision: Revision in [-1, 0, 5, Revision(.max), Revision(.min)] {
        await attempt { _ = try await journal.entries(after: revision, limit: .max) }
        await attempt { _ = try await journal.snapshots(upTo: revision, limit: .max) }
        await attempt { _ = try await journal.snapshot(at: revision) }
      }
      await attempt { _ = try await journal.leases() }
      await attempt { _ = try await journal.entry(EntryID(origin: .random(), sequence: .max)) }
      await attempt { _ = try await journal.verify() }
      await attempt { _ = try await journal.export { _ in } }
      await attempt { _ = try await journal.copy(to: MemoryJournal()) }
      if !isReadOnly {
        var writer = TestWriter()
        await attempt { _ = try await journal.append(writer.drafts(2), after: try await journal.head()) }
        await attempt { _ = try await journal.lease("one", for: .random(), lasting: .seconds(1)) }
      }
      await journal.close()
    }

    @Test("holds values that no writer has put there: every one is read or refused", arguments: 0..<8)
    func values(_ part: Int) async throws {
      var random = SeededGenerator(seed: UInt64(0x5EED + part))
      let tables = FileFormat.schema.filter { $0.type == "table" }
      try await Folder.use { folder in
        let pattern = folder.path("pattern.db")
        try await Self.makeJournal(pattern)
        for round in 0..<Effort.count(short: 10, full: 40) {
          let path = folder.path("\(round).db")
          try FileManager.default.copyItem(atPath: pattern, toPath: path)
          var statements: [String] = []
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let table = tables.randomElement(using: &random)!
            let column = table.columns.randomElement(using: &random)!
            let row = table.name == "entries" ? " WHERE revision = \(Int.random(in: 1...6, using: &random))" : ""
            statements.append("UPDATE OR IGNORE \(table.name) SET \(column) = \(Self.values.randomElement(using: &random)!)\(row)")
          }
          // A table rejects values of the wrong type, so its constraints are removed first.
          let rules = "replace(replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')'), 'NOT NULL', '')"
          try Self.change(path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = \(rules) WHERE type = 'table'")
          for statement in statements { try? Self.change(path, statement) }
          for table in tables {
            let sql = table.sql!.replacingOccurrences(of: "'", with: "''")
            try Self.change(path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = '\(table.name)'")
          }
          for isReadOnly in [true, false] {
            do { try await Self.useAll(path, isReadOnly: isReadOnly) } catch {
              // If the key was changed, there is no journal with the right one.
              let code = (error as? JournalError)?.code
              #expect(code == .damaged || code == .unreachable, "\(statements): \(error)")
            }
          }
        }
      }
    }

    @Test("runs nothing that it brings with it, whatever it is opened for", arguments: [true, false])
    func triggers(_ isReadOnly: Bool) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try await Self.makeJournal(path)
        try Self.change(path, "CREATE TRIGGER evil AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE revision = 2; END")
        let before = try folder.bytes("journal.db")
        let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: isReadOnly) }
        #expect(error?.code == .damaged)
        #expect(
          error?.description.contains(
            "its schema is not that of a journal, because it has the trigger 'evil', which is not part of a journal") == true)
        #expect(try folder.bytes("journal.db") == before)
      }
    }

    /// Statements that replace, drop, add or change each object of the schema.
    private static var otherSchemas: [String] {
      let edit = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET "
      var cases = [
        "CREATE TABLE more (x)", "CREATE VIEW more AS SELECT 1", "CREATE VIRTUAL TABLE more USING fts5(x)", "ANALYZE", "DROP VIEW log",
        "DROP VIEW log; CREATE VIEW log AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "\(edit)rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'entries') WHERE name = 'snapshots'",
      ]
      for object in FileFormat.schema {
        guard let sql = object.sql, object.type != "view" else { continue }
        cases.append("DROP \(object.type) \(object.name)")
        guard object.type == "table" else {
          cases.append("\(edit)sql = sql || ' WHERE 0' WHERE name = '\(object.name)'")
          continue
        }
        for event in ["INSERT", "UPDATE", "DELETE"] {
          cases.append("CREATE TRIGGER more AFTER \(event) ON \(object.name) BEGIN DELETE FROM entries WHERE revision = 2; END")
        }
        cases.append("CREATE INDEX more ON \(object.name) (\(object.columns[0]))")
        cases.append("ALTER TABLE \(object.name) ADD COLUMN more ANY AS (zeroblob(1000000000)) VIRTUAL")
        let lines = sql.components(separatedBy: "\n")
        for column in object.columns {
          guard let place = lines.firstIndex(where: { $0.split(separator: " ").first == Substring(column) }) else { continue }
          let rest = (lines[..<place] + lines[(place + 1)...]).joined(separator: "\n").replacingOccurrences(of: "'", with: "''")
          cases.append("\(edit)sql = '\(rest)' WHERE name = '\(object.name)'")
        }
      }
      return cases
    }

    @Test("has another schema in one object: it is refused with the reason, and nothing of it runs")
    func otherSchema() async throws {
      try await Folder.use { folder in
        let pattern = folder.path("pattern.db")
        try await Self.makeJournal(pattern)
        let cases = Self.otherSchemas
        #expect(cases.count > 200)
        for (number, sql) in cases.enumerated() {
          let name = "\(number).db"
          try FileManager.default.copyItem(atPath: pattern, toPath: folder.path(name))
          do { try Self.change(folder.path(name), sql) } catch {
            // SQLite itself refuses some.
            continue
          }
          let before = try folder.bytes(name)
          for isReadOnly in [true, false] {
            let error = await #expect(throws: JournalError.self, "\(sql)") {
              try await SQLiteJournal(at: folder.path(name), isReadOnly: isReadOnly)
            }
            #expect(error?.code == .damaged && error?.description.contains("schema") == true, "\(sql): \(error as Any)")
          }
          #expect(try folder.bytes(name) == before, "\(sql): the file was changed")
        }
      }
    }

    @Test("gets a trigger while it is open: it doesn't run")
    func lateTrigger() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try await Self.makeJournal(path)
        let journal = try await SQLiteJournal(at: path)
        try Self.change(path, "CREATE TRIGGER evil AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE revision = 2; END")
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        #expect(try await journal.entries(after: .zero, limit: 100).count == 7)
        await journal.close()
      }
    }

    @Test("has the schema that a new file has, to the letter")
    func newFile() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        await (try await SQLiteJournal(at: path)).close()
        let database = try DatabaseQueue(path: path)
        let rows = try await database.read { database in
          try Row.fetchAll(database, sql: "SELECT name, type, tbl_name, sql FROM sqlite_schema").map { row in
            [row[0] as String?, row[1], row[2], row[3]]
          }
        }
        try database.close()
        #expect(Set(rows) == Set(FileFormat.schema.map { [$0.name, $0.type, $0.table, $0.sql] }))
        #expect(FileFormat.schema.first { $0.name == "leases" }?.columns == ["journal", "name", "holder", "epoch", "granted", "expires"])
        #expect(FileFormat.schema.flatMap(\.columns).count == 120)
      }
    }
  }

  @Suite("A page of entries", .timeLimit(.minutes(20)))
  struct PageSizeTests {
    @Test("ends with the entry that makes it 4 MiB, and nobody takes that for the end of the journal")
    func bytes() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"), durability: .relaxed)
        var writer = TestWriter()
        let large = "[\"" + String(repeating: "x", count: 3 << 20) + "\"]"
        var head = try await journal.head()
        for count in 1...7 {
          var draft = writer.draft(count == 4 ? "[]" : large)
          // The cause may be large, too.
          if count == 6 {
            draft = Entry.Draft(kind: .changes, id: draft.id, time: 0, payload: Data("[]".utf8), cause: Data(large.utf8))
          }
          head = try await journal.append([draft], after: head).head
        }
        var pages: [Int] = []
        var position = Revision.zero
        while case let page = try await journal.entries(after: position, limit: 1_000), let last = page.last {
          pages.append(page.count)
          position = last.revision
        }
        #expect(pages == [2, 3, 2])
        #expect(try await journal.verify() == head)
        var lines = 0
        try await journal.export { _ in lines += 1 }
        #expect(lines == 8)
        let copy = MemoryJournal()
        #expect(try await journal.copy(to: copy).revision == 7)
        var told = 0
        for try await _ in journal.tail() {
          told += 1
          if told == 7 { break }
        }
        #expect(told == 7)
        await journal.close()
      }
    }
  }

  @Suite("A handle for reading", .timeLimit(.minutes(20)))
  struct ReaderTraceTests {
    private static func read(_ path: String) async throws {
      let reader = try await SQLiteJournal(at: path, isReadOnly: true)
      _ = try await reader.head()
      await reader.close()
    }

    @Test("leaves no log and no shared memory where there was none")
    func nothing() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(3), after: try await journal.head())
        await journal.close()
        let (before, bytes) = (folder.contents, try folder.bytes("journal.db"))
        try await Self.read(path)
        #expect(folder.contents == before)
        // A refused opening leaves no trace, either.
        await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, key: "none", isReadOnly: true) }
        #expect(folder.contents == before)
        #expect(try folder.bytes("journal.db") == bytes)
      }
    }

    @Test("leaves what another one uses, and that one leaves nothing")
    func others() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        await (try await SQLiteJournal(at: path)).close()
        let before = folder.contents
        let first = try await SQLiteJournal(at: path, isReadOnly: true)
        _ = try await first.head()
        try await Self.read(path)
        #expect(folder.contents.contains("journal.db-wal"))
        let writer = try await SQLiteJournal(at: path)
        var drafts = TestWriter()
        let head = try await writer.append(drafts.drafts(2), after: try await writer.head()).head
        await writer.close()
        #expect(try await first.head() == head)
        await first.close()
        #expect(folder.contents.filter { !$0.hasSuffix("-bell") } == before.filter { !$0.hasSuffix("-bell") })
        try await Self.read(path)
        let again = try await SQLiteJournal(at: path)
        #expect(try await again.verify() == head)
        await again.close()
      }
    }

    @Test("leaves a log that a killed process left as it is, with its shared memory or without")
    func oldLog() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
        for ending in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: path + ending, toPath: folder.path("copy.db") + ending)
        }
        await journal.close()
        let (before, log) = (folder.contents, try folder.bytes("copy.db-wal"))
        #expect(log.count > 0)
        let reader = try await SQLiteJournal(at: folder.path("copy.db"), isReadOnly: true)
        #expect(try await reader.head() == head)
        await reader.close()
        #expect(folder.contents == before)
        #expect(try folder.bytes("copy.db-wal") == log)
      }
    }
  }

  @Suite(
    "A full disk", .timeLimit(.minutes(20)), .enabled(if: Mount.isPossible, "SKIPPED: mounting a small disk takes root, on Linux"))
  struct ReadingOnFullDiskTests {
    @Test("has journals that can be read, and no traces of that are left; what is written once there is room is seen")
    func read() async throws {
      let disk = try Mount(kilobytes: 1_024)
      let path = disk.path + "/journal.db"
      let journal = try await SQLiteJournal(at: path)
      var writer = TestWriter()
      let head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
      await journal.close()
      disk.fill("filler")
      let contents = disk.contents
      for _ in 0..<2 {
        let reader = try await SQLiteJournal(at: path, isReadOnly: true)
        #expect(try await reader.verify() == head)
        #expect(disk.contents == contents)
        await reader.close()
        #expect(disk.contents == contents)
      }
      let reader = try await SQLiteJournal(at: path, isReadOnly: true)
      disk.remove("filler")
      let again = try await SQLiteJournal(at: path)
      let next = try await again.append(writer.drafts(3), after: head).head
      #expect(try await reader.verify() == next)
      await again.close()
      #expect(try await reader.verify() == next)
      await reader.close()
      #expect(disk.contents == contents.filter { $0 != "filler" })
    }
  }

  @Suite("Another journal's log beside the file", .timeLimit(.minutes(20)))
  struct ForeignLogTests {
    /// A closed journal of a few entries; without entries, as if it was killed right after its creation.
    private static func make(_ path: String, entries: Int) async throws -> Head {
      let journal = try await SQLiteJournal(at: path)
      var writer = TestWriter()
      var head = try await journal.head()
      if entries > 0 { head = try await journal.append(writer.drafts(entries), after: head).head }
      await journal.close()
      return head
    }

    @Test("is refused by every opening, and neither file is touched", arguments: [0, 3, 40])
    func foreign(_ entries: Int) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let head = try await Self.make(path, entries: entries)
        let other = try await SQLiteJournal(at: folder.path("other.db"))
        var writer = TestWriter()
        _ = try await other.append(writer.drafts(20), after: try await other.head())
        try FileManager.default.copyItem(atPath: folder.path("other.db-wal"), toPath: path + "-wal")
        await other.close()
        let (contents, bytes, log) = (folder.contents, try folder.bytes("journal.db"), try folder.bytes("journal.db-wal"))
        try #require(log.count > 0)
        for isReadOnly in [true, false, true] {
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: isReadOnly) }
          #expect(error?.code == .damaged)
          #expect(error?.description.contains("'\(path)-wal' beside it is the log of another journal") == true, "\(error as Any)")
          #expect(try folder.bytes("journal.db") == bytes)
          #expect(try folder.bytes("journal.db-wal") == log)
        }
        #expect(folder.contents == contents)
        try FileManager.default.removeItem(atPath: path + "-wal")
        let again = try await SQLiteJournal(at: path)
        #expect(try await again.verify() == head)
        await again.close()
      }
    }

    @Test("of an older copy of the same file is refused, too")
    func older() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        _ = try await Self.make(path, entries: 3)
        try FileManager.default.copyItem(atPath: path, toPath: folder.path("copy.db"))
        let copy = try await SQLiteJournal(at: folder.path("copy.db"))
        var writer = TestWriter()
        _ = try await copy.append(writer.drafts(2), after: try await copy.head())
        let journal = try await SQLiteJournal(at: path)
        let head = try await journal.append(writer.drafts(300), after: try await journal.head()).head
        await journal.close()
        try FileManager.default.copyItem(atPath: folder.path("copy.db-wal"), toPath: path + "-wal")
        await copy.close()
        let bytes = try folder.bytes("journal.db")
        let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path) }
        #expect(error?.code == .damaged)
        // Closing the connection has not checkpointed the log.
        #expect(try folder.bytes("journal.db") == bytes)
        try FileManager.default.removeItem(atPath: path + "-wal")
        let again = try await SQLiteJournal(at: path)
        #expect(try await again.verify() == head)
        await again.close()
      }
    }

    @Test("is none when a killed process left the file's own, of whatever length, also of a journal made just before", arguments: [1, 400])
    func own(_ entries: Int) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let second = try await SQLiteJournal(at: path, key: "second")
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(entries), after: try await journal.head()).head
        _ = try await second.append(writer.drafts(2), after: try await second.head())
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: folder.path("copy.db") + ending) }
        await second.close()
        await journal.close()
        for isReadOnly in [true, false] {
          for key in ["main", "second"] {
            let copy = try await SQLiteJournal(at: folder.path("copy.db"), key: key, isReadOnly: isReadOnly)
            let end = try await copy.verify()
            #expect(key == "second" ? end.revision == 2 : end == head)
            await copy.close()
          }
        }
      }
    }
  }
#endif
