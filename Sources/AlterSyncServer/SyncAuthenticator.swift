/// Recognises the tokens of requests.
public protocol SyncAuthenticator: Sendable {
  /// Returns the identity of a token; nil if the token is not valid (any more), which is answered by 401.
  /// - Throws: Any error: the token cannot be judged now, which is answered by 503.
  func authenticate(_ token: String) async throws -> SyncIdentity?
}

/// The holder of a valid token.
public struct SyncIdentity: Sendable, Hashable {
  /// The name of the principal, unique on the server. The name `alter/server` is reserved for the server itself.
  public var principal: String
  /// The end of the token's validity, in microseconds since 1970 UTC; nil for none.
  public var expires: Int64?

  /// Creates an identity.
  public init(principal: String, expires: Int64? = nil) {
    self.principal = principal
    self.expires = expires
  }
}

/// Tokens that never change, for development and tests.
///
/// ```swift
/// StaticTokens(["ann's token": "ann", "bob's token": "bob"])
/// ```
public struct StaticTokens: SyncAuthenticator {
  private let principals: [String: String]

  /// Creates the tokens.
  ///
  /// - Parameter principals: The names of the principals, by token.
  public init(_ principals: [String: String]) { self.principals = principals }

  /// Returns the principal of a token.
  ///
  /// - Complexity: O(number of tokens). The time does not depend on the equal part of two tokens.
  public func authenticate(_ token: String) async -> SyncIdentity? {
    var found: String?
    for (known, principal) in principals where Self.areEqual(known, token) { found = principal }
    return found.map { SyncIdentity(principal: $0) }
  }

  private static func areEqual(_ known: String, _ token: String) -> Bool {
    let (known, token) = (Array(known.utf8), Array(token.utf8))
    guard known.count == token.count else { return false }
    return zip(known, token).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
