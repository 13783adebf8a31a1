#if Postgres
  import AlterCore
  import AlterJournal

  /// Creates the tables of a schema. Of several processes that begin at once, one does it and the others find it done.
  struct TableSetup: Sendable {
    let pool: Pool
    let schema: String
    /// The name of the journal, for errors.
    let name: String

    /// The longest time to wait for other processes that create the tables.
    private static let patience = Duration.seconds(600)

    /// Creates the tables unless they exist, in one transaction under a lock, on a connection of its own.
    func make() async throws(JournalError) {
      let borrowed = await pool.borrow(until: .now + Self.patience, waiting: ServerWait()) { [schema] lockTimeout in
        [
          Call(once: "BEGIN ISOLATION LEVEL READ COMMITTED"), Call(Statements.lockSetting, Parameters(.text(lockTimeout.setting))),
          Call(once: Tables.lock(schema)), Call(Statements.lockSetting, Parameters(.text("0"))), Call(once: "SAVEPOINT existing"),
        ]
      }
      let connection: Pool.Borrowed
      switch borrowed {
      case .failure(let failure): throw .translated(failure, in: name, doing: "create its tables")
      case .success(let borrowed): connection = borrowed
      }
      defer { pool.giveBack(connection, rollingBack: true) }
      switch await pool.run([Call(once: Tables.existing(schema))], on: connection) {
      case .success: return
      case .failure(.refused("42P01", _)), .failure(.refused("3F000", _)): break
      case .failure(let failure): throw .translated(failure, in: name, doing: "create its tables")
      }
      let calls = (["ROLLBACK TO existing"] + Tables.creation(schema) + ["COMMIT"]).map { Call(once: $0) }
      if case .failure(let failure) = await pool.run(calls, on: connection) {
        throw .translated(failure, in: name, doing: "create its tables", mayBeDone: true)
      }
    }
  }
#endif
