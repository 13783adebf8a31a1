import Alter
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The time until a page receives a change of another process, with `todo serve`, one listening page, and `todo add` in a third process.
///
/// The work uses the built `todo`: `bin/todo` of `script/build`, or the one that the variable `ALTER_TODO` names.
func todoServeWorks(_ options: Options) -> [Work] {
  guard let todo = builtTodo() else {
    FileHandle.standardError.write(Data("'todo' is not built, and not measured: run script/build first.\n".utf8))
    return []
  }
  let count = options.isQuick ? 40 : 400
  let goals: [String: Goal] = ["until it is on the disk": .figure(atMost: 200e6)]
  return [Work("todo serve: until shown", count, unit: .nanoseconds, goals: goals) { measureTodoServe(todo, count) }]
}

private func builtTodo() -> String? {
  var candidates = [ProcessInfo.processInfo.environment["ALTER_TODO"]].compactMap { $0 }
  let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().path
  if let end = own.range(of: "/Benchmarks/.build/") { candidates.append(own[..<end.lowerBound] + "/bin/todo") }
  return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
}

private func measureTodoServe(_ todo: String, _ count: Int) -> [(name: String, value: Double)] {
  let folder = FileManager.default.temporaryDirectory.path + "/todo-serve-" + UUID().uuidString
  do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch { fatalError("\(error)") }
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let server = Talk(todo, ["serve", "--port", "0", "--store", folder + "/list.alter"])
  defer { server.end() }
  let address = server.line()
  guard let url = address.split(separator: " ").lazy.compactMap({ URLComponents(string: String($0)) }).first(where: { $0.port != nil }),
    let port = url.port.flatMap(UInt16.init), let token = url.queryItems?.first(where: { $0.name == "token" })?.value
  else { Talk.stop("'todo serve' printed no address with a token: \(address)") }
  let page = ListeningPage(port: port, token: token)
  defer { page.end() }
  let writer = Talk(todo, ["add", "-", "--json", "--store", folder + "/list.alter"])
  defer { writer.end() }

  var shown: [Double] = []
  var written: [Double] = []
  for number in 0..<count {
    let asked = BenchmarkClock.wall.nanoseconds
    writer.say("item \(number)")
    let answer = writer.line()
    written.append(Double(BenchmarkClock.wall.nanoseconds - asked))
    guard let revision = revision(in: answer) else { Talk.stop("No revision: \(answer)") }
    shown.append(Double(page.arrival(of: revision) - asked))
  }
  shown.sort()
  written.sort()
  return [
    ("Alter, 95th percentile", shown[count * 95 / 100]), ("until it is on the disk", written[count * 95 / 100]),
    ("the median", shown[count / 2]),
  ]
}

/// The last number with that name in JSON.
private func revision(in json: String) -> Int64? {
  json.range(of: "\"revision\":", options: .backwards).flatMap { Int64(json[$0.upperBound...].prefix { $0.isNumber }) }
}

/// A process whose input and output are used line by line.
private final class Talk {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()
  /// The processes that have not ended. They would outlive this process and keep its output open.
  nonisolated(unsafe) private static var running: [Process] = []

  /// Ends this process and its children.
  static func stop(_ message: String) -> Never {
    for process in running where process.isRunning { kill(process.processIdentifier, SIGKILL) }
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
  }

  init(_ path: String, _ arguments: [String]) {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch { Talk.stop("Can't start \(path): \(error)") }
    Talk.running.append(process)
  }

  func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  func line() -> String {
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread = unread.subdata(in: end + 1..<unread.endIndex) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { Talk.stop("\(process.arguments ?? []) has ended.") }
      unread += more
    }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.terminate()
    process.waitUntilExit()
    Talk.running.removeAll { $0 === process }
  }
}

/// A listening page. It records the time at which it receives each revision.
private final class ListeningPage: @unchecked Sendable {
  private let descriptor: Int32
  private let news = NSCondition()
  // Guarded by `news`.
  private var revision: Int64 = 0
  private var time: Int64 = 0
  private var isEnding = false

  init(port: UInt16, token: String) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard code == 0 else { Talk.stop("Can't connect: \(String(cString: strerror(errno)))") }
    let request = "GET /api/events?limit=1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\r\n"
    guard send(descriptor, request, request.utf8.count, 0) == request.utf8.count else { Talk.stop("Can't ask.") }
    Thread { [self] in listen() }.start()
    _ = arrival(of: 1)
  }

  /// The time at which the page received this revision or a later one. This process ends if that takes more than a minute.
  func arrival(of wanted: Int64) -> Int64 {
    news.lock()
    defer { news.unlock() }
    let limit = Date(timeIntervalSinceNow: 60)
    while revision < wanted {
      guard news.wait(until: limit) else { Talk.stop("'todo serve' did not tell the page of revision \(wanted) within a minute.") }
    }
    return time
  }

  func end() {
    news.withLock { isEnding = true }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func listen() {
    var unread = ""
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else {
        guard news.withLock({ isEnding }) else { Talk.stop("'todo serve' ended the page's connection: \(unread.prefix(400))") }
        break
      }
      let now = BenchmarkClock.wall.nanoseconds
      unread += String(decoding: bytes[..<count], as: UTF8.self)
      guard let end = unread.range(of: "\n\n", options: .backwards) else { continue }
      if let told = Benchmarks.revision(in: String(unread[..<end.lowerBound])) {
        news.lock()
        (revision, time) = (told, now)
        news.broadcast()
        news.unlock()
      }
      unread = String(unread[end.upperBound...])
    }
    close(descriptor)
  }
}
