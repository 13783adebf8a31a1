#if Inspector && SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import Testing

  @testable import AlterInspector

  /// An executable that was built with the tests.
  struct Tool: Sendable {
    let name: String

    struct Result: Sendable {
      let status: Int32
      let output: String
      let complaints: String
      var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    private var url: URL {
      let bundle =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
      return bundle.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// A process with its output in files, so that no pipe fills up.
    func process(_ arguments: [String], output: FileHandle, complaints: FileHandle) -> Process {
      let process = Process()
      process.executableURL = url
      process.arguments = arguments
      process.environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = complaints
      return process
    }

    /// Runs it to its end.
    func run(_ arguments: String...) async throws -> Result {
      try await withFolder { folder in
        let files = try ["out", "err"].map { name in
          let url = folder.appendingPathComponent(name)
          _ = FileManager.default.createFile(atPath: url.path, contents: nil)
          return try (url: url, handle: FileHandle(forWritingTo: url))
        }
        let process = process(arguments, output: files[0].handle, complaints: files[1].handle)
        await withCheckedContinuation { continuation in
          process.terminationHandler = { _ in continuation.resume() }
          do { try process.run() } catch {
            Issue.record(error)
            continuation.resume()
          }
        }
        let texts = try files.map { String(decoding: try Data(contentsOf: $0.url), as: UTF8.self) }
        return Result(status: process.terminationStatus, output: texts[0], complaints: texts[1])
      }
    }
  }

  @Suite("The commands", .timeLimit(.minutes(20)))
  struct CommandTests {
    private let alter = Tool(name: "alter")

    private func withShop<Result>(_ body: (String) async throws -> Result) async throws -> Result {
      try await withFolder { folder in
        let path = folder.appendingPathComponent("shop.db").path
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
        #expect(shown.output.contains("taken back by 7"))
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
        #expect(bisected.complaints.contains("InspectorCommand<AppState>"))
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
        #expect(again.complaints.contains("Choose another name"))
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
          #expect(database.complaints.contains("trait Postgres"))
        #endif
        // A byte of a payload.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("Bread".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "D")
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try await alter.run("verify", path)
        #expect(damaged.status == 65)
        #expect(damaged.complaints.contains("damaged at revision 8"))
        let json = try await alter.run("verify", path, "--json")
        #expect(json.status == 65)
        #expect(try JSONValue(parsing: Data(json.output.utf8))["at"] == 8)
        #expect(try await alter.run("export", path, path + ".jsonl").status == 65)
        #expect(!FileManager.default.fileExists(atPath: path + ".jsonl"))
      }
    }

    @Test("end quietly when nobody reads any more")
    func closedPipe() async throws {
      try await withFolder { folder in
        let path = folder.appendingPathComponent("long.db").path
        let journal = try await SQLiteJournal(at: path, durability: .relaxed)
        var writer = DraftWriter()
        _ = try await journal.append(writer.journal(20_000), after: journal.head())
        await journal.close()
        let pipe = Pipe()
        let url = folder.appendingPathComponent("err")
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        let process = alter.process(
          ["log", path, "--all"], output: pipe.fileHandleForWriting, complaints: try FileHandle(forWritingTo: url))
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
          continuation.yield(process.terminationStatus)
          continuation.finish()
        }
        try process.run()
        try pipe.fileHandleForWriting.close()
        _ = pipe.fileHandleForReading.availableData
        try pipe.fileHandleForReading.close()
        for await status in ended { #expect(status == 141) }
        #expect(try Data(contentsOf: url).isEmpty)
      }
    }

    @Test("tail prints what comes; serve stops at once when it is told to, with a listener")
    func running() async throws {
      try await withShop { path in
        let (tailed, served) = (try Running("alter", ["tail", path, "--from", "10", "--json"]), try Running("alter", ["serve", path]))
        #expect(try JSONValue(parsing: Data(try #require(await tailed.line()).utf8))["revision"] == 10)
        let journal = try await SQLiteJournal(at: path)
        var writer = DraftWriter()
        _ = try await journal.append([writer.draft(#"[{"order":{}}]"#)], after: journal.head())
        #expect(try JSONValue(parsing: Data(try #require(await tailed.line()).utf8))["text"] == ".order")
        await journal.close()
        tailed.end(SIGTERM)
        #expect(await tailed.status() == SIGTERM)

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
        served.end(SIGTERM)
        #expect(await served.status() == 0)
        #expect(try await listening.value.hasEnded)
      }
    }

    @Test("in an app's own executable know its types")
    func typed() async throws {
      let todo = Tool(name: "todo")
      try await withFolder { folder in
        let path = folder.appendingPathComponent("list.alter").path
        #expect(try await todo.run("inspect", "log", "--journal", path).status == 66)
        for arguments in [["add", "Milk"], ["add", "Bread"], ["done", "1"], ["done", "2"], ["undo"]] {
          let process = todo.process(
            arguments + ["--store", path], output: FileHandle.nullDevice, complaints: FileHandle.nullDevice)
          try process.run()
          process.waitUntilExit()
          #expect(process.terminationStatus == 0)
        }
        let log = try await todo.run("inspect", "log", "--journal", path)
        #expect(log.lines.count == 6)
        let shown = try await todo.run("inspect", "show", "3", "--journal", path, "--path", "/items/1/text")
        #expect(shown.output.contains("Bread"))
        let difference = try await todo.run("inspect", "diff", "3", "4", "--journal", path)
        #expect(difference.output.contains(".completed: false → true"))
        let bisected = try await todo.run("inspect", "bisect", "all-done", "--scan", "--journal", path)
        #expect(bisected.output.hasPrefix("With revision 5 it turned from false to true"))
        #expect(try await todo.run("inspect", "bisect", "nothing", "--journal", path).status == 66)
        #expect(try await todo.run("inspect", "verify", "--journal", path).status == 0)
      }
    }
  }

  /// A process that runs until it is told to end, read line by line.
  final class Running: Sendable {
    private let process: Process
    private let pipe = Pipe()
    private let ended: AsyncStream<Int32>

    init(_ name: String, _ arguments: [String]) throws {
      process = Tool(name: name).process(arguments, output: pipe.fileHandleForWriting, complaints: FileHandle.nullDevice)
      let (ended, continuation) = AsyncStream.makeStream(of: Int32.self)
      self.ended = ended
      process.terminationHandler = { process in
        continuation.yield(process.terminationStatus)
        continuation.finish()
      }
      try process.run()
      try pipe.fileHandleForWriting.close()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The next line; nil at the end.
    func line() async -> String? {
      let handle = pipe.fileHandleForReading
      return await withCheckedContinuation { continuation in
        Thread {
          var line = Data()
          while let byte = try? handle.read(upToCount: 1), !byte.isEmpty {
            if byte == Data("\n".utf8) { return continuation.resume(returning: String(decoding: line, as: UTF8.self)) }
            line += byte
          }
          continuation.resume(returning: nil)
        }.start()
      }
    }

    func end(_ signal: Int32) { kill(process.processIdentifier, signal) }

    func status() async -> Int32? {
      for await status in ended { return status }
      return nil
    }
  }
#endif
