import Foundation

/// A request on one connection, until its event has arrived on another: of the bare server, or with `--hand KEY` of the one written by hand. It tells `p50` and `p95` in
/// nanoseconds.
struct EchoLoad {
  private let (port, count): (Int, Int)
  private let (request, stream): (String, String)

  init(_ arguments: Arguments) {
    (port, count) = (arguments.number("port", default: 0), arguments.number("count", default: 300))
    (request, stream) = arguments["hand"].map { ("/changes/\($0)", "/live/\($0)") } ?? ("/echo", "/listen")
  }

  /// A change of about as many bytes as those of the other works.
  static func body(_ number: Int) -> String {
    "[{\"line\":17,\"text\":\"A line of some words, changed by another device, number \(number).\"}]"
  }

  func run() throws {
    let (sender, listener) = (try Connection(port: port), try Connection(port: port))
    try listener.send(Array("GET \(stream) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    try wait(listener) { $0.firstRange(of: Array(":\n\n".utf8)) != nil }
    listener.clear()
    var times: [Double] = []
    for number in 0..<count {
      let body = Self.body(number)
      let start = nanoseconds
      try sender.send(Array("POST \(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
      try wait(listener) { $0.firstRange(of: Array("number \(number).".utf8)) != nil }
      times.append(Double(nanoseconds - start))
      listener.clear()
      try wait(sender) { _ in
        guard let answer = try sender.takeAnswer() else { return false }
        guard answer.status == 200 else { throw Failure("status \(answer.status)") }
        return true
      }
      usleep(5_000)
    }
    tell("p50", quantile(0.5, of: times))
    tell("p95", quantile(0.95, of: times))
  }

  private func wait(_ connection: Connection, until isDone: ([UInt8]) throws -> Bool) throws {
    while try !isDone(connection.received) {
      var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10_000)
      guard try connection.receive() else { throw Failure("the server has closed a connection") }
    }
  }
}
