#if JWT
  import JWTKit

  extension JWTAuthenticator {
    /// A signature algorithm of RFC 7518, section 3.1, or RFC 8037. `none` is not one of them.
    public enum Algorithm: String, Sendable, CaseIterable {
      /// HMAC with SHA-256: the issuer and this server share a secret.
      case hs256 = "HS256"
      /// HMAC with SHA-384.
      case hs384 = "HS384"
      /// HMAC with SHA-512.
      case hs512 = "HS512"
      /// RSA with PKCS#1 1.5 and SHA-256.
      case rs256 = "RS256"
      /// RSA with PKCS#1 1.5 and SHA-384.
      case rs384 = "RS384"
      /// RSA with PKCS#1 1.5 and SHA-512.
      case rs512 = "RS512"
      /// RSA with PSS and SHA-256.
      case ps256 = "PS256"
      /// RSA with PSS and SHA-384.
      case ps384 = "PS384"
      /// RSA with PSS and SHA-512.
      case ps512 = "PS512"
      /// ECDSA on P-256 with SHA-256.
      case es256 = "ES256"
      /// ECDSA on P-384 with SHA-384.
      case es384 = "ES384"
      /// ECDSA on P-521 with SHA-512.
      case es512 = "ES512"
      /// Ed25519.
      case eddsa = "EdDSA"
    }

    /// A key with its id and its only algorithm.
    ///
    /// Its description omits the key itself.
    public struct Key: Sendable, CustomStringConvertible, CustomReflectable {
      /// The kinds of keys. Each has its own type, so that the text of a public key is never the secret of an HMAC.
      enum Material: Sendable {
        case secret(HMACKey)
        case rsa(Insecure.RSA.PublicKey)
        case p256(ES256PublicKey)
        case p384(ES384PublicKey)
        case p521(ES512PublicKey)
        case ed25519(EdDSA.PublicKey)
      }

      /// The `kid` of its tokens.
      public let id: String
      /// The `alg` of its tokens.
      public let algorithm: Algorithm
      private let material: Material

      init(id: String, algorithm: Algorithm, material: Material) throws(JWTKeyError) {
        guard !id.isEmpty else { throw JWTKeyError(.missingID, nil, "has an empty id. Give it one, and the same to the issuer as 'kid'.") }
        self.id = id
        self.algorithm = algorithm
        self.material = material
      }

      /// Creates a key of an algorithm with a public key.
      ///
      /// - Parameters:
      ///   - id: The `kid` of its tokens.
      ///   - algorithm: The `alg` of its tokens: any but `hs256`, `hs384` and `hs512`.
      ///   - pem: The public key (SubjectPublicKeyInfo) in PEM form: `-----BEGIN PUBLIC KEY-----`. An RSA key has at least 2,048 bits.
      /// - Throws: ``JWTKeyError``.
      public init(id: String, algorithm: Algorithm, publicKey pem: String) throws(JWTKeyError) {
        let material: Material
        do {
          switch algorithm {
          case .hs256, .hs384, .hs512:
            throw JWTKeyError(.mismatch, id, "is a public key, and \(algorithm.rawValue) needs a secret. Name the algorithm of the key.")
          case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: material = .rsa(try Insecure.RSA.PublicKey(pem: pem))
          case .es256: material = .p256(try ES256PublicKey(pem: pem))
          case .es384: material = .p384(try ES384PublicKey(pem: pem))
          case .es512: material = .p521(try ES512PublicKey(pem: pem))
          case .eddsa: material = .ed25519(try EdDSA.PublicKey(pem: pem))
          }
        } catch let error as JWTKeyError {
          throw error
        } catch {
          // The error of the library is omitted, because it may quote the text.
          throw JWTKeyError(
            .malformed, id,
            "is no public key for \(algorithm.rawValue) in PEM form ('BEGIN PUBLIC KEY'; RSA: at least 2,048 bits)."
          )
        }
        try self.init(id: id, algorithm: algorithm, material: material)
      }

      /// Creates a key of an algorithm with a secret.
      ///
      /// Anyone who has the secret can make tokens. Prefer an algorithm with a public key unless issuer and server are one program.
      ///
      /// - Parameters:
      ///   - id: The `kid` of its tokens.
      ///   - algorithm: The `alg` of its tokens: `hs256`, `hs384` or `hs512`.
      ///   - secret: Random bytes, at least 32, 48 or 64 (RFC 7518, section 3.2).
      /// - Throws: ``JWTKeyError``. The text of a PEM file is refused: with a public key as its secret, HMAC would accept tokens of anyone.
      public init(id: String, algorithm: Algorithm, secret: some Collection<UInt8>) throws(JWTKeyError) {
        let minimum: Int
        switch algorithm {
        case .hs256: minimum = 32
        case .hs384: minimum = 48
        case .hs512: minimum = 64
        default:
          throw JWTKeyError(.mismatch, id, "is a secret, and \(algorithm.rawValue) needs a public key. Name the algorithm of the key.")
        }
        guard secret.count >= minimum else {
          throw JWTKeyError(.weak, id, "has \(secret.count) bytes, and \(algorithm.rawValue) needs at least \(minimum) random ones.")
        }
        guard !secret.starts(with: "-----BEGIN ".utf8) else {
          throw JWTKeyError(.mismatch, id, "is a PEM file, which is no secret. Use the initialiser for public keys.")
        }
        try self.init(id: id, algorithm: algorithm, material: .secret(HMACKey(from: Array(secret))))
      }

      /// Whether the token's signature is this key's. The caller has compared the id and the algorithm.
      ///
      /// `JWTKeyCollection.verify` takes its first key for a token whose `kid` is unknown, does not compare `alg` with the algorithm of the
      /// key, and reads the header once more. Therefore this asks a collection with no other key for its algorithm, and that alone.
      func hasSigned(_ token: CompactToken) async -> Bool {
        let keys = JWTKeyCollection()
        switch material {
        case .secret(let key): await keys.add(hmac: key, digestAlgorithm: algorithm.digest)
        case .rsa(let key):
          switch algorithm {
          case .ps256, .ps384, .ps512: await keys.add(pss: key, digestAlgorithm: algorithm.digest)
          default: await keys.add(rsa: key, digestAlgorithm: algorithm.digest)
          }
        case .p256(let key): await keys.add(ecdsa: key)
        case .p384(let key): await keys.add(ecdsa: key)
        case .p521(let key): await keys.add(ecdsa: key)
        case .ed25519(let key): await keys.add(eddsa: key)
        }
        guard let verifier = try? await keys.getKey(), verifier.name == algorithm.rawValue else { return false }
        // An error means a signature of another length.
        return (try? verifier.verify(token.signature, signs: token.signed)) ?? false
      }

      /// The id and the algorithm.
      public var description: String { "Key(id: \(id.debugDescription), algorithm: \(algorithm.rawValue))" }

      /// The id and the algorithm.
      public var customMirror: Mirror { Mirror(self, children: ["id": id, "algorithm": algorithm]) }
    }
  }

  extension JWTAuthenticator.Algorithm {
    fileprivate var digest: DigestAlgorithm {
      switch self {
      case .hs256, .rs256, .ps256, .es256: .sha256
      case .hs384, .rs384, .ps384, .es384: .sha384
      case .hs512, .rs512, .ps512, .es512, .eddsa: .sha512
      }
    }
  }
#endif
