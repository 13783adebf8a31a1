import Foundation

/// Idle devices, each with an open stream of hints.
///
/// ```
/// sync-load live --port P --server PID --devices 5000 --journals 100 --milliseconds 30000
/// ```
///
/// With `--bare 1` the streams are those of a bare Hummingbird route.
///
/// It tells `devices` (as many as the limit of descriptors permits), `memory` (the server's bytes for each), `later` (the same at the end), `share` and `serverShare`.
struct LiveLoad {
  private let (port, journals, milliseconds): (Int, Int, Int)
  private let server: OtherProcess
  private let count: Int
  private let isBare: Bool

  init(_ arguments: Arguments) {
    isBare = arguments.number("bare", default: 0) == 1
    (port, journals) = (arguments.number("port", default: 0), arguments.number("journals", default: 100))
    milliseconds = arguments.number("milliseconds", default: 30_000)
    server = OtherProcess(id: Int32(arguments.number("server", default: 0)))
    let limit = raiseDescriptorLimit()
    let wanted = arguments.number("devices", default: 5_000)
    count = min(wanted, limit - 100)
    if count < wanted { say("note: the limit of descriptors is \(limit), so only \(count) devices are simulated") }
  }

  func run() throws {
    var connections: [Connection] = []
    // A stream has no hint of a journal that does not exist.
    for place in 0..<(isBare ? 0 : journals) {
      let maker = try Connection(port: port)
      try maker.send(RawJournal(key: "live/\(place)", principal: "maker").firstPush())
      while try maker.takeAnswer() == nil {
        var descriptor = pollfd(fd: maker.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 30_000)
        guard try maker.receive() else { throw Failure("the server has closed a connection") }
      }
    }
    // The journals are opened first, so that their memory is not counted.
    try add(journals, to: &connections, from: 0)
    pause(1_000, connections)
    let before = server.memory
    while connections.count < journals + count {
      try add(min(100, journals + count - connections.count), to: &connections, from: connections.count)
    }
    pause(2_000, connections)
    let after = server.memory
    let shares = Shares(server: server.id)
    pause(milliseconds, connections)
    tell("devices", Double(count))
    tell("memory", Double(after - before) / Double(count))
    tell("later", Double(server.memory - before) / Double(count))
    shares.report()
  }

  /// Opens streams, and waits until each has its first hint.
  private func add(_ number: Int, to connections: inout [Connection], from first: Int) throws {
    let new = try (first..<first + number).map { place in
      let connection = try Connection(port: port)
      let path = isBare ? "/listen" : "/sync/live?journal=live%2F\(place % journals)"
      let request =
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAlter-Sync: 1\r\nAuthorization: Bearer device\(place)\r\nAccept: text/event-stream\r\n\r\n"
      try connection.send(Array(request.utf8))
      return connection
    }
    var poller = Poller()
    var waiting = new
    while !waiting.isEmpty {
      var done: Set<Int> = []
      try poller.wait(waiting, milliseconds: 30_000) { place in
        guard try waiting[place].receive() else {
          throw Failure("the server has ended a stream: \(String(decoding: waiting[place].received, as: UTF8.self))")
        }
        if waiting[place].received.firstRange(of: Array((isBare ? ":\n\n" : "event: head").utf8)) != nil { done.insert(place) }
      }
      waiting = waiting.indices.filter { !done.contains($0) }.map { waiting[$0] }
    }
    for connection in new { connection.clear() }
    connections += new
  }

  /// Reads heartbeats.
  private func pause(_ milliseconds: Int, _ connections: [Connection]) {
    let end = nanoseconds + Int64(milliseconds) * 1_000_000
    var poller = Poller()
    while nanoseconds < end {
      do {
        try poller.wait(connections, milliseconds: Int32(max(1, (end - nanoseconds) / 1_000_000))) { place in
          guard try connections[place].receive() else { throw Failure("the server has ended a stream") }
          connections[place].clear()
        }
      } catch {
        say("failed: \(error)")
        exit(1)
      }
    }
  }
}
