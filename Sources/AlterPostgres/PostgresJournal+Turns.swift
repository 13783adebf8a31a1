#if Postgres
  import AlterCore
  public import AlterJournal

  // Waiting for other writers.
  extension PostgresJournal {
    /// Waits in line until no other writer may append, in this process or another: it takes the row that says where the journal ends.
    ///
    /// The server ends a turn that stands idle for longer than the turn's timeout, and with its first append. An append in it
    /// after that is like any other.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` when another writer kept its turn for too long, `cancelled` when the task was cancelled.
    public func takeTurn() async throws(JournalError) -> Turn {
      try checkWritable()
      let place = try await standInLine()
      let borrowed: Pool.Borrowed
      do {
        borrowed = try await waiting { wait in
          await pool.borrow(until: deadline, waiting: wait) { [statements, turnTimeout, number = self.place.number] lockTimeout in
            [
              Call(once: "BEGIN ISOLATION LEVEL READ COMMITTED"),
              Call(Statements.turnSettings, Parameters(.text(lockTimeout.setting), .text(turnTimeout.setting))),
              Call(statements.turn, Parameters(.number(number))),
            ]
          }
        }
      } catch {
        place.end()
        throw error
      }
      let held = HeldTurn(borrowed, pool: pool)
      let turn = Turn { [weak self] in
        self?.state.withLock { state in if state.turn === held { state.turn = nil } }
        held.end { place.end() }
      }
      held.belongs(to: turn)
      state.withLock { $0.turn = held }
      return turn
    }

    /// Waits in the line of this process.
    func standInLine() async throws(JournalError) -> Turn {
      do {
        let place = try await line.take(for: ObjectIdentifier(waiters))
        try checkOpen()
        return place
      } catch {
        // The line goes on for other handles; this one was sent away because it was closed.
        try checkOpen()
        throw error
      }
    }

    /// When a wait for a lock that begins now is over.
    private var deadline: ContinuousClock.Instant { .now + min(lockTimeout, .seconds(2_000_000)) }

    /// Sends statements that may have to wait for another process's lock, as one transaction.
    ///
    /// - Parameters:
    ///   - afterwards: Told of an answer when whoever waits for it has been woken.
    ///   - calls: The statements, for a lock timeout.
    func locking(
      then afterwards: @escaping @Sendable ([Answer]) -> Void = { _ in }, _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<[Answer], ServerFailure> {
      // A journal that was blocked until the end will most likely be so again.
      let isBlocked = state.withLock { $0.isBlocked }
      let result = await pool.run(until: deadline, isBlocked: isBlocked, then: afterwards, calls)
      let isStillBlocked = if case .failure(.refused("55P03", _)) = result { true } else { false }
      if isBlocked != isStillBlocked { state.withLock { $0.isBlocked = isStillBlocked } }
      return result
    }

    /// Does what may wait for the server for long; cancelling the task and closing the journal end the wait.
    private func waiting<Answer: Sendable>(
      _ work: (ServerWait) async -> Result<Answer, ServerFailure>
    ) async throws(JournalError) -> Answer {
      let wait = ServerWait()
      let isClosed = state.withLock { state in
        state.waits[ObjectIdentifier(wait)] = wait
        return state.isClosed
      }
      defer { state.withLock { _ = $0.waits.removeValue(forKey: ObjectIdentifier(wait)) } }
      guard !isClosed else { throw .closed(name) }
      let name = name
      let result = await withTaskCancellationHandler {
        await work(wait)
      } onCancel: {
        wait.giveUp(.cancelled(name))
      }
      switch result {
      case .success(let answer): return answer
      case .failure(let failure): throw wait.error ?? translated(failure, doing: "take a turn")
      }
    }
  }

  extension Duration {
    /// As PostgreSQL's settings take it. Zero would mean "no limit" there.
    var setting: String {
      let (seconds, attoseconds) = components
      return "\(min(max(min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000, 1), 2_000_000_000))ms"
    }
  }
#endif
