#if SyncServer
  import AlterCore
  import AlterSyncServer

  /// The clock and the waits of a service. A wait ends when the test says so.
  final class TestTime: Sendable {
    private struct Contents {
      var now: Int64 = 1_000_000
      var waits: [(duration: Duration, waiter: Waiter<Void>)] = []
    }

    private let contents = Lock(Contents())

    /// Microseconds since 1970 UTC.
    var now: Int64 {
      get { contents.withLock { $0.now } }
      set { contents.withLock { $0.now = newValue } }
    }

    /// Makes a service use this clock.
    func drive(_ options: inout SyncOptions) {
      options.now = { self.now }
      options.sleep = { try await self.sleep($0) }
    }

    /// The number of waits of a duration.
    func count(_ duration: Duration) -> Int {
      contents.withLock { contents in contents.waits.count { $0.duration == duration && !$0.waiter.isFinished } }
    }

    /// Waits until there is a wait of a duration, and ends all of them.
    func pass(_ duration: Duration) async {
      while true {
        let ended = contents.withLock { contents in
          contents.waits.removeAll { $0.waiter.isFinished }
          let ended = contents.waits.filter { $0.duration == duration }
          contents.waits.removeAll { $0.duration == duration }
          return ended
        }
        for wait in ended { wait.waiter.finish(()) }
        if !ended.isEmpty { return }
        try? await Task.sleep(for: .milliseconds(1))
      }
    }

    private func sleep(_ duration: Duration) async throws {
      let waiter = Waiter<Void>()
      contents.withLock { $0.waits.append((duration, waiter)) }
      guard await waiter.value() != nil else { throw CancellationError() }
    }
  }

  /// Tokens that a test can end, or make unreadable.
  final class TestTokens: SyncAuthenticator {
    struct Down: Error {}

    private let tokens = ListServer.tokens
    let isDown = Lock(false)
    let expires = Lock<Int64?>(nil)

    func authenticate(_ token: String) async throws -> SyncIdentity? {
      if isDown.withLock({ $0 }) { throw Down() }
      return await tokens.authenticate(token).map { SyncIdentity(principal: $0.principal, expires: expires.withLock { $0 }) }
    }
  }
#endif
