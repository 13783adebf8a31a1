#if JWT
  import JWTKit

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension JWTAuthenticator.Key {
    /// Reads a JSON Web Key Set (RFC 7517, section 5), as issuers publish it.
    ///
    /// Keys for something else than signatures, and of algorithms that ``JWTAuthenticator/Algorithm`` does not have, are omitted: no token
    /// of them is valid. Fetch the document over HTTPS from an address in your configuration, never from one that a token names.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - allowingSecrets: Whether it may contain secrets of HMAC (`oct`). Leave it false for a document that others can read.
    /// - Returns: The keys, in the order of the document.
    /// - Throws: ``JWTKeyError``, for the first key that has no `kid` or no `alg`, does not fit its algorithm, or is private, for two keys
    ///   with the same `kid`, and if no usable key remains.
    public static func keys(of document: Data, allowingSecrets: Bool = false) throws(JWTKeyError) -> [Self] {
      guard let set = try? JSONDecoder().decode(KeySet.self, from: document) else {
        throw JWTKeyError(.malformed, nil, "set cannot be read: expected a JSON object with 'keys', a list of JSON Web Keys.")
      }
      var (keys, ids): ([Self], Set<String>) = ([], [])
      for entry in set.keys {
        guard let key = try entry.key(allowingSecrets: allowingSecrets) else { continue }
        guard ids.insert(key.id).inserted else { throw .duplicate(key.id) }
        keys.append(key)
      }
      guard !keys.isEmpty else {
        throw JWTKeyError(.malformed, nil, "set has no key for signatures of \(JWTAuthenticator.Algorithm.allCases.map(\.rawValue)).")
      }
      return keys
    }
  }

  private struct KeySet: Decodable {
    let keys: [KeySetEntry]
  }

  /// A JSON Web Key: RFC 7517, section 4, and RFC 7518, section 6.
  private struct KeySetEntry: Decodable {
    let kty: String
    let kid: String?
    let alg: String?
    let use: String?
    let operations: [String]?
    let crv: String?
    let n: String?
    let e: String?
    let x: String?
    let y: String?
    let d: String?
    let k: String?

    private enum CodingKeys: String, CodingKey {
      case kty, kid, alg, use, crv, n, e, x, y, d, k
      case operations = "key_ops"
    }

    /// - Returns: nil for a key that is not for signatures, or of an algorithm without support.
    func key(allowingSecrets: Bool) throws(JWTKeyError) -> JWTAuthenticator.Key? {
      guard use ?? "sig" == "sig", operations?.contains("verify") ?? true else { return nil }
      guard let kid, !kid.isEmpty else {
        throw JWTKeyError(.missingID, nil, "(one of a set) has no 'kid', so no token can name it. The issuer has to add one.")
      }
      guard let alg else {
        throw JWTKeyError(.missingAlgorithm, kid, "has no 'alg'. The issuer has to add it; this server does not infer it from a token.")
      }
      guard let algorithm = JWTAuthenticator.Algorithm(rawValue: alg) else { return nil }
      guard d == nil else {
        throw JWTKeyError(.secret, kid, "is private ('d'). Publish only its public part, and replace it if others could read the document.")
      }
      guard (kty, crv) == algorithm.form else {
        throw JWTKeyError(.mismatch, kid, "has the 'kty' or the 'crv' of another algorithm than its \(alg).")
      }
      if kty == "oct" {
        guard allowingSecrets else {
          throw JWTKeyError(.secret, kid, "is a secret ('oct'). Pass 'allowingSecrets' if only this server reads the document.")
        }
        guard let secret = k.flatMap({ Base64URL.decode($0.utf8) }) else { throw malformed(kid, alg) }
        return try JWTAuthenticator.Key(id: kid, algorithm: algorithm, secret: secret)
      }
      let material: JWTAuthenticator.Key.Material
      do { material = try publicKey(algorithm) } catch { throw malformed(kid, alg) }
      return try JWTAuthenticator.Key(id: kid, algorithm: algorithm, material: material)
    }

    private func publicKey(_ algorithm: JWTAuthenticator.Algorithm) throws -> JWTAuthenticator.Key.Material {
      switch algorithm {
      case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(try Insecure.RSA.PublicKey(modulus: part(n), exponent: part(e)))
      case .es256: .p256(try ES256PublicKey(parameters: (part(x), part(y))))
      case .es384: .p384(try ES384PublicKey(parameters: (part(x), part(y))))
      case .es512: .p521(try ES512PublicKey(parameters: (part(x), part(y))))
      case .eddsa: .ed25519(try EdDSA.PublicKey(x: part(x), curve: .ed25519))
      case .hs256, .hs384, .hs512: throw Missing()
      }
    }

    private struct Missing: Error {}

    /// A number of the key, which is not empty and is base64url.
    private func part(_ text: String?) throws -> String {
      guard let text, !text.isEmpty, Base64URL.decode(text.utf8) != nil else { throw Missing() }
      return text
    }

    private func malformed(_ kid: String, _ alg: String) -> JWTKeyError {
      JWTKeyError(.malformed, kid, "is no key for \(alg): its numbers are missing, damaged, or too small (RSA: at least 2,048 bits).")
    }
  }

  extension JWTAuthenticator.Algorithm {
    /// The `kty` and the `crv` of its keys: RFC 7518, section 6, and RFC 8037, section 2.
    fileprivate var form: (String, String?) {
      switch self {
      case .hs256, .hs384, .hs512: ("oct", nil)
      case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: ("RSA", nil)
      case .es256: ("EC", "P-256")
      case .es384: ("EC", "P-384")
      case .es512: ("EC", "P-521")
      case .eddsa: ("OKP", "Ed25519")
      }
    }
  }
#endif
