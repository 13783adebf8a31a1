#if JWT
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A token in the compact form of RFC 7515: header, payload and signature. Nothing in it was verified.
  struct CompactToken {
    /// The algorithm that the header claims.
    let algorithm: String
    /// The key that the header claims.
    let keyID: String
    /// The text of the claims.
    let payload: [UInt8]
    /// The bytes that are signed: the first two parts and the point between them.
    let signed: [UInt8]
    /// The signature.
    let signature: [UInt8]

    /// Reads a token.
    ///
    /// - Returns: nil if it is malformed, has no `alg` or no `kid`, or requires an extension.
    init?(_ token: String) {
      let bytes = Array(token.utf8)
      let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), let headerBytes = Base64URL.decode(parts[0]),
        let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
        let header = try? JSONDecoder().decode(Header.self, from: Data(headerBytes))
      else { return nil }
      algorithm = header.alg
      keyID = header.kid
      self.payload = payload
      signed = Array(bytes[..<parts[1].endIndex])
      self.signature = signature
    }

    private struct Header: Decodable {
      let alg: String
      let kid: String

      enum Field: CodingKey { case alg, kid, crit }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Field.self)
        // RFC 7515, section 4.1.11: "If any of the listed extension Header Parameters are not understood and supported by the recipient,
        // then the JWS is invalid." None is supported.
        guard !container.contains(.crit) else {
          throw DecodingError.dataCorruptedError(forKey: .crit, in: container, debugDescription: "an extension is required")
        }
        alg = try container.decode(String.self, forKey: .alg)
        kid = try container.decode(String.self, forKey: .kid)
      }
    }
  }
#endif
