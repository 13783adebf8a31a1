import AlterCore
import AlterJournal
import Foundation

/// A temporary folder that is removed after the test.
struct TemporaryFolder: Sendable {
  let url: URL

  static func use<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("alter-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(TemporaryFolder(url: url))
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

  func write(_ bytes: Data, to name: String) throws { try bytes.write(to: url.appendingPathComponent(name)) }

  /// The names of all files in the folder, sorted.
  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }
}

extension Duration {
  /// A timeout that even a busy machine doesn't reach. The awaited event must happen, but without a time limit.
  static let patient = Duration.seconds(200)
}

/// Makes drafts of one origin, numbered 1, 2, 3 …
struct TestWriter {
  let origin = Origin.random()
  private var sequence: Int64 = 0

  mutating func draft(_ payload: String = #"["x"]"#) -> Entry.Draft {
    sequence += 1
    return Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: sequence), time: sequence, payload: Data(payload.utf8))
  }

  mutating func drafts(_ count: Int) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = []
    for number in 0..<count { drafts.append(draft("[\(number)]")) }
    return drafts
  }
}
