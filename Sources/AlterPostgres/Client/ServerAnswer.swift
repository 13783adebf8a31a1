#if Postgres
  import CLibPQ

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows that a statement returned, in PostgreSQL's binary form.
  ///
  /// `@unchecked Sendable`: libpq never modifies a result after `PQgetResult` has returned it. Only this object uses it, only for reading,
  /// and frees it when the object is released.
  package final class ServerAnswer: @unchecked Sendable {
    private let result: OpaquePointer

    /// Takes ownership of a result of `PQgetResult`.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// Whether the statement failed.
    var isFailure: Bool { status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK }

    /// The status of the result in libpq.
    var status: ExecStatusType { PQresultStatus(result) }

    /// The number of returned rows.
    package var rowCount: Int { Int(PQntuples(result)) }

    /// The number of columns of a row.
    var columnCount: Int { Int(PQnfields(result)) }

    /// The number of rows that the statement inserted, updated or deleted.
    package var affectedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// PostgreSQL's error code, five characters; empty if the statement did not fail.
    var state: String { field("C") }

    /// PostgreSQL's error message: only the primary line, which never contains the value of a parameter.
    var message: String {
      let primary = field("M")
      return primary.isEmpty ? String(cString: PQresultErrorMessage(result)).trimmed : primary
    }

    private func field(_ code: Character) -> String { Self.field(code, of: result) }

    /// A field of an error or a notice; empty if it is missing. (In C, `PG_DIAG_SQLSTATE` and the other names are characters.)
    static func field(_ code: Character, of result: OpaquePointer) -> String {
      code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }.map { String(cString: $0) } ?? ""
    }

    /// The number of bytes that libpq holds for the result.
    var size: Int { PQresultMemorySize(result) }

    /// The bytes of a value; nil for NULL.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
      let (row, column) = (Int32(row), Int32(column))
      guard PQgetisnull(result, row, column) == 0 else { return nil }
      return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    /// A `bytea` or `text` as it is stored; nil for NULL.
    package func data(_ row: Int, _ column: Int) -> Data? { bytes(row, column).map { Data($0) } }

    /// A `text`; nil for NULL.
    package func text(_ row: Int, _ column: Int) -> String? { bytes(row, column).map { String(decoding: $0, as: UTF8.self) } }

    /// A `bigint` or `integer`; nil for NULL and for another size.
    package func number(_ row: Int, _ column: Int) -> Int64? {
      guard let bytes = bytes(row, column) else { return nil }
      switch bytes.count {
      case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
      default: return nil
      }
    }

    /// Whether a `boolean` is true.
    func isTrue(_ row: Int, _ column: Int) -> Bool { bytes(row, column).map(Array.init) == [1] }

    /// A `uuid`; nil for NULL and for another size.
    func uuid(_ row: Int, _ column: Int) -> UUID? {
      guard let bytes = bytes(row, column), bytes.count == 16 else { return nil }
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }

  extension String {
    /// The string without leading and trailing white space.
    var trimmed: String {
      String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
  }
#endif
