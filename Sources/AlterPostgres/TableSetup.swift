#if Postgres
  import AlterCore
  import AlterJournal

  /// Creates and migrates the tables of a schema. Of several processes that begin at once, one does it and the others find it done.
  struct TableSetup: Sendable {
    let pool: Pool
    let schema: String
    /// The name of the journal, for errors.
    let name: String

    /// The longest time to wait for other processes that create or migrate the tables.
    private static let patience = Duration.seconds(600)

    /// Creates the tables unless they exist, in one transaction under a lock, on a connection of its own.
    func make() async throws(JournalError) {
      let connection = try await begin("create its tables", until: .now + Self.patience)
      defer { pool.giveBack(connection, rollingBack: true) }
      guard try await existingVersion(on: connection, "create its tables") == 0 else { return }
      let calls = (Tables.creation(schema) + ["COMMIT"]).map { Call(once: $0) }
      if case .failure(let failure) = await pool.run(calls, on: connection) {
        throw .translated(failure, in: name, doing: "create its tables", mayBeDone: true)
      }
    }

    /// Migrates the tables to version 2 unless that is done, in one transaction.
    ///
    /// It needs every table for itself for some milliseconds, and while it waits for a table, all later statements wait behind it. So it waits
    /// for a short time only, then lets the others pass, and waits for longer the next time. (Within the longer ones the server ends
    /// a vacuum that it starts by itself.)
    ///
    /// - Parameter deadline: The time until which it may wait for other transactions.
    /// - Throws: ``/AlterJournal/JournalError``: `locked` if a transaction uses the tables until the deadline; `unreachable` if the role does not
    ///   own the tables; `unknownOutcome` if the connection was lost meanwhile.
    func migrate(until deadline: ContinuousClock.Instant) async throws(JournalError) {
      var pause = Duration.milliseconds(300)
      while true {
        let result = try await migrateOnce(waiting: max(min(pause, deadline - .now), .milliseconds(1)), until: deadline)
        guard case .failure(let failure) = result else { return }
        switch failure {
        // A lock timeout, or a deadlock with a transaction that waits behind this one.
        case .refused("55P03", _) where ContinuousClock.now < deadline, .refused("40P01", _) where ContinuousClock.now < deadline:
          pause = min(pause * 2, .milliseconds(2_400))
        case .refused("55P03", _), .refused("40P01", _):
          throw JournalError(
            .locked, journal: name,
            message: """
              could not migrate its tables to version 2: other transactions use them, as a long one or a dump does. Nothing was changed. Try again \
              when it has ended.
              """)
        case .refused("42501", let message):
          throw JournalError(
            .unreachable, journal: name,
            message: """
              can't be served or compacted: its tables have version 1, and this role may not migrate them ('\(message)', 42501). Nothing was changed. Their owner \
              must run the output of PostgresJournal.migration(schema: "\(schema)"), and grant the rights; docs/postgres.md has these statements.
              """)
        default: throw .translated(failure, in: name, doing: "migrate its tables", mayBeDone: true)
        }
      }
    }

    private func migrateOnce(
      waiting pause: Duration, until deadline: ContinuousClock.Instant
    ) async throws(JournalError) -> Result<[Answer], ServerFailure> {
      let connection = try await begin("migrate its tables", until: deadline)
      defer { pool.giveBack(connection, rollingBack: true) }
      let version = try await existingVersion(on: connection, "migrate its tables")
      if version > Tables.first {
        guard pool.tables.learn(version, in: schema) else { throw .newerTables(name, version) }
        return .success([])
      }
      let calls = (Tables.migration(schema) + ["COMMIT"]).map { Call(once: $0) }
      let result = await pool.run([Call(Statements.lockSetting, Parameters(.text(pause.setting)))] + calls, on: connection)
      if case .success = result { pool.tables.learn(Tables.newest, in: schema) }
      return result
    }

    /// Begins a transaction that has the lock of the tables' versions.
    private func begin(_ activity: String, until deadline: ContinuousClock.Instant) async throws(JournalError) -> Pool.Borrowed {
      let borrowed = await pool.borrow(until: deadline, waiting: ServerWait()) { [schema] lockTimeout in
        [
          Call(once: "BEGIN ISOLATION LEVEL READ COMMITTED"), Call(Statements.lockSetting, Parameters(.text(lockTimeout.setting))),
          Call(once: Tables.lock(schema)), Call(Statements.lockSetting, Parameters(.text("0"))),
        ]
      }
      switch borrowed {
      case .failure(let failure): throw .translated(failure, in: name, doing: activity)
      case .success(let borrowed): return borrowed
      }
    }

    /// Returns the version of the existing tables, while the lock keeps other processes from migrating them; 0 if there are none.
    private func existingVersion(on connection: Pool.Borrowed, _ activity: String) async throws(JournalError) -> Int64 {
      let calls = [Call(once: "SAVEPOINT existing"), Call(once: Tables.existing(schema))]
      switch await pool.run(calls, on: connection) {
      case .success(let answers):
        let version = answers.last.flatMap { $0.rowCount == 1 ? $0.number(0, 0) : nil } ?? 0
        guard version <= Tables.newest else { throw .newerTables(name, version) }
        return version
      case .failure(.refused("42P01", _)), .failure(.refused("3F000", _)):
        if case .failure(let failure) = await pool.run([Call(once: "ROLLBACK TO existing")], on: connection) {
          throw .translated(failure, in: name, doing: activity)
        }
        return 0
      case .failure(let failure): throw .translated(failure, in: name, doing: activity)
      }
    }
  }
#endif
