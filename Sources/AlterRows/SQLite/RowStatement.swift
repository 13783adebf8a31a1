#if SQLite
  import GRDB
  import GRDBSQLite

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A statement that is bound and read here, and run by GRDB, whose observations see it.
  ///
  /// GRDB's own arguments end a text at its first U+0000, and cost more than the statement itself.
  struct RowStatement {
    private let owner: Statement
    private let database: Database

    init(_ sql: String, in database: Database) throws {
      self.database = database
      owner = try database.cachedStatement(sql: sql)
      // A statement that failed before returns its error here, once.
      sqlite3_reset(owner.sqliteStatement)
      // From now on GRDB leaves the bindings alone.
      owner.setUncheckedArguments(StatementArguments())
    }

    /// Binds the values and runs the statement.
    ///
    /// - Returns: The number of changed rows.
    @discardableResult
    func run(_ values: [RowValue]...) throws -> Int {
      try bind(values)
      try owner.execute()
      return database.changesCount
    }

    /// Binds the values, and returns the columns of the first row that meets a condition; nil without one.
    func row(_ values: [RowValue] = [], where isWanted: ([RowValue]) -> Bool = { _ in true }) throws -> [RowValue]? {
      try bind([values])
      defer { sqlite3_reset(owner.sqliteStatement) }
      let rows = try Row.fetchCursor(owner)
      while try rows.next() != nil {
        let row = (0..<sqlite3_column_count(owner.sqliteStatement)).map(column)
        if isWanted(row) { return row }
      }
      return nil
    }

    private func bind(_ lists: [[RowValue]]) throws {
      let statement = owner.sqliteStatement
      sqlite3_reset(statement)
      var index: Int32 = 0
      for value in lists.joined() {
        index += 1
        let code =
          switch value {
          case .null: sqlite3_bind_null(statement, index)
          case .integer(let number): sqlite3_bind_int64(statement, index, number)
          case .real(let number): sqlite3_bind_double(statement, index, number)
          case .text(var text):
            text.withUTF8 { utf8 in
              // An empty text has no address.
              utf8.isEmpty
                ? sqlite3_bind_text(statement, index, "", 0, Self.transient)
                : utf8.withMemoryRebound(to: CChar.self) {
                  sqlite3_bind_text64(statement, index, $0.baseAddress, UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8))
                }
            }
          case .data(let data):
            data.isEmpty
              ? sqlite3_bind_zeroblob(statement, index, 0)
              : data.withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.transient) }
          }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: owner.sql) }
      }
    }

    private func column(_ index: Int32) -> RowValue {
      let statement = owner.sqliteStatement
      switch sqlite3_column_type(statement, index) {
      case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
      case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
      case SQLITE_TEXT:
        let start = sqlite3_column_text(statement, index)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
        return .text(String(decoding: bytes, as: UTF8.self))
      case SQLITE_BLOB:
        guard let start = sqlite3_column_blob(statement, index) else { return .data(Data()) }
        return .data(Data(bytes: start, count: Int(sqlite3_column_bytes(statement, index))))
      default: return .null
      }
    }

    /// SQLite copies the bytes.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
  }
#endif
