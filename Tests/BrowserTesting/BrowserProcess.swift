import Foundation
import ProcessTesting

/// Chromium as a child process that hears and answers on one socket, with a profile of its own.
///
/// It ends with the tests in every case: ``end()`` kills it with its children; and if nobody gets that far, its end of the socket closes,
/// which it takes for the end of its work.
struct BrowserProcess: Sendable {
  private let process: ChildProcess
  private let said: NamelessFile
  /// Our end of the socket.
  let socket: Int32
  /// The profile and the temporary files; removed at the end.
  let folder: String

  /// Where a Chromium is: `ALTER_BROWSER`, or what the system has installed; nil when there is none.
  static let executable: String? = {
    let environment = ProcessInfo.processInfo.environment
    var candidates = environment["ALTER_BROWSER"].map { [$0] } ?? []
    for folder in (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
      candidates += ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map { "\(folder)/\($0)" }
    }
    candidates += ["Google Chrome", "Chromium"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
    return candidates.first { access($0, X_OK) == 0 }
  }()

  /// Starts it.
  ///
  /// - Throws: ``BrowserError`` when there is none, or it can't be started.
  init() throws {
    guard let executable = Self.executable else {
      throw BrowserError("no Chromium in PATH: install Debian's packages 'chromium' and 'fonts-dejavu-core', or name one by ALTER_BROWSER.")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("alter-browser-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let (ours, theirs) = try Self.makeSocketPair()
    defer { close(theirs) }
    socket = ours
    do {
      said = try NamelessFile()
      process = try ChildProcess(
        [executable] + Self.arguments(folder: folder),
        environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": folder, "HOME": folder]) { $1 },
        streams: [nil, said.descriptor, said.descriptor, theirs, theirs], leadsGroup: true)
    } catch {
      close(ours)
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  private static func arguments(folder: String) -> [String] {
    var arguments = [
      "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(folder)/profile", "--no-first-run", "--no-default-browser-check",
      // Nothing but the pages: no updates, no reports, no extensions, no questions.
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps",
      "--disable-breakpad", "--disable-crash-reporter", "--metrics-recording-only", "--no-pings", "--password-store=basic",
      "--use-mock-keychain", "--disable-features=Translate,OptimizationHints,MediaRouter", "--disable-gpu", "--mute-audio",
      // A page that nobody looks at works as fast as one that is in front.
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
      // The same pictures everywhere.
      "--force-color-profile=srgb", "--font-render-hinting=none", "--hide-scrollbars", "--lang=en-US",
    ]
    // Chromium refuses to put root into its sandbox.
    if getuid() == 0 { arguments.append("--no-sandbox") }
    return arguments + ["about:blank"]
  }

  /// Two ends of which a child has only the one that it is given.
  private static func makeSocketPair() throws -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let code = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
    #else
      let code = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    #endif
    guard code == 0 else { throw BrowserError("can't make a socket pair: \(String(cString: strerror(errno))).") }
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (ends[0], ends[1])
  }

  /// Sends a message, ended by a zero byte.
  func send(_ message: Data) throws {
    let bytes = [UInt8](message) + [0]
    var sent = 0
    while sent < bytes.count {
      #if canImport(Darwin)
        let count = bytes[sent...].withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
      #else
        let count = bytes[sent...].withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BrowserError("the browser has gone: \(log)") }
      sent += count
    }
  }

  /// Reads messages until the browser has gone. Blocks.
  func receive(_ onMessage: (Data) -> Void) {
    var pending = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: 0) {
        pending.append(contentsOf: rest[..<end])
        onMessage(pending)
        pending = Data()
        rest = rest[(end + 1)...]
      }
      pending.append(contentsOf: rest)
    }
  }

  /// The end of what it wrote.
  var log: String {
    let text = String(decoding: said.bytes, as: UTF8.self)
    return text.isEmpty ? "it wrote nothing." : String(text.suffix(2_000))
  }

  /// Kills it with its children, and removes what it leaves.
  func end() {
    shutdown(socket, Int32(SHUT_RDWR))
    kill(-process.pid, SIGKILL)
    process.wait()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
