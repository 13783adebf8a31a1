#if Postgres
  /// One statement with its parameters.
  package struct Call: Sendable {
    let sql: String
    let parameters: Parameters
    /// Whether the server keeps the statement prepared, for frequent statements.
    let isPrepared: Bool
    /// Whether the connection announces before the request that it may append entries.
    private(set) var isAnnounced = false

    /// Creates a statement that is prepared once per connection.
    package init(_ sql: String, _ parameters: Parameters = Parameters()) {
      self.sql = sql
      self.parameters = parameters
      isPrepared = true
    }

    /// Creates a statement that is used once.
    package init(once sql: String, _ parameters: Parameters = Parameters()) {
      self.sql = sql
      self.parameters = parameters
      isPrepared = false
    }

    /// The same statement, for the beginning of each transaction that may append entries (``Connection/send(_:)``).
    var announced: Call {
      var call = self
      call.isAnnounced = true
      return call
    }
  }

  /// The reason why the server did not execute a request.
  package enum ServerFailure: Error, Sendable, Hashable {
    /// The server refused it, with PostgreSQL's error code and message. Nothing of the request was done.
    case refused(state: String, message: String)
    /// No connection could be opened: PostgreSQL's error code, if the server was reached, and libpq's message.
    case unconnected(state: String?, message: String)
    /// No connection can be used until something is changed, for this reason: the address is invalid, or the database has another encoding.
    case unsuitable(reason: String)
    /// The connection was lost. If the request was sent, it may or may not have been executed.
    case lost(isSent: Bool, message: String)
    /// The server committed the request, but ended its wait for the standby: a failover may undo it.
    case unconfirmed(message: String)
    /// The tables have a version that this version of Alter does not support. Nothing was done.
    case otherTables(version: Int64)
    /// The wait was ended early.
    case givenUp
  }

  /// Statements that are sent together and answered together, in one round trip.
  ///
  /// Without `BEGIN` they are one transaction, which is committed when all have succeeded. The answer comes after the commit.
  final class Request: Sendable {
    let calls: [Call]
    private let completion: @Sendable (Result<[ServerAnswer], ServerFailure>) -> Void

    /// Creates a request with the receiver of its answers.
    init(_ calls: [Call], completion: @escaping @Sendable (Result<[ServerAnswer], ServerFailure>) -> Void) {
      self.calls = calls
      self.completion = completion
    }

    /// Passes the result to the receiver. Called once.
    func complete(_ result: Result<[ServerAnswer], ServerFailure>) { completion(result) }
  }
#endif
