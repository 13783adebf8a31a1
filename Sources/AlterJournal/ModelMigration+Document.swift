import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ModelMigration {
  /// The JSON of one decoder as a value, in which a model's part is found by its coding path.
  ///
  /// A decoder reveals the kind of a value only by failing at the others, and an error contains the whole coding path. Reading a deep value
  /// through it is therefore slow.
  final class Document: Sendable {
    private struct Content {
      let text: Data
      let value: JSONValue?
      /// The value as the parser returns it; nil inside if the parser can't answer for the decoder.
      var parsed: JSONValue??
      weak var decoder: AnyObject?
    }
    private let content: Lock<Content>

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - text: The JSON. It is parsed when a model needs it.
    ///   - value: The value that was written as this text, if it is known.
    init(text: Data, value: JSONValue? = nil) { content = Lock(Content(text: text, value: value)) }

    /// Notes the decoder of the document.
    func isRead(by decoder: any Decoder) {
      guard type(of: decoder) is AnyClass else { return }
      content.withLock { $0.decoder = decoder as AnyObject }
    }

    /// Returns the JSON that a decoder reads; nil if that is not certain, and it must be read through the decoder.
    ///
    /// Foundation reads a document with one decoder object, which names the present place in its `codingPath`. Any other object may read
    /// something else: a text inside the document, with the same `userInfo`; a value in another form; the value of a super decoder.
    ///
    /// - Complexity: O(length of the path); the first call also parses the document.
    func value(at decoder: any Decoder) -> JSONValue? {
      guard type(of: decoder) is AnyClass else { return nil }
      let root = content.withLock { content -> JSONValue? in
        guard let own = content.decoder, own === decoder as AnyObject else { return nil }
        if let parsed = content.parsed { return parsed }
        let parsed = content.value.flatMap { $0.isAsParsed ? $0 : nil } ?? Self.parse(content.text)
        content.parsed = .some(parsed)
        return parsed
      }
      guard var value = root else { return nil }
      for key in decoder.codingPath {
        switch value {
        case .object:
          guard let member = value[key.stringValue] else { return nil }
          value = member
        case .array:
          guard let index = key.intValue, let element = value[index] else { return nil }
          value = element
        default: return nil
        }
      }
      return value
    }

    /// Parses a text; nil if the decoder may read it differently. Of several members with one name, it uses the first, the parser the last.
    private static func parse(_ text: Data) -> JSONValue? {
      var parser = JSONParser(bytes: [UInt8](text))
      guard let value = try? parser.parse(), !parser.repeatsName else { return nil }
      return value
    }
  }
}

extension JSONValue {
  /// Whether parsing its text certainly gives this value: not for numbers that may be written like those of another case.
  fileprivate var isAsParsed: Bool {
    // A stack instead of recursion, as in parsing.
    var stack = [self]
    while let value = stack.popLast() {
      switch value {
      case .null, .bool, .integer, .string: break
      case .number(let number): if !number.isFinite || number == number.rounded() { return false }
      case .decimal: return false
      case .array(let values): stack += values
      case .object(let members): stack += members.values
      }
    }
    return true
  }
}
