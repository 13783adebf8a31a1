#if Postgres
  import AlterCore
  import AlterJournal

  // Waiting for locks that other processes have, so that nobody else has to wait.
  //
  //     request ── writers ── got the lock within a moment ──> answered
  //                   │ blocked
  //                   └─> holders, first come, first served ── got the lock within a slice ──> answered, or the turn begins
  //                          ^                                      │ blocked
  //                          └──────────────────────────────────────┘ until the deadline
  //
  // Within a slice a request stands in PostgreSQL's own line for the row, where other processes can't overtake it. A slice ends sooner when others want
  // the connection, and is longer each time that it was not enough.
  extension Pool {
    /// For how long a request may wait for a lock while others stand behind it.
    static let moment = Duration.milliseconds(100)

    /// A connection that somebody has alone, with what its first statements gave.
    struct Borrowed: Sendable {
      let connection: Connection
      let answers: [Answer]
      fileprivate let lane: Lane
    }

    /// Sends statements that may have to wait for a lock: for a moment among others, then on a connection apart.
    ///
    /// - Parameters:
    ///   - deadline: When to give up.
    ///   - isBlocked: Whether it is known to have to wait.
    ///   - afterwards: Told of an answer when whoever waits for it has been woken.
    ///   - calls: The statements, for a lock timeout.
    func run(
      until deadline: ContinuousClock.Instant, isBlocked: Bool, then afterwards: @escaping @Sendable ([Answer]) -> Void = { _ in },
      _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<[Answer], ServerFailure> {
      let wait = deadline - .now
      if !isBlocked {
        let result = await run(calls(min(wait, Self.moment)), in: .writing, then: afterwards)
        guard case .failure(.refused("55P03", _)) = result, wait > Self.moment else { return result }
      }
      switch await borrow(until: deadline, waiting: ServerWait(), calls) {
      case .failure(let failure): return .failure(failure)
      case .success(let borrowed):
        giveBack(borrowed, rollingBack: false) { afterwards(borrowed.answers) }
        return .success(borrowed.answers)
      }
    }

    /// Borrows a connection, and sends statements on it that may wait for a lock.
    ///
    /// - Parameters:
    ///   - deadline: When to give up waiting for the lock.
    ///   - wait: Ends the wait when it is given up; then the connection is closed, and the server told to stop.
    ///   - calls: What to send, for a lock timeout.
    /// - Returns: The connection, after the statements have succeeded. It is to be given back by ``giveBack(_:rollingBack:then:)``.
    func borrow(
      until deadline: ContinuousClock.Instant, waiting wait: ServerWait, _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<Borrowed, ServerFailure> {
      var lane = holders
      var (slices, repetitions) = (0, 0)
      while true {
        let result = await borrow(from: lane, until: deadline, slice: slices, waiting: wait, calls)
        switch result {
        case .failure(.refused("55P03", _)) where ContinuousClock.now < deadline: slices += 1
        case .failure(.refused(let state, _)) where Connection.isForgotten(state) && repetitions < 3: repetitions += 1
        // The server gives no more connections: among the others, then.
        case .failure(.unconnected(let state?, _)) where state.hasPrefix("53") && lane === holders: lane = writers
        default: return result
        }
      }
    }

    /// How long to wait for a lock at once.
    private static func slice(_ number: Int, isCrowded: Bool, left: Duration) -> Duration {
      min(left, isCrowded ? min(.milliseconds(100) * (number + 1), .milliseconds(500)) : .seconds(1))
    }

    private func borrow(
      from lane: Lane, until deadline: ContinuousClock.Instant, slice: Int, waiting wait: ServerWait,
      _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<Borrowed, ServerFailure> {
      await withCheckedContinuation { continuation in
        loop.async { [self] in
          watchIdleness()
          let attempt = Attempt { continuation.resume(returning: $0) }
          let isBegun = wait.begin { [loop] in loop.async { attempt.giveUp() } }
          guard isBegun else { return attempt.giveUp() }
          lane.lend(
            Lane.Loan(isWanted: { !attempt.isDone }) { result in
              switch result {
              case .failure(let failure): attempt.finish(.failure(failure))
              case .success(let connection):
                attempt.connection = connection
                let slice = Self.slice(slice, isCrowded: lane.isCrowded, left: deadline - .now)
                connection.send(Request(calls(slice)) { Self.take($0, of: connection, from: lane, for: attempt) })
              }
            })
        }
      }
    }

    /// Takes what the statements gave, on the loop.
    private static func take(
      _ result: Result<[Answer], ServerFailure>, of connection: Connection, from lane: Lane, for attempt: Attempt
    ) {
      // The connection of somebody who gave up is closed by now.
      guard !attempt.isDone else { return lane.putBack(connection) }
      switch result {
      case .success(let answers): attempt.finish(.success(Borrowed(connection: connection, answers: answers, lane: lane)))
      case .failure(let failure):
        attempt.finish(.failure(failure))
        connection.send(Request([Call(once: "ROLLBACK")]) { _ in lane.putBack(connection) })
      }
    }

    /// One attempt to get a connection alone, on the loop.
    ///
    /// `@unchecked Sendable`: used on the pool's loop only.
    private final class Attempt: @unchecked Sendable {
      var connection: Connection?
      private var continuation: ((Result<Borrowed, ServerFailure>) -> Void)?

      init(_ continuation: @escaping (Result<Borrowed, ServerFailure>) -> Void) { self.continuation = continuation }

      var isDone: Bool { continuation == nil }

      func finish(_ result: Result<Borrowed, ServerFailure>) {
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
    func run(_ calls: [Call], on borrowed: Borrowed) async -> Result<[Answer], ServerFailure> {
      await answer { borrowed.connection.send(Request(calls, completion: $0)) }
    }

    /// Ends the transaction on a borrowed connection, if one is open, and gives it back.
    func giveBack(_ borrowed: Borrowed, rollingBack: Bool, then afterwards: @escaping @Sendable () -> Void = {}) {
      loop.async {
        guard rollingBack, !borrowed.connection.isLost else {
          borrowed.lane.putBack(borrowed.connection)
          return afterwards()
        }
        borrowed.connection.send(
          Request([Call(once: "ROLLBACK")]) { _ in
            borrowed.lane.putBack(borrowed.connection)
            afterwards()
          })
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
