import Alter
import Foundation
import ProcessTesting

/// A request over a socket, byte by byte as it is written here: nothing is added, so that anything can be left out or forged.
struct HTTPRequest {
  var method = "GET"
  var path: String
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  static func get(_ path: String, _ headers: [String: String] = [:]) -> HTTPRequest { HTTPRequest(path: path, headers: headers) }

  static func post(_ path: String, _ body: String, _ headers: [String: String] = [:]) -> HTTPRequest {
    let own = ["Content-Type": "application/json"]
    return HTTPRequest(method: "POST", path: path, headers: own.merging(headers) { $1 }, body: Array(body.utf8))
  }

  func bytes(to port: Int) -> [UInt8] {
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if !body.isEmpty { all["Content-Length"] = "\(body.count)" }
    all.merge(headers) { $1 }
    let lines = ["\(method) \(path) HTTP/1.1"] + all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)" } + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + body
  }
}

struct HTTPReply {
  let status: Int
  let headers: [String: String]
  let body: String

  /// The JSON of the body.
  func json() throws -> JSONValue { try JSONValue(parsing: Data(body.utf8)) }

  /// What `{"error":"…"}` says.
  var error: String { (try? json()["error"]?.text) ?? body }

  fileprivate init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { throw TodoServer.ServerError(description: "no response: ‘\(text)’") }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    headers = Dictionary(
      lines.dropFirst().compactMap { line in
        line.range(of: ": ").map { (line[..<$0.lowerBound].lowercased(), String(line[$0.upperBound...])) }
      }, uniquingKeysWith: { "\($0), \($1)" })
    let rest = String(text[end.upperBound...])
    body = headers["transfer-encoding"] == "chunked" ? Self.joined(rest) : rest
  }

  private static func joined(_ chunks: String) -> String {
    var rest = Array(chunks.utf8)[...]
    var body: [UInt8] = []
    while let end = rest.firstIndex(of: 13), let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), count > 0 {
      let begin = end + 2
      body += rest[begin..<min(begin + count, rest.endIndex)]
      rest = rest.dropFirst(end - rest.startIndex + 2 + count + 2)
    }
    return String(decoding: body, as: UTF8.self)
  }
}

extension TodoServer {
  /// Sends a request, and reads the answer to its end.
  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    let socket = try HTTPSocket(port: port)
    return try await socket.off {
      socket.write(request.bytes(to: self.port))
      var bytes: [UInt8] = []
      while let more = socket.read() { bytes += more }
      return try HTTPReply(bytes)
    }
  }

  /// Makes changes, and expects that they are made.
  @discardableResult
  func change(_ commands: String) async throws -> JSONValue {
    let reply = try await send(.post("/api/changes", "{\"changes\":[\(commands)]}"))
    guard reply.status == 200 else { throw ServerError(description: "\(reply)") }
    return try reply.json()
  }

  /// What a page shows.
  func page(_ query: String = "?show=all") async throws -> JSONValue { try await send(.get("/api/list\(query)")).json() }
}

/// A connection to a server on this machine.
final class HTTPSocket: Sendable {
  private let descriptor: Int32

  init(port: Int) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard code == 0 else {
      let why = String(cString: strerror(errno))
      close(descriptor)
      throw TodoServer.ServerError(description: "can't connect to port \(port): \(why)")
    }
    // Whoever never answers ends a test with an error, not with silence.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Writes what can be written: a server may close its end before it has read everything.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
      #else
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what there is; nil at the end.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Ends it from another thread: whoever reads meets the end.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Runs what waits on a thread where nobody else waits.
  func off<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}

/// A stream of server-sent events.
final class EventStream: Sendable {
  struct Event: Sendable {
    let name: String
    let data: JSONValue
  }

  private let socket: HTTPSocket
  private let unread = Shared<[UInt8]>([])

  init(_ server: TodoServer, _ query: String = "?show=all") throws {
    socket = try HTTPSocket(port: server.port)
    socket.write(HTTPRequest.get("/api/events\(query)").bytes(to: server.port))
  }

  deinit { socket.hangUp() }

  /// The next event; nil at the end of the stream.
  func next() async throws -> Event? {
    try await socket.off { [self] in
      while true {
        if let text = takeEvent() {
          var fields: [String: String] = [:]
          for line in text.split(separator: "\n") {
            if let colon = line.range(of: ": ") { fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...]) }
          }
          if let name = fields["event"] { return Event(name: name, data: try JSONValue(parsing: Data((fields["data"] ?? "").utf8))) }
        } else {
          guard let more = socket.read() else { return nil }
          unread.withLock { $0 += more }
        }
      }
    }
  }

  /// Reads on until the page is as it is wanted.
  func page(where isWanted: @escaping @Sendable (JSONValue) -> Bool) async throws -> JSONValue {
    while let event = try await next() {
      if event.name == "list", isWanted(event.data) { return event.data }
    }
    throw TodoServer.ServerError(description: "the stream has ended")
  }

  /// The text up to an empty line. The sizes of the chunks that it comes in are lines of their own, without a colon.
  private func takeEvent() -> String? {
    unread.withLock { bytes in
      guard let end = bytes.indices.dropLast().first(where: { bytes[$0] == 10 && bytes[$0 + 1] == 10 }) else { return nil }
      defer { bytes.removeFirst(end + 2) }
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}
