import Foundation
import ProcessTesting
import Testing

/// What the system, the disk and other processes may do to a journal. One test at a time: each starts processes enough.
@Suite("Faults", .serialized) enum Faults {
  /// Whether the tests are to take as long as they like: `script/test --full`.
  static let isFull = ProcessInfo.processInfo.environment["ALTER_FULL"] == "1"

  /// How often something is tried.
  static func effort(short: Int, full: Int) -> Int { isFull ? full : short }

  /// Whether calls can be interposed: on Linux, and not under a sanitizer.
  static let canInterpose: Bool = {
    guard let writer = try? faultWriter("possible") else { return false }
    defer { writer.child.end() }
    return writer.readLine() == "yes"
  }()
}

/// A folder of a test's own, removed at its end; in memory where there is such a place, if nothing depends on a real disk.
final class Folder: Sendable {
  let path: String

  init(inMemory: Bool = true) throws {
    let memory = "/dev/shm"
    let base = inMemory && access(memory, W_OK | X_OK) == 0 ? memory : FileManager.default.temporaryDirectory.path
    path = base + "/alter-faults-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws { try Data(Array(bytes)).write(to: URL(fileURLWithPath: path(name))) }

  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}
