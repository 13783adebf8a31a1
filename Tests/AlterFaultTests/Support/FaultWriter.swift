import Foundation
import ProcessTesting

/// Starts a process of `Tests/FaultWriter`, which a test can talk to, stop and kill. Its standard error is ignored, because its exit status
/// reveals a trap.
func faultWriter(_ arguments: String...) throws -> LineProcess {
  try LineProcess([Product.path("fault-writer")] + arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
}

/// The lock file of a journal, observed from outside.
struct LockMark {
  let path: String

  /// The process that holds the lock, or held it when it died, and its purpose.
  var holder: (pid: pid_t, purpose: String)? {
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
