import Foundation
import ProcessTesting
import Testing

@testable import AlterSQLite

/// Runs the built commands on manipulated files, and exports to hostile places. The library's own tests manipulate each column, each object of
/// the schema and each file beside a journal (`AlterSQLiteTests`).
@Suite("Hostile files", .timeLimit(.minutes(20)))
struct FileCaseTests {
  private static let readers = [
    ["alter", "log", "LIST", "--all"], ["todo", "list"], ["alter", "verify", "LIST"], ["todo", "inspect", "log"], ["todo", "undo"],
  ]

  @Test(
    "entries that can't be all of them are damage, and every command says so, and changes nothing",
    arguments: [
      "UPDATE journals SET head = 1000000000", "DELETE FROM entries WHERE revision = 3",
      "UPDATE entries SET revision = 9223372036854775807 WHERE revision = (SELECT head FROM journals); UPDATE journals SET head = 9223372036854775807",
    ])
  func impossibleHistory(_ sql: String) async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    try file.tamperFreely(sql)
    let before = file.bytes
    for command in Self.readers + [["todo", "add", "x"]] {
      let outcome = try await file.run(command)
      #expect(outcome.status == 65 && (outcome.errors + outcome.output).contains("is damaged at revision"), "\(command): \(outcome)")
    }
    #expect(file.bytes == before)
  }

  @Test("a schema with another object is refused by every command, with the reason, and nothing of it runs")
  func schema() async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    try file.tamper("CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE revision = 2; END")
    let before = file.bytes
    for command in Self.readers + [["todo", "add", "x"]] {
      let outcome = try await file.run(command)
      #expect(outcome.status == 65 && outcome.errors.contains("schema"), "\(command): \(outcome)")
    }
    #expect(file.bytes == before)
  }

  @Test("a command that a signal ends leaves nothing beside the file", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func tracesOfASignal(_ number: Int32) async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let process = try LineProcess([Product.path("alter"), "tail", file.list, "--from=1"], environment: ["HOME": file.folder])
    // The command has read the entries and waits for more.
    for _ in 0..<5 { _ = await process.line() }
    #expect(file.contents.contains("list.alter-wal"))
    #expect(process.child.end(number) == 128 + number)
    #expect(file.contents == ["list.alter"])
  }

  // MARK: Imports

  @Test("an import of more than 32 MiB is refused before anything is read or made")
  func imports() async throws {
    let file = try HostileFile(nil)
    for name in ["large.txt", "large.json"] {
      let path = file.folder + "/" + name
      try #require(FileManager.default.createFile(atPath: path, contents: Data("{".utf8)))
      // The sparse file takes no space on the disk.
      try #require(truncate(path, (32 << 20) + 1) == 0)
      let outcome = try await file.run(["todo", "import", path])
      #expect(outcome.status == 65 && outcome.errors.contains("more than 32 MiB"), "\(outcome)")
      #expect(!file.contents.contains("list.alter"))
    }
    for (piece, what) in [("\n", "lines"), ("{", "objects")] {
      let path = file.folder + "/many.txt"
      try Data(String(repeating: piece, count: 600_001).utf8).write(to: URL(fileURLWithPath: path))
      let outcome = try await file.run(["todo", "import", path])
      #expect(outcome.status == 65 && outcome.errors.contains("more than 600000 \(what)"), "\(outcome)")
    }
  }

  // MARK: Exports

  @Test("an export goes through pipes, devices and links, and into a new file that nobody else may read")
  func exports() async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    func status(_ path: String) -> stat {
      var status = stat()
      lstat(path, &status)
      return status
    }
    let fresh = file.folder + "/fresh.txt"
    #expect(try await file.run(["todo", "export", fresh]).status == 0)
    #expect(status(fresh).st_mode & 0o777 == 0o600)
    let exported = try Data(contentsOf: URL(fileURLWithPath: fresh))
    #expect(String(decoding: exported, as: UTF8.self).contains("First"))

    let pipe = file.folder + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    async let read = onThread { (try? ChildProcess.run(["/bin/cat", pipe])).map { Data($0.bytes) } }
    #expect(try await file.run(["todo", "export", pipe]).status == 0)
    #expect(await read == exported)
    #expect(status(pipe).st_mode & S_IFMT == S_IFIFO)

    let old = file.folder + "/old.txt"
    try Data("old".utf8).write(to: URL(fileURLWithPath: old))
    chmod(old, 0o640)
    try #require(symlink(old, file.folder + "/link") == 0)
    #expect(try await file.run(["todo", "export", file.folder + "/link"]).status == 0)
    #expect(status(file.folder + "/link").st_mode & S_IFMT == S_IFLNK)
    #expect(status(old).st_mode & 0o777 == 0o640)
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == exported)

    try #require(symlink(file.folder + "/none", file.folder + "/nowhere") == 0)
    let outcome = try await file.run(["todo", "export", file.folder + "/nowhere"])
    #expect(outcome.status == 73 && outcome.errors.contains("leads nowhere"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: file.folder + "/none"))
    #expect(try await file.run(["todo", "export", file.folder]).status == 73)
  }

  @Test("an export replaces no journal and no file beside one, by whatever name: it is refused, and the list is as it was")
  func exportsOverJournals() async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let other = try HostileFile(try await HostileFile.pattern.value)
    let before = file.bytes
    try #require(symlink(file.list, file.folder + "/link") == 0 && symlink(file.list + "-wal", file.folder + "/link-to-none") == 0)
    let helpers = HelperName.allCases.map { $0.rawValue + ($0 == .holder ? String(repeating: "0", count: 32) : "") } + ["-journal"]
    let targets =
      [file.list, "\(file.folder)/../\(URL(fileURLWithPath: file.folder).lastPathComponent)/list.alter", file.folder + "/link", other.list]
      + helpers.flatMap { [file.list + $0, other.list + $0, file.folder + "/link" + $0] }
    for target in targets {
      let outcome = try await file.run(["todo", "export", target])
      #expect(outcome.status == 73 && outcome.errors.contains("journal of Alter"), "\(target): \(outcome)")
    }
    for suffix in helpers {
      let outcome = try await file.run(["alter", "export", "LIST", file.list + suffix])
      #expect(outcome.status == 73 && outcome.errors.contains("journal of Alter"), "\(suffix): \(outcome)")
    }
    #expect(file.bytes == before && other.bytes == before)
    #expect(file.contents == ["link", "link-to-none", "list.alter"] && other.contents == ["list.alter"])
    // A hard link is the same file. A damaged header doesn't change that.
    try #require(link(file.list, file.folder + "/hard") == 0)
    #expect(try await file.run(["todo", "export", file.folder + "/hard"]).status == 73)
    let damaged = try HostileFile(Data(repeating: 0x61, count: 8_192))
    for target in [damaged.list, damaged.list + "-wal"] {
      let outcome = try await damaged.run(["todo", "export", target])
      #expect(outcome.status == 73 && outcome.errors.contains("journal of Alter"), "\(target): \(outcome)")
    }
    #expect(damaged.bytes == Data(repeating: 0x61, count: 8_192))
    // The shell has opened the list.
    let appended = try await file.run(["todo", "export"], appendingTo: file.list)
    #expect(appended.status == 73 && file.bytes == before, "\(appended)")
  }

  @Test("an export to the standard output by its path appends where a shell has it appended")
  func exportsToDescriptors() async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let exported = try await file.run(["todo", "export"]).output
    let link = file.folder + "/link"
    try #require(symlink("/dev/stdout", link) == 0 && !exported.isEmpty)
    let archive = file.folder + "/archive.txt"
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", link] {
      guard access(path, F_OK) == 0 else { continue }
      try Data("precious\n".utf8).write(to: URL(fileURLWithPath: archive))
      let outcome = try await file.run(["todo", "export", path], appendingTo: archive)
      #expect(outcome.status == 0, "\(path): \(outcome)")
      #expect(try String(contentsOfFile: archive, encoding: .utf8) == "precious\n" + exported, "\(path)")
    }
    for path in ["/dev/fd/999", "/dev/fd/-1", "/proc/1/fd/1"] {
      let outcome = try await file.run(["todo", "export", path])
      #expect([73, 77].contains(outcome.status), "\(path): \(outcome)")
    }
  }
}
