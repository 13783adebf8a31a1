#if SyncServer && Postgres && SQLite
  import AlterJournal
  import AlterPostgres
  import AlterSQLite
  import AlterSyncServer

  /// The decisions of an operator after a restore.
  enum OperatorProgram {
    static func recover(_ database: String, from file: String) async throws {
      let mirror = try await SQLiteJournal(at: file, key: Place.key)
      let journal = try await open(database)
      let count = try await journal.recover(from: mirror, author: Place.secret.author(among: Place.principals))
      await journal.close()
      await mirror.close()
      say("recovered \(count)")
    }

    static func discard(_ database: String) async throws {
      let journal = try await open(database)
      try await journal.discardLostEntries()
      await journal.close()
      say("discarded")
    }

    private static func open(_ database: String) async throws -> PostgresJournal {
      try await PostgresJournal(at: PostgresServer(database), key: Place.key, schema: Place.schema)
    }
  }
#endif
