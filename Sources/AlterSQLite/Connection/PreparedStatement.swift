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

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A statement of a connection, and the row at which it stands. All statements of this module are bound, run and read here.
  ///
  /// GRDB prepares it, keeps it in the connection's cache, and finalizes it when the connection is closed. SQLite's C interface runs it: GRDB's
  /// rows and arguments take longer than SQLite itself. Used on its connection's queue only, and released before the connection is closed.
  struct PreparedStatement {
    private let owner: Statement
    private let buffer: BindBuffer?

    /// - Parameters:
    ///   - owner: The statement.
    ///   - buffer: Keeps the bound texts and blobs, so that SQLite does not copy them one by one.
    fileprivate init(_ owner: Statement, keeping buffer: BindBuffer?) {
      self.owner = owner
      self.buffer = buffer
    }

    private var statement: OpaquePointer { owner.sqliteStatement }

    private func error(_ code: Int32) -> DatabaseError {
      let connection = sqlite3_db_handle(statement)
      return DatabaseError(
        resultCode: ResultCode(rawValue: code), message: connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) },
        sql: sqlite3_sql(statement).map { String(cString: $0) })
    }

    // MARK: Running

    /// Runs the statement to its end with the bound values, and clears them.
    func run() throws { try forEachRow { _ in true } }

    /// Runs the statement with the bound values, and clears them.
    ///
    /// - Parameter read: Reads the first row.
    /// - Returns: The result of the closure; nil if there is no row.
    func first<Value>(_ read: (PreparedStatement) throws -> Value?) throws -> Value? {
      var value: Value?
      try forEachRow { row in
        value = try read(row)
        return false
      }
      return value
    }

    /// Runs the statement with the bound values, and clears them.
    ///
    /// - Parameter read: Receives a row. Returns whether to continue.
    func forEachRow(_ read: (PreparedStatement) throws -> Bool) throws {
      assert(sqlite3_stmt_busy(statement) == 0, "a statement runs within itself")
      defer {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        buffer?.empty()
      }
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: guard try read(self) else { return }
        case SQLITE_DONE: return
        case let code: throw error(code)
        }
      }
    }

    // MARK: Binding. Places count from 1. A value that is not bound is NULL.

    /// Binds an integer.
    func bind(_ number: Int64, at place: Int32) { sqlite3_bind_int64(statement, place, number) }

    /// Binds NULL.
    func bindNull(at place: Int32) { sqlite3_bind_null(statement, place) }

    /// Binds bytes as text, without a check that they are UTF-8.
    func bind(text bytes: Data, at place: Int32) { bytes.withUnsafeBytes { bind($0, isText: true, at: place) } }

    /// Binds a string as text.
    func bind(text: String, at place: Int32) {
      var text = text
      text.withUTF8 { bind(UnsafeRawBufferPointer($0), isText: true, at: place) }
    }

    /// Binds bytes as a blob.
    func bind(blob bytes: Data, at place: Int32) { bytes.withUnsafeBytes { bind($0, isText: false, at: place) } }

    /// Binds two words, big-endian, as a blob of 16 bytes.
    func bind(blob high: UInt64, _ low: UInt64, at place: Int32) {
      withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bind($0, isText: false, at: place) }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, isText: Bool, at place: Int32) {
      // SQLite copies a value with the destructor -1. It would bind NULL for a missing address.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      let kept = buffer?.keep(bytes)
      let count = Int32(clamping: bytes.count)
      withExtendedLifetime(buffer) {
        guard let address = kept ?? bytes.baseAddress else {
          _ = isText ? sqlite3_bind_text(statement, place, "", 0, copied) : sqlite3_bind_zeroblob(statement, place, 0)
          return
        }
        let destructor = kept == nil ? copied : nil
        if isText {
          sqlite3_bind_text(statement, place, address.assumingMemoryBound(to: CChar.self), count, destructor)
        } else {
          sqlite3_bind_blob(statement, place, address, count, destructor)
        }
      }
    }

    // MARK: Reading. Columns count from 0. A damaged file may hold a value of any type in any column.

    /// An integer of the row; nil for another type.
    func number(_ column: Int32) -> Int64? {
      sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
    }

    /// The bytes of a text or a blob, as they are stored; nil for another type.
    func data(_ column: Int32) -> Data? { bytes(column).map { Data($0) } }

    /// A text or a blob as text, with invalid UTF-8 replaced; nil for another type.
    func text(_ column: Int32) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

    /// A text or a blob as the kind of an entry; nil for any other value.
    func kind(_ column: Int32) -> Entry.Kind? {
      guard let bytes = bytes(column) else { return nil }
      // Nearly all entries are changes: comparing bytes is faster than making a text.
      let changes = UnsafeRawBufferPointer(start: Self.changes.utf8Start, count: Self.changes.utf8CodeUnitCount)
      if bytes.count == changes.count, bytes.indices.allSatisfy({ bytes[$0] == changes[$0] }) { return .changes }
      return Entry.Kind(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private static var changes: StaticString { "changes" }

    /// Whether the value is a text or a blob with the bytes of a text.
    func holds(_ text: String, at column: Int32) -> Bool {
      guard let bytes = bytes(column) else { return false }
      var text = text
      return text.withUTF8 { other in
        guard other.count == bytes.count else { return false }
        guard let one = other.baseAddress, let another = bytes.baseAddress else { return true }
        return memcmp(one, another, bytes.count) == 0
      }
    }

    /// Whether the value is NULL.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
      let type = sqlite3_column_type(statement, column)
      return type == SQLITE_TEXT || type == SQLITE_BLOB ? content(column) : nil
    }

    /// The bytes of a text or a blob.
    private func content(_ column: Int32) -> UnsafeRawBufferPointer {
      // The address comes before the size, and an empty value has none: SQLite's documentation of `sqlite3_column_blob`.
      let address = sqlite3_column_blob(statement, column)
      return UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    /// A blob of 16 bytes as two words; nil for another type or size.
    func words(_ column: Int32) -> (high: UInt64, low: UInt64)? {
      guard sqlite3_column_type(statement, column) == SQLITE_BLOB, case let bytes = content(column), bytes.count == 16 else { return nil }
      return (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)), UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }

    /// A blob of 16 bytes as an origin; nil for another type or size.
    func origin(_ column: Int32) -> Origin? { words(column).map { Origin(high: $0.high, low: $0.low) } }

    /// A blob of 16 bytes as the id of a journal; nil for another type or size.
    func journal(_ column: Int32) -> JournalID? { words(column).map { JournalID(UUID(high: $0.high, low: $0.low)) } }

    /// A blob of 16 bytes as a checksum; nil for another type or size.
    func checksum(_ column: Int32) -> Checksum? { words(column).map { Checksum(high: $0.high, low: $0.low) } }

    /// Reads a large value of the row's database straight into memory: ``data(_:)`` would copy it twice.
    ///
    /// - Parameters:
    ///   - column: The name of its column.
    ///   - table: The name of its table.
    ///   - row: The rowid.
    func content(of column: String, in table: String, row: Int64) throws -> Data {
      var blob: OpaquePointer?
      let code = sqlite3_blob_open(sqlite3_db_handle(statement), "main", table, column, row, 0, &blob)
      defer { sqlite3_blob_close(blob) }
      guard code == SQLITE_OK else { throw error(code) }
      let count = sqlite3_blob_bytes(blob)
      var data = Data(count: Int(count))
      let result = data.withUnsafeMutableBytes { sqlite3_blob_read(blob, $0.baseAddress, count, 0) }
      guard result == SQLITE_OK else { throw error(result) }
      return data
    }
  }

  /// Memory for the texts and blobs of a statement until it has run. Used on its connection's queue only.
  final class BindBuffer {
    /// The number of bytes.
    static let capacity = 16 << 10
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    private var used = 0

    deinit { bytes.deallocate() }

    /// Copies bytes, and returns their address until ``empty()``; nil if there is no room. Empty ones have an address, too.
    fileprivate func keep(_ value: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
      guard value.count <= Self.capacity - used, let start = bytes.baseAddress else { return nil }
      let address = start + used
      if let source = value.baseAddress { address.copyMemory(from: source, byteCount: value.count) }
      used += value.count
      return UnsafeRawPointer(address)
    }

    /// Forgets all bytes.
    fileprivate func empty() { used = 0 }
  }

  /// A value that a statement binds.
  protocol StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32)
  }

  extension Int64: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(self, at: place) }
  }

  extension Int: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(Int64(self), at: place) }
  }

  extension Revision: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(number, at: place) }
  }

  extension String: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(text: self, at: place) }
  }

  extension Data: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(blob: self, at: place) }
  }

  extension Origin: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) {
      statement.bind(blob: high, low, at: place)
    }
  }

  extension JournalID: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { Origin(uuid).bind(to: statement, at: place) }
  }

  extension Checksum: StatementValue {
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(blob: high, low, at: place) }
  }

  /// Bytes that a statement binds as text.
  struct TextBytes: StatementValue {
    let bytes: Data
    init(_ bytes: Data) { self.bytes = bytes }
    func bind(to statement: PreparedStatement, at place: Int32) { statement.bind(text: bytes, at: place) }
  }

  extension Database {
    /// Checks that the database was opened for writing. If the system refuses that, for whatever reason and be it once, SQLite opens a file for
    /// reading, and says so only when something is written.
    func checkWriting(_ name: String, doing activity: String) throws(JournalError) {
      if sqlite3_db_readonly(sqliteConnection, "main") == 1 { throw .opensOnlyForReading(name, doing: activity) }
    }

    /// Ends GRDB's records of what each statement reads and writes, which only its observations need: a fifth of the time for preparing a
    /// statement. Call it before any statement is prepared. (SQLite calls such an authorizer for each column.)
    func withoutRegions() { sqlite3_set_authorizer(sqliteConnection, nil, nil) }

    /// Returns the statement with a text, from the connection's cache. Its last run must have ended.
    func prepared(_ sql: String, keeping buffer: BindBuffer? = nil) throws -> PreparedStatement {
      PreparedStatement(try cachedStatement(sql: sql), keeping: buffer)
    }

    private func prepared(_ sql: String, _ values: [(any StatementValue)?]) throws -> PreparedStatement {
      let statement = try prepared(sql)
      for (index, value) in values.enumerated() { value?.bind(to: statement, at: Int32(index) + 1) }
      return statement
    }

    /// Runs a statement to its end.
    func run(_ sql: String, _ values: (any StatementValue)?...) throws { try prepared(sql, values).run() }

    /// Runs a statement, and reads its first row.
    ///
    /// - Returns: The result of the closure; nil if there is no row.
    func first<Value>(
      _ sql: String, _ values: (any StatementValue)?..., read: (PreparedStatement) throws -> Value?
    ) throws -> Value? { try prepared(sql, values).first(read) }

    /// Runs a statement, and reads each row.
    func all<Value>(
      _ sql: String, _ values: (any StatementValue)?..., read: (PreparedStatement) throws -> Value
    ) throws -> [Value] {
      var all: [Value] = []
      try prepared(sql, values).forEachRow { row in
        all.append(try read(row))
        return true
      }
      return all
    }

    /// Runs a statement, and passes its rows to a closure until that returns false.
    func forEachRow(_ sql: String, _ values: (any StatementValue)?..., read: (PreparedStatement) throws -> Bool) throws {
      try prepared(sql, values).forEachRow(read)
    }

    /// Runs a statement that asks for one integer; nil for no row, or for another type.
    func number(_ sql: String, _ values: (any StatementValue)?...) throws -> Int64? { try prepared(sql, values).first { $0.number(0) } }

    /// Runs a statement that asks for one text; nil for no row, or for another type.
    func text(_ sql: String, _ values: (any StatementValue)?...) throws -> String? { try prepared(sql, values).first { $0.text(0) } }

    /// Whether a statement has a row.
    func hasRow(_ sql: String, _ values: (any StatementValue)?...) throws -> Bool { try prepared(sql, values).first { _ in true } ?? false }
  }

  /// Runs a closure, and translates SQLite's errors to ``JournalError``.
  func translating<Answer>(
    _ name: String, _ activity: String, _ body: () throws -> Answer
  ) throws(JournalError) -> Answer {
    do { return try body() } catch { throw .translated(error, in: name, doing: activity) }
  }
#endif
