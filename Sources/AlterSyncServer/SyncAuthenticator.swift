/// Recognises the tokens of requests.
public protocol SyncAuthenticator: Sendable {
  /// Returns the identity of a token; nil if the token is not valid (any more), which is answered by 401.
  /// - Throws: Any error: the token cannot be judged now, which is answered by 503.
  func authenticate(_ token: String) async throws -> SyncIdentity?
}

/// The holder of a valid token.
public struct SyncIdentity: Sendable, Hashable {
  /// The name of the principal, unique on the server.
  public var principal: String
  /// The end of the token's validity, in microseconds since 1970 UTC; nil for none.
  public var expires: Int64?

  /// Creates an identity.
  public init(principal: String, expires: Int64? = nil) {
    self.principal = principal
    self.expires = expires
  }
}
