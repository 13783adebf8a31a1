import AlterCore
public import Foundation

/// A process that a test has started. It inherits only the descriptors that it is given, and ends at the latest with this object.
///
/// Foundation's `Process` is not used, because on Linux it considers a process as running while any process holds a socket that it creates
/// for it. Processes that other tests start at the same moment inherit that socket. A server among them would keep this test waiting for as
/// long as it runs.
public final class ChildProcess: Sendable {
  /// The reason why a process could not be started.
  public struct SpawnError: Error, CustomStringConvertible {
    let what: String
    let code: Int32
    /// The message.
    public var description: String { "can't start \(what): \(String(cString: strerror(code)))" }

    /// - Parameters:
    ///   - what: The command, or the resource that could not be created for it.
    ///   - code: The system's error number.
    public init(_ what: String, code: Int32 = errno) {
      self.what = what
      self.code = code
    }
  }

  /// The process id.
  public let pid: pid_t
  private let status = Lock<Int32?>(nil)

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The whole environment; that of the tests by default.
  ///   - folder: The working directory; that of the tests by default.
  ///   - streams: The descriptors for its standard input, output and error, and for the following numbers; nil for /dev/null.
  ///   - leadsGroup: Whether it leads a new process group.
  public init(
    _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, in folder: String? = nil, streams: [Int32?],
    leadsGroup: Bool = false
  ) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // High numbers, so that no source is overwritten while the descriptors are assigned.
    let sources = streams.map { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 100) } ?? open("/dev/null", O_RDWR | O_CLOEXEC) }
    defer { for source in sources { close(source) } }
    for (target, source) in sources.enumerated() { posix_spawn_file_actions_adddup2(&actions, source, Int32(target)) }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      // The C library's own function for this is not visible in Swift. Closing a closed descriptor is no error for it. The range is larger
      // than necessary, because other threads may open files meanwhile.
      let highest = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.max()) ?? 1_024
      for descriptor in Int32(streams.count)..<highest + 256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    // The threads of the tests block signals, and the tests ignore broken pipes. A child would inherit both.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    if leadsGroup {
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let all = folder.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] + command } ?? command
    var words: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, all[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SpawnError(command[0], code: code) }
    self.pid = pid
  }

  deinit { end() }

  /// Sends a signal, unless the process has ended.
  public func signal(_ signal: Int32) {
    // The id of an ended process is not reused until its status has been read.
    status.withLock { if $0 == nil { kill(pid, signal) } }
  }

  /// Sends a signal, unless the process has ended, and waits for its end.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended it.
  @discardableResult
  public func end(_ signal: Int32 = SIGKILL) -> Int32 {
    self.signal(signal)
    return wait()
  }

  /// Stops the process at any point, and returns when it has stopped. `SIGCONT` lets it continue.
  public func stop() {
    status.withLock { status in
      guard status == nil else { return }
      kill(pid, SIGSTOP)
      var raw: Int32 = 0
      while waitpid(pid, &raw, WUNTRACED) < 0, errno == EINTR {}
      if raw & 0xFF != 0x7F { status = Self.status(raw) }
    }
  }

  /// Waits for the end of the process. Blocks.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended it.
  @discardableResult
  public func wait() -> Int32 {
    // Waits without the lock, because a signal may be needed to end the process.
    var end = siginfo_t()
    while waitid(P_PID, id_t(pid), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return status.withLock { known in
      if let known { return known }
      var raw: Int32 = 0
      while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
      let status = Self.status(raw)
      known = status
      return status
    }
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended it.
  public func ended() async -> Int32 { await onThread { self.wait() } }

  private static func status(_ raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F) }
}

/// Runs a blocking closure on a new thread. The threads for asynchronous code are few.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: body()) } }
}

/// The built products, in the folder of the test bundle or in its configuration's folder.
public enum Product {
  struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    var description: String { "'\(name)' is in none of \(Product.folders). Build it with script/test." }
  }

  /// The folders that may contain the products.
  public static let folders: [String] = {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let places = bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.executableURL].compactMap { $0 }
    return places.map { $0.deletingLastPathComponent().path }
  }()

  /// The path of an executable.
  public static func path(_ name: String) throws -> String {
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { throw NotBuilt(name: name) }
    return path
  }
}
