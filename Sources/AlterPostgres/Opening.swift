#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Finds a journal's row. Creates the tables and the row if they are missing.
  struct Opening: Sendable {
    let pool: Pool
    let schema: String
    let key: String
    let name: String
    let isReadOnly: Bool

    init(server: PostgresServer, schema: String, key: String, isReadOnly: Bool) throws(JournalError) {
      try server.check()
      name = server.description + (key == "main" ? "" : " (\(key))")
      guard !key.utf8.contains(0) else {
        throw JournalError(
          .unreachable, journal: name, message: "can't be opened: its key contains a zero byte, which PostgreSQL's text can't hold.")
      }
      pool = Pool.shared(server)
      self.schema = schema
      self.key = key
      self.isReadOnly = isReadOnly
    }

    var place: Pool.Place { Pool.Place(schema: schema, number: Self.number(of: key)) }
    var statements: Statements { Statements.of(schema: schema) }

    /// Returns the number of a journal in its rows: 63 bits of a hash of its key. No server has to assign it, and the rows can be
    /// distributed over machines by it.
    static func number(of key: String) -> Int64 {
      var hash = SipHash128(key0: 0x416C_7465_7220_6A6F, key1: 0x7572_6E61_6C20_6B65)
      var key = key
      key.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
      return Int64(bitPattern: hash.finalize().0 >> 1)
    }

    /// Returns the journal's id, and whether the server is read-only at the moment.
    func open() async throws(JournalError) -> (id: JournalID, onlyReads: Bool) {
      // At the second attempt everything exists. The third one is for tables that were removed in between.
      for attempt in 1...3 {
        switch try await find() {
        case .found(let id, let onlyReads): return (id, onlyReads)
        case .noTables:
          guard !isReadOnly else { throw nothingToRead("it has none of Alter's tables in the schema '\(schema)'") }
          guard attempt < 3 else { break }
          try await TableSetup(pool: pool, schema: schema, name: name).make()
        case .noJournal:
          guard !isReadOnly else { throw .noJournal(name, key: key, others: await others()) }
          guard attempt < 3 else { break }
          try await makeJournal()
        }
      }
      throw JournalError(
        .notAJournal, journal: name,
        message: "can't be opened: the schema '\(schema)' has some of Alter's tables, but not all. Restore them, or choose another schema.")
    }

    /// Whether the journal exists.
    func exists() async throws(JournalError) -> Bool {
      if case .found = try await find() { true } else { false }
    }

    private enum Finding {
      case found(JournalID, onlyReads: Bool)
      case noJournal
      case noTables
    }

    private func find() async throws(JournalError) -> Finding {
      let call = Call(statements.opening, Parameters(.number(place.number)))
      switch await pool.retrying([call]) {
      case .failure(.refused("42P01", _)), .failure(.refused("3F000", _)): return .noTables
      case .failure(let failure): throw .translated(failure, in: name, doing: "open it")
      case .success(let answers):
        guard let answer = answers.first, answer.rowCount == 1, let version = answer.number(0, 0) else {
          throw .damaged(name, "the row with the version of its tables is missing")
        }
        guard version <= Tables.version else { throw .newerTables(name, version) }
        guard let found = answer.text(0, 1) else { return .noJournal }
        guard found == key else {
          throw JournalError(
            .notAJournal, journal: name,
            message: "can't be opened: the key of the journal '\(found)' has the same number. Choose another key.")
        }
        guard let id = answer.uuid(0, 2) else { throw .damaged(name, "the row with its head is invalid") }
        return .found(JournalID(id), onlyReads: answer.text(0, 3) == "on")
      }
    }

    /// Creates an empty journal, unless another process has created it meanwhile.
    private func makeJournal() async throws(JournalError) {
      let head = Head(empty: .random())
      let parameters = Parameters(.number(place.number), .text(key), .uuid(head.journal.uuid), .bytes(head.checksum.bytes))
      let result = await pool.explaining(pool.run([Call(statements.making, parameters)], in: .writing), in: schema)
      if case .failure(let failure) = result {
        throw .translated(failure, in: name, doing: "create it", mayBeDone: true)
      }
    }

    /// The keys of the existing journals, at most eleven; none if they cannot be read.
    private func others() async -> [String] {
      guard case .success(let answers) = await pool.retrying([Call(once: statements.keys)]), let answer = answers.first else { return [] }
      return (0..<answer.rowCount).compactMap { answer.text($0, 0) }
    }

    private func nothingToRead(_ why: String) -> JournalError {
      JournalError(
        .unreachable, journal: name,
        message: "can't be read: \(why). Check the database, schema and key, or open it without isReadOnly to create it.")
    }
  }

  extension Pool {
    /// Runs statements that only read. It repeats them up to twice after a lost connection, because a restarted server accepts a new one, and
    /// after a deadlock with an operator's change of the tables.
    func retrying(_ calls: [Call]) async -> Result<[ServerAnswer], ServerFailure> {
      var result = await run(calls, in: .reading)
      for _ in 1...2 {
        switch result {
        case .failure(.lost), .failure(.refused("40P01", _)): result = await run(calls, in: .reading)
        case .failure, .success: return result
        }
      }
      return result
    }
  }
#endif
