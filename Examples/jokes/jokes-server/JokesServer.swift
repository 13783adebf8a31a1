// A small HTTP server with the jokes of the example, and the interface of the Official Joke API: `GET types` and `GET jokes/TYPE/ten`. Below
// `staging/` it also has the jokes that are not published yet.
//
//   jokes-server [--port N] [--hold CATEGORY] [--garble CATEGORY] [--fail COUNT]
//
// The server first prints its address. It then prints `asked PATH` for each request, and `answered PATH STATUS` or `gone PATH` for each
// answer. With --hold, it answers requests for the category only after it has read a line of its input. With --garble, its answer for
// the category is no JSON. With --fail, it answers the first COUNT requests with 503. It listens on the loopback interface, on a free port by default, and supports only the subset of HTTP that this
// example needs. It exits at the end of its input.

import Console
import Foundation

@main struct JokesServer {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments
    func option(_ name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    }
    guard let listener = Listener(port: option("--port").flatMap { UInt16($0) } ?? 0) else { fail("jokes-server: can't listen there") }
    let desk = Desk(held: option("--hold"), garbled: option("--garble"), failures: option("--fail").flatMap { Int($0) } ?? 0)
    say("listening on http://127.0.0.1:\(listener.port)")
    Thread.detachNewThread {
      while readLine() != nil { desk.goOn() }
      exit(0)
    }
    while true {
      let connection = accept(listener.socket, nil, nil)
      if connection >= 0 { Thread.detachNewThread { serve(connection, desk) } }
    }
  }

  /// Answers one request.
  private static func serve(_ connection: Int32, _ desk: Desk) {
    defer { close(connection) }
    guard let path = readPath(connection) else { return }
    desk.say("asked \(path)")
    desk.wait(path)
    let body = desk.mustFail() ? nil : document(path)
    let status = body.map { $0.isEmpty ? "404 Not Found" : "200 OK" } ?? "503 Service Unavailable"
    let text = desk.isGarbled(path) ? "<html>" : body ?? ""
    let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n"
    let bytes = Array((head + text).utf8)
    let isWritten = write(connection, bytes, bytes.count) == bytes.count
    desk.say(isWritten ? "answered \(path) \(status.prefix(3))" : "gone \(path)")
  }

  /// The path of a GET request; nil for any other request.
  private static func readPath(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0, bytes.count < 65_536 else { return nil }
      bytes += buffer[..<count]
    }
    let words = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\r\n" }.split(separator: " ")
    return words.count == 3 && words[0] == "GET" ? String(words[1]) : nil
  }

  /// The document at a path; empty if there is none.
  private static func document(_ path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    let isStaging = parts.first == "staging"
    let categories = JokeCollection.categories.filter { isStaging || !$0.isNew }
    switch Array(isStaging ? parts.dropFirst() : parts[...]) {
    case ["types"]: return json(categories.map(\.name))
    case let path where path.count == 3 && path[0] == "jokes" && path[2] == "ten":
      // An unknown type has no jokes, and is no error.
      let jokes = categories.first { $0.name == path[1] }?.jokes ?? []
      return json(jokes.prefix(10).enumerated().map { Document(id: $0 + 1, type: path[1], setup: $1.0, punchline: $1.1) })
    default: return ""
    }
  }

  private struct Document: Encodable {
    let id: Int
    let type: String
    let setup: String
    let punchline: String
  }

  private static func json(_ value: some Encodable) -> String {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// The held category and the number of planned failures, shared by the threads of all connections.
private final class Desk: @unchecked Sendable {
  private let held: String?
  private let garbled: String?
  private let gate = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  // Guarded by `lock`.
  private var failures: Int

  init(held: String?, garbled: String?, failures: Int) { (self.held, self.garbled, self.failures) = (held, garbled, failures) }

  func wait(_ path: String) {
    if let held, path.hasSuffix("/\(held)/ten") { gate.wait() }
  }

  func isGarbled(_ path: String) -> Bool { garbled.map { path.hasSuffix("/\($0)/ten") } ?? false }

  func goOn() { gate.signal() }

  func mustFail() -> Bool {
    lock.withLock {
      guard failures > 0 else { return false }
      failures -= 1
      return true
    }
  }

  /// Prints a line. Lines of concurrent threads don't mix.
  func say(_ line: String) { lock.withLock { Console.say(line) } }
}

/// A socket that listens on the loopback interface.
private struct Listener {
  let socket: Int32
  let port: UInt16

  init?(port: UInt16) {
    #if canImport(Glibc)
      let listener = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    guard isBound else { return nil }
    (socket, self.port) = (listener, UInt16(bigEndian: address.sin_port))
  }
}
