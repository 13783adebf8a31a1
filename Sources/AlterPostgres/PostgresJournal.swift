#if Postgres
  import AlterCore
  public import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A journal in a PostgreSQL database: for stores that many machines share.
  ///
  /// ```swift
  /// let journal = try await PostgresJournal(at: "postgres://db.example.org/shop", key: "orders")
  /// ```
  ///
  /// Any number of journals lie in one database, told apart by their keys, and any number of processes on any number of machines may
  /// have one open. The tables are made when the first one is opened by a role that may make them; `docs/postgres.md` has the roles, the
  /// tables and what to watch in operation. Don't write to the tables with other tools; the view `log` is for reading.
  ///
  /// A journal has no connection of its own: all journals of a process on one server share a few, and one thread that waits for them. Opening
  /// one costs a round trip, so a service may hold thousands.
  ///
  /// Complexity: an append is one round trip and one commit of the server; a lookup O(log of the length).
  public final class PostgresJournal: Sendable {
    /// What errors call it: the database without user and password, and the key unless it is "main".
    public let name: String
    /// Where it is.
    public let server: PostgresServer
    /// The schema that the tables are in.
    public let schema: String
    /// Which of the schema's journals it is.
    public let key: String
    /// What an acknowledged append survives.
    public let durability: Durability
    /// Whether it was opened for reading only.
    public let isReadOnly: Bool
    /// Whether the server only read when the journal was opened. One that could write, and can't any more, has failed over.
    let onlyReadAtOpening: Bool

    let pool: Pool
    let place: Pool.Place
    let id: JournalID
    let statements: Statements
    let line: TurnQueue
    let waiters: RevisionCount
    let lockTimeout: Duration
    let turnTimeout: Duration
    let limits: Limits
    let state = Lock(State())

    struct State {
      var isClosed = false
      /// Waits for the server that closing ends.
      var waits: [ObjectIdentifier: ServerWait] = [:]
      /// The turn that this handle has.
      var turn: HeldTurn?
      /// Whether the last wait for a lock was in vain.
      var isBlocked = false
      var doubts = Doubts()
    }

    /// How much is carried at once, in bytes. Tests have smaller ones.
    struct Limits: Sendable {
      /// Of an append, with some bytes for each entry beside its contents.
      var append = Parameters.mostBytes
      /// Of a page of entries: payloads, causes and scopes.
      var page = 8 << 20
    }

    /// Opens a journal, and makes it, and the tables, if there are none.
    ///
    /// - Parameters:
    ///   - server: The database: a URL, keywords, a service, or nothing for what the environment says.
    ///   - key: Which journal, of the many in one schema. At most a few hundred bytes, without a zero byte.
    ///   - schema: The schema that the tables are in.
    ///   - durability: What an acknowledged append survives: sets `synchronous_commit` for each append.
    ///   - lockTimeout: How long to wait for another writer's turn before an append throws `locked`.
    ///   - turnTimeout: How long a turn may stand idle before the server ends it, so that a process that stopped in the middle blocks
    ///     nobody for longer. Whoever comes back after that appends like any other.
    ///   - isReadOnly: Whether to leave everything as it is: nothing is made, and an append throws `readOnly`. For a standby, or a role that may only read.
    /// - Throws: ``/AlterJournal/JournalError``: `unreachable` when the role may not come in or may not make what is missing, or when there is
    ///   nothing to read; `newerFormat`, `notAJournal` or `damaged` for tables that must not be touched; `readOnly` for a server that
    ///   only reads; `unavailable` when it can't be reached now.
    public convenience init(
      at server: PostgresServer = PostgresServer(), key: String = "main", schema: String = "alter", durability: Durability = .full,
      lockTimeout: Duration = .seconds(10), turnTimeout: Duration = .seconds(5), isReadOnly: Bool = false
    ) async throws(JournalError) {
      try await self.init(
        at: server, key: key, schema: schema, durability: durability, lockTimeout: lockTimeout, turnTimeout: turnTimeout,
        isReadOnly: isReadOnly, limits: Limits())
    }

    /// The same, with limits.
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
      self.key = key
      self.durability = durability
      self.lockTimeout = lockTimeout
      self.turnTimeout = turnTimeout
      self.isReadOnly = isReadOnly
      self.limits = limits
      self.pool = pool
      place = opening.place
      statements = opening.statements
      line = pool.line(for: place, name: name)
      waiters = RevisionCount(journal: name)
    }

    /// Opens a journal, and makes it, and the tables, if there are none.
    ///
    /// - Parameters:
    ///   - address: The database: a URL, keywords, or a service.
    ///   - key: Which journal, of the many in one schema.
    ///   - durability: What an acknowledged append survives.
    ///   - isReadOnly: Whether to leave everything as it is.
    /// - Throws: ``/AlterJournal/JournalError``, as the full form does.
    public convenience init(
      at address: String, key: String = "main", durability: Durability = .full, isReadOnly: Bool = false
    ) async throws(JournalError) {
      try await self.init(at: PostgresServer(address), key: key, durability: durability, isReadOnly: isReadOnly)
    }

    /// Whether there is a journal. Nothing is made.
    ///
    /// - Parameters:
    ///   - server: The database.
    ///   - key: Which journal.
    ///   - schema: The schema that the tables are in.
    /// - Throws: ``/AlterJournal/JournalError`` when that can't be found out, as opening does.
    public static func exists(
      at server: PostgresServer, key: String = "main", schema: String = "alter"
    ) async throws(JournalError) -> Bool {
      try await Opening(server: server, schema: schema, key: key, isReadOnly: true).exists()
    }

    deinit { pool.unfollow(place, ObjectIdentifier(waiters)) }

    /// The SQL that makes the tables, for an owner who runs it himself; opening a journal does it otherwise.
    ///
    /// - Parameter schema: The schema that the tables are to be in.
    public static func setup(schema: String = "alter") -> String {
      let statements = ["BEGIN", Tables.lock(schema)] + Tables.migrations(schema).flatMap { $0 } + ["COMMIT"]
      return statements.map { $0 + ";\n" }.joined()
    }
  }
#endif
