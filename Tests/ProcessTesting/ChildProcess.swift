import AlterCore
public import Foundation

/// A process that a test has started, with nothing of the tests' own but what it is given. It ends with this object at the latest.
///
/// Not Foundation's `Process`: on Linux that takes a process for running as long as anybody holds a socket that it makes for each, and what other tests
/// start at the same moment inherits it. A server that one of them leaves running keeps the other waiting for as long as it runs.
public final class ChildProcess: Sendable {
  /// Why there is no process.
  public struct SpawnError: Error, CustomStringConvertible {
    let what: String
    let code: Int32
    /// The message.
    public var description: String { "can't start \(what): \(String(cString: strerror(code)))" }

    /// - Parameters:
    ///   - what: What was to be started, or made for it.
    ///   - code: The system's error.
    public init(_ what: String, code: Int32 = errno) {
      self.what = what
      self.code = code
    }
  }

  /// The number of the process.
  public let pid: pid_t
  private let status = Lock<Int32?>(nil)

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: The executable's path, and what follows.
  ///   - environment: All of its environment; that of the tests by default.
  ///   - folder: Where it works; where the tests do by default.
  ///   - streams: The descriptors that become its standard input, output and error, and what follows them; nil for nothing to read or write.
  ///   - leadsGroup: Whether it is the first of a process group of its own.
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
    // None of them a descriptor that is overwritten on the way.
    let sources = streams.map { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 100) } ?? open("/dev/null", O_RDWR | O_CLOEXEC) }
    defer { for source in sources { close(source) } }
    for (target, source) in sources.enumerated() { posix_spawn_file_actions_adddup2(&actions, source, Int32(target)) }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      // The C library's own way to say this is not visible from Swift; closing what is not open is no error to it. Some more than there are now: others may
      // open files meanwhile.
      let highest = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.max()) ?? 1_024
      for descriptor in Int32(streams.count)..<highest + 256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    // The threads that tests run on block signals, tests ignore broken pipes, and a child would inherit both.
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

  /// Sends a signal, unless it has ended.
  public func signal(_ signal: Int32) {
    // What has ended keeps its number until its status is known.
    status.withLock { if $0 == nil { kill(pid, signal) } }
  }

  /// Sends a signal, unless it has ended, and waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  public func end(_ signal: Int32 = SIGKILL) -> Int32 {
    self.signal(signal)
    return wait()
  }

  /// Stops it in the middle of whatever it does, and returns when it has stopped. `SIGCONT` lets it go on.
  public func stop() {
    status.withLock { status in
      guard status == nil else { return }
      kill(pid, SIGSTOP)
      var raw: Int32 = 0
      while waitpid(pid, &raw, WUNTRACED) < 0, errno == EINTR {}
      if raw & 0xFF != 0x7F { status = Self.status(raw) }
    }
  }

  /// Waits for its end. Blocks.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  public func wait() -> Int32 {
    // Without the lock: a signal may be what ends it.
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

  /// Waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  public func ended() async -> Int32 { await onThread { self.wait() } }

  private static func status(_ raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F) }
}

/// Does what blocks, on a thread of its own: the tests' own are few.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: body()) } }
}

/// Where the built products are: beside the test bundle, whichever configuration was built.
public enum Product {
  struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    var description: String { "'\(name)' is in none of \(Product.folders). Build it with script/test." }
  }

  /// The folders in which they may be.
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
