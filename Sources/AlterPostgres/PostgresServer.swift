/// The address of a PostgreSQL database, in the notation of libpq.
///
/// ```swift
/// PostgresServer("postgres://jack@db.example.org/shop?sslmode=verify-full")   // a URL
/// PostgresServer("host=/run/postgresql dbname=shop")                          // or keywords
/// PostgresServer("service=shop")                                              // or a section of the service file
/// PostgresServer()                                                            // or the environment: PGHOST, PGSERVICE …
/// ```
///
/// Missing parts come from the environment, the service file and the password file, as for `psql`. All journals of a process whose
/// addresses are equal share the connections.
public struct PostgresServer: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A URL, keywords with values, or an empty string. It may contain a password: do not show it.
  public let address: String

  /// The largest number of connections that write. As many more, but at least two, hold turns and wait for locks of other processes; two
  /// more read, and one receives notifications. If the server refuses connections, the process continues with fewer.
  package let maximumConnections: Int

  /// The largest number of connections that hold turns and wait for locks.
  var maximumHolders: Int { max(2, maximumConnections) }

  /// Creates an address.
  ///
  /// - Parameters:
  ///   - address: A URL, keywords with values, or an empty string; see "Connection Strings" in libpq's documentation.
  ///   - maximumConnections: The largest number of connections that write, at least 1. As many more, but at least two, hold turns and wait
  ///     for locks of other processes; two more read, and one receives notifications. Connections are opened on demand.
  public init(_ address: String = "", maximumConnections: Int = 8) {
    precondition(maximumConnections >= 1, "A server without a connection for writing can't be written to.")
    self.address = address
    self.maximumConnections = maximumConnections
  }

  /// Creates an address from a string literal.
  public init(stringLiteral address: String) { self.init(address) }
}
