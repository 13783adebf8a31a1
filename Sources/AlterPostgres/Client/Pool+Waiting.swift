#if Postgres
  import AlterCore
  import AlterJournal

  // Waiting for locks of other processes without delaying other requests.
  //
  //     request ── writers ── got the lock within a moment ──> answered
  //                   │ blocked
  //                   └─> holders, first come, first served ── got the lock within a slice ──> answered, or the turn begins
  //                          ^                                      │ blocked
  //                          └──────────────────────────────────────┘ until the deadline
  //
  // During a slice a request waits in PostgreSQL's own queue for the row, where other processes cannot overtake it. A slice is shorter if
  // other requests wait for the connection, and each further slice of a request is longer.
  extension Pool {
    /// The longest time that a request waits for a lock while other requests are behind it.
    static let moment = Duration.milliseconds(100)

    /// A connection for exclusive use, and the answers of its first statements.
    struct Borrowed: Sendable {
      let connection: Connection
      let answers: [ServerAnswer]
    }

    /// Sends statements that may have to wait for a lock: for a moment among other requests, then on a connection of its own.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the wait ends.
    ///   - isBlocked: Whether the lock is known to be contended.
    ///   - afterwards: Receives the answers, after the caller was resumed.
    ///   - calls: Returns the statements for a lock timeout.
    func run(
      until deadline: ContinuousClock.Instant, isBlocked: Bool, then afterwards: @escaping @Sendable ([ServerAnswer]) -> Void = { _ in },
      _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<[ServerAnswer], ServerFailure> {
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
    ///   - deadline: The time at which the wait for the lock ends.
    ///   - wait: Can end the wait early. The connection is then closed, and the server's statement cancelled.
    ///   - calls: Returns the statements for a lock timeout.
    /// - Returns: The connection, after the statements have succeeded. Return it by ``giveBack(_:rollingBack:then:)``.
    func borrow(
      until deadline: ContinuousClock.Instant, waiting wait: ServerWait, _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<Borrowed, ServerFailure> {
      var (slices, repetitions) = (0, 0)
      while true {
        let result = await borrow(until: deadline, slice: slices, waiting: wait, calls)
        switch result {
        case .failure(.refused("55P03", _)) where ContinuousClock.now < deadline: slices += 1
        case .failure(.refused(let state, _)) where Connection.isForgotten(state) && repetitions < 3: repetitions += 1
        default: return result
        }
      }
    }

    /// The lock timeout of one attempt. It is at most 500 milliseconds if other requests wait for a connection, otherwise a second.
    private static func slice(_ number: Int, isCrowded: Bool, left: Duration) -> Duration {
      min(left, isCrowded ? min(.milliseconds(100) * (number + 1), .milliseconds(500)) : .seconds(1))
    }

    private func borrow(
      until deadline: ContinuousClock.Instant, slice: Int, waiting wait: ServerWait,
      _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<Borrowed, ServerFailure> {
      await answer { [self] completion in
        let attempt = Attempt(completion)
        let isBegun = wait.begin { [loop] in loop.async { attempt.giveUp() } }
        guard isBegun else { return attempt.giveUp() }
        holders.lend(
          Lane.Loan(isWanted: { !attempt.isDone }) { result in
            switch result {
            case .failure(let failure): attempt.finish(.failure(failure))
            case .success(let connection):
              attempt.connection = connection
              let isCrowded = self.holders.isCrowded || self.connections.areAwaited
              let slice = Self.slice(slice, isCrowded: isCrowded, left: deadline - .now)
              connection.send(Request(calls(slice)) { self.take($0, of: connection, for: attempt) })
            }
          })
      }
    }

    /// Handles the answers of the first statements, on the loop.
    private func take(_ result: Result<[ServerAnswer], ServerFailure>, of connection: Connection, for attempt: Attempt) {
      // The wait was ended early, and its connection is already closed.
      guard !attempt.isDone else { return holders.putBack(connection) }
      switch result {
      case .success(let answers): attempt.finish(.success(Borrowed(connection: connection, answers: answers)))
      case .failure(let failure):
        attempt.finish(.failure(failure))
        connection.send(Request([Call(once: "ROLLBACK")]) { [self] _ in holders.putBack(connection) })
      }
    }

    /// One attempt to borrow a connection.
    ///
    /// `@unchecked Sendable`: used on the pool's loop only.
    private final class Attempt: @unchecked Sendable {
      var connection: Connection?
      private var completion: ((Result<Borrowed, ServerFailure>) -> Void)?

      init(_ completion: @escaping (Result<Borrowed, ServerFailure>) -> Void) { self.completion = completion }

      var isDone: Bool { completion == nil }

      func finish(_ result: Result<Borrowed, ServerFailure>) {
        completion?(result)
        completion = nil
      }

      func giveUp() {
        guard !isDone else { return }
        finish(.failure(.givenUp))
        connection?.abandon()
      }
    }

    /// Sends statements on a borrowed connection.
    func run(_ calls: [Call], on borrowed: Borrowed) async -> Result<[ServerAnswer], ServerFailure> {
      await answer {
        // If the server has ended the turn, nothing is sent, and the outcome is known.
        borrowed.connection.detectLoss()
        borrowed.connection.send(Request(calls, completion: $0))
      }
    }

    /// Ends the transaction on a borrowed connection, if one is open, and returns the connection.
    func giveBack(_ borrowed: Borrowed, rollingBack: Bool, then afterwards: @escaping @Sendable () -> Void = {}) {
      loop.async { [self] in
        guard rollingBack, !borrowed.connection.isLost else {
          holders.putBack(borrowed.connection)
          return afterwards()
        }
        borrowed.connection.send(
          Request([Call(once: "ROLLBACK")]) { [self] _ in
            holders.putBack(borrowed.connection)
            afterwards()
          })
      }
    }
  }

  /// One wait for the server that can be ended early, by cancelling its task or by closing the journal.
  final class ServerWait: Sendable {
    private struct State {
      var error: JournalError?
      var action: (@Sendable () -> Void)?
    }
    private let state = Lock(State())

    /// The error with which the wait was ended early; nil if it was not.
    var error: JournalError? { state.withLock { $0.error } }

    /// Sets the action that ends the wait.
    ///
    /// - Returns: Whether the wait may begin; false if it was already ended.
    func begin(_ action: @escaping @Sendable () -> Void) -> Bool {
      state.withLock { state in
        guard state.error == nil else { return false }
        state.action = action
        return true
      }
    }

    /// Ends the wait with an error. Only the first call has an effect.
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
