import Foundation
import Testing

/// A small file system in memory, for as long as the object lives. It takes root, on Linux, with the right to mount.
final class Mount {
  static let isPossible: Bool = {
    #if os(Linux)
      guard geteuid() == 0, let sandbox = try? Sandbox() else { return false }
      return (try? Mount(sandbox, size: "64k")) != nil
    #else
      return false
    #endif
  }()

  let path: String
  private let sandbox: Sandbox

  init(_ sandbox: Sandbox, size: String) throws {
    self.sandbox = sandbox
    path = sandbox.folder + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path)
  }

  deinit { try? run("umount", "-l", path) }

  /// Makes it read-only, or writable again.
  func remount(readOnly: Bool) throws { try run("mount", "-o", "remount,\(readOnly ? "ro" : "rw")", path) }

  private func run(_ command: String...) throws {
    let outcome = try sandbox.run(["/usr/bin/env"] + command, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    try #require(outcome.status == 0, "\(command): \(outcome)")
  }
}
