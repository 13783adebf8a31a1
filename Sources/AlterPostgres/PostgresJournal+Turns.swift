#if Postgres
  import AlterCore
  public import AlterJournal

  // Waiting for other writers.
  extension PostgresJournal: TurnReadingJournal {
    /// Waits until no other writer may append, in this process or another: it locks the row that holds the journal's head.
    ///
    /// The server ends a turn with its first append, or when it is idle for longer than the turn timeout. A later append in the turn is
    /// like an append without one.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` if another writer keeps its turn for longer than the timeout, `cancelled` if the
    ///   task was cancelled.
    public func takeTurn() async throws(JournalError) -> Turn {
      try checkWritable()
      return try await beginTurn(at: try await standInLine(), endsWithRefusal: false) { [statements, number = place.number, turnTimeout] in
        [
          Call(Statements.turnSettings, Parameters(.text($0.setting), .text(turnTimeout.setting))),
          Call(statements.turn, Parameters(.number(number))),
        ]
      }.turn
    }

    /// Takes a turn, and reads entries in the same round trip. They are read by a later statement than the one that waits for the lock, so
    /// they are complete.
    ///
    /// A first attempt may be idle for half a second, the second for two seconds, later ones for the turn timeout, if that is not shorter.
    /// The turn ends with its first append, even if that is refused.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: as ``takeTurn()`` and ``entries(after:limit:)``, except that no entries are returned to a writer
    ///   at or below the floor.
    package func takeTurn(
      limit: Int, attempt: Int, from start: @Sendable (_ hasWaited: Bool) async throws(JournalError) -> Head?
    ) async throws(JournalError) -> TurnReading {
      try checkWritable()
      let free = line.takeIfFree()
      let place = if let free { free } else { try await standInLine() }
      let known: Head?
      do { known = try await start(free == nil) } catch {
        place.end()
        throw error
      }
      // The entry at the start shows whether that is in the journal's history.
      let before = max(known?.revision ?? .zero, 1).previous
      let longest: Duration = attempt == 0 ? .milliseconds(500) : attempt == 1 ? .seconds(2) : turnTimeout
      let number = self.place.number
      // At most 8 MiB. A page may be short.
      let page = Parameters(.number(number), .number(before.number), .number(Int64(min(limit, 256) + 1)), .number(32 << 10))
      let idle = min(longest, turnTimeout)
      let (turn, answers) = try await beginTurn(at: place, endsWithRefusal: true) {
        let settings = Parameters(.number(number), .text($0.setting), .text(idle.setting), .text(self.commitSetting))
        return [Call(self.statements.turnHead, settings), Call(self.statements.turnPage, page)]
      }
      do throws(JournalError) {
        let row = try HeadRow(answers[0], of: name)
        let head = row.head
        pool.tookTurn(self.place, at: head.revision)
        var entries: [Entry] = []
        // A writer at or below the floor of a compacted journal reads in its turn, and begins again there. One whose first entry is too large
        // for the page, or damaged, reads that in its turn.
        do throws(JournalError) { entries = try self.entries(answers[1], after: before, above: row.floor?.revision ?? .zero) } catch {
          guard error.code == .noSuchRevision || error.code == .damaged else { throw error }
        }
        try await confirm(entries, "read entries")
        return TurnReading(turn, head: head, start: known, entries: entries)
      } catch {
        turn.end()
        throw error
      }
    }

    package var group: AppendGroup { durability == .full ? line.groups.full : line.groups.relaxed }

    /// Begins a transaction with statements that lock the journal's row.
    ///
    /// - Parameters:
    ///   - place: The place in the queue of this process. It ends with the turn, or with an error.
    ///   - endsWithRefusal: Whether an append that is refused ends the turn, too.
    ///   - calls: Returns the statements for a lock timeout.
    /// - Returns: The turn, and the answers to the statements.
    private func beginTurn(
      at place: Turn, endsWithRefusal: Bool, _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async throws(JournalError) -> (turn: Turn, answers: [ServerAnswer]) {
      let borrowed: Pool.Borrowed
      do {
        borrowed = try await waiting { wait in
          await pool.explaining(
            pool.borrow(until: deadline, waiting: wait) { [Call("BEGIN ISOLATION LEVEL READ COMMITTED").announced] + calls($0) }, in: schema
          )
        }
      } catch {
        place.end()
        throw error
      }
      let held = HeldTurn(borrowed, pool: pool, endsWithRefusal: endsWithRefusal)
      let turn = Turn { [weak self] in
        self?.state.withLock { state in if state.turn === held { state.turn = nil } }
        held.end { place.end() }
      }
      held.belongs(to: turn)
      state.withLock { $0.turn = held }
      return (turn, Array(borrowed.answers.dropFirst()))
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
    ///   - isShort: Whether they wait for a moment at most, among other requests.
    ///   - afterwards: Receives the answers, after the caller was resumed.
    ///   - calls: Returns the statements for a lock timeout.
    func locking(
      onlyForMoment isShort: Bool = false, then afterwards: @escaping @Sendable ([ServerAnswer]) -> Void = { _ in },
      _ calls: @escaping @Sendable (Duration) -> [Call]
    ) async -> Result<[ServerAnswer], ServerFailure> {
      if isShort {
        return await pool.explaining(pool.run(until: .now + Pool.moment, isBlocked: false, then: afterwards, calls), in: schema)
      }
      // If the last wait for the lock was in vain, the next one probably has to wait, too.
      let isBlocked = state.withLock { $0.isBlocked }
      let result = await pool.explaining(pool.run(until: deadline, isBlocked: isBlocked, then: afterwards, calls), in: schema)
      let isStillBlocked = if case .failure(.refused("55P03", _)) = result { true } else { false }
      if isBlocked != isStillBlocked { state.withLock { $0.isBlocked = isStillBlocked } }
      return result
    }

    /// Runs work that may wait for the server for long. Cancelling the task or closing the journal ends the wait.
    func waiting<ServerAnswer: Sendable>(
      _ activity: String = "take a turn", _ work: (ServerWait) async -> Result<ServerAnswer, ServerFailure>
    ) async throws(JournalError) -> ServerAnswer {
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
