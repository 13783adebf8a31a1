import Foundation

/// Clients that post changes without pause, each on a connection of its own, one request at a time: to the server written by hand, or with
/// `--bare 1` to the bare route, which only answers.
///
/// ```
/// sync-load post --port P --server PID --devices 100 --journals 1000 --drafts 10 --milliseconds 5000
/// ```
///
/// It tells `changes` (answered per second), `p50` and `p95` (nanoseconds of a request), `share` and `serverShare`.
struct PostLoad {
  private let (devices, journals, drafts): (Int, Int, Int)
  private let seconds: Double
  private let port: Int
  private let server: Int32
  private let isBare: Bool

  init(_ arguments: Arguments) {
    devices = arguments.number("devices", default: 100)
    journals = arguments.number("journals", default: 1_000)
    drafts = arguments.number("drafts", default: 10)
    seconds = Double(arguments.number("milliseconds", default: 5_000)) / 1_000
    port = arguments.number("port", default: 0)
    server = Int32(arguments.number("server", default: 0))
    isBare = arguments.number("bare", default: 0) == 1
    raiseDescriptorLimit()
  }

  func run() throws {
    let connections = try (0..<devices).map { _ in try Connection(port: port) }
    var sent = [Int64](repeating: 0, count: devices)
    var sequences = [Int](repeating: 0, count: devices)
    func post(_ device: Int) throws {
      sequences[device] += 1
      let (first, journal) = (sequences[device] * drafts, (device + devices * sequences[device]) % journals)
      let changes = (first..<first + drafts).map {
        "{\"line\":\($0 &* 7_919 % LoadServer.lines),\"text\":\"A line of some words, changed \($0)\"}"
      }
      let body = "[\(changes.joined(separator: ","))]"
      let path = isBare ? "/echo" : "/changes/\(journal)"
      sent[device] = nanoseconds
      try connections[device].send(
        Array("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
    }
    var poller = Poller()
    for device in connections.indices { try post(device) }
    // The first part of the time is not measured.
    let warmth = seconds / 5
    var shares = Shares(server: server)
    var (answered, isWarm) = (0, false)
    var latencies: [Double] = []
    while shares.seconds < (isWarm ? seconds : warmth) || !isWarm {
      if !isWarm, shares.seconds >= warmth { (shares, answered, latencies, isWarm) = (Shares(server: server), 0, [], true) }
      try poller.wait(connections, milliseconds: 100) { device in
        try connections[device].flush()
        guard try connections[device].receive() else { throw Failure("the server has closed a connection") }
        while let answer = try connections[device].takeAnswer() {
          guard answer.status == 200 else { throw Failure("status \(answer.status)") }
          latencies.append(Double(nanoseconds - sent[device]))
          answered += drafts
          try post(device)
        }
      }
    }
    tell("changes", Double(answered) / shares.seconds)
    shares.report()
    tell("p50", quantile(0.5, of: latencies))
    tell("p95", quantile(0.95, of: latencies))
  }
}
