#if Postgres
  public import AlterJournal

  extension JournalPlaces {
    /// A PostgreSQL database that holds the journals of all keys. They share the connections of the server, so an open journal has no
    /// descriptor of its own.
    ///
    /// - Parameters:
    ///   - server: The database: a URL, keywords, a service, or nothing to use the environment.
    ///   - schema: The name of the schema that holds the tables.
    ///   - durability: The failures that an acknowledged change survives.
    public static func postgres(
      _ server: PostgresServer = PostgresServer(), schema: String = "alter", durability: Durability = .full
    ) -> JournalPlaces {
      let open = { @Sendable (key: String) async throws(JournalError) in
        try await PostgresJournal(at: server, key: key, schema: schema, durability: durability)
      }
      return JournalPlaces(
        isMissing: { key throws(JournalError) in try await !PostgresJournal.exists(at: server, key: key, schema: schema) },
        objecting: { $0.utf8.contains(0) ? "it has a zero byte" : nil },
        marking: { key throws(JournalError) in try await JournalMark(endOf: open(key)) }
      ) { key throws(JournalError) in try await open(key) }
    }
  }
#endif
