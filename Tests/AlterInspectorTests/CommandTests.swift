#if InspectorServer && SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterInspector

  /// An executable that was built with the tests.
  struct Tool: Sendable {
    let name: String

    /// The whole environment of the process.
    static let environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"]

    /// Runs the executable to its end.
    func run(_ arguments: String...) async throws -> Outcome {
      let command = try [Product.path(name)] + arguments
      return try await onThread { Result { try ChildProcess.run(command, environment: Self.environment) } }.get()
    }
  }

  extension Entry.Draft {
    /// The same draft with other bytes as its payload.
    fileprivate func replacing(payload: String) -> Entry.Draft {
      Entry.Draft(kind: kind, id: id, time: time, scope: scope, schema: schema, payload: Data(payload.utf8), cause: cause)
    }
  }

  @Suite("The commands", .timeLimit(.minutes(20)))
  struct CommandTests {
    private let alter = Tool(name: "alter")

    private func withShop<Result>(_ body: (String) async throws -> Result) async throws -> Result {
      try await Folder.use { folder in
        let path = folder.path("shop.db")
        let journal = try await SQLiteJournal(at: path)
        try await Shop.fill(journal)
        await journal.close()
        return try await body(path)
      }
    }

    @Test("log lists entries, newest first, for people and for scripts")
    func log() async throws {
      try await withShop { path in
        let log = try await alter.run("log", path)
        #expect((log.status, log.lines.count) == (0, 10))
        #expect(log.lines[0].hasPrefix("10  20"))
        #expect(log.lines[0].hasSuffix("  undo of 9"))
        #expect(log.lines[1].hasSuffix("  .remove(3)  (undone)"))
        #expect(log.lines[9].hasPrefix(" 1  20"))
        #expect(log.lines[9].contains("  initial ("))
        #expect(!log.output.contains("\u{1B}"))
        let json = try await alter.run("log", path, "--json", "--limit", "3")
        #expect(try json.lines.map { try JSONValue(parsing: Data($0.utf8))["revision"] } == [10, 9, 8])
        #expect(try await alter.run("log", path, "--text", "MILK").lines.count == 1)
        #expect(try await alter.run("log", path, "--kind", "undo", "--kind", "initial").lines.count == 3)
        #expect(try await alter.run("log", path, "--undone").lines.count == 2)
        #expect(try await alter.run("log", path, "--no-undone", "--before", "7").lines.count == 5)
        #expect(try await alter.run("log", path, "--since", "2126-01-01").lines.isEmpty)
        #expect(try await alter.run("log", path, "--until", "2126-01-01T00:00:00Z", "--all").lines.count == 10)
        #expect(try await alter.run("log", path, "--since", "soon").status == 64)
        let hidden = try await alter.run("log", path, "--hide", "email")
        #expect(hidden.output.contains(".email(•••)"))
        #expect(!hidden.output.contains("secret"))
      }
    }

    @Test("show, diff, stats and verify tell what is known without the app's types, and say so")
    func others() async throws {
      try await withShop { path in
        let shown = try await alter.run("show", path, "6")
        #expect(shown.output.contains(".price(id: 1, price: 500)"))
        #expect(shown.output.contains("undone by 7"))
        #expect(shown.output.contains("Without the app's types"))
        let json = try JSONValue(parsing: Data(try await alter.run("show", path, "1", "--json", "--path", "/products").output.utf8))
        #expect(json["state"] == ["at": 1, "exact": true, "path": "/products", "value": []])
        #expect(json["entry"]?["kind"] == "initial")
        let difference = try await alter.run("diff", path, "1", "6")
        #expect(difference.output.contains("Without the app's types"))
        let stats = try await alter.run("stats", path)
        #expect(stats.output.hasPrefix("10 entries, "))
        let verified = try await alter.run("verify", path)
        #expect((verified.status, verified.output.hasPrefix("Sound: 10 entries")) == (0, true))
        let bisected = try await alter.run("bisect", path, "expensive")
        #expect(bisected.status == 64)
        #expect(bisected.errors.contains("InspectorCommand<AppState>"))
      }
    }

    @Test("show and diff without types name the nearest reset, and call no states equal that they don't know")
    func unknownStates() async throws {
      try await Folder.use { folder in
        let path = folder.path("counts.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        var drafts = writer.journal(20)
        drafts.append(writer.draft(#"{"count":500}"#, kind: .reset))
        drafts += (0..<9).map { number in writer.draft(#"[{"count":{"_0":\#(number)}}]"#) }
        _ = try await journal.append(drafts, after: journal.head())
        await journal.close()
        let shown = try await alter.run("show", path, "25").output
        #expect(shown.contains("The nearest known state before it, at 21:") && shown.contains("count: 500"))
        let across = try await alter.run("diff", path, "15", "25").output
        #expect(across.contains("The compared states are those at 1 and 21.") && across.contains("~ count: 0 → 500"))
        let unknown = try await alter.run("diff", path, "23", "25").output
        #expect(unknown.contains("nearest known state before both is the one at 21") && !unknown.contains("equal"))
      }
    }

    @Test("verify reports each entry, snapshot and floor that can't be read, with its revision and the next step")
    func unreadable() async throws {
      try await Folder.use { folder in
        let path = folder.path("counts.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        var drafts = writer.journal(9)
        for number in [3, 6] { drafts[number - 1] = drafts[number - 1].replacing(payload: #"[{"price":{"_0":NaN}}]"#) }
        _ = try await journal.append(drafts, after: journal.head())
        let all = try await journal.entries(after: 0, limit: 50)
        let head = Head(empty: try await journal.head().journal).advanced(by: all[7])
        try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 0, payload: Data(#"{"price":NaN}"#.utf8)))
        let verified = try await alter.run("verify", path)
        #expect((verified.status, verified.output) == (65, ""))
        for revision in [3, 6, 8] { #expect(verified.errors.contains("revision \(revision)"), "\(revision)") }
        #expect(verified.errors.contains("backup") && verified.errors.contains("snapshot"))
        let json = try JSONValue(parsing: Data(try await alter.run("verify", path, "--json").output.utf8))
        #expect(json["findings"]?.values?.map { $0["at"] } == [3, 6, 8] && json["at"] == 3)
        // A floor is made of the snapshot.
        try await journal.compact(journal.compactionPlan(keeping: .last(1)))
        await journal.close()
        let floor = try await alter.run("verify", path)
        #expect(floor.status == 65 && floor.errors.contains("floor, revision 8"))
      }
    }

    @Test("export writes a new file that can be imported, and nothing over another")
    func export() async throws {
      try await withShop { path in
        let file = path + ".jsonl"
        #expect(try await alter.run("export", path, file).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try await MemoryJournal().import(bytes).revision == 10)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await alter.run("export", path, file)
        #expect(again.status == 73)
        #expect(again.errors.contains("Choose another name"))
        #expect(try await alter.run("export", path).output == String(decoding: bytes, as: UTF8.self))
      }
    }

    @Test("end with the statuses that scripts know")
    func statuses() async throws {
      try await withShop { path in
        let missing = try await alter.run("log", path + "x")
        #expect((missing.status, missing.output) == (66, ""))
        #expect(!FileManager.default.fileExists(atPath: path + "x"))
        #expect(try await alter.run("log", path, "--key", "other").status == 66)
        #expect(try await alter.run("show", path, "11").status == 66)
        #expect(try await alter.run("show", path, "x").status == 64)
        #expect(try await alter.run("show", path, "1", "--path", "/nothing").status == 66)
        #expect(try await alter.run("serve", path, "--port", "70000").status == 64)
        #expect(try await alter.run("serve", path, "--token", "short").status == 64)
        #if !Postgres
          let database = try await alter.run("log", "postgres://db.example.org/shop")
          #expect(database.status == 64)
          #expect(database.errors.contains("trait Postgres"))
        #endif
        // Replaces a byte of a payload.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("Bread".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "D")
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try await alter.run("verify", path)
        #expect(damaged.status == 65)
        #expect(damaged.errors.contains("damaged at revision 8"))
        let json = try await alter.run("verify", path, "--json")
        #expect(json.status == 65)
        #expect(try JSONValue(parsing: Data(json.output.utf8))["at"] == 8)
        #expect(try await alter.run("export", path, path + ".jsonl").status == 65)
        #expect(!FileManager.default.fileExists(atPath: path + ".jsonl"))
      }
    }

    @Test("end quietly when nobody reads any more")
    func closedPipe() async throws {
      try await Folder.use { folder in
        let path = folder.path("long.db")
        let journal = try await SQLiteJournal(at: path, durability: .relaxed)
        var writer = TestWriter()
        _ = try await journal.append(writer.journal(20_000), after: journal.head())
        await journal.close()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let errors = try NamelessFile()
        let command = try [Product.path("alter"), "log", path, "--all"]
        let process = try ChildProcess(command, environment: Tool.environment, streams: [nil, ends[1], errors.descriptor])
        close(ends[1])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        close(ends[0])
        #expect(await process.ended() == 128 + SIGPIPE)
        #expect(errors.bytes.isEmpty)
      }
    }

    @Test("tail prints what comes; serve stops at once when it is told to, with a listener")
    func running() async throws {
      try await withShop { path in
        let alter = try Product.path("alter")
        let tailed = try LineProcess([alter, "tail", path, "--from", "10", "--json"], environment: Tool.environment)
        let served = try LineProcess([alter, "serve", path, "--no-token"], environment: Tool.environment)
        #expect(try JSONValue(parsing: Data(try #require(await tailed.line()).utf8))["revision"] == 10)
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        _ = try await journal.append([writer.draft(#"[{"order":{}}]"#)], after: journal.head())
        #expect(try JSONValue(parsing: Data(try #require(await tailed.line()).utf8))["text"] == ".order")
        await journal.close()
        tailed.child.signal(SIGTERM)
        #expect(await tailed.child.ended() == 128 + SIGTERM)
        // A signal closes the journal, which ends the work. Whichever happens first, the signal ends the process.
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in [SIGTERM, SIGINT, SIGTERM, SIGINT, SIGTERM, SIGINT] {
            group.addTask {
              let tailed = try LineProcess([alter, "tail", path, "--from", "10"], environment: Tool.environment)
              #expect(await tailed.line() != nil)
              tailed.child.signal(number)
              #expect(await tailed.child.ended() == 128 + number)
            }
          }
          try await group.waitForAll()
        }

        let line = try #require(await served.line())
        let address = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
        let client = HTTPClient(port: try #require(URLComponents(string: String(address))?.port))
        let started = AsyncStream.makeStream(of: Void.self)
        let listening = Task {
          try await client.listen("/api/events") { text in
            if text.contains("event: head") { started.continuation.yield() }
            return false
          }
        }
        for await _ in started.stream { break }
        served.child.signal(SIGTERM)
        #expect(await served.child.ended() == 0)
        #expect(try await listening.value.hasEnded)
      }
    }
  }
#endif
