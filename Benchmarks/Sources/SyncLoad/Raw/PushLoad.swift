import Foundation

/// Simulated devices that push without pause: each has a connection of its own, one request at a time, and always more drafts.
///
/// ```
/// sync-load push --port P --server PID --devices 100 --journals 1000 --drafts 10 --milliseconds 5000
/// ```
///
/// With as many journals as devices or more, each journal belongs to one device. With fewer, devices share them.
///
/// It tells `changes` (accepted per second), `p50` and `p95` (nanoseconds from a push to its verdicts), `share` and `serverShare`.
struct PushLoad {
  private struct Device {
    let connection: Connection
    var journals: [RawJournal]
    var place = 0
    var sent: Int64 = 0
  }

  private var devices: [Device]
  private let drafts: Int
  private let seconds: Double
  private let server: Int32

  init(_ arguments: Arguments) throws {
    let count = arguments.number("devices", default: 100)
    let journals = arguments.number("journals", default: 1_000)
    let port = arguments.number("port", default: 0)
    drafts = arguments.number("drafts", default: 10)
    seconds = Double(arguments.number("milliseconds", default: 5_000)) / 1_000
    server = Int32(arguments.number("server", default: 0))
    raiseDescriptorLimit()
    devices = try (0..<count).map { number in
      let own = journals >= count ? Array(stride(from: number, to: journals, by: count)) : [number % journals]
      return Device(
        connection: try Connection(port: port),
        journals: own.map { RawJournal(key: "push/\($0)", principal: "device\(number)") })
    }
  }

  mutating func run() throws {
    // The journals are created, and each device learns its place.
    for round in 0..<(devices.map(\.journals.count).max() ?? 0) {
      for place in devices.indices where devices[place].journals.indices.contains(round) {
        try devices[place].connection.send(devices[place].journals[round].firstPush())
      }
      for place in devices.indices where devices[place].journals.indices.contains(round) {
        while true {
          if let answer = try devices[place].connection.takeAnswer() {
            _ = try devices[place].journals[round].take(answer)
            break
          }
          var descriptor = pollfd(fd: devices[place].connection.descriptor, events: Int16(POLLIN), revents: 0)
          poll(&descriptor, 1, 30_000)
          guard try devices[place].connection.receive() else { throw Failure("the server has closed a connection") }
        }
      }
    }
    var poller = Poller()
    let connections = devices.map(\.connection)
    for place in devices.indices { try push(place) }
    // The first part of the time is not measured.
    let warmth = seconds / 5
    var shares = Shares(server: server)
    var (accepted, isWarm) = (0, false)
    var latencies: [Double] = []
    while shares.seconds < (isWarm ? seconds : warmth) || !isWarm {
      if !isWarm, shares.seconds >= warmth {
        (shares, accepted, isWarm) = (Shares(server: server), 0, true)
        latencies = []
      }
      try poller.wait(connections, milliseconds: 100) { place in
        try connections[place].flush()
        guard try connections[place].receive() else { throw Failure("the server has closed a connection") }
        while let answer = try connections[place].takeAnswer() {
          latencies.append(Double(nanoseconds - devices[place].sent))
          accepted += try devices[place].journals[devices[place].place].take(answer)
          devices[place].place = (devices[place].place + 1) % devices[place].journals.count
          try push(place)
        }
      }
    }
    tell("changes", Double(accepted) / shares.seconds)
    shares.report()
    tell("p50", quantile(0.5, of: latencies))
    tell("p95", quantile(0.95, of: latencies))
  }

  private mutating func push(_ place: Int) throws {
    let bytes = devices[place].journals[devices[place].place].push(drafts)
    devices[place].sent = nanoseconds
    try devices[place].connection.send(bytes)
  }
}
