#if Tokens
  import AlterSyncServer
  import Foundation
  import JWTKit

  /// Recognises the tokens that one issuer signs by one algorithm for one audience.
  actor JWTAuthenticator: SyncAuthenticator {
    struct NoKey: Error {}

    private struct Claims: JWTPayload {
      let iss, sub: String
      let aud: Audience
      let exp: Date
      let nbf: Date?

      func verify(using algorithm: some JWTAlgorithm) {}  // in `authenticate`, which knows the issuer, the audience and the time
    }

    private struct Audience: Codable {  // jwt-kit's own type ends the process at an empty list
      let names: [String]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        names = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
      }
    }

    private let (issuer, audience, algorithm): (String, String, JWK.Algorithm)
    private let now: @Sendable () -> Date
    private var keys = JWTKeyCollection()

    init(issuer: String, audience: String, algorithm: JWK.Algorithm, now: @escaping @Sendable () -> Date = { Date() }) {
      (self.issuer, self.audience, self.algorithm, self.now) = (issuer, audience, algorithm, now)
    }

    /// Replaces all keys by those of the issuer's JSON Web Key Set. Call it at the start, and when the issuer changes its keys.
    func replaceKeys(with set: Data) async throws {
      // With any other key, jwt-kit would use the algorithm that the token names.
      let usable = try JSONDecoder().decode(JWKS.self, from: set).keys.filter { $0.algorithm == algorithm }
      guard !usable.isEmpty else { throw NoKey() }
      keys = try await JWTKeyCollection().add(jwks: JWKS(keys: usable))
    }

    func authenticate(_ token: String) async throws -> SyncIdentity? {
      guard token.utf8.count <= 8_192, let claims = try? await keys.verify(token, as: Claims.self) else { return nil }
      let (now, leeway) = (now(), 60.0)
      guard claims.iss == issuer, claims.aud.names.contains(audience), !claims.sub.isEmpty,
        now < claims.exp + leeway, claims.nbf.map({ $0 <= now + leeway }) ?? true
      else { return nil }
      let end = (claims.exp + leeway).timeIntervalSince1970 * 1e6
      return SyncIdentity(principal: claims.sub, expires: Int64(min(end, 9e18)))
    }
  }
#endif
