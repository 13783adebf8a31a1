import Foundation

/// The bare server: a request on one connection, until its event has arrived on another. It tells `p50` and `p95` in nanoseconds.
struct EchoLoad {
  private let (port, count): (Int, Int)

  init(_ arguments: Arguments) { (port, count) = (arguments.number("port", default: 0), arguments.number("count", default: 300)) }

  func run() throws {
    let (sender, listener) = (try Connection(port: port), try Connection(port: port))
    try listener.send(Array("GET /listen HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    try wait(listener) { $0.firstRange(of: Array(":\n\n".utf8)) != nil }
    listener.clear()
    var times: [Double] = []
    for number in 0..<count {
      let body = "a change of about as many bytes as one of the other works has, number \(number)."
      let start = nanoseconds
      try sender.send(Array("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
      try wait(listener) { $0.firstRange(of: Array("number \(number).".utf8)) != nil }
      times.append(Double(nanoseconds - start))
      listener.clear()
      try wait(sender) { _ in (try? sender.takeAnswer()) ?? nil != nil }
      usleep(5_000)
    }
    tell("p50", quantile(0.5, of: times))
    tell("p95", quantile(0.95, of: times))
  }

  private func wait(_ connection: Connection, until isDone: ([UInt8]) -> Bool) throws {
    while !isDone(connection.received) {
      var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10_000)
      guard try connection.receive() else { throw Failure("the server has closed a connection") }
    }
  }
}
