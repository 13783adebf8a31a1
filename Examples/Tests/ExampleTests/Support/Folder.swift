import Foundation

/// A temporary folder that is removed after the test.
final class Folder {
  let path = FileManager.default.temporaryDirectory.path + "/example-test-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}
