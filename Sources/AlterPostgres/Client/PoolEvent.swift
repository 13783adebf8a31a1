/// An event of a process's connections to one PostgreSQL server.
package enum PoolEvent: Sendable {
  /// A request was sent, or a connection lent, after this time. The time is that for which no connection was available.
  case waited(Lane, Duration)
  /// The number of connections has grown or, if negative, shrunk.
  case connections(Lane, by: Int)
  /// A connection could not be opened. The value describes the reason.
  case refused(Lane, String)

  /// The purpose of a connection.
  package enum Lane: String, Sendable, CaseIterable { case reading, writing, holding }
}

#if Postgres
  extension PostgresServer {
    /// Calls a closure for each event of this process's connections to the server from now on, on the thread that serves them: it must
    /// return soon, and must not wait. The first events report the connections that are open.
    package func monitor(_ monitor: @escaping @Sendable (PoolEvent) -> Void) { Pool.shared(self).monitor(monitor) }
  }
#endif
