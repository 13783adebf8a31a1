#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB
  import GRDBSQLite

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A statement of SQLite's C interface, for operations on every entry. GRDB's rows and arguments would take longer than SQLite itself.
  ///
  /// Used on its connection's queue only, and finalized before the connection is closed.
  final class PreparedStatement {
    private let connection: OpaquePointer?
    private let sql: String
    private var statement: OpaquePointer?

    /// Prepares a statement.
    init(_ sql: String, in database: Database) throws {
      connection = database.sqliteConnection
      self.sql = sql
      let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      guard code == SQLITE_OK else { throw error(code) }
    }

    deinit { finalize() }

    /// Releases the statement. It cannot be used afterwards.
    func finalize() {
      sqlite3_finalize(statement)
      statement = nil
    }

    private func error(_ code: Int32) -> DatabaseError {
      DatabaseError(
        resultCode: ResultCode(rawValue: code), message: connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }, sql: sql)
    }

    /// Runs the statement with the bound values, and clears them.
    ///
    /// - Parameter read: Receives the first row, if there is one.
    /// - Returns: Whether there was a row.
    @discardableResult
    func run(_ read: (PreparedStatement) throws -> Void = { _ in }) throws -> Bool {
      var isThere = false
      try forEachRow { row in
        isThere = true
        try read(row)
        return false
      }
      return isThere
    }

    /// Runs the statement with the bound values, and clears them.
    ///
    /// - Parameter read: Receives a row. Returns whether to continue.
    func forEachRow(_ read: (PreparedStatement) throws -> Bool) throws {
      defer {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
      }
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: guard try read(self) else { return }
        case SQLITE_DONE: return
        case let code: throw error(code)
        }
      }
    }

    // SQLite copies the value, so it need not outlive the call.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Binds a number. Places count from 1.
    func bind(_ number: Int64, at place: Int32) { sqlite3_bind_int64(statement, place, number) }

    /// Binds NULL.
    func bindNull(at place: Int32) { sqlite3_bind_null(statement, place) }

    /// Binds bytes as a blob.
    func bind(blob bytes: UnsafeRawBufferPointer, at place: Int32) {
      sqlite3_bind_blob(statement, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
    }

    /// Binds bytes as a blob without copying them. They must stay in place until the statement has run.
    func bind(blobInPlace bytes: UnsafeRawBufferPointer, at place: Int32) {
      sqlite3_bind_blob(statement, place, bytes.baseAddress, Int32(bytes.count), nil)
    }

    /// Binds bytes as text without copying them. They must stay in place until the statement has run.
    func bind(textInPlace bytes: UnsafeRawBufferPointer, at place: Int32) {
      sqlite3_bind_text(statement, place, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
    }

    /// Binds two words, big-endian, as a blob of 16 bytes.
    func bind(blob high: UInt64, _ low: UInt64, at place: Int32) {
      withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bind(blob: $0, at: place) }
    }

    /// Binds bytes as text, without checking that they are UTF-8.
    func bind(text bytes: Data, at place: Int32) {
      bytes.withUnsafeBytes { buffer in
        // SQLite would bind NULL for a missing address.
        guard let address = buffer.baseAddress, !buffer.isEmpty else { return bind(text: "", at: place) }
        sqlite3_bind_text(statement, place, address.assumingMemoryBound(to: CChar.self), Int32(buffer.count), Self.copied)
      }
    }

    /// Binds a string as text.
    func bind(text: String, at place: Int32) {
      var text = text
      text.withUTF8 { buffer in
        buffer.withMemoryRebound(to: CChar.self) { characters in
          guard let address = characters.baseAddress, !characters.isEmpty else {
            sqlite3_bind_text(statement, place, "", 0, Self.copied)
            return
          }
          sqlite3_bind_text(statement, place, address, Int32(characters.count), Self.copied)
        }
      }
    }

    /// An integer of the row; nil for another type.
    func number(_ column: Int32) -> Int64? {
      sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
    }

    /// A blob of the row; nil for another type.
    func data(_ column: Int32) -> Data? {
      guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
      // An empty blob has no address.
      guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
      return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// Reads a large value of the row's database straight into memory: `column` would copy it twice.
    ///
    /// - Parameters:
    ///   - column: The name of its column.
    ///   - table: The name of its table.
    ///   - row: The rowid.
    func content(of column: String, in table: String, row: Int64) throws -> Data {
      var blob: OpaquePointer?
      let code = sqlite3_blob_open(connection, "main", table, column, row, 0, &blob)
      defer { sqlite3_blob_close(blob) }
      guard code == SQLITE_OK else { throw error(code) }
      let count = sqlite3_blob_bytes(blob)
      var data = Data(count: Int(count))
      let result = data.withUnsafeMutableBytes { sqlite3_blob_read(blob, $0.baseAddress, count, 0) }
      guard result == SQLITE_OK else { throw error(result) }
      return data
    }

    /// A blob of the row as text, with invalid UTF-8 replaced; nil for another type.
    func text(_ column: Int32) -> String? {
      guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return String(decoding: bytes, as: UTF8.self)
    }

    /// A blob of 16 bytes as two words; nil for another type or size.
    func words(_ column: Int32) -> (high: UInt64, low: UInt64)? {
      guard sqlite3_column_type(statement, column) == SQLITE_BLOB, sqlite3_column_bytes(statement, column) == 16,
        let bytes = sqlite3_column_blob(statement, column)
      else { return nil }
      return (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)), UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }
#endif
