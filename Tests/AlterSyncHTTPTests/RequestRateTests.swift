#if SyncServer
  import Alter
  import AlterCore
  import AlterStore
  import AlterSync
  import Foundation
  import Hummingbird
  import ProcessTesting
  import StockModel
  import Testing

  /// The requests of one minute, counted at the server. The full run counts them by the clock; in the short one the pauses take no time.
  @Suite("The requests of a device that is not served", .timeLimit(.minutes(30)))
  struct RequestRateTests {
    /// A clock that a pause sets forward, and that stops at a minute. The limits of a request never end.
    private final class MinuteClock: Clock {
      struct Instant: InstantProtocol {
        let elapsed: Duration

        func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
      }

      private let elapsed = Lock(Duration.zero)
      let isOver = Lock(false)

      var now: Instant { Instant(elapsed: elapsed.withLock { $0 }) }
      var minimumResolution: Duration { .zero }
      var microseconds: Int64 { elapsed.withLock { $0.components.seconds * 1_000_000 + $0.components.attoseconds / 1_000_000_000_000 } }

      func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await Task.yield()
        guard deadline.elapsed > .seconds(60) else { return elapsed.withLock { $0 = max($0, deadline.elapsed) } }
        if deadline.elapsed < .seconds(10_000) { isOver.withLock { $0 = true } }
        _ = await Waiter<Void>().value()
        throw CancellationError()
      }
    }

    /// Opens a device with an outbox, and closes it after a minute.
    ///
    /// - Returns: The bytes of the bodies of its requests.
    private func minute(_ file: String, on server: ListServer) async throws -> [Int] {
      var options = SyncDriver.Options()
      let clock = MinuteClock()
      if !Effort.isFull {
        (options.times.timeout, options.times.longestRequest, options.heartbeat) = (1e6, 1e6, .seconds(1_000_000))
        (options.clock, options.now, options.random) = (clock, { clock.microseconds }, { 1 })
      }
      let device = try await Device(file, on: server.url, options: options)
      if Effort.isFull {
        // The promise is about a minute.
        try await Task.sleep(for: .seconds(60))
      } else {
        try await server.until { clock.isOver.withLock { $0 } || server.gate.bodies.withLock { $0.count } > 100 }
      }
      let bodies = server.gate.bodies.withLock { $0 }
      await device.close()
      print("requests in a minute: \(bodies.count), with \(bodies.reduce(0, +)) bytes")
      return bodies
    }

    /// Makes the file of a device with changes that were made offline.
    private func outbox(_ file: String) async throws {
      let device = try await Device(file, on: URL(string: "http://127.0.0.1:1")!)
      for slot in 20..<320 { try await device.store.change(.claim(slot)).durable() }
      await device.close()
    }

    @Test(
      "a server that is busy and names no pause gets the outbox once, and then one draft at a time, at most 20 times in a minute",
      arguments: [503, 429, 500])
    func busy(status: Int) async throws {
      try await ListServer.with { server, folder in
        try await outbox(folder + "/ann.db")
        server.gate.refusal.withLock { $0 = Response(status: .init(code: status), headers: status == 503 ? [.retryAfter: "0"] : [:]) }
        let bodies = try await minute(folder + "/ann.db", on: server)
        let whole = try #require(bodies.max())
        #expect(bodies.count > 5 && bodies.count <= 20)
        #expect(whole > 30_000 && bodies.reduce(0, +) - whole < 20_000)
      }
    }

    @Test("a server that holds the outbox gets it once, and then one draft at a time, at most five in a minute")
    func held() async throws {
      try await ListServer.with {
        $0.limits.holdSeconds = 10
      } _: { server, folder in
        try await outbox(folder + "/ann.db")
        server.policy.isDeciderDown.withLock { $0 = true }
        let bodies = try await minute(folder + "/ann.db", on: server)
        let whole = try #require(bodies.max())
        #expect(whole > 30_000 && bodies.reduce(0, +) - whole < 5_000)
        #expect(bodies.count { $0 > 0 } > 2 && bodies.count { $0 > 0 } <= 6)
      }
    }
  }
#endif
