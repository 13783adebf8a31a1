import Foundation

/// A process of `Tests/FaultWriter` that is talked to, stopped and killed.
///
/// Used by one thread.
final class FaultWriter {
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  let pid: pid_t
  private let input: Int32
  private let output: Int32
  private var unread: [UInt8] = []
  private var status: Int32?

  /// Starts one. What it says on its standard error is of no interest: a trap shows in how it ends.
  init(_ arguments: String...) throws {
    // Writing to a process that was killed is to fail, not to end the tests.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0, 0, 0]
    try ends.withUnsafeMutableBufferPointer { ends in
      guard pipe(ends.baseAddress!) == 0, pipe(ends.baseAddress! + 2) == 0 else { throw NotStarted(description: "no pipe: \(errno)") }
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { for end in [ends[0], ends[3], errors] { close(end) } }
    (input, output) = (ends[1], ends[2])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, end) in [ends[0], ends[3], errors].enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(target)) }
    let executable = try Self.path()
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { (words + variables).forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, executable, &actions, nil, &words, &variables)
    guard code == 0 else { throw NotStarted(description: "can't start \(executable): \(String(cString: strerror(code)))") }
    self.pid = pid
  }

  deinit {
    end()
    close(input)
    close(output)
  }

  /// Where it is: beside the test bundle, whichever configuration was built.
  private static func path() throws -> String {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let folders = (bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.executableURL].compactMap { $0 })
      .map { $0.deletingLastPathComponent().path }
    guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/fault-writer") }) else {
      throw NotStarted(description: "The executable 'fault-writer' is in none of \(folders). Build it with the trait SQLite.")
    }
    return folder + "/fault-writer"
  }

  // MARK: Talking

  /// The next line that it says; nil when it has ended.
  func readLine() -> String? {
    while true {
      if let feed = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(feed + 1) }
        return String(decoding: unread[..<feed], as: UTF8.self)
      }
      guard readSome() else { return nil }
    }
  }

  /// Every line that it still says, to its end.
  func readLines() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  private func readSome() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(output, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    unread += bytes.prefix(count)
    return true
  }

  /// Says a line to it.
  func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  // MARK: Signals

  /// Stops it in the middle of whatever it does, and returns when it has stopped.
  func stop() {
    guard status == nil else { return }
    kill(pid, SIGSTOP)
    var raw: Int32 = 0
    while waitpid(pid, &raw, WUNTRACED) < 0, errno == EINTR {}
    if raw & 0xFF != 0x7F { status = Self.status(raw) }
  }

  /// Lets it go on.
  func goOn() { kill(pid, SIGCONT) }

  /// Ends it at once.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  func end() -> Int32 {
    if status == nil { kill(pid, SIGKILL) }
    return wait()
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    let status = Self.status(raw)
    self.status = status
    return status
  }

  private static func status(_ raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F) }
}

/// The lock file of a journal, looked at from outside.
struct LockMark {
  let path: String

  /// Who holds it, and what for, or did when it died.
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
