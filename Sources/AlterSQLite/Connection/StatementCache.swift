#if SQLite
  import GRDB

  /// Prepared statements by their text: to prepare a statement takes longer than to run it once.
  ///
  /// Used in the transactions of its connection only. The statements are finalized when it is released, which must happen before the connection is
  /// closed.
  final class StatementCache {
    private let database: Database
    private var statements: [String: PreparedStatement] = [:]

    init(_ database: Database) { self.database = database }

    /// The statement with a text. Its last run must have ended.
    func statement(_ sql: String) throws -> PreparedStatement {
      if let statement = statements[sql] { return statement }
      let statement = try PreparedStatement(sql, in: database)
      statements[sql] = statement
      return statement
    }
  }
#endif
