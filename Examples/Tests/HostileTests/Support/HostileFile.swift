import Alter
import Foundation
import GRDB
import ProcessTesting
import Testing
import TodoCore

@testable import AlterSQLite

/// A list in a folder of its own, which somebody who means harm has changed.
final class HostileFile: Sendable {
  let folder: String
  var list: String { folder + "/list.alter" }

  /// A list with everything that a file may hold, to be copied: entries of two replicas, an undo, a lease, a snapshot.
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

  /// A folder with a list in it, or with none.
  init(_ bytes: Data?) throws {
    folder = FileManager.default.temporaryDirectory.path + "/alter-file-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if let bytes { try bytes.write(to: URL(fileURLWithPath: list)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var bytes: Data { (try? Data(contentsOf: URL(fileURLWithPath: list))) ?? Data() }

  /// What is in the folder.
  var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  /// Runs a command on the list, which may use so many seconds of the processor: a loop without end is ended by a signal.
  func run(_ command: [String], asUser user: Int? = nil, appendingTo output: String? = nil) async throws -> Outcome {
    let words = command.map { $0 == "LIST" ? list : $0 }
    var all = ["/bin/sh", "-c", #"ulimit -t 60; exec "$0" "$@""# + (output == nil ? "" : #" >>"$OUTPUT""#)]
    if let user { all += ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] }
    all += try [Product.path(words[0])] + words.dropFirst()
    let environment = [
      "HOME": folder, "TODO_STORE": list, "TZ": "UTC", "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "OUTPUT": output ?? "",
    ]
    let line = all
    return try await onThread { Result { try ChildProcess.run(line, environment: environment) } }.get()
  }

  /// Does something to the tables or to the schema, behind the journal's back.
  func tamper(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(path: list, configuration: configuration)
    try database.writeWithoutTransaction { try $0.execute(sql: sql) }
    try database.close()
  }

  /// Does something to the tables as if they took any value. The schema is the same afterwards, to the letter.
  func tamperFreely(_ sql: String) throws {
    let rules = [") STRICT, WITHOUT ROWID": ") WITHOUT ROWID", ") STRICT": ")", "NOT NULL": "", "REFERENCES journal": ""]
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
