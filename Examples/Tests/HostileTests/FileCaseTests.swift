import Foundation
import ProcessTesting
import Testing

@testable import AlterSQLite

/// Runs the built commands on manipulated files: every column, every object of the schema, every file beside the journal.
@Suite("Hostile files", .timeLimit(.minutes(20)))
struct FileCaseTests {
  private static let readers = [
    ["alter", "log", "LIST", "--all"], ["alter", "stats", "LIST"], ["todo", "list"], ["alter", "verify", "LIST"],
    ["alter", "show", "LIST"], ["todo", "inspect", "log"], ["alter", "export", "LIST"], ["todo", "log"], ["todo", "inspect", "verify"],
    ["alter", "diff", "LIST", "1"], ["todo", "undo"],
  ]

  /// Whether an object of the schema is changed: in the full run each, otherwise those of a list that is not synced.
  private static func isTried(_ object: FileFormat.Object) -> Bool {
    Effort.isFull || ["journals", "entries", "leases", "snapshots"].contains(object.table)
  }

  /// Runs the cases, two at a time.
  private static func each<Case: Sendable>(_ cases: [Case], _ body: @escaping @Sendable (Int, Case) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, one) in cases.enumerated() {
        if place >= 2 { try await group.next() }
        group.addTask { try await body(place, one) }
      }
      try await group.waitForAll()
    }
  }

  private static func expectAnswer(_ outcome: Outcome, _ statuses: Set<Int32>, _ comment: String) {
    #expect(outcome.status < 128 && outcome.status != 70 && statuses.contains(outcome.status), "\(comment): \(outcome)")
    #expect(outcome.status == 0 || !outcome.errors.isEmpty, "\(comment): \(outcome)")
    expectPrintable(outcome.errors, comment)
  }

  // MARK: Values

  /// SQL values of all types, which replace the right ones.
  static let values = [
    "9223372036854775807", "-9223372036854775808", "-1", "1000000000", "NULL", "'text'", "''", "x''", "zeroblob(16)",
    "zeroblob(20000000)",
    "1e300", "CAST(x'FF00FF' AS TEXT)",
  ]

  /// Numbers that are consistent with each other, but wrong.
  static let histories = [
    "UPDATE journals SET head = 1000000000",
    "UPDATE entries SET revision = 1000000000 WHERE revision = (SELECT head FROM journals); UPDATE journals SET head = 1000000000",
    "UPDATE entries SET revision = 9223372036854775807 WHERE revision = (SELECT head FROM journals); UPDATE journals SET head = 9223372036854775807",
    "UPDATE entries SET revision = 9223372036854775807 WHERE revision = (SELECT head FROM journals)",
    "UPDATE entries SET revision = -9223372036854775808 WHERE revision = 1",
    "UPDATE entries SET revision = 0 WHERE revision = 1",
    "UPDATE entries SET sequence = 9223372036854775807 WHERE revision = 2",
    "UPDATE journals SET head = head - 2, checksum = (SELECT checksum FROM entries WHERE revision = head - 2)",
    "UPDATE journals SET head = 0, checksum = id", "UPDATE journals SET head = 0",
    "DELETE FROM entries WHERE revision = 3", "DELETE FROM entries", "DELETE FROM journals",
    "INSERT INTO journals (key, id, head, checksum, created) SELECT 'other', id, 9223372036854775807, checksum, created FROM journals",
    "UPDATE entries SET cause = '{\"answers\":{\"origin\":\"00000000-0000-0000-0000-000000000000\",\"sequence\":9223372036854775807}}'",
    "UPDATE snapshots SET revision = 9223372036854775807, base = 9223372036854775807",
  ]

  @Test("whatever a column holds, a command ends with a documented status")
  func columns() async throws {
    let pattern = try await HostileFile.pattern.value
    let statuses = try documentedStatuses()
    let tables = FileFormat.schema.filter { $0.type == "table" && Self.isTried($0) }
    var cases: [String] = Self.histories
    for table in tables {
      for column in table.columns {
        for value in Self.values {
          // For entries, either the last row or another one.
          let row = table.name != "entries" ? "" : " WHERE revision = \(cases.count % 2 == 0 ? "(SELECT max(revision) FROM entries)" : "2")"
          cases.append("UPDATE OR IGNORE \(table.name) SET \(column) = \(value)\(row)")
        }
      }
    }
    #expect(tables.count == (Effort.isFull ? 15 : 4) && cases.count > 300)
    try await Self.each(cases) { place, sql in
      let file = try HostileFile(pattern)
      // If the table itself rejects the value, there is no case to test.
      guard (try? file.tamperFreely(sql)) != nil else { return }
      let before = file.bytes
      for offset in 0..<2 {
        let command = Self.readers[(place * 2 + offset) % (Self.readers.count - 1)]
        let outcome = try await file.run(command)
        Self.expectAnswer(outcome, statuses, "\(sql): \(command)")
      }
      #expect(file.bytes == before, "\(sql): a command that reads has changed the file")
      #expect(file.contents == ["list.alter"], "\(sql): \(file.contents)")
      let added = try await file.run(["todo", "add", "Added now"])
      Self.expectAnswer(added, statuses, "\(sql): add")
      guard added.status == 0 else { return }
      let list = try await file.run(["todo", "list"])
      #expect(list.status == 0 && list.output.contains("Added now"), "\(sql): \(list)")
      Self.expectAnswer(try await file.run(["todo", "undo"]), statuses, "\(sql): undo")
    }
  }

  @Test(
    "entries that can't be all of them are damage, and a reader says so at once",
    arguments: histories.prefix(4) + ["DELETE FROM entries WHERE revision = 3"])
  func impossibleHistory(_ sql: String) async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    try file.tamperFreely(sql)
    for command in Self.readers {
      let outcome = try await file.run(command)
      #expect(outcome.status == 65 && (outcome.errors + outcome.output).contains("is damaged at revision"), "\(command): \(outcome)")
    }
    #expect(try await file.run(["todo", "add", "x"]).status == 65)
  }

  // MARK: The schema

  /// Replaces one object of the schema by another, in every possible way.
  static func schemaCases() -> [String] {
    let edit = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET "
    func text(_ sql: String) -> String { "'" + sql.replacingOccurrences(of: "'", with: "''") + "'" }
    var cases = [
      "CREATE TABLE more (x)", "CREATE VIEW more AS SELECT 1", "CREATE VIRTUAL TABLE more USING fts5(x)", "ANALYZE",
      "\(edit)sql = sql || ' ' WHERE name = 'entries'", "DROP VIEW log",
      "DROP VIEW log; CREATE VIEW log AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
      "CREATE TRIGGER more INSTEAD OF DELETE ON log BEGIN DELETE FROM entries; END",
      "\(edit)rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'entries') WHERE name = 'snapshots'",
    ]
    for object in FileFormat.schema {
      guard let sql = object.sql, object.type != "view", isTried(object) else { continue }
      cases.append("DROP \(object.type) \(object.name)")
      guard object.type == "table" else {
        cases.append("\(edit)sql = sql || ' WHERE 0' WHERE name = '\(object.name)'")
        continue
      }
      let columns = object.columns.joined(separator: ", ")
      let numbers = object.columns.map { _ in "n" }.joined(separator: ", ")
      cases.append(
        """
        DROP TABLE \(object.name); CREATE VIEW \(object.name) (\(columns)) AS
          WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT \(numbers) FROM r
        """)
      for event in ["INSERT", "UPDATE", "DELETE"] {
        cases.append("CREATE TRIGGER more AFTER \(event) ON \(object.name) BEGIN DELETE FROM entries WHERE revision = 2; END")
      }
      cases.append("CREATE INDEX more ON \(object.name) (\(object.columns[0]))")
      cases.append("ALTER TABLE \(object.name) ADD COLUMN more ANY")
      cases.append("ALTER TABLE \(object.name) ADD COLUMN more ANY AS (zeroblob(1000000000)) VIRTUAL")
      let lines = sql.components(separatedBy: "\n")
      for column in object.columns {
        guard let place = lines.firstIndex(where: { $0.split(separator: " ").first == Substring(column) }) else { continue }
        var other = lines
        other.remove(at: place)
        cases.append("\(edit)sql = \(text(other.joined(separator: "\n"))) WHERE name = '\(object.name)'")
        for (old, new) in [("INTEGER", "INTEGER DEFAULT 7"), ("TEXT", "TEXT COLLATE NOCASE"), ("BLOB", "BLOB DEFAULT x'00'")]
        where lines[place].contains(old) {
          other = lines
          other[place] = other[place].replacingOccurrences(of: old, with: new)
          cases.append("\(edit)sql = \(text(other.joined(separator: "\n"))) WHERE name = '\(object.name)'")
        }
      }
    }
    return cases
  }

  @Test("another schema is refused by every command, with the reason, and nothing of it runs")
  func schema() async throws {
    let pattern = try await HostileFile.pattern.value
    let cases = Self.schemaCases()
    #expect(cases.count > 80)
    try await Self.each(cases) { place, sql in
      let file = try HostileFile(pattern)
      try file.tamper(sql)
      let before = file.bytes
      try #require(before != pattern)
      for command in [Self.readers[place % Self.readers.count], ["todo", "add", "x"]] {
        let outcome = try await file.run(command)
        #expect(outcome.status == 65 && outcome.errors.contains("schema"), "\(sql): \(command): \(outcome)")
        expectPrintable(outcome.errors, sql)
      }
      #expect(file.bytes == before, "\(sql): the file was changed")
    }
  }

  // MARK: Files beside it

  /// The kinds of things that may take the place of one of the journal's own files.
  enum Thing: String, CaseIterable, Sendable {
    case symbolicLink, linkToNothing, hardLink, pipe, folder, device, socket

    /// Creates the thing at the path.
    ///
    /// - Returns: Whether this user can create it.
    func put(at path: String, target: String) -> Bool {
      switch self {
      case .symbolicLink: return symlink(target, path) == 0
      case .linkToNothing: return symlink(target + "-none", path) == 0
      case .hardLink: return link(target, path) == 0
      case .pipe: return mkfifo(path, 0o600) == 0
      case .folder: return mkdir(path, 0o700) == 0
      // The device /dev/null.
      case .device:
        var status = stat()
        return stat("/dev/null", &status) == 0 && mknod(path, S_IFCHR | 0o600, status.st_rdev) == 0
      case .socket: return mknod(path, S_IFSOCK | 0o600, 0) == 0
      }
    }
  }

  @Test(
    "a file beside the journal that isn't one is refused or left alone, and what it leads to is as it was", arguments: HelperName.allCases
  )
  func helpers(_ name: HelperName) async throws {
    let pattern = try await HostileFile.pattern.value
    let statuses = try documentedStatuses()
    let secret = Data("something of somebody's, longer than 32 bytes".utf8)
    for thing in Thing.allCases {
      let file = try HostileFile(pattern)
      let target = file.folder + "/target"
      try secret.write(to: URL(fileURLWithPath: target))
      let path = file.list + name.rawValue + (name == .holder ? String(repeating: "0", count: 32) : "")
      guard thing.put(at: path, target: target) else { continue }
      let commands = [["todo", "add", "x"], ["todo", "list"], ["alter", "log", "LIST"], ["todo", "add", "--wait=0", "y"]]
      for command in commands {
        let outcome = try await file.run(command)
        Self.expectAnswer(outcome, statuses, "\(name) is a \(thing): \(command)")
        #expect(
          try Data(contentsOf: URL(fileURLWithPath: target)) == secret, "\(name) is a \(thing): \(command) has changed what it leads to")
        #expect(!FileManager.default.fileExists(atPath: target + "-none"), "\(name) is a \(thing): \(command)")
        // A writer opens these files. A rollback journal is also refused to a reader.
        guard [.lock, .bell, .wal, .shm, .journal].contains(name), command[1] == "add" || name == .journal else { continue }
        #expect(
          outcome.status == Self.cannotOpen(command) && outcome.errors.contains("'\(path)' beside it"), "\(name) is a \(thing): \(outcome)")
      }
    }
  }

  /// The status of a journal that can't be opened: 66 from commands that only read (docs/exit-statuses.md).
  private static func cannotOpen(_ command: [String]) -> Int32 { command[0] == "alter" || command[1] == "inspect" ? 66 : 73 }

  @Test("a rollback journal beside the file is refused by every command, and neither it nor what it names comes to harm")
  func rollbackJournal() async throws {
    let pattern = try await HostileFile.pattern.value
    let file = try HostileFile(pattern)
    let target = file.folder + "/target"
    try Data("something of somebody's".utf8).write(to: URL(fileURLWithPath: target))
    func big(_ number: Int) -> Data { withUnsafeBytes(of: UInt32(number).bigEndian) { Data($0) } }
    // SQLite deletes the file that such a journal names.
    let planted =
      Data(repeating: 120, count: 512) + big(0x4000_0000 / 4096 + 1) + Data(target.utf8) + big(target.utf8.count)
      + big(target.utf8.reduce(0) { $0 + Int($1) }) + Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    let path = file.list + HelperName.journal.rawValue
    try planted.write(to: URL(fileURLWithPath: path))
    for command in Self.readers + [["todo", "add", "x"]] {
      let outcome = try await file.run(command)
      #expect(
        outcome.status == Self.cannotOpen(command) && outcome.errors.contains("'\(path)' beside it is a rollback journal"),
        "\(command): \(outcome)")
    }
    #expect(file.bytes == pattern)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == planted)
    #expect(FileManager.default.fileExists(atPath: target))
  }

  @Test("another user's file beside the journal is refused", arguments: [HelperName.lock, .bell, .wal, .shm, .journal])
  func foreignHelper(_ name: HelperName) async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let other = 65_534
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
      chown(file.folder, uid_t(other), gid_t(other)) == 0, chown(file.list, uid_t(other), gid_t(other)) == 0,
      try await file.run(["todo", "list"], asUser: other).status == 0
    else { return print("SKIPPED: only root can make another user's file, and the built commands must be readable by everybody.") }
    let path = file.list + name.rawValue
    try Data().write(to: URL(fileURLWithPath: path))
    // Files that SQLite creates as root belong to root.
    if [.wal, .shm, .journal].contains(name) { try #require(chown(path, 65_533, 65_533) == 0) }
    chmod(path, 0o666)
    let outcome = try await file.run(["todo", "add", "x"], asUser: other)
    #expect(outcome.status == 73 && outcome.errors.contains("belongs to another user"), "\(outcome)")
  }

  // MARK: Traces

  @Test("a command that reads leaves nothing beside the file", arguments: readers.dropLast())
  func traces(_ command: [String]) async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let outcome = try await file.run(command)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(file.contents == ["list.alter"])
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

  @Test("a server that a signal ends leaves nothing beside the file", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func tracesOfAServer(_ number: Int32) async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let process = try LineProcess([Product.path("alter"), "serve", file.list], environment: ["HOME": file.folder])
    _ = await process.line()
    #expect(file.contents.contains("list.alter-wal"))
    #expect(process.child.end(number) == 0)
    #expect(file.contents == ["list.alter"])
  }

  @Test("a closed terminal doesn't end what is run under nohup")
  func nohup() async throws {
    let file = try HostileFile(try await HostileFile.pattern.value)
    let ignoring = ["/bin/sh", "-c", #"trap '' HUP; exec "$@""#, "sh"]
    let process = try LineProcess(ignoring + [Product.path("alter"), "tail", file.list, "--from=1"], environment: ["HOME": file.folder])
    _ = await process.line()
    process.child.signal(SIGHUP)
    // If the first signal had ended it, the status would differ.
    #expect(process.child.end(SIGTERM) == 128 + SIGTERM)
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

    // A device in the test's folder, because a bug would replace the system's own.
    let device = file.folder + "/null"
    if Thing.device.put(at: device, target: "") {
      let outcome = try await file.run(["todo", "export", device])
      // Some file systems can't contain devices.
      #expect([0, 77].contains(outcome.status), "\(outcome)")
      #expect(status(device).st_mode & S_IFMT == S_IFCHR)
    }

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
