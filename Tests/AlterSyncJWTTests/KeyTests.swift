#if JWT
  import AlterSyncJWT
  import Crypto
  import CryptoExtras
  import Foundation
  import Testing

  @Suite("The keys of an authenticator")
  struct KeyTests {
    typealias Key = JWTAuthenticator.Key

    private func code(_ body: () throws -> Void) -> JWTKeyError.Code? {
      do {
        try body()
        return nil
      } catch { return (error as? JWTKeyError)?.code }
    }

    // MARK: - Rotation

    @Test("A key is added and removed while the authenticator is used, and its tokens with it")
    func rotation() async throws {
      let (old, new) = (SigningKey(.eddsa, id: "old"), SigningKey(.es256, id: "new"))
      let authenticator = try authenticator([old])
      let copy = authenticator
      func valid() async throws -> [Bool] {
        var result: [Bool] = []
        for token in [try old.token(), try new.token()] { result.append(try await copy.authenticate(token) != nil) }
        return result
      }
      var answers = [try await valid()]
      try authenticator.add(new.key)
      answers.append(try await valid())
      #expect(authenticator.remove(kid: "old"))
      answers.append(try await valid())
      #expect(!authenticator.remove(kid: "old"))
      try authenticator.replaceKeys(with: [old.key])
      answers.append(try await valid())
      #expect(authenticator.keyIDs == ["old"])
      try authenticator.replaceKeys(with: [])
      answers.append(try await valid())
      #expect(answers == [[true, false], [true, true], [false, true], [true, false], [false, false]])
    }

    @Test("Two keys with the same id are an error, and nothing changes")
    func duplicates() async throws {
      let (first, second) = (SigningKey(.es256, id: "1"), SigningKey(.hs256, id: "1"))
      #expect(code { _ = try authenticator([first, second]) } == .duplicate)
      let shared = try authenticator([first])
      #expect(code { try shared.add(second.key) } == .duplicate)
      #expect(code { try shared.replaceKeys(with: [second.key, second.key]) } == .duplicate)
      let answers = (try await shared.authenticate(first.token()) != nil, try await shared.authenticate(second.token()) != nil)
      #expect(answers == (true, false))
    }

    // MARK: - Single keys

    @Test("A key fits its algorithm and is strong enough")
    func misfits() throws {
      let all = Dictionary(uniqueKeysWithValues: SigningKey.all.map { ($0.algorithm, $0) })
      for (algorithm, key) in all {
        for other in JWTAuthenticator.Algorithm.allCases {
          let isSameKind =
            algorithm == other || ["RS", "PS"].contains(algorithm.rawValue.prefix(2)) && ["RS", "PS"].contains(other.rawValue.prefix(2))
          guard let pem = key.pem else { continue }
          let expected: JWTKeyError.Code? = isSameKind ? nil : other.rawValue.hasPrefix("HS") ? .mismatch : .malformed
          #expect(code { _ = try Key(id: "1", algorithm: other, publicKey: pem) } == expected, "\(algorithm) as \(other)")
          #expect(code { _ = try Key(id: "1", algorithm: other, secret: pem.utf8) } == .mismatch, "\(algorithm) as the secret of \(other)")
        }
      }
      for (algorithm, bytes) in [(JWTAuthenticator.Algorithm.hs256, 32), (.hs384, 48), (.hs512, 64)] {
        #expect(code { _ = try Key(id: "1", algorithm: algorithm, secret: Data(count: bytes)) } == nil)
        #expect(code { _ = try Key(id: "1", algorithm: algorithm, secret: Data(count: bytes - 1)) } == .weak)
      }
      #expect(code { _ = try Key(id: "", algorithm: .hs256, secret: Data(count: 32)) } == .missingID)
      for text in ["", "garbage", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", SigningKey.rsa.pemRepresentation] {
        for algorithm in JWTAuthenticator.Algorithm.allCases where !algorithm.rawValue.hasPrefix("HS") {
          #expect(code { _ = try Key(id: "1", algorithm: algorithm, publicKey: text) } == .malformed)
        }
      }
      let short = try #require(Self.shortRSA)
      #expect(code { _ = try Key(id: "1", algorithm: .rs256, publicKey: short) } == .malformed)
    }

    @Test("Descriptions and errors contain no secret")
    func descriptions() throws {
      let secret = "a secret of more than thirty-two bytes"
      let key = try Key(id: "k\u{1B}1", algorithm: .hs256, secret: secret.utf8)
      var text = "\(key) \(String(reflecting: key)) \([key]) \(try authenticator([])) "
      dump(key, to: &text)
      #expect(text.contains("HS256"))
      let shared = try JWTAuthenticator([key], issuer: "i", audience: "a")
      dump(shared, to: &text)
      do { try shared.add(key) } catch { text += "\(error)" }
      do { _ = try Key(id: "1", algorithm: .hs512, secret: secret.utf8) } catch { text += "\(error)" }
      do { _ = try Key(id: "1", algorithm: .es256, publicKey: secret) } catch { text += "\(error)" }
      #expect(text.contains("The key 'k␛1' exists already") && text.contains("at least 64"))
      let bytes = secret.utf8.prefix(3).map(String.init)
      #expect(!text.contains("secret of") && !bytes.allSatisfy(text.contains))
    }

    // MARK: - Sets

    private func set(_ keys: [[String: String]]) throws -> Data { try JSONEncoder().encode(["keys": keys]) }

    @Test("A set of JSON Web Keys gives the keys of every algorithm")
    func keySet() async throws {
      let keys = try Key.keys(of: set(SigningKey.all.map { try $0.jwk() }), allowingSecrets: true)
      #expect(keys.map(\.id) == SigningKey.all.map(\.id))
      #expect(keys.map(\.algorithm) == JWTAuthenticator.Algorithm.allCases)
      let authenticator = try authenticator([])
      try authenticator.replaceKeys(with: keys)
      for key in SigningKey.all {
        let identity = try await authenticator.authenticate(key.token())
        #expect(identity?.principal == "ann", "\(key.algorithm)")
      }
    }

    @Test("A key of a set without 'kid' or 'alg', a private one, and one that does not fit are errors")
    func badSets() throws {
      let (rsa, curve, edwards) = (SigningKey(.rs256, id: "r"), SigningKey(.es256, id: "c"), SigningKey(.eddsa, id: "e"))
      let secret = SigningKey(.hs256, id: "s")
      let n = try #require(try rsa.jwk()["n"])
      let cases: [(SigningKey, [String: String?], JWTKeyError.Code)] = [
        (rsa, ["kid": nil], .missingID), (rsa, ["kid": ""], .missingID), (rsa, ["alg": nil], .missingAlgorithm),
        (curve, ["d": "AAAA"], .secret), (rsa, ["d": "AAAA"], .secret), (edwards, ["d": "AAAA"], .secret), (secret, [:], .secret),
        (rsa, ["alg": "HS256"], .mismatch), (rsa, ["alg": "ES256"], .mismatch), (curve, ["alg": "ES384"], .mismatch),
        (curve, ["crv": "P-384"], .mismatch), (curve, ["crv": nil], .mismatch), (edwards, ["crv": "X25519"], .mismatch),
        (edwards, ["kty": "EC"], .mismatch), (secret, ["alg": "RS256"], .mismatch),
        (rsa, ["n": nil], .malformed), (rsa, ["e": nil], .malformed), (rsa, ["n": ""], .malformed), (rsa, ["n": n + "="], .malformed),
        (rsa, ["n": String(n.prefix(128))], .malformed), (rsa, ["e": "AA"], .malformed), (curve, ["x": nil], .malformed),
        (curve, ["y": "AAAA"], .malformed), (edwards, ["x": "AAAA"], .malformed), (edwards, ["x": nil], .malformed),
      ]
      for (key, changes, expected) in cases {
        #expect(code { _ = try Key.keys(of: set([key.jwk(changes)])) } == expected, "\(key.algorithm) \(changes)")
      }
      #expect(code { _ = try Key.keys(of: set([secret.jwk(["k": nil])]), allowingSecrets: true) } == .malformed)
      #expect(code { _ = try Key.keys(of: set([secret.jwk(["k": "AAAA"])]), allowingSecrets: true) } == .weak)
      #expect(code { _ = try Key.keys(of: set([rsa.jwk(), curve.jwk(["kid": "r"])])) } == .duplicate)
      for text in ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#, #"{"keys":[]}"#, #"{"keys":[{"kid":"1"}]}"#] {
        #expect(code { _ = try Key.keys(of: Data(text.utf8)) } == .malformed, "\(text)")
      }
    }

    @Test("Keys of a set that are not for signatures, or of an unknown algorithm, are omitted")
    func otherUses() throws {
      let key = SigningKey(.rs256, id: "r")
      let others =
        [["use": "enc", "alg": nil], ["alg": "RSA-OAEP"], ["alg": "none"], ["alg": "ES256K", "kty": "EC"]] as [[String: String?]]
      let keys = try Key.keys(of: set(others.map { try key.jwk($0) } + [key.jwk(["use": "sig"])]))
      #expect(keys.map(\.id) == ["r"])
      #expect(code { _ = try Key.keys(of: set(others.map { try key.jwk($0) })) } == .malformed)
    }

    /// A public key of 1,024 bits.
    private static let shortRSA = try? _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024)).publicKey.pemRepresentation
  }
#endif
