#if JWT
  import AlterSyncJWT
  import Crypto
  import CryptoExtras
  import Foundation

  /// A private key of an issuer. It signs by swift-crypto, without the code that is tested.
  struct SigningKey: Sendable {
    typealias Algorithm = JWTAuthenticator.Algorithm

    enum Private: Sendable {
      case secret(SymmetricKey)
      case rsa(_RSA.Signing.PrivateKey)
      case p256(P256.Signing.PrivateKey)
      case p384(P384.Signing.PrivateKey)
      case p521(P521.Signing.PrivateKey)
      case ed25519(Curve25519.Signing.PrivateKey)
    }

    let id: String
    let algorithm: Algorithm
    let `private`: Private

    init(id: String, algorithm: Algorithm, private: Private) {
      self.id = id
      self.algorithm = algorithm
      self.private = `private`
    }

    /// Makes a new key. All RSA keys of a process are the same one, because it takes long to find one.
    init(_ algorithm: Algorithm, id: String) {
      self.id = id
      self.algorithm = algorithm
      `private` =
        switch algorithm {
        case .hs256, .hs384, .hs512: .secret(SymmetricKey(size: .init(bitCount: 512)))
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(Self.rsa)
        case .es256: .p256(.init())
        case .es384: .p384(.init())
        case .es512: .p521(.init())
        case .eddsa: .ed25519(.init())
        }
    }

    /// A key of its own for each algorithm, named like it.
    static let all = Algorithm.allCases.map { SigningKey($0, id: "key of \($0.rawValue)") }
    static let rsa: _RSA.Signing.PrivateKey = {
      do { return try .init(keySize: .bits2048) } catch { fatalError("no RSA key: \(error)") }
    }()

    /// The text of its public key; nil for a secret.
    var pem: String? {
      switch `private` {
      case .secret: nil
      case .rsa(let key): key.publicKey.pemRepresentation
      case .p256(let key): key.publicKey.pemRepresentation
      case .p384(let key): key.publicKey.pemRepresentation
      case .p521(let key): key.publicKey.pemRepresentation
      case .ed25519(let key): key.publicKey.pemRepresentation
      }
    }

    /// The key as the server has it, without the private part.
    var key: JWTAuthenticator.Key {
      get throws {
        if case .secret(let key) = `private` {
          return try .init(id: id, algorithm: algorithm, secret: key.withUnsafeBytes { Array($0) })
        }
        return try .init(id: id, algorithm: algorithm, publicKey: pem ?? "")
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
      case .secret(let key): jwk.merge(["kty": "oct", "k": base64URL(key.withUnsafeBytes { Data($0) })]) { $1 }
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
    func signature(_ bytes: Data, _ algorithm: Algorithm? = nil) throws -> Data {
      let algorithm = algorithm ?? self.algorithm
      switch `private` {
      case .secret(let key):
        return switch algorithm {
        case .hs384: Data(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
        case .hs512: Data(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
        default: Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        }
      case .rsa(let key):
        let digest: any Digest =
          switch algorithm {
          case .rs384, .ps384: SHA384.hash(data: bytes)
          case .rs512, .ps512: SHA512.hash(data: bytes)
          default: SHA256.hash(data: bytes)
          }
        let isPSS = [.ps256, .ps384, .ps512].contains(algorithm)
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
    func token(_ claims: String = Claims().json, header: String? = nil, signedBy algorithm: Algorithm? = nil) throws -> String {
      let header = header ?? #"{"alg":"\#(self.algorithm.rawValue)","kid":"\#(id)","typ":"JWT"}"#
      let signed = base64URL(Data(header.utf8)) + "." + base64URL(Data(claims.utf8))
      return signed + "." + base64URL(try signature(Data(signed.utf8), algorithm))
    }
  }

  /// The claims of a valid token, each as the text of its JSON; nil for none.
  struct Claims {
    var iss: String? = #""https://id.example""#
    var aud: String? = #""lists""#
    var sub: String? = #""ann""#
    var exp: String? = "1100"
    var nbf: String?
    var iat: String?
    var more = ""

    var json: String {
      let members = [("iss", iss), ("aud", aud), ("sub", sub), ("exp", exp), ("nbf", nbf), ("iat", iat)]
      return "{" + members.compactMap { name, value in value.map { #""\#(name)":\#($0)"# } }.joined(separator: ",") + more + "}"
    }
  }

  /// An authenticator of these claims, at 1,000 s after 1970.
  func authenticator(
    _ keys: [SigningKey], now: Int64 = 1_000_000_000, _ adjust: (inout JWTAuthenticator.Options) -> Void = { _ in }
  ) throws -> JWTAuthenticator {
    var options = JWTAuthenticator.Options()
    options.now = { now }
    adjust(&options)
    return try JWTAuthenticator(keys.map { try $0.key }, issuer: "https://id.example", audience: "lists", options: options)
  }

  func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
#endif
