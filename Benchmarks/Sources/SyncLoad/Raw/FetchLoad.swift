import Foundation

/// The snapshot of a journal, as bytes that nothing reads: `sync-load fetch --port P --key K`. It tells `fetched` in nanoseconds, with the
/// connection, and `bytes`.
struct FetchLoad {
  private let port: Int
  private let key: String

  init(_ arguments: Arguments) throws { (port, key) = (arguments.number("port", default: 0), try arguments.text("key")) }

  func run() throws {
    let start = nanoseconds
    let connection = try Connection(port: port)
    let body =
      "{\"alter\":\"sync\",\"floor\":0,\"key\":\"\(key)\",\"known\":0,\"lines\":0,\"principal\":\"raw\",\"request\":\"fetch\",\"schema\":1,\"version\":1}\n"
    try connection.send(
      Array(
        "POST /sync/journals/\(key.replacingOccurrences(of: "/", with: "%2F"))/snapshot HTTP/1.1\r\nHost: localhost\r\nAlter-Sync: 1\r\nAuthorization: Bearer raw\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
          .utf8))
    while true {
      if let answer = try connection.takeAnswer() {
        guard answer.status == 200 else { throw Failure("status \(answer.status)") }
        tell("fetched", Double(nanoseconds - start))
        return tell("bytes", Double(answer.body.count))
      }
      var descriptor = pollfd(fd: connection.descriptor, events: connection.events, revents: 0)
      poll(&descriptor, 1, 30_000)
      try connection.flush()
      guard try connection.receive() else { throw Failure("the server has closed a connection") }
    }
  }
}
