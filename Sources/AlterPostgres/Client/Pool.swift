#if Postgres
  import AlterCore
  import AlterJournal

  /// What a process has of one server: connections for reading, for writing, and one to follow others' appends.
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
    /// What may wait for one.
    private let writers: Lane
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
    private func answer(
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

    /// Borrows a connection, and sends statements on it that may wait for others.
    ///
    /// - Parameters:
    ///   - calls: What to send.
    ///   - wait: Ends the wait when it is given up; then the connection is closed, and the server told to stop.
    /// - Returns: The connection, after the statements have succeeded. It is to be given back by ``finish(_:with:then:)``.
    func borrow(_ calls: [Call], waiting wait: ServerWait) async -> Result<Connection, ServerFailure> {
      await withCheckedContinuation { continuation in
        loop.async { [self] in
          watchIdleness()
          let attempt = Attempt { continuation.resume(returning: $0) }
          let isBegun = wait.begin { [loop] in loop.async { attempt.giveUp() } }
          guard isBegun else { return attempt.giveUp() }
          writers.lend(
            Lane.Loan(isWanted: { !attempt.isDone }) { [writers] result in
              switch result {
              case .failure(let failure): attempt.finish(.failure(failure))
              case .success(let connection):
                attempt.connection = connection
                connection.send(
                  Request(calls) { result in
                    // The connection of somebody who gave up is closed by now.
                    guard !attempt.isDone else { return writers.putBack(connection) }
                    if case .failure(let failure) = result {
                      // Whatever state its transaction is in: a fresh one is cheaper than to find out.
                      attempt.finish(.failure(failure))
                      connection.close()
                      writers.putBack(connection)
                    } else {
                      attempt.finish(.success(connection))
                    }
                  })
              }
            })
        }
      }
    }

    /// One attempt to get a connection alone, on the loop.
    ///
    /// `@unchecked Sendable`: used on the pool's loop only.
    private final class Attempt: @unchecked Sendable {
      var connection: Connection?
      private var continuation: ((Result<Connection, ServerFailure>) -> Void)?

      init(_ continuation: @escaping (Result<Connection, ServerFailure>) -> Void) { self.continuation = continuation }

      var isDone: Bool { continuation == nil }

      func finish(_ result: Result<Connection, ServerFailure>) {
        continuation?(result)
        continuation = nil
      }

      func giveUp() {
        guard !isDone else { return }
        finish(.failure(.givenUp))
        connection?.abandon()
      }
    }

    /// Sends statements on a borrowed connection.
    func run(_ calls: [Call], on connection: Connection) async -> Result<[Answer], ServerFailure> {
      await answer { connection.send(Request(calls, completion: $0)) }
    }

    /// Ends the transaction on a borrowed connection, if one is open, and gives it back.
    func giveBack(_ connection: Connection, rollingBack: Bool, then afterwards: @escaping @Sendable () -> Void = {}) {
      loop.async { [writers] in
        guard rollingBack, !connection.isLost else {
          writers.putBack(connection)
          return afterwards()
        }
        connection.send(
          Request([Call(once: "ROLLBACK")]) { _ in
            writers.putBack(connection)
            afterwards()
          })
      }
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
    func follow(_ place: Place, _ waiters: RevisionWaiters) { loop.async { [follower] in follower.follow(place, waiters) } }

    /// No longer tells them.
    func unfollow(_ place: Place, _ waiters: ObjectIdentifier) { loop.async { [follower] in follower.unfollow(place, waiters) } }

    /// Tells other handles and other processes that a journal has grown.
    func announce(_ place: Place, at revision: Revision) { loop.async { [self] in announceNow(place, at: revision) } }

    /// The same, on the loop.
    func announceNow(_ place: Place, at revision: Revision) { follower.announce(place, at: revision) }

    // MARK: Closing

    /// Looks from time to time for connections that nobody uses, until there are none.
    private func watchIdleness() {
      guard !isWatchingIdleness else { return }
      isWatchingIdleness = true
      loop.async(after: Self.idleTime) { [self] in
        let moment = ContinuousClock.now - Self.idleTime
        for lane in [readers, writers] { lane.closeIdle(since: moment) }
        follower.closeIfIdle()
        isWatchingIdleness = false
        if !readers.isEmpty || !writers.isEmpty || !follower.isEmpty { watchIdleness() }
      }
    }
  }

  /// One wait for the server that somebody else may give up: a cancelled task, a journal that is being closed.
  final class ServerWait: Sendable {
    private struct State {
      var error: JournalError?
      var action: (@Sendable () -> Void)?
    }
    private let state = Lock(State())

    /// Why it was given up, if it was.
    var error: JournalError? { state.withLock { $0.error } }

    /// Says what giving up does from now on.
    ///
    /// - Returns: Whether it has not been given up yet.
    func begin(_ action: @escaping @Sendable () -> Void) -> Bool {
      state.withLock { state in
        guard state.error == nil else { return false }
        state.action = action
        return true
      }
    }

    /// Ends the wait with an error. Only the first one counts.
    func giveUp(_ error: JournalError) {
      let action: (@Sendable () -> Void)? = state.withLock { state in
        guard state.error == nil else { return nil }
        state.error = error
        return state.action
      }
      action?()
    }
  }
#endif
