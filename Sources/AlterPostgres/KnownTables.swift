#if Postgres
  import AlterCore

  /// The versions of the tables in a database, as this process has last read them.
  ///
  /// Another process may migrate the tables at any time. Then the next statement for the older version fails, and writes nothing, because it
  /// names a column that does not exist any more. The process reads the version again, and repeats the statement for the newer one.
  final class KnownTables: Sendable {
    private let statements = Lock<[String: Statements]>([:])

    /// Returns the statements for the tables of a schema: those of new tables, until another version is read.
    func statements(in schema: String) -> Statements {
      statements.withLock { statements in
        if let known = statements[schema] { return known }
        let first = Statements(schema: schema, version: Tables.first)
        statements[schema] = first
        return first
      }
    }

    /// Records a version that was read.
    ///
    /// - Returns: Whether it is supported.
    @discardableResult
    func learn(_ version: Int64, in schema: String) -> Bool {
      guard Tables.first...Tables.newest ~= version else { return false }
      statements.withLock { statements in
        if statements[schema]?.version != version { statements[schema] = Statements(schema: schema, version: version) }
      }
      return true
    }

    /// Whether a failed statement may have been made for another version of the tables: a column or a table does not exist, or a name means
    /// something of another type.
    static func areSuspect(_ failure: ServerFailure) -> Bool {
      guard case .refused(let state, _) = failure else { return false }
      return ["42703", "42P01", "42883"].contains(state)
    }
  }

  extension Pool {
    /// Sends statements to the tables of a schema. If the tables have another version than this process knows, the server has refused the
    /// statements; then they are made for that version, and sent again.
    ///
    /// - Parameter send: Sends the statements that are made for the given version. Called once, or twice.
    /// - Returns: The answers, or the failure: `otherTables` if this version of Alter does not support the tables.
    func adapting<Success>(
      to schema: String, _ send: (Statements) async -> Result<Success, ServerFailure>
    ) async -> Result<Success, ServerFailure> {
      let known = tables.statements(in: schema)
      let result = await send(known)
      guard case .failure(let failure) = result, KnownTables.areSuspect(failure) else { return result }
      let answer: Answer
      switch await retrying([Call(once: Tables.existing(schema))]) {
      case .success(let answers): answer = answers[0]
      // There are no tables.
      case .failure(.refused("42P01", _)), .failure(.refused("3F000", _)): return result
      // The statements were refused, so nothing was written.
      case .failure(.lost(_, let message)): return .failure(.lost(isSent: false, message: message))
      case .failure(let failure): return .failure(failure)
      }
      guard answer.rowCount == 1, let version = answer.number(0, 0) else { return result }
      guard tables.learn(version, in: schema) else { return .failure(.otherTables(version: version)) }
      return version == known.version ? result : await send(tables.statements(in: schema))
    }
  }
#endif
