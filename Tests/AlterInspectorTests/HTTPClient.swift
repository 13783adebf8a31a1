import Foundation
import ProcessTesting

/// A client that sends exactly the bytes of the test, with any Host and any header.
struct HTTPClient: Sendable {
  let port: Int

  /// A placeholder for the server's own host.
  static let own = "own"

  /// Sends a request and reads until the server closes the connection.
  func ask(
    _ path: String, method: String = "GET", host: String? = HTTPClient.own, headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    let socket = try LoopbackSocket(port: port)
    let head = Self.head(
      path, method, host == Self.own ? "localhost:\(port)" : host, headers.merging(["Connection": "close"]) { own, _ in own })
    return await onThread {
      socket.send(head.utf8)
      return HTTPAnswer(socket.read { _ in false }.bytes)
    }
  }

  /// Sends a request, reads until the input satisfies the condition or the server closes the connection, and then disconnects.
  ///
  /// - Returns: The whole input, and whether the server closed the connection.
  func listen(_ path: String, until isEnough: @escaping @Sendable (String) -> Bool) async throws -> (text: String, hasEnded: Bool) {
    let socket = try LoopbackSocket(port: port)
    let head = Self.head(path, "GET", "localhost:\(port)", [:])
    return await onThread {
      socket.send(head.utf8)
      let (bytes, hasEnded) = socket.read { isEnough(String(decoding: $0, as: UTF8.self)) }
      return (String(decoding: bytes, as: UTF8.self), hasEnded)
    }
  }

  private static func head(_ path: String, _ method: String, _ host: String?, _ headers: [String: String]) -> String {
    var lines = ["\(method) \(path) HTTP/1.1"]
    if let host { lines.append("Host: \(host)") }
    for (name, value) in headers { lines.append("\(name): \(value)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }
}
