#if Tokens
  import Crypto
  import CryptoExtras
  import Foundation
  import JWTKit

  /// A private key of an issuer. It signs by swift-crypto, without the code that is tested.
  struct SigningKey: Sendable {
    enum Algorithm: String, Sendable, CaseIterable {
      case rs256 = "RS256"
      case rs384 = "RS384"
      case rs512 = "RS512"
      case ps256 = "PS256"
      case ps384 = "PS384"
      case ps512 = "PS512"
      case es256 = "ES256"
      case es384 = "ES384"
      case es512 = "ES512"
      case eddsa = "EdDSA"

      var isRSA: Bool { rawValue.hasPrefix("RS") || rawValue.hasPrefix("PS") }
    }

    private enum Private: Sendable {
      case rsa(_RSA.Signing.PrivateKey)
      case p256(P256.Signing.PrivateKey)
      case p384(P384.Signing.PrivateKey)
      case p521(P521.Signing.PrivateKey)
      case ed25519(Curve25519.Signing.PrivateKey)
    }

    let id: String
    let algorithm: Algorithm
    private let `private`: Private

    /// Makes a new key. All RSA keys of a process are the same one, because it takes long to find one.
    init(_ algorithm: Algorithm, id: String) {
      self.id = id
      self.algorithm = algorithm
      `private` =
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(Self.rsa)
        case .es256: .p256(.init())
        case .es384: .p384(.init())
        case .es512: .p521(.init())
        case .eddsa: .ed25519(.init())
        }
    }

    private static let rsa: _RSA.Signing.PrivateKey = {
      do { return try .init(keySize: .bits2048) } catch { fatalError("no RSA key: \(error)") }
    }()

    /// The text of its public key.
    var pem: String {
      switch `private` {
      case .rsa(let key): key.publicKey.pemRepresentation
      case .p256(let key): key.publicKey.pemRepresentation
      case .p384(let key): key.publicKey.pemRepresentation
      case .p521(let key): key.publicKey.pemRepresentation
      case .ed25519(let key): key.publicKey.pemRepresentation
      }
    }

    /// Its JSON Web Key, with other members than its own if they are given.
    func jwk(_ changes: [String: String?] = [:]) throws -> [String: String] {
      var jwk = ["kid": id, "alg": algorithm.rawValue]
      func curve(_ name: String, _ point: Data) {
        let half = (point.count - 1) / 2
        jwk.merge(["kty": "EC", "crv": name, "x": base64URL(point.dropFirst().prefix(half)), "y": base64URL(point.suffix(half))]) { $1 }
      }
      switch `private` {
      case .rsa(let key):
        let numbers = try key.publicKey.getKeyPrimitives()
        jwk.merge(["kty": "RSA", "n": base64URL(numbers.modulus), "e": base64URL(numbers.publicExponent)]) { $1 }
      case .p256(let key): curve("P-256", key.publicKey.x963Representation)
      case .p384(let key): curve("P-384", key.publicKey.x963Representation)
      case .p521(let key): curve("P-521", key.publicKey.x963Representation)
      case .ed25519(let key): jwk.merge(["kty": "OKP", "crv": "Ed25519", "x": base64URL(key.publicKey.rawRepresentation)]) { $1 }
      }
      for (name, value) in changes { jwk[name] = value }
      return jwk
    }

    /// Signs bytes by an algorithm, which is its own one by default.
    private func signature(_ bytes: Data, _ algorithm: Algorithm) throws -> Data {
      switch `private` {
      case .rsa(let key):
        let digest: any Digest =
          switch algorithm {
          case .rs384, .ps384: SHA384.hash(data: bytes)
          case .rs512, .ps512: SHA512.hash(data: bytes)
          default: SHA256.hash(data: bytes)
          }
        let isPSS = algorithm.rawValue.hasPrefix("PS")
        return try key.signature(for: digest, padding: isPSS ? .PSS : .insecurePKCS1v1_5).rawRepresentation
      case .p256(let key): return try key.signature(for: bytes).rawRepresentation
      case .p384(let key): return try key.signature(for: bytes).rawRepresentation
      case .p521(let key): return try key.signature(for: bytes).rawRepresentation
      case .ed25519(let key): return try key.signature(for: bytes)
      }
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - claims: The text of its claims; those of a valid token by default.
    ///   - header: The text of its header, which otherwise names this key.
    ///   - algorithm: The algorithm of its signature, which otherwise is that of this key.
    ///   - secret: The secret of an HMAC, which then replaces the signature.
    func token(
      _ claims: String = Claims().json, header: String? = nil, signedBy algorithm: Algorithm? = nil, secret: Data? = nil
    ) throws -> String {
      let header = header ?? #"{"alg":"\#(self.algorithm.rawValue)","kid":"\#(id)","typ":"JWT"}"#
      let signed = base64URL(Data(header.utf8)) + "." + base64URL(Data(claims.utf8))
      let bytes = Data(signed.utf8)
      let hmac = secret.map { Data(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: $0))) }
      return signed + "." + base64URL(try hmac ?? signature(bytes, algorithm ?? self.algorithm))
    }
  }

  /// The claims of a valid token, each as the text of its JSON; nil for none.
  struct Claims {
    var iss: String? = #""https://id.example""#
    var aud: String? = #""lists""#
    var sub: String? = #""ann""#
    var exp: String? = "1100"
    var nbf: String?
    var more = ""

    var json: String {
      let members = [("iss", iss), ("aud", aud), ("sub", sub), ("exp", exp), ("nbf", nbf)]
      return "{" + members.compactMap { name, value in value.map { #""\#(name)":\#($0)"# } }.joined(separator: ",") + more + "}"
    }
  }

  /// The document of some keys, as an issuer publishes it.
  func keySet(_ keys: [[String: String]]) throws -> Data { try JSONEncoder().encode(["keys": keys]) }

  /// An authenticator of these claims with the keys of an algorithm, at a number of seconds after 1970.
  func authenticator(
    _ algorithm: SigningKey.Algorithm, _ keys: [SigningKey], now seconds: Double = 1_000
  ) async throws -> JWTAuthenticator {
    guard let name = JWK.Algorithm(rawValue: algorithm.rawValue) else { throw JWTAuthenticator.NoKey() }
    let authenticator = JWTAuthenticator(issuer: "https://id.example", audience: "lists", algorithm: name) {
      Date(timeIntervalSince1970: seconds)
    }
    try await authenticator.replaceKeys(with: keySet(keys.map { try $0.jwk() }))
    return authenticator
  }

  func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
#endif
