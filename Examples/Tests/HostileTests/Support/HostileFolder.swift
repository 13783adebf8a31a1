import Alter
import Foundation
import ProcessTesting
import Testing

@testable import AlterSQLite

/// A folder with a list and a journal that contain hostile texts and numbers, on which the commands run.
final class HostileFolder: Sendable {
  private let home: Folder
  var path: String { home.path }
  /// A list of `todo`.
  var list: String { path + "/list.alter" }
  /// A journal of an unknown app.
  var journal: String { path + "/journal.db" }

  init() async throws {
    home = try Folder()
    try await fillJournal()
    try await fillList()
  }

  /// The whole environment of a command.
  func environment(_ more: [String: String] = [:]) -> [String: String] {
    ["HOME": path, "TODO_STORE": list, "TZ": "UTC", "PATH": "/usr/bin:/bin", "PGCONNECT_TIMEOUT": "2"].merging(more) { $1 }
  }

  /// Runs a command to its end.
  func run(_ command: [String], input: [UInt8] = [], _ more: [String: String] = [:]) async throws -> Outcome {
    let all = try [Product.path(command[0])] + command.dropFirst()
    let environment = environment(more)
    return try await onThread { Result { try ChildProcess.run(all, environment: environment, input: input) } }.get()
  }

  // MARK: Contents

  private func fillJournal() async throws {
    let journal = try await SQLiteJournal(at: journal, durability: .relaxed)
    let (first, second) = (Origin.random(), Origin.random())
    let needle = try String(decoding: JournalCoding.encode(HostileKind.needle), as: UTF8.self).dropFirst().dropLast()
    func add(_ payload: String, _ kind: Entry.Kind, _ id: EntryID, time: Int64, scope: String = "", cause: String? = nil) async throws {
      let draft = Entry.Draft(
        kind: kind, id: id, time: time, scope: UndoScope(rawValue: scope), payload: Data(payload.utf8), cause: cause.map { Data($0.utf8) }
      )
      _ = try await journal.append([draft], after: journal.head())
    }
    func id(_ origin: Origin, _ sequence: Int64) -> EntryID { EntryID(origin: origin, sequence: sequence) }
    try await add(
      #"{"\#(needle)":{"\#(needle)":1},"items":[{"id":"\#(needle)","text":"\#(needle)"}]}"#, .initial, id(first, 1), time: .min)
    try await add(
      #"[{"rename":{"\#(needle)":"\#(needle)"}}]"#, .changes, id(first, 2), time: .max, scope: HostileKind.needle,
      cause:
        #"{"answers":{"origin":"\#(first.text)","sequence":9223372036854775807},"feedback":"\#(needle)","metadata":{"\#(needle)":"\#(needle)"}}"#
    )
    // The highest possible sequence number, and another entry of the same origin after it.
    try await add(#"[{"a":{}}]"#, .changes, id(second, .max), time: 0)
    try await add(#"[{"b":{}}]"#, .changes, id(second, 1), time: -1)
    try await add(#"{"targets":[{"origin":"\#(second.text)","sequence":9223372036854775807}]}"#, .undo, id(first, 3), time: .max)
    try await add(#"{"\#(needle)":{"\#(needle)":2},"items":[]}"#, .reset, id(first, 4), time: .max)
    await journal.close()
  }

  private func fillList() async throws {
    let text = HostileKind.needle.replacingOccurrences(of: "\u{2028}", with: "")
    for arguments in [
      ["add", "Pay rent \(text) @\(text)"], ["add", "Buy bread"], ["tag", "1", "+\(text)"], ["note", text], ["done", "2"],
      ["rename", "2", "Buy \(text)"], ["undo"],
    ] {
      let outcome = try await run(["todo"] + arguments)
      try #require(outcome.status == 0, "\(arguments): \(outcome)")
    }
    // The journal stores the name of an imported file as a cause.
    let file = path + "/\(text).txt"
    try Data("Imported\n".utf8).write(to: URL(fileURLWithPath: file))
    let outcome = try await run(["todo", "import", file])
    try #require(outcome.status == 0, "\(outcome)")
  }
}

extension Origin {
  fileprivate var text: String { uuid.uuidString }
}

/// The statuses that `docs/exit-statuses.md` names.
func documentedStatuses() throws -> Set<Int32> {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../../docs/exit-statuses.md")
  let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }
  return Set(
    rows.flatMap {
      ($0.split(separator: "|").first ?? "").split(separator: ",").compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) }
    })
}
