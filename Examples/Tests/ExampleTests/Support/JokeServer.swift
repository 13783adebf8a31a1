import Foundation
import ProcessTesting
import Testing

/// An HTTP server whose answers a test gives. Each connection has a thread and one request.
final class JokeServer: Sendable {
  private let listener: LocalSocket
  /// The URL of the server.
  let url: URL

  /// Starts a server.
  ///
  /// - Parameter answer: Returns the status and the body for a path, such as `/jokes/food/random`. It may block.
  init(answer: @escaping @Sendable (_ path: String) -> (status: Int, body: String)) throws {
    let (listener, port) = try LocalSocket.listen()
    (self.listener, url) = (listener, try #require(URL(string: "http://127.0.0.1:\(port)")))
    Thread.detachNewThread {
      while let connection = listener.accept() {
        Thread.detachNewThread {
          guard let request = connection.read() else { return }
          let (status, body) = answer(String(String(decoding: request, as: UTF8.self).split(separator: " ")[1]))
          let head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
          connection.write((head + body).utf8)
          connection.endWriting()
        }
      }
    }
  }

  /// Ends the server. Otherwise it lives as long as the tests.
  func stop() { listener.hangUp() }

  /// The body with a joke.
  static func joke(_ setup: String) -> String { #"[{"id":1,"type":"x","setup":"\#(setup)","punchline":"Because."}]"# }
}
