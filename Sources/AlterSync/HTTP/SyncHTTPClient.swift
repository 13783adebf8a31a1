#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sends HTTP requests. ``SyncServer/defaultClient()`` does it by default; an app with a client of its own, or with a test, conforms it to this
/// protocol.
public protocol SyncHTTPClient: Sendable {
  /// Sends a request.
  ///
  /// The call may be cancelled, and so may the task that reads the body: both then end the request. Redirections are not followed, because the
  /// token belongs to one server. The client adds no `Content-Encoding`.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - progress: Call it when bytes of the request's body were sent, with their number. A request that moves too few bytes is given up.
  /// - Returns: The answer, as soon as its head has arrived.
  /// - Throws: Any error: there is no connection, or it broke before the head of the answer.
  func send(_ request: SyncHTTPRequest, progress: @escaping @Sendable (_ bytes: Int) -> Void) async throws -> SyncHTTPResponse
}

/// A request of sync.
public struct SyncHTTPRequest: Sendable {
  /// `GET`, `POST` or `PUT`.
  public let method: String
  /// The address.
  public let url: URL
  /// The header fields, with the token in `Authorization`.
  public let headers: [String: String]
  /// The body; nil for none.
  public let body: Data?
  /// Whether the answer is a stream of events, which lasts for hours.
  public let isStream: Bool

  /// Creates a request, for the tests of a client.
  ///
  /// - Parameters:
  ///   - method: `GET`, `POST` or `PUT`.
  ///   - url: The address.
  ///   - headers: The header fields.
  ///   - body: The body; nil for none.
  ///   - isStream: Whether the answer is a stream of events.
  public init(method: String, url: URL, headers: [String: String], body: Data? = nil, isStream: Bool = false) {
    (self.method, self.url, self.headers, self.body, self.isStream) = (method, url, headers, body, isStream)
  }
}

/// An answer to a request of sync.
public struct SyncHTTPResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields, by their names in small letters.
  public let headers: [String: String]
  /// The parts of the body as they arrive. It throws if the connection breaks.
  public let body: AsyncThrowingStream<Data, any Error>

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields, by their names in any letters.
  ///   - body: The parts of the body as they arrive.
  public init(status: Int, headers: [String: String], body: AsyncThrowingStream<Data, any Error>) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.body = body
  }
}
