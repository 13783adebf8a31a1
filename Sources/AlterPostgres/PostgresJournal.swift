#if Postgres
  import AlterCore
  public import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A journal in a PostgreSQL database, for stores that several machines share.
  ///
  /// ```swift
  /// let journal = try await PostgresJournal(at: "postgres://db.example.org/shop", key: "orders")
  /// ```
  ///
  /// One database holds any number of journals, which their keys distinguish. Any number of processes on any number of machines may have
  /// one open. The tables are created when a journal is first opened by a role that may create them; `docs/postgres.md` describes the
  /// roles, the tables and the operation. Do not write to the tables with other tools; the view `log` is for reading.
  ///
  /// A journal has no connection of its own: all journals of a process on one server share a few connections, and one thread that waits for
  /// them. Opening a journal costs one round trip, so a service may hold thousands.
  ///
  /// Complexity: an append costs one round trip and one commit of the server; a lookup costs O(log of the length).
  public final class PostgresJournal: Sendable {
    /// The name in errors: the database without user and password, followed by the key unless it is 'main'.
    public let name: String
    /// The database.
    package let server: PostgresServer
    /// The name of the schema that holds the tables.
    package let schema: String
    /// The key of this journal among the journals of the schema.
    package let key: String
    /// The failures that an acknowledged append survives.
    package let durability: Durability
    /// Whether the journal was opened for reading only.
    package let isReadOnly: Bool
    /// Whether the server was read-only when the journal was opened. If it could write then and cannot now, it has failed over.
    let onlyReadAtOpening: Bool

    let pool: Pool
    let place: Pool.Place
    package let id: JournalID
    let statements: Statements
    let line: TurnQueue
    let waiters: RevisionCount
    let lockTimeout: Duration
    let turnTimeout: Duration
    let limits: Limits
    let state = Lock(State())

    struct State {
      var isClosed = false
      /// The waits for the server that closing ends.
      var waits: [ObjectIdentifier: ServerWait] = [:]
      /// The turn of this handle.
      var turn: HeldTurn?
      /// Whether the last wait for a lock ended at its timeout.
      var isBlocked = false
      var doubts = Doubts()
      /// Whether the journal has a floor, as this handle has last seen. An append then reads the removed ids, too.
      var isCompacted = false
      /// The time at which a wait for entries has last read the head; nil until the journal is followed.
      var headRead: ContinuousClock.Instant?
    }

    /// The largest sizes in bytes of one operation. Tests use smaller ones.
    struct Limits: Sendable {
      /// The size of an append, including some bytes for the fixed fields of each entry.
      var append = Parameters.mostBytes
      /// The size of a page of entries: payloads, causes and scopes.
      var page = 8 << 20
    }

    /// Opens a journal, and creates it and the tables if they are missing.
    ///
    /// - Parameters:
    ///   - server: The database: a URL, keywords, a service, or nothing to use the environment.
    ///   - key: The key of the journal. At most a few hundred bytes, without a zero byte.
    ///   - schema: The name of the schema that holds the tables.
    ///   - durability: The failures that an acknowledged append survives. It sets `synchronous_commit` for each append.
    ///   - lockTimeout: The longest time that an append waits for another writer's turn before it throws `locked`.
    ///   - turnTimeout: The longest time that a turn may be idle before the server ends it, so that a process that stops midway does not
    ///     block other writers for longer. When that process continues, its append is like an append without a turn.
    ///   - isReadOnly: Whether to write nothing: no tables or journal are created, and an append throws `readOnly`. For a standby, or for a
    ///     role that may only read.
    /// - Throws: ``/AlterJournal/JournalError``: `unreachable` if the role may not connect or may not create what is missing, or if there
    ///   is nothing to read; `newerFormat`, `notAJournal` or `damaged` for tables that must not be modified; `readOnly` if tables or a row
    ///   are missing on a read-only server; `unavailable` if the server cannot be reached now.
    public convenience init(
      at server: PostgresServer = PostgresServer(), key: String = "main", schema: String = "alter", durability: Durability = .full,
      lockTimeout: Duration = .seconds(10), turnTimeout: Duration = .seconds(5), isReadOnly: Bool = false
    ) async throws(JournalError) {
      try await self.init(
        at: server, key: key, schema: schema, durability: durability, lockTimeout: lockTimeout, turnTimeout: turnTimeout,
        isReadOnly: isReadOnly, limits: Limits())
    }

    /// Opens a journal with limits.
    init(
      at server: PostgresServer, key: String, schema: String = "alter", durability: Durability = .full,
      lockTimeout: Duration = .seconds(10), turnTimeout: Duration = .seconds(5), isReadOnly: Bool = false, limits: Limits
    ) async throws(JournalError) {
      let opening = try Opening(server: server, schema: schema, key: key, isReadOnly: isReadOnly)
      let (name, pool) = (opening.name, opening.pool)
      (id, onlyReadAtOpening) = try await opening.open()
      self.name = name
      self.server = server
      self.schema = schema
      statements = opening.statements
      self.key = key
      self.durability = durability
      self.lockTimeout = lockTimeout
      self.turnTimeout = turnTimeout
      self.isReadOnly = isReadOnly
      self.limits = limits
      self.pool = pool
      place = opening.place
      line = pool.line(for: place, name: name)
      waiters = RevisionCount(journal: name)
    }

    /// Opens a journal, and creates it and the tables if they are missing.
    ///
    /// - Parameters:
    ///   - address: The database: a URL, keywords, or a service.
    ///   - key: The key of the journal.
    ///   - durability: The failures that an acknowledged append survives.
    ///   - isReadOnly: Whether to write nothing: no tables or journal are created, and an append throws `readOnly`.
    /// - Throws: ``/AlterJournal/JournalError``; see ``init(at:key:schema:durability:lockTimeout:turnTimeout:isReadOnly:)``.
    public convenience init(
      at address: String, key: String = "main", durability: Durability = .full, isReadOnly: Bool = false
    ) async throws(JournalError) {
      try await self.init(at: PostgresServer(address), key: key, durability: durability, isReadOnly: isReadOnly)
    }

    /// Returns whether a journal exists. Nothing is created.
    ///
    /// - Parameters:
    ///   - server: The database.
    ///   - key: The key of the journal.
    ///   - schema: The name of the schema that holds the tables.
    /// - Throws: ``/AlterJournal/JournalError`` if the database cannot be read, as for opening.
    public static func exists(
      at server: PostgresServer, key: String = "main", schema: String = "alter"
    ) async throws(JournalError) -> Bool {
      try await Opening(server: server, schema: schema, key: key, isReadOnly: true).exists()
    }

    deinit { pool.unfollow(place, ObjectIdentifier(waiters)) }

    /// Returns the SQL that creates the tables, for a database owner who runs it before the first journal is opened.
    ///
    /// - Parameter schema: The name of the schema for the tables.
    public static func setup(schema: String = "alter") -> String {
      (["BEGIN", Tables.lock(schema)] + Tables.creation(schema) + ["COMMIT"]).map { $0 + ";\n" }.joined()
    }
  }
#endif
