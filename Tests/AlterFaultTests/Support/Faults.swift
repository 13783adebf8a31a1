import Foundation
import ProcessTesting
import Testing

/// Faults that the system, the disk and other processes may cause in a journal. The tests run one at a time, because each of them starts
/// many processes.
@Suite("Faults", .serialized) enum Faults {
  /// Whether the tests run without limits on their duration: `script/test --full`.
  static let isFull = ProcessInfo.processInfo.environment["ALTER_FULL"] == "1"

  /// The number of repetitions.
  static func effort(short: Int, full: Int) -> Int { isFull ? full : short }

  /// Whether calls can be interposed: on Linux, without a sanitizer.
  static let canInterpose: Bool = {
    guard let writer = try? faultWriter("possible") else { return false }
    defer { writer.child.end() }
    return writer.readLine() == "yes"
  }()
}

/// A temporary folder that is removed after the test. It is in memory if possible, unless the test depends on a real disk.
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
