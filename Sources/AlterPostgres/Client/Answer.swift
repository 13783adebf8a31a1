#if Postgres
  import CLibPQ

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows that a statement gave, in PostgreSQL's binary form.
  ///
  /// `@unchecked Sendable`: libpq never changes a result once `PQgetResult` has given it out, and it belongs to this object alone, which
  /// clears it when nobody holds it any more. All access is reading.
  final class Answer: @unchecked Sendable {
    private let result: OpaquePointer

    /// Takes over a result of `PQgetResult`.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// Whether the statement failed.
    var isFailure: Bool { status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK }

    /// What libpq says of it.
    var status: ExecStatusType { PQresultStatus(result) }

    /// How many rows it gave.
    var rowCount: Int { Int(PQntuples(result)) }

    /// How many rows it inserted, updated or deleted.
    var affectedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// PostgreSQL's error code, five characters; empty when it did not fail.
    var state: String { field("C") }

    /// PostgreSQL's words for the error: the primary line alone, which never holds a parameter's value.
    var message: String {
      let primary = field("M")
      return primary.isEmpty ? String(cString: PQresultErrorMessage(result)).trimmed : primary
    }

    private func field(_ code: Character) -> String { Self.field(code, of: result) }

    /// A field of an error or a notice; empty when it has none. (`PG_DIAG_SQLSTATE` and the other names are characters in C.)
    static func field(_ code: Character, of result: OpaquePointer) -> String {
      code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }.map { String(cString: $0) } ?? ""
    }

    /// How many bytes libpq holds for it.
    var size: Int { PQresultMemorySize(result) }

    /// The bytes of a value; nil for NULL.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
      let (row, column) = (Int32(row), Int32(column))
      guard PQgetisnull(result, row, column) == 0 else { return nil }
      return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    /// A `bytea` or `text` as it is stored; nil for NULL.
    func data(_ row: Int, _ column: Int) -> Data? { bytes(row, column).map { Data($0) } }

    /// A `text`; nil for NULL.
    func text(_ row: Int, _ column: Int) -> String? { bytes(row, column).map { String(decoding: $0, as: UTF8.self) } }

    /// A `bigint`, or a shorter integer; nil for NULL and for what is none.
    func number(_ row: Int, _ column: Int) -> Int64? {
      guard let bytes = bytes(row, column) else { return nil }
      switch bytes.count {
      case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
      default: return nil
      }
    }

    /// A `uuid`; nil for NULL and for what is none.
    func uuid(_ row: Int, _ column: Int) -> UUID? {
      guard let bytes = bytes(row, column), bytes.count == 16 else { return nil }
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }

  extension String {
    /// Without spaces and line ends around it.
    var trimmed: String {
      String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
  }
#endif
