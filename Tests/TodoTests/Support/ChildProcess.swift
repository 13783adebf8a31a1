import Alter
import Foundation

/// A process that a test has started, with nothing of the test's own but what it is given.
final class ChildProcess: Sendable {
  struct SpawnError: Error, CustomStringConvertible {
    let command: String
    let code: Int32
    var description: String { "can't start \(command): \(String(cString: strerror(code)))" }
  }

  let pid: pid_t
  private let status = Box<Int32?>(nil)

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - arguments: The executable's path, and what follows.
  ///   - environment: All of the environment.
  ///   - streams: The descriptors that become its standard input, output and error.
  init(_ arguments: [String], environment: [String: String], streams: [Int32]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target)) }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, arguments[0], &actions, nil, &words, &variables)
    guard code == 0 else { throw SpawnError(command: arguments[0], code: code) }
    self.pid = pid
  }

  /// Ends it at once, as power loss would, but for the disk's own memory.
  func kill() { _ = Foundation.kill(pid, SIGKILL) }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  func wait() -> Int32 {
    status.withLock { known in
      if let known { return known }
      var raw: Int32 = 0
      while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
      let result = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
      known = result
      return result
    }
  }
}

/// A value that threads share.
final class Box<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
