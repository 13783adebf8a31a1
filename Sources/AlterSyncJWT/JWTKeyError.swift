#if JWT
  import AlterTerminal

  /// The reason why a key cannot be used. It never contains a key or a part of one.
  public struct JWTKeyError: Error, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Code: String, Sendable {
      /// The text is no key of this kind, or the document is none of keys.
      case malformed
      /// The key has no id, or an empty one.
      case missingID
      /// A key of a document does not name its algorithm.
      case missingAlgorithm
      /// The key cannot belong to the algorithm.
      case mismatch
      /// The key is too short for the algorithm.
      case weak
      /// A document contains a private key, or a secret although secrets are not allowed.
      case secret
      /// There is another key with the same id.
      case duplicate
    }

    /// The kind of the reason.
    public let code: Code
    /// The id of the key; nil if it has none.
    public let kid: String?
    /// The message.
    public let description: String

    /// - Parameters:
    ///   - code: The kind.
    ///   - kid: The id of the key, if it has one.
    ///   - reason: The end of a sentence that begins with the name of the key.
    init(_ code: Code, _ kid: String?, _ reason: String) {
      self.code = code
      self.kid = kid
      description = "The key\(kid.map { " '\($0.printable)'" } ?? "") \(reason)"
    }

    static func duplicate(_ kid: String) -> Self {
      Self(
        .duplicate, kid, "exists already: a 'kid' names exactly one key. Give the new key an id of its own, or remove the other one first.")
    }
  }
#endif
