// The stored form is a plain array of the elements: no index, no trace of how they are kept in memory.

extension IdentityArray: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error of an element's own encoding.
  /// - Complexity: O(n).
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension IdentityArray: Decodable where Element: Decodable {
  /// Decodes the elements from an array.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError.dataCorrupted`, naming the id and the position, if two elements have the same id: no version of this type
  ///   writes such an array, and choosing one element would lose the other. Any error of an element's own decoding.
  /// - Complexity: O(n log n) expected.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let place = container.codingPath + [WireKey(container.currentIndex)]
      let element = try container.decode(Element.self)
      if let first = index(of: element.id) {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: place,
            debugDescription: """
              a second \(Element.self) with the id \(element.id) (the first is at [\(first)]): an identity array holds one per id. \
              Remove one of the two
              """))
      }
      put(element)
    }
  }
}

/// A key with any text, so that an error can name an unknown key.
struct WireKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ place: Int) {
    stringValue = String(place)
    intValue = place
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}
