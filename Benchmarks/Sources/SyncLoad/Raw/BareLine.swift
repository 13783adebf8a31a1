#if Postgres
  import CBareLibPQ
  import Dispatch
  import Foundation

  /// A connection of libpq. `@unchecked Sendable`: it is used by one thread at a time, that of ``queue`` or its creator's.
  final class BareLine: @unchecked Sendable {
    let queue = DispatchQueue(label: "line")
    private let handle: OpaquePointer

    init(_ address: String) throws(Failure) {
      guard let handle = PQconnectdb(address) else { throw Failure("no connection") }
      self.handle = handle
      guard PQstatus(handle) == CONNECTION_OK else { throw Failure("no connection: \(String(cString: PQerrorMessage(handle)))") }
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// Runs SQL without parameters.
    func run(_ sql: String) throws(Failure) { _ = try take(PQexec(handle, sql)) }

    /// Prepares the statement of ``execute(_:)``.
    func prepare(_ sql: String) throws(Failure) { _ = try take(PQprepare(handle, "bare", sql, 0, nil)) }

    /// Executes the prepared statement.
    ///
    /// - Returns: The first column of the first row.
    @discardableResult
    func execute(_ values: [String]) throws(Failure) -> String {
      try Self.withPointers(values) { pointers throws(Failure) in
        try take(PQexecPrepared(handle, "bare", Int32(values.count), pointers, nil, nil, 0))
      }
    }

    /// Sends the prepared statement, whose result ``finish()`` takes.
    func send(_ values: [String]) throws(Failure) {
      let isSent = Self.withPointers(values) { PQsendQueryPrepared(handle, "bare", Int32(values.count), $0, nil, nil, 0) == 1 }
      guard isSent else { throw Failure(String(cString: PQerrorMessage(handle))) }
    }

    /// Waits for the result of ``send(_:)``.
    func finish() throws(Failure) { while let result = PQgetResult(handle) { _ = try take(result) } }

    /// Waits until the server has sent something, and reads it.
    func wait() {
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, -1)
      guard PQconsumeInput(handle) == 1 else { fatalError("The bare connection was lost.") }
    }

    /// Takes the text of a notification that was received; nil if there is none.
    func notification() -> String? {
      guard let notification = PQnotifies(handle) else { return nil }
      defer { PQfreemem(notification) }
      return String(cString: notification.pointee.extra)
    }

    private func take(_ result: OpaquePointer?) throws(Failure) -> String {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK: return ""
      case PGRES_TUPLES_OK: return PQntuples(result) > 0 ? String(cString: PQgetvalue(result, 0, 0)) : ""
      default: throw Failure(String(cString: PQresultErrorMessage(result)))
      }
    }

    private static func withPointers<Result, Failure>(
      _ values: [String], _ body: ([UnsafePointer<CChar>?]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let copies = values.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      return try body(copies.map { UnsafePointer($0) })
    }
  }
#endif
