#if JWT
  import AlterCore
  import AlterTerminal
  public import AlterSyncServer

  /// Recognises JSON Web Tokens (RFC 7519) that one issuer has signed for one audience.
  ///
  /// ```swift
  /// let key = try JWTAuthenticator.Key(id: "2026-11", algorithm: .es256, publicKey: pem)
  /// let authenticator = try JWTAuthenticator([key], issuer: "https://id.example", audience: "lists")
  /// ```
  ///
  /// A token is valid if all of this is true:
  ///
  /// - It has at most ``Options/tokenBytes`` bytes, and is a signed token in its compact form: three parts in base64url without padding.
  /// - Its header names one of the keys (`kid`) and exactly that key's algorithm (`alg`), and requires no extension (`crit`). There is no
  ///   default key, and keys or addresses of keys in the header (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
  /// - The signature is that key's.
  /// - `iss` is the issuer, and `aud` is the audience or a list that contains it.
  /// - `exp` is present, and neither it nor `nbf` nor `iat` contradicts the clock by more than ``Options/leeway``.
  /// - The claims name a principal: ``Options/principal``.
  ///
  /// The answer for every other token is nil, without a reason, and nothing is logged.
  ///
  /// Copies share their keys, which can be added and removed while requests are served. A server that trusts several issuers needs an
  /// authenticator for each: a key of one issuer must not sign for another.
  public struct JWTAuthenticator: SyncAuthenticator {
    /// The settings of an authenticator.
    public struct Options: Sendable {
      /// The tolerated difference between the clocks of the issuer and this server, not negative; 60 s by default.
      public var leeway: Duration = .seconds(60)

      /// The maximum size of a token in bytes, 8,192 by default. A larger one is not valid, and is not read.
      public var tokenBytes = 8_192

      /// The name of the principal whom the claims of a valid token describe; `sub` by default.
      ///
      /// For another claim use `{ $0.string("upn") }`. The name must be unique on the server and must never be assigned to another person:
      /// an address that users can change themselves is a way into other accounts. The token is not valid if the name is nil or empty, or
      /// has control characters. An error means that the token cannot be judged now.
      public var principal: @Sendable (Claims) async throws -> String? = { $0.subject }

      /// The time of the server, in microseconds since 1970 UTC.
      public var now: @Sendable () -> Int64 = { WallClock.now }

      /// Creates the default settings.
      public init() {}
    }

    private let issuer: String
    private let audience: String
    private let options: Options
    /// `options.leeway` in microseconds.
    private let leeway: Int64
    private let keys: Lock<[String: Key]>

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - keys: The keys of the issuer. Without one no token is valid.
    ///   - issuer: The claim `iss` of every valid token, exactly.
    ///   - audience: The name of this server in the claim `aud`.
    ///   - options: The settings.
    /// - Throws: ``JWTKeyError`` with the code `duplicate` if two keys have the same id.
    public init(_ keys: [Key], issuer: String, audience: String, options: Options = Options()) throws(JWTKeyError) {
      precondition(options.leeway >= .zero, "The leeway of a JWTAuthenticator is negative: \(options.leeway).")
      self.issuer = issuer
      self.audience = audience
      self.options = options
      leeway = options.leeway.microseconds
      self.keys = Lock(try Self.byID(keys))
    }

    private static func byID(_ keys: [Key]) throws(JWTKeyError) -> [String: Key] {
      var result: [String: Key] = [:]
      for key in keys {
        guard result.updateValue(key, forKey: key.id) == nil else { throw .duplicate(key.id) }
      }
      return result
    }

    // MARK: - Rotation

    /// Adds a key. Its tokens are valid from now on.
    ///
    /// - Throws: ``JWTKeyError`` with the code `duplicate` if there is a key with this id. Remove it first, if the new one replaces it.
    public func add(_ key: Key) throws(JWTKeyError) {
      try keys.withLock { (keys) throws(JWTKeyError) in
        guard keys[key.id] == nil else { throw .duplicate(key.id) }
        keys[key.id] = key
      }
    }

    /// Removes a key. Its tokens are not valid any more, whatever their `exp`.
    ///
    /// - Parameter kid: The id of the key.
    /// - Returns: Whether there was such a key.
    @discardableResult
    public func remove(kid: String) -> Bool { keys.withLock { $0.removeValue(forKey: kid) != nil } }

    /// Replaces all keys in one step, for example by those of a document that the issuer publishes: ``Key/keys(of:allowingSecrets:)``.
    ///
    /// - Throws: ``JWTKeyError`` with the code `duplicate` if two keys have the same id. Then the keys remain as they were.
    public func replaceKeys(with keys: [Key]) throws(JWTKeyError) {
      let new = try Self.byID(keys)
      self.keys.withLock { $0 = new }
    }

    /// The ids of the keys, sorted.
    public var keyIDs: [String] { keys.withLock { $0.keys.sorted() } }

    // MARK: - Authentication

    /// Returns the identity of a token; nil if the token is not valid.
    ///
    /// - Parameter token: The token alone, without the word `Bearer`.
    /// - Returns: The principal, and the time from which this method returns nil for the token: `exp` and the leeway.
    /// - Throws: Only the errors of ``Options/principal``.
    /// - Complexity: O(*n*) for *n* bytes, and one verification of a signature if the token names a key and its algorithm.
    public func authenticate(_ token: String) async throws -> SyncIdentity? {
      guard token.utf8.count <= options.tokenBytes, let token = CompactToken(token) else { return nil }
      // The key's own algorithm decides. With that of the header, an attacker would sign with a public key as the secret of HS256.
      guard let key = keys.withLock({ $0[token.keyID] }), key.algorithm.rawValue == token.algorithm else { return nil }
      guard await key.hasSigned(token), let claims = Claims(token.payload), accepts(claims) else { return nil }
      guard let principal = try await options.principal(claims), Self.isName(principal) else { return nil }
      return SyncIdentity(principal: principal, expires: claims.expires.saturatingAdding(leeway))
    }

    private func accepts(_ claims: Claims) -> Bool {
      // RFC 7519, section 7.3: texts are compared without a normalisation, unlike by `==`.
      guard let issuer = claims.issuer, issuer.utf8.elementsEqual(self.issuer.utf8) else { return false }
      guard claims.audience.contains(where: { $0.utf8.elementsEqual(audience.utf8) }) else { return false }
      let now = options.now()
      return now < claims.expires.saturatingAdding(leeway)
        && [claims.notBefore, claims.issued].allSatisfy { time in
          time.map { $0.saturatingSubtracting(leeway) <= now } ?? true
        }
    }

    /// Control characters could forge lines of a log, and databases do not store all of them.
    private static func isName(_ principal: String) -> Bool {
      !principal.isEmpty && !principal.unicodeScalars.contains { $0.actsOnTerminal }
    }
  }

  extension Duration {
    /// Rounded down, and clamped to the range of the number.
    fileprivate var microseconds: Int64 {
      let (seconds, attoseconds) = components
      let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
      return overflows ? .max : whole.saturatingAdding(attoseconds / 1_000_000_000_000)
    }
  }
#endif
