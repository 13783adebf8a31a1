import Alter
import Foundation
import GRDB
import ProcessTesting
import Testing
import TodoCore

@testable import AlterSQLite

/// A list in its own folder, in a file that an attacker has manipulated.
final class HostileFile: Sendable {
  private let home: Folder
  var folder: String { home.path }
  var list: String { folder + "/list.alter" }

  /// The bytes of a list with everything that a file may contain: entries of two replicas, an undo, a lease, a snapshot.
  static let pattern = Task { try await makePattern() }

  private static func makePattern() async throws -> Data {
    let file = try HostileFile(Data?.none)
    for arguments in [["add", "First"], ["add", "Second"], ["done", "1"], ["undo"], ["rename", "2", "Last"]] {
      let outcome = try await file.run(["todo"] + arguments)
      try #require(outcome.status == 0, "\(outcome)")
    }
    let journal = try await SQLiteJournal(at: file.list)
    let head = try await journal.head()
    let state = try JournalCoding.encode(try await Store<AppState>.state(at: head.revision, in: journal))
    try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1_000, payload: state))
    _ = try await journal.lease("cloud", for: .random(), lasting: .zero)
    await journal.close()
    return try Data(contentsOf: URL(fileURLWithPath: file.list))
  }

  /// Creates a folder with a list of these bytes, or without a list.
  init(_ bytes: Data?) throws {
    home = try Folder()
    if let bytes { try bytes.write(to: URL(fileURLWithPath: list)) }
  }

  var bytes: Data { (try? Data(contentsOf: URL(fileURLWithPath: list))) ?? Data() }

  /// The names of the files in the folder.
  var contents: [String] { home.contents }

  /// Runs a command on the list with a limit on its processor time: a signal ends an endless loop.
  func run(_ command: [String], appendingTo output: String? = nil) async throws -> Outcome {
    let words = command.map { $0 == "LIST" ? list : $0 }
    var all = ["/bin/sh", "-c", #"ulimit -t 60; exec "$0" "$@""# + (output == nil ? "" : #" >>"$OUTPUT""#)]
    all += try [Product.path(words[0])] + words.dropFirst()
    let environment = [
      "HOME": folder, "TODO_STORE": list, "TZ": "UTC", "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "OUTPUT": output ?? "",
    ]
    let line = all
    return try await onThread { Result { try ChildProcess.run(line, environment: environment) } }.get()
  }

  /// Changes the tables or the schema with SQL, without the journal.
  func tamper(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(path: list, configuration: configuration)
    try database.writeWithoutTransaction { try $0.execute(sql: sql) }
    try database.close()
  }

  /// Changes the tables with SQL as if their columns accepted any value. The schema is identical afterwards.
  func tamperFreely(_ sql: String) throws {
    let rules = [") STRICT, WITHOUT ROWID": ") WITHOUT ROWID", ") STRICT": ")", "NOT NULL": "", "REFERENCES journals": ""]
    var loose = "sql"
    for (rule, other) in rules.sorted(by: { $0.key.count > $1.key.count }) { loose = "replace(\(loose), '\(rule)', '\(other)')" }
    try tamper("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = \(loose) WHERE type = 'table'")
    try tamper(sql)
    for object in FileFormat.schema {
      guard object.type == "table", let text = object.sql?.replacingOccurrences(of: "'", with: "''") else { continue }
      try tamper("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '\(text)' WHERE name = '\(object.name)'")
    }
  }
}
