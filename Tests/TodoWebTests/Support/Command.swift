import BrowserTesting
import Foundation

/// A process, and what it says.
final class Command: Sendable {
  private let pid: pid_t
  private let path: String
  /// The end of a pipe where what it says can be read; -1 when it goes to a file.
  private let reading: Int32
  private let heard = Box("")
  private let status = Box<Int32?>(nil)

  /// Starts a process.
  ///
  /// - Parameter isFollowed: Whether what it says is waited for, line by line. Otherwise it goes to a file, and nothing has to be drained.
  init(
    _ executable: String, _ arguments: [String], _ environment: [String: String], folder: String, input: String = "",
    isFollowed: Bool = false
  ) throws {
    path = folder + "/" + UUID().uuidString
    try Data(input.utf8).write(to: URL(fileURLWithPath: path + ".in"))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, path + ".in", O_RDONLY, 0)
    var ends: [Int32] = [-1, -1]
    if isFollowed {
      guard pipe(&ends) == 0 else { throw TodoServer.ServerError(description: "no pipe: \(String(cString: strerror(errno)))") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, path + ".out", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    actions.closeInherited(from: 3)
    reading = ends[0]
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, executable, &actions, nil, &words, &variables)
    if isFollowed { close(ends[1]) }
    guard code == 0 else { throw TodoServer.ServerError(description: "can't start \(executable): \(String(cString: strerror(code)))") }
    self.pid = pid
  }

  deinit { if reading >= 0 { close(reading) } }

  /// All that it has said, as far as it was waited for.
  var output: String {
    reading >= 0 ? heard.withLock { $0 } : (try? String(contentsOfFile: path + ".out", encoding: .utf8)) ?? ""
  }

  /// Waits for a line that it says.
  func line(where isWanted: @escaping @Sendable (Substring) -> Bool) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try self.readLine(isWanted) }) }
    }
  }

  private func readLine(_ isWanted: (Substring) -> Bool) throws -> String {
    while true {
      let complete = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = complete.first(where: isWanted) { return String(line) }
      // Whoever says nothing ends a test with an error, not with silence.
      var end = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      guard poll(&end, 1, 60_000) > 0, case let count = read(reading, &bytes, bytes.count), count > 0 else {
        throw TodoServer.ServerError(description: "it says nothing of the kind: ‘\(output)’")
      }
      heard.withLock { $0 += String(decoding: bytes[..<count], as: UTF8.self) }
    }
  }

  private var hasEnded: Bool {
    status.withLock { known in
      if known != nil { return true }
      var raw: Int32 = 0
      guard waitpid(pid, &raw, WNOHANG) == pid else { return false }
      known = Self.status(raw)
      return true
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  func wait() -> Int32 {
    status.withLock { known in
      if let known { return known }
      var raw: Int32 = 0
      while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
      let status = Self.status(raw)
      known = status
      return status
    }
  }

  /// Sends a signal, unless it has ended, and waits for its end.
  @discardableResult
  func end(_ signal: Int32) -> Int32 {
    if !hasEnded { kill(pid, signal) }
    return wait()
  }

  private static func status(_ raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F) }
}

/// A value that threads share.
final class Box<Value>: @unchecked Sendable {
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
