#if Postgres
  import AlterCore
  import AlterJournal

  /// A process's connections to one server: for reading, for writing, for waiting, and one to follow others' appends.
  ///
  /// It is shared by all journals of the process on that server, so that opening one costs a round trip and no connection. Connections that
  /// nobody has used for a while are closed; the pool itself is a few words and stays.
  ///
  /// `@unchecked Sendable`: the lanes and the follower are used on ``loop`` only; ``lines`` has its own lock.
  final class Pool: @unchecked Sendable {
    /// Everything that has to do with connections happens here.
    let loop = EventLoop()
    /// What never waits for a lock.
    private let readers: Lane
    /// Requests that wait for a lock for a moment at most.
    let writers: Lane
    /// Requests that wait for a lock, or keep one: each has a connection alone, and others' requests never stand behind it.
    let holders: Lane
    private let follower: Follower
    /// The lines in which this process's handles of a journal wait, while there are any.
    private let lines = Lock<[Place: WeakLine]>([:])
    private var isWatchingIdleness = false

    private static let pools = Lock<[PostgresServer: Pool]>([:])

    /// How long a connection may have nothing to do before it is closed.
    private static let idleTime = Duration.seconds(30)

    private struct WeakLine {
      weak var line: TurnQueue?
    }

    /// A journal in a database: its schema, and its number there.
    struct Place: Hashable, Sendable {
      let schema: String
      let number: Int64
    }

    /// Which lane a request takes.
    enum LaneName { case reading, writing }

    /// The pool of a server.
    static func shared(_ server: PostgresServer) -> Pool {
      pools.withLock { pools in
        if let pool = pools[server] { return pool }
        let pool = Pool(server)
        pools[server] = pool
        return pool
      }
    }

    private init(_ server: PostgresServer) {
      readers = Lane(server, loop: loop, maximum: 2, depth: 64)
      writers = Lane(server, loop: loop, maximum: server.maximumConnections, depth: 8)
      holders = Lane(server, loop: loop, maximum: server.maximumHolders, depth: 0)
      follower = Follower(server, loop: loop, readers: readers)
    }

    // MARK: Asking

    /// Sends statements in one round trip; again when the server didn't know a prepared statement, for then it has done nothing. That happens
    /// behind connection poolers.
    ///
    /// - Parameter afterwards: Told of an answer, on the loop, when whoever waits for it has been woken.
    func run(
      _ calls: [Call], in lane: LaneName, then afterwards: @escaping @Sendable ([Answer]) -> Void = { _ in }
    ) async -> Result<[Answer], ServerFailure> {
      var result = await runOnce(calls, in: lane, then: afterwards)
      for _ in 1...3 {
        guard case .failure(.refused(let state, _)) = result, Connection.isForgotten(state) else { break }
        result = await runOnce(calls, in: lane, then: afterwards)
      }
      return result
    }

    private func runOnce(
      _ calls: [Call], in lane: LaneName, then afterwards: @escaping @Sendable ([Answer]) -> Void
    ) async -> Result<[Answer], ServerFailure> {
      await answer { [self] completion in
        watchIdleness()
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

    /// Waits for what is answered on the loop.
    ///
    /// It comes by way of a lock. The continuation alone would do, but when it is resumed before the task has come to wait for it, the thread
    /// sanitizer doesn't see that what was written before is read after.
    func answer(
      _ ask: @escaping @Sendable (@escaping @Sendable (Result<[Answer], ServerFailure>) -> Void) -> Void
    ) async -> Result<[Answer], ServerFailure> {
      let result = Lock<Result<[Answer], ServerFailure>>(.failure(.givenUp))
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

    /// The line in which this process's handles of a journal wait for their turns.
    func line(for place: Place, name: String) -> TurnQueue {
      lines.withLock { lines in
        if let line = lines[place]?.line { return line }
        let line = TurnQueue(journal: name)
        if lines.count > 1_000, lines.count.isMultiple(of: 1_000) { lines = lines.filter { $0.value.line != nil } }
        lines[place] = WeakLine(line: line)
        return line
      }
    }

    /// Tells waiters of every append to a journal from now on, whoever makes it.
    func follow(_ place: Place, _ waiters: RevisionCount) { loop.async { [follower] in follower.follow(place, waiters) } }

    /// No longer tells them.
    func unfollow(_ place: Place, _ waiters: ObjectIdentifier) { loop.async { [follower] in follower.unfollow(place, waiters) } }

    /// Tells other handles and other processes that a journal has grown.
    func announce(_ place: Place, at revision: Revision) { loop.async { [self] in announceNow(place, at: revision) } }

    /// The same, on the loop.
    func announceNow(_ place: Place, at revision: Revision) { follower.announce(place, at: revision) }

    // MARK: Closing

    /// Looks from time to time for connections that nobody uses, until there are none.
    func watchIdleness() {
      guard !isWatchingIdleness else { return }
      isWatchingIdleness = true
      loop.async(after: Self.idleTime) { [self] in
        let moment = ContinuousClock.now - Self.idleTime
        for lane in [readers, writers, holders] { lane.closeIdle(since: moment) }
        follower.closeIfIdle()
        isWatchingIdleness = false
        if ![readers, writers, holders].allSatisfy(\.isEmpty) || !follower.isEmpty { watchIdleness() }
      }
    }
  }
#endif
