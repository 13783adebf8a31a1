import Foundation

/// A process that a test has started, with nothing of the test's own but its three streams.
///
/// Not Foundation's `Process`: that notices an end by a socket, which whatever the child leaves behind (a server of tmux) inherits and keeps.
final class ChildProcess {
  struct SpawnError: Error, CustomStringConvertible {
    let command: String
    let code: Int32
    var description: String { "can't start \(command): \(String(cString: strerror(code)))" }
  }

  /// Between a pipe's making and its being closed to others, nobody starts a process.
  static let starting = NSRecursiveLock()

  let pid: pid_t
  private var status: Int32?

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - arguments: The executable's path, and what follows.
  ///   - environment: Variables besides the usual few.
  ///   - streams: The descriptors that become its standard input, output and error; they close by themselves in other processes.
  init(_ arguments: [String], environment: [String: String] = [:], streams: [Int32]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target)) }
    // The threads that tests run on block signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let all = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var pid: pid_t = 0
    let code = Self.starting.withLock { posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables) }
    guard code == 0 else { throw SpawnError(command: arguments[0], code: code) }
    self.pid = pid
  }

  deinit {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    wait()
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    let result = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
    status = result
    return result
  }

  /// Runs a command to its end.
  ///
  /// - Returns: What it said on its standard output and error.
  static func run(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) throws -> (status: Int32, output: String) {
    let file = folder.file(UUID().uuidString)
    let streams = [open("/dev/null", O_RDONLY | O_CLOEXEC), open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)]
    defer {
      for stream in streams { close(stream) }
      unlink(file)
    }
    let child = try ChildProcess(arguments, environment: environment, streams: [streams[0], streams[1], streams[1]])
    let status = child.wait()
    return (status, try String(contentsOfFile: file, encoding: .utf8))
  }
}

/// A pipe whose ends no other process inherits.
struct ClosedPipe {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ChildProcess.SpawnError(command: "a pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}

/// A folder that is gone after the test.
final class Folder {
  let path = FileManager.default.temporaryDirectory.path + "/example-test-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}
