#if Postgres
  /// One statement with its parameters.
  struct Call: Sendable {
    let sql: String
    let parameters: Parameters
    /// Whether the server is to keep its plan: for what is asked for often.
    let isPrepared: Bool

    /// A statement that is prepared once for each connection.
    init(_ sql: String, _ parameters: Parameters = Parameters()) {
      self.sql = sql
      self.parameters = parameters
      isPrepared = true
    }

    /// A statement that is used once.
    init(once sql: String, _ parameters: Parameters = Parameters()) {
      self.sql = sql
      self.parameters = parameters
      isPrepared = false
    }
  }

  /// Why the server did not do what was asked.
  enum ServerFailure: Error, Sendable, Hashable {
    /// It refused: PostgreSQL's error code and words. Nothing of the request was done.
    case refused(state: String, message: String)
    /// No connection could be made: PostgreSQL's error code, if the server was reached at all, and libpq's words.
    case unconnected(state: String?, message: String)
    /// The connection was lost. What was sent may or may not have been done; what was not, was not.
    case lost(isSent: Bool, message: String)
    /// The server committed it, and ended the wait for its standby: a failover may undo it.
    case unconfirmed(message: String)
    /// The wait was given up.
    case givenUp
  }

  /// Statements that are sent together and answered together, in one round trip.
  ///
  /// Without `BEGIN` they are one transaction, which is committed when all of them have succeeded: the answer comes after the commit.
  final class Request: Sendable {
    let calls: [Call]
    private let completion: @Sendable (Result<[Answer], ServerFailure>) -> Void

    /// A request, and who wants to know.
    init(_ calls: [Call], completion: @escaping @Sendable (Result<[Answer], ServerFailure>) -> Void) {
      self.calls = calls
      self.completion = completion
    }

    /// Gives the answer. Called once.
    func complete(_ result: Result<[Answer], ServerFailure>) { completion(result) }
  }
#endif
