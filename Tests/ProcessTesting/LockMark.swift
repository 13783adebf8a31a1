public import Foundation

/// The lock file of a journal, observed from outside.
public struct LockMark: Sendable {
  /// The path of the lock file.
  public let path: String

  /// The lock file at a path.
  public init(path: String) { self.path = path }

  /// The process that holds the lock, or held it when it died, and its purpose.
  public var holder: (pid: pid_t, purpose: String)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
    guard words.count >= 3, let pid = pid_t(words[0]) else { return nil }
    return (pid, String(words[2]))
  }
}
