#if Postgres
  import AlterCore
  public import AlterJournal

  // Waiting for other writers.
  extension PostgresJournal {
    /// Waits until no other writer may append, in this process or another: it locks the row that holds the journal's head.
    ///
    /// The server ends a turn with its first append, or when it is idle for longer than the turn timeout. A later append in the turn is
    /// like an append without one.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` if another writer keeps its turn for longer than the timeout, `cancelled` if the
    ///   task was cancelled.
    public func takeTurn() async throws(JournalError) -> Turn {
      try checkWritable()
      let place = try await standInLine()
      let borrowed: Pool.Borrowed
      do {
        borrowed = try await waiting { wait in
          await pool.adapting(to: schema) { statements in
            await pool.borrow(until: deadline, waiting: wait) { [turnTimeout, number = self.place.number] lockTimeout in
              [
                Call(once: "BEGIN ISOLATION LEVEL READ COMMITTED").announced,
                Call(Statements.turnSettings, Parameters(.text(lockTimeout.setting), .text(turnTimeout.setting))),
                Call(statements.turn, Parameters(.number(number))),
              ]
            }
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

    /// Waits in the queue of this process.
    func standInLine() async throws(JournalError) -> Turn {
      do {
        let place = try await line.take(for: ObjectIdentifier(waiters))
        try checkOpen()
        return place
      } catch {
        // Closing this handle dismissed it from the queue, which other handles continue to use.
        try checkOpen()
        throw error
      }
    }

    /// The time at which a wait for a lock that begins now ends.
    var deadline: ContinuousClock.Instant { .now + min(lockTimeout, .seconds(2_000_000)) }

    /// Sends statements that may have to wait for another process's lock, as one transaction.
    ///
    /// - Parameters:
    ///   - afterwards: Receives the answers, after the caller was resumed.
    ///   - calls: Returns the statements for the tables and a lock timeout.
    func locking(
      then afterwards: @escaping @Sendable ([Answer]) -> Void = { _ in }, _ calls: @escaping @Sendable (Statements, Duration) -> [Call]
    ) async -> Result<[Answer], ServerFailure> {
      // If the last wait for the lock was in vain, the next one probably has to wait, too.
      let isBlocked = state.withLock { $0.isBlocked }
      let result = await pool.adapting(to: schema) { statements in
        await pool.run(until: deadline, isBlocked: isBlocked, then: afterwards) { calls(statements, $0) }
      }
      let isStillBlocked = if case .failure(.refused("55P03", _)) = result { true } else { false }
      if isBlocked != isStillBlocked { state.withLock { $0.isBlocked = isStillBlocked } }
      return result
    }

    /// Runs work that may wait for the server for long. Cancelling the task or closing the journal ends the wait.
    func waiting<Answer: Sendable>(
      _ activity: String = "take a turn", _ work: (ServerWait) async -> Result<Answer, ServerFailure>
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
      case .failure(let failure): throw wait.error ?? translated(failure, doing: activity)
      }
    }
  }

  extension Duration {
    /// The value for a timeout setting of PostgreSQL, in milliseconds. It is at least 1, because 0 means no limit there.
    var setting: String {
      let (seconds, attoseconds) = components
      return "\(min(max(min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000, 1), 2_000_000_000))ms"
    }
  }
#endif
