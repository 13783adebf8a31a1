#if JWT
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  extension JWTAuthenticator {
    /// The claims of a token whose signature and times were checked.
    ///
    /// Its description omits the values, so that a log does not contain them.
    public struct Claims: Sendable, CustomStringConvertible, CustomReflectable {
      /// `sub`: the principal in the words of the issuer; nil if it is missing.
      public let subject: String?
      /// `exp`, in microseconds since 1970 UTC.
      public let expires: Int64
      /// `iss`.
      let issuer: String?
      /// `aud`: one name is a list of one.
      let audience: [String]
      /// `nbf`, in microseconds since 1970 UTC.
      let notBefore: Int64?
      /// `iat`, in microseconds since 1970 UTC.
      let issued: Int64?
      private let payload: Data

      /// Reads the claims.
      ///
      /// - Returns: nil if a registered claim has another type than RFC 7519 gives it, or `exp` is missing.
      init?(_ payload: [UInt8]) {
        self.payload = Data(payload)
        guard let claims = try? JSONDecoder().decode(Registered.self, from: self.payload), let end = claims.exp else { return nil }
        subject = claims.sub
        expires = end.microseconds
        issuer = claims.iss
        audience = claims.aud?.names ?? []
        notBefore = claims.nbf?.microseconds
        issued = claims.iat?.microseconds
      }

      /// Returns a claim that is text; nil if it is missing or is something else.
      ///
      /// - Complexity: O(size of the token).
      public func string(_ name: String) -> String? { decode([String: Text].self)?[name]?.value }

      /// Returns all claims as a value of your own; nil if they do not fit it.
      ///
      /// - Complexity: O(size of the token).
      public func decode<Value: Decodable>(_ type: Value.Type) -> Value? { try? JSONDecoder().decode(type, from: payload) }

      /// A text without any value.
      public var description: String { "Claims" }

      /// A mirror without any value.
      public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }

    private struct Registered: Decodable {
      let iss: String?
      let sub: String?
      let aud: Audience?
      let exp: NumericDate?
      let nbf: NumericDate?
      let iat: NumericDate?
    }

    /// RFC 7519, section 4.1.3: a list of names or, in the case of one, its name.
    private struct Audience: Decodable {
      let names: [String]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) { names = [name] } else { names = try container.decode([String].self) }
      }
    }

    /// RFC 7519, section 2: seconds since 1970 UTC, with or without a fraction.
    private struct NumericDate: Decodable {
      let microseconds: Int64

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        guard seconds.isFinite else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
        }
        // Years without a practical meaning are clamped, not refused: some issuers write one for a token without an end.
        let number = (seconds * 1e6).rounded(.down)
        microseconds = number >= 0x1p63 ? .max : number < -0x1p63 ? .min : Int64(number)
      }
    }

    /// A value that may be something else than text.
    private struct Text: Decodable {
      let value: String?

      init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(String.self) }
    }
  }
#endif
