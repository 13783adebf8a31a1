import Alter
import Foundation
import ProcessTesting

/// A request that is sent over a socket exactly as it is written here. Nothing is added, so that a test can omit or forge any part.
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

extension HTTPAnswer {
  /// The JSON of the body.
  func json() throws -> JSONValue { try JSONValue(parsing: body) }

  /// The text of `{"error":"…"}`.
  var error: String { (try? json()["error"]?.text) ?? text }
}

extension TodoServer {
  /// Sends a request and reads the answer to its end.
  func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
    let socket = try LoopbackSocket(port: port)
    let answer = await onThread {
      socket.send(request.bytes(to: self.port))
      return HTTPAnswer(socket.read { _ in false }.bytes)
    }
    guard answer.status > 0 else { throw ServerError(description: "no response: '\(answer)'") }
    return answer
  }

  /// Makes changes and expects success.
  @discardableResult
  func change(_ commands: String) async throws -> JSONValue {
    let reply = try await send(.post("/api/changes", "{\"changes\":[\(commands)]}"))
    guard reply.status == 200 else { throw ServerError(description: "\(reply)") }
    return try reply.json()
  }

  /// The content of the page.
  func page(_ query: String = "?show=all") async throws -> JSONValue { try await send(.get("/api/list\(query)")).json() }
}

/// A stream of server-sent events.
final class EventStream: Sendable {
  struct Event: Sendable {
    let name: String
    let data: JSONValue
  }

  private let socket: LoopbackSocket
  private let unread = Shared<[UInt8]>([])

  init(_ server: TodoServer, _ query: String = "?show=all") throws {
    socket = try LoopbackSocket(port: server.port)
    socket.send(HTTPRequest.get("/api/events\(query)").bytes(to: server.port))
  }

  deinit { socket.hangUp() }

  /// The next event; nil at the end of the stream.
  func next() async throws -> Event? {
    try await onThread { Result { try self.readEvent() } }.get()
  }

  private func readEvent() throws -> Event? {
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

  /// Reads pages until one satisfies the predicate.
  func page(where isWanted: @escaping @Sendable (JSONValue) -> Bool) async throws -> JSONValue {
    while let event = try await next() {
      if event.name == "list", isWanted(event.data) { return event.data }
    }
    throw TodoServer.ServerError(description: "the stream has ended")
  }

  /// The text up to an empty line. The sizes of the chunks are separate lines without a colon.
  private func takeEvent() -> String? {
    unread.withLock { bytes in
      guard let end = bytes.indices.dropLast().first(where: { bytes[$0] == 10 && bytes[$0 + 1] == 10 }) else { return nil }
      defer { bytes.removeFirst(end + 2) }
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}
