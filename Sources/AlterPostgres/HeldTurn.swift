#if Postgres
  import AlterCore
  import AlterJournal

  /// A turn of this process: a transaction that locks the journal's row until its first append, or until the turn is ended.
  final class HeldTurn: Sendable {
    private struct State {
      var borrowed: Pool.Borrowed?
      var turn: ObjectIdentifier?
    }
    private let state: Lock<State>
    private let pool: Pool

    /// Whether an append that is refused ends the turn, which has all settings. Otherwise a savepoint keeps the lock.
    let endsWithRefusal: Bool

    init(_ borrowed: Pool.Borrowed, pool: Pool, endsWithRefusal: Bool) {
      self.endsWithRefusal = endsWithRefusal
      state = Lock(State(borrowed: borrowed))
      self.pool = pool
    }

    /// The turn that this transaction belongs to.
    var turn: ObjectIdentifier? { state.withLock { $0.turn } }

    func belongs(to turn: Turn) { state.withLock { $0.turn = ObjectIdentifier(turn) } }

    /// Sends an append in the turn's transaction, and commits the transaction.
    ///
    /// - Returns: The answers; nil if the transaction is over, because the server ended it or an earlier append committed it.
    func run(_ calls: [Call]) async -> Result<[ServerAnswer], ServerFailure>? {
      guard let borrowed = state.withLock({ $0.borrowed }) else { return nil }
      let savepoint = endsWithRefusal ? [] : [Call("SAVEPOINT append")]
      let result = await pool.run(savepoint + calls + [Call("COMMIT")], on: borrowed)
      switch result {
      case .success(let answers):
        letGo(rollingBack: false)
        return .success(Array(answers.dropFirst(savepoint.count).dropLast()))
      case .failure(.refused) where endsWithRefusal:
        letGo(rollingBack: true)
        return result
      case .failure(.refused):
        // The turn continues: its lock was taken before the savepoint.
        if case .failure = await pool.run([Call(once: "ROLLBACK TO append")], on: borrowed) { letGo(rollingBack: true) }
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
      let borrowed = state.withLock { state in
        defer { state.borrowed = nil }
        return state.borrowed
      }
      guard let borrowed else { return afterwards() }
      pool.giveBack(borrowed, rollingBack: rollingBack, then: afterwards)
    }

    /// Ends the transaction, if it is not over.
    func end(then afterwards: @escaping @Sendable () -> Void) { letGo(rollingBack: true, then: afterwards) }
  }
#endif
