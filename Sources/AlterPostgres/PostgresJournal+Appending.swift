#if Postgres
  import AlterCore
  public import AlterJournal

  extension PostgresJournal {
    /// Appends drafts at a head: all of them or none, in one round trip and one transaction.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: what every journal throws; `locked` when another writer kept its turn for too long; `unknownOutcome` when the
    ///   connection was lost meanwhile; `unavailable`, `full`, `readOnly`, `unreachable` for what the server says.
    public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      precondition(!drafts.isEmpty, "An append needs at least one draft.")
      try checkWritable()
      let held = turn.flatMap { turn in state.withLock { $0.turn.flatMap { $0.turn == ObjectIdentifier(turn) ? $0 : nil } } }
      // Within this process, somebody who took a turn goes first; a turn that has ended, or is another journal's, is none.
      let place = held == nil ? try await standInLine() : nil
      defer { place?.end() }
      let appended = try await insert(drafts, after: head, under: leases, in: held)
      waiters.advance(to: appended.head.revision)
      return appended
    }

    /// Tries to append; if that was not to be, finds out why.
    private func insert(
      _ drafts: [Entry.Draft], after head: Head, under leases: [Lease], in held: HeldTurn?
    ) async throws(JournalError) -> Appended {
      var entries: [Entry] = []
      var end = head
      if head.journal == id, head.revision >= .zero, head.revision < Revision(.max - Int64(drafts.count)) {
        entries.reserveCapacity(drafts.count)
        for draft in drafts {
          let entry = Entry(draft, after: end)
          entries.append(entry)
          end = end.advanced(by: entry)
        }
      }
      for _ in 0..<4 {
        // A head that can't be this journal's needs no trying.
        if !entries.isEmpty, try await send(entries, after: head, under: leases, in: held) {
          return Appended(first: head.revision.next, head: end)
        }
        switch try await evidence(drafts, after: head, under: leases).verdict(drafts, after: head, under: leases, in: name) {
        case .there(let appended):
          pool.announce(place, at: appended.head.revision)
          return appended
        case .refused(let error): throw error
        case .tryAgain: continue
        }
      }
      throw JournalError(
        .unavailable, journal: name, message: "could not append: others' appends kept crossing this one. Nothing was written. Try again.")
    }

    /// Sends the entries in one round trip.
    ///
    /// - Returns: Whether they are there, committed. If not, the reason is to be found in the database.
    private func send(_ entries: [Entry], after head: Head, under leases: [Lease], in held: HeldTurn?) async throws(JournalError) -> Bool {
      var calls = [appending(entries, after: head)]
      // After the row of the journal, in the order in which everybody takes their locks.
      if !leases.isEmpty { calls.append(fence(leases)) }
      let count = entries.count
      let revision = head.revision + count
      let isAppended: @Sendable ([Answer]) -> Bool = { $0.first?.affectedCount == count }
      let result: Result<[Answer], ServerFailure>
      if let held, let own = await held.run(calls) {
        result = own
        if case .success(let answers) = result, isAppended(answers) { pool.announce(place, at: revision) }
      } else {
        // Told where the answer is taken, which wakes no thread for it.
        result = await pool.run(calls, in: .writing) { [pool, place] answers in
          if isAppended(answers) { pool.announceNow(place, at: revision) }
        }
      }
      switch result {
      case .success(let answers): return isAppended(answers)
      // A duplicate id or revision, a stale lease, a transaction that wasn't to be repeated.
      case .failure(.refused("23505", _)), .failure(.refused("22012", _)), .failure(.refused("40001", _)): return false
      case .failure(let failure): throw .translated(failure, in: name, doing: "append", mayBeDone: true)
      }
    }

    func appending(_ entries: [Entry], after head: Head) -> Call {
      var parameters = Parameters(
        .number(place.number), .uuid(id.uuid), .number(head.revision.number), .bytes(head.checksum.bytes))
      EntryRow.add(entries, to: &parameters)
      parameters.add(.text(durability == .full ? "on" : "off"))
      parameters.add(.text(lockTimeout.setting))
      return Call(entries.count == 1 ? statements.appendingOne : statements.appendingMany, parameters)
    }

    private func fence(_ leases: [Lease]) -> Call {
      Call(statements.fence, Parameters(.number(place.number), .texts(leases.map(\.name)), .numbers(leases.map(\.epoch))))
    }

    private func evidence(_ drafts: [Entry.Draft], after head: Head, under leases: [Lease]) async throws(JournalError) -> AppendEvidence {
      let number = Parameters.Value.number(place.number)
      let calls = [
        Call(statements.head, Parameters(number)),
        Call(statements.checksum, Parameters(number, .number(head.revision.number))),
        Call(statements.found, Parameters(number, .uuids(drafts.map(\.id.origin.uuid)), .numbers(drafts.map(\.id.sequence)))),
        Call(statements.epochs, Parameters(number, .texts(leases.map(\.name)))),
      ]
      let answers = try await read(calls, "append")
      var found: [Entry] = []
      for row in 0..<answers[2].rowCount {
        do throws(EntryRow.Complaint) { found.append(try EntryRow.entry(answers[2], row)) } catch { throw .damaged(name, error) }
      }
      var epochs: [String: Int64] = [:]
      for row in 0..<answers[3].rowCount {
        if let lease = answers[3].text(row, 0), let epoch = answers[3].number(row, 1) { epochs[lease] = epoch }
      }
      let checksum = answers[1].rowCount == 1 ? answers[1].data(0, 0).flatMap(Checksum.init(bytes:)) : nil
      return AppendEvidence(head: try self.head(answers[0]), checksum: checksum, found: found, epochs: epochs)
    }

    /// Waits in line until no other writer may append, in this process or another: it takes the row that says where the journal ends.
    ///
    /// The server ends a turn that stands idle for longer than the turn's timeout, and with its first append. What is appended in it
    /// after that is appended like anything else.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` when another writer kept its turn for too long, `cancelled` when the task was cancelled.
    public func takeTurn() async throws(JournalError) -> Turn {
      try checkWritable()
      let place = try await standInLine()
      let connection: Connection
      do {
        connection = try await waiting { wait in
          await pool.borrow(
            [
              Call(once: "BEGIN ISOLATION LEVEL READ COMMITTED"),
              Call(Statements.turnSettings, Parameters(.text(lockTimeout.setting), .text(turnTimeout.setting))),
              Call(statements.turn, Parameters(.number(self.place.number))),
            ], waiting: wait)
        }
      } catch {
        place.end()
        throw error
      }
      let held = HeldTurn(connection, pool: pool)
      let turn = Turn { [weak self] in
        self?.state.withLock { state in if state.turn === held { state.turn = nil } }
        held.end { place.end() }
      }
      held.belongs(to: turn)
      state.withLock { $0.turn = held }
      return turn
    }

    /// Waits in the line of this process.
    private func standInLine() async throws(JournalError) -> Turn {
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
      case .failure(let failure): throw wait.error ?? .translated(failure, in: name, doing: "take a turn")
      }
    }
  }

  /// A turn that this process has: a transaction that holds the journal's row, until its first append or until it is ended.
  final class HeldTurn: Sendable {
    private struct State {
      var connection: Connection?
      var turn: ObjectIdentifier?
    }
    private let state: Lock<State>
    private let pool: Pool

    init(_ connection: Connection, pool: Pool) {
      state = Lock(State(connection: connection))
      self.pool = pool
    }

    /// Which turn it is.
    var turn: ObjectIdentifier? { state.withLock { $0.turn } }

    func belongs(to turn: Turn) { state.withLock { $0.turn = ObjectIdentifier(turn) } }

    /// Sends an append in the turn's transaction, and commits it.
    ///
    /// - Returns: nil when the transaction is over: the server ended it, or it was committed before.
    func run(_ calls: [Call]) async -> Result<[Answer], ServerFailure>? {
      guard let connection = state.withLock({ $0.connection }) else { return nil }
      let savepoint = Call(once: "SAVEPOINT append")
      let result = await pool.run([savepoint] + calls + [Call(once: "COMMIT")], on: connection)
      switch result {
      case .success(let answers):
        letGo(rollingBack: false)
        return .success(Array(answers.dropFirst().dropLast()))
      case .failure(.refused):
        // The turn goes on: what it holds was taken before the savepoint.
        if case .failure = await pool.run([Call(once: "ROLLBACK TO append")], on: connection) { letGo(rollingBack: true) }
        return result
      case .failure(.lost(isSent: false, _)):
        letGo(rollingBack: false)
        return nil
      case .failure:
        letGo(rollingBack: false)
        return result
      }
    }

    private func letGo(rollingBack: Bool, then afterwards: @escaping @Sendable () -> Void = {}) {
      let connection = state.withLock { state in
        defer { state.connection = nil }
        return state.connection
      }
      guard let connection else { return afterwards() }
      pool.giveBack(connection, rollingBack: rollingBack, then: afterwards)
    }

    /// Ends it, if it is not over.
    func end(then afterwards: @escaping @Sendable () -> Void) { letGo(rollingBack: true, then: afterwards) }
  }

  extension Duration {
    /// As PostgreSQL's settings take it. Zero would mean "no limit" there.
    var setting: String {
      let (seconds, attoseconds) = components
      return "\(min(max(min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000, 1), 2_000_000_000))ms"
    }
  }
#endif
