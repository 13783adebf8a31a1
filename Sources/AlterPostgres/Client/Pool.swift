#if Postgres
  import AlterCore
  import AlterJournal

  /// A process's connections to one server: for reading, for writing, for waiting, and one that receives notifications.
  ///
  /// All journals of the process on that server share the pool, so opening a journal costs one round trip and no connection. Idle
  /// connections are closed after a while (``Connections``); the pool itself is small and stays.
  ///
  /// `@unchecked Sendable`: the lanes and the follower are used on ``loop`` only; ``lines`` has its own lock.
  final class Pool: @unchecked Sendable {
    /// The loop on which all connections are used.
    let loop = EventLoop()
    /// The lane of requests that never wait for a lock.
    private let readers: Lane
    /// The lane of requests that wait for a lock only for a moment.
    let writers: Lane
    /// The lane of requests that wait for a lock or hold one. Each has a connection of its own, with no other request behind it.
    let holders: Lane
    let follower: Follower
    let connections: Connections
    private let hints: Hints
    /// The queues in which this process's handles of a journal wait, while they are in use.
    private let lines = Lock<[Place: WeakLine]>([:])

    private static let pools = Lock<[PostgresServer: Pool]>([:])

    /// The pauses between repeated work. Tests use shorter ones.
    struct Pauses: Sendable {
      /// The time after which an idle connection may be closed. It is also the time for which a connection keeps the writers' lock after its
      /// last append.
      var idle = Duration.seconds(30)
      /// The time between two readings of the heads if the server sends notifications.
      var listening = Duration.seconds(2)
      /// The same if it sends none.
      var deaf = Duration.milliseconds(500)
    }

    private struct WeakLine {
      weak var line: TurnQueue?
    }

    /// A journal in a database: its schema and its number.
    struct Place: Hashable, Sendable {
      let schema: String
      let number: Int64
    }

    /// The lanes for single requests.
    enum LaneName { case reading, writing }

    /// Returns the pool of a server. It is created at the first call, with the given pauses, and kept.
    static func shared(_ server: PostgresServer, pauses: Pauses = Pauses()) -> Pool {
      pools.withLock { pools in
        if let pool = pools[server] { return pool }
        let pool = Pool(server, pauses)
        pools[server] = pool
        return pool
      }
    }

    private init(_ server: PostgresServer, _ pauses: Pauses) {
      connections = Connections(server, loop: loop, idle: pauses.idle)
      readers = Lane(.reading, connections, maximum: 2, depth: 64)
      writers = Lane(.writing, connections, maximum: server.maximumConnections, depth: 8)
      holders = Lane(.holding, connections, maximum: server.maximumHolders, depth: 0)
      follower = Follower(connections, readers, pauses: pauses)
      connections.serve([readers, writers, holders], follower)
      hints = Hints(loop: loop, readers: readers, pause: pauses.listening)
      follower.onHint = { [hints] in hints.hear($0, at: $1) }
    }

    // MARK: Sending requests

    /// Sends statements in one round trip. If the server does not know a prepared statement, as behind connection poolers, it has executed
    /// nothing, and the statements are sent again, up to three times.
    ///
    /// - Parameters:
    ///   - calls: The statements.
    ///   - lane: The lane to send them on.
    ///   - afterwards: Receives the answers on the loop, after the caller was resumed.
    func run(
      _ calls: [Call], in lane: LaneName, then afterwards: @escaping @Sendable ([ServerAnswer]) -> Void = { _ in }
    ) async -> Result<[ServerAnswer], ServerFailure> {
      var result = await runOnce(calls, in: lane, then: afterwards)
      for _ in 1...3 {
        guard case .failure(.refused(let state, _)) = result, Connection.isForgotten(state) else { break }
        result = await runOnce(calls, in: lane, then: afterwards)
      }
      return result
    }

    private func runOnce(
      _ calls: [Call], in lane: LaneName, then afterwards: @escaping @Sendable ([ServerAnswer]) -> Void
    ) async -> Result<[ServerAnswer], ServerFailure> {
      await answer { [self] completion in
        let request = Request(calls) { result in
          completion(result)
          if case .success(let answers) = result { afterwards(answers) }
        }
        switch lane {
        case .reading: readers.submit(request)
        case .writing: writers.submit(request)
        }
      }
    }

    /// Waits for an answer that is given on the loop.
    ///
    /// The answer is passed in a lock. The continuation alone would be correct, but if it is resumed before the task waits for it, the
    /// thread sanitizer does not detect the order between the write and the read.
    func answer<Value: Sendable>(
      _ ask: @escaping @Sendable (@escaping @Sendable (Result<Value, ServerFailure>) -> Void) -> Void
    ) async -> Result<Value, ServerFailure> {
      let result = Lock<Result<Value, ServerFailure>>(.failure(.givenUp))
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        loop.perform {
          ask { answer in
            result.withLock { $0 = answer }
            continuation.resume()
          }
        }
      }
      return result.withLock { $0 }
    }

    // MARK: Following

    /// Returns the queue in which this process's handles of a journal wait for their turns.
    func line(for place: Place, name: String) -> TurnQueue {
      lines.withLock { lines in
        if let line = lines[place]?.line { return line }
        let line = TurnQueue(journal: name)
        if lines.count > 1_000, lines.count.isMultiple(of: 1_000) { lines = lines.filter { $0.value.line != nil } }
        lines[place] = WeakLine(line: line)
        return line
      }
    }

    /// Advances a count of revisions at every append to a journal from now on, by any process.
    func follow(_ place: Place, _ waiters: RevisionCount) { loop.async { [follower] in follower.follow(place, waiters) } }

    /// Stops advancing a count of revisions.
    func unfollow(_ place: Place, _ waiters: ObjectIdentifier) {
      loop.async { [self] in
        follower.unfollow(place, waiters)
        if follower.isUnused { connections.watchIdleness() }
      }
    }

    /// Notifies other handles and other processes that a journal has grown.
    func announce(_ place: Place, at revision: Revision) { loop.async { [self] in announceNow(place, at: revision) } }

    /// The same, called on the loop.
    func announceNow(_ place: Place, at revision: Revision) {
      follower.advance(place, to: revision)
      hints.add(place.number, at: revision)
    }

    /// Records the head that a turn of this process has read.
    func tookTurn(_ place: Place, at revision: Revision) { loop.async { [self] in follower.tookTurn(place, at: revision) } }

    // MARK: Monitoring

    /// Calls a closure on the loop for each event of the connections from now on.
    func monitor(_ monitor: @escaping @Sendable (PoolEvent) -> Void) {
      loop.async { [self] in for lane in [readers, writers, holders] { lane.monitor(monitor) } }
    }
  }
#endif
