#if Postgres
  import AlterCore
  import AlterJournal

  /// The statements that move rows in the transaction of an append, and their outcome.
  package struct RowMove: Sendable {
    /// Fails unless the entries are there up to a head, and the rows are where the caller expects them.
    let fence: @Sendable (Head) -> Call
    let calls: [Call]
    /// Whether the entries were appended together with the rows.
    package let isDone = Lock(false)

    /// - Parameters:
    ///   - fence: Returns the first statement, for the head after the append.
    ///   - calls: The statements that write rows.
    package init(fence: @escaping @Sendable (Head) -> Call, _ calls: [Call]) { (self.fence, self.calls) = (fence, calls) }
  }

  // Tables of an app in the same database.
  extension PostgresJournal {
    /// The number of the journal in the rows of all tables.
    package var number: Int64 { place.number }

    /// Reads tables of an app.
    package func readRows(_ calls: [Call]) async throws(RowFailure) -> [ServerAnswer] {
      guard (try? checkOpen()) != nil else { throw RowFailure(state: nil, .closed(name)) }
      // Another session may have locked a table, and others wait for the connection.
      switch await pool.retrying([lockSetting(Pool.moment)] + calls) {
      case .success(let answers): return Array(answers.dropFirst())
      case .failure(let failure): throw self.failure(failure, "read the rows")
      }
    }

    /// Runs a transaction on tables of an app, on a connection of its own. It is committed if the closure returns true.
    ///
    /// - Parameters:
    ///   - isolation: The level of isolation.
    ///   - body: Receives a function that sends statements in one round trip.
    package func withRows(
      isolation: String = "READ COMMITTED",
      _ body: (_ run: ([Call]) async throws(RowFailure) -> [ServerAnswer]) async throws -> Bool
    ) async throws {
      do { try checkWritable() } catch { throw RowFailure(state: nil, error) }
      let borrowed: Pool.Borrowed
      switch await pool.borrow(
        until: deadline, waiting: ServerWait(),
        {
          [Call(once: "BEGIN ISOLATION LEVEL \(isolation)"), self.lockSetting($0)]
        })
      {
      case .success(let connection): borrowed = connection
      case .failure(let failure): throw self.failure(failure, "write the rows")
      }
      var isOpen = true
      defer { pool.giveBack(borrowed, rollingBack: isOpen) }
      let isWanted = try await body { calls throws(RowFailure) in
        switch await pool.run(calls, on: borrowed) {
        case .success(let answers): return answers
        case .failure(let failure): throw self.failure(failure, "write the rows")
        }
      }
      guard isWanted else { return }
      switch await pool.run([Call(once: "COMMIT")], on: borrowed) {
      case .success, .failure(.unconfirmed): isOpen = false
      case .failure(let failure): throw self.failure(failure, "write the rows")
      }
    }

    /// Sets how long a transaction waits for each lock.
    func lockSetting(_ timeout: Duration) -> Call { Call(Statements.lockSetting, Parameters(.text(timeout.setting))) }

    private func failure(_ failure: ServerFailure, _ activity: String) -> RowFailure {
      let state: String? = if case .refused(let state, _) = failure { state } else { nil }
      return RowFailure(state: state, translated(failure, doing: activity, mayBeDone: false))
    }
  }

  /// The reason why statements on an app's tables were not executed.
  package struct RowFailure: Error, CustomStringConvertible {
    /// PostgreSQL's error code; nil if the server has not answered.
    package let state: String?
    package let error: JournalError

    init(state: String?, _ error: JournalError) { (self.state, self.error) = (state, error) }

    package var description: String { error.description }
  }
#endif
