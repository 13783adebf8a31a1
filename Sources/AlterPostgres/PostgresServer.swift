/// A database, as libpq's users name it.
///
/// ```swift
/// PostgresServer("postgres://jack@db.example.org/shop?sslmode=verify-full")   // a URL
/// PostgresServer("host=/run/postgresql dbname=shop")                          // or keywords
/// PostgresServer("service=shop")                                              // or a section of the service file
/// PostgresServer()                                                            // or what the environment says: PGHOST, PGSERVICE …
/// ```
///
/// Whatever is not said comes from the environment, the service file and the password file, exactly as for `psql`. All journals of
/// a process that name their server in the same way share its connections.
public struct PostgresServer: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A URL, keywords with values, or nothing. It may hold a password: don't show it.
  public let address: String

  /// How many connections write at most. As many more, at least two, hold turns and wait for the locks of other processes; two more
  /// read, and one follows.
  public let maximumConnections: Int

  /// How many connections hold turns and wait for locks at most.
  var maximumHolders: Int { max(2, maximumConnections) }

  /// A database by its address.
  ///
  /// - Parameters:
  ///   - address: A URL, keywords with values, or nothing: see libpq's "Connection Strings".
  ///   - maximumConnections: How many connections write at most, from 1 on. As many more, at least two, hold turns and wait for the
  ///     locks of other processes; two more read, and one follows. They are opened when they are needed.
  public init(_ address: String = "", maximumConnections: Int = 8) {
    precondition(maximumConnections >= 1, "A server without a connection for writing can't be written to.")
    self.address = address
    self.maximumConnections = maximumConnections
  }

  /// A database by its address.
  public init(stringLiteral address: String) { self.init(address) }
}
