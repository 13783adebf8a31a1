import Foundation
import ProcessTesting

/// A Chromium as a child process with its own profile. Commands and answers use one socket.
///
/// It always ends with the tests: ``end()`` kills it with its children. If the test process dies first, the socket closes, and Chromium
/// exits.
struct BrowserProcess: Sendable {
  private let process: ChildProcess
  private let said: NamelessFile
  /// The test's end of the socket.
  let socket: Int32
  /// The folder of the profile and the temporary files, removed at the end.
  let folder: String

  /// The path of a Chromium: `ALTER_BROWSER`, or the installed one; nil if there is none.
  static let executable: String? = {
    let environment = ProcessInfo.processInfo.environment
    var candidates = environment["ALTER_BROWSER"].map { [$0] } ?? []
    for folder in (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
      candidates += ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map { "\(folder)/\($0)" }
    }
    candidates += ["Google Chrome", "Chromium"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
    return candidates.first { access($0, X_OK) == 0 }
  }()

  /// Starts the browser.
  ///
  /// - Throws: ``BrowserError`` if there is none, or if it can't be started.
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
      // The browser shows only the pages: no updates, no reports, no extensions, no questions.
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps",
      "--disable-breakpad", "--disable-crash-reporter", "--metrics-recording-only", "--no-pings", "--password-store=basic",
      "--use-mock-keychain", "--disable-features=Translate,OptimizationHints,MediaRouter", "--disable-gpu", "--mute-audio",
      // A page in the background works as fast as one in the foreground.
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
      // The wheel scrolls at once. During an animation, a position is neither the old nor the new one.
      "--disable-smooth-scrolling",
      // Pictures look the same on all machines.
      "--force-color-profile=srgb", "--font-render-hinting=none", "--hide-scrollbars", "--lang=en-US",
    ]
    // Chromium refuses to run its sandbox as root.
    if getuid() == 0 { arguments.append("--no-sandbox") }
    return arguments + ["about:blank"]
  }

  /// Two connected sockets. A child inherits only the one that it is given.
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

  /// Sends a message, terminated by a zero byte.
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

  /// Reads messages until the browser has exited. Blocks.
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

  /// The last part of the browser's output.
  var log: String {
    let text = String(decoding: said.bytes, as: UTF8.self)
    return text.isEmpty ? "it wrote nothing." : String(text.suffix(2_000))
  }

  /// Kills the browser with its children, and removes its files.
  func end() {
    shutdown(socket, Int32(SHUT_RDWR))
    kill(-process.pid, SIGKILL)
    process.wait()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
