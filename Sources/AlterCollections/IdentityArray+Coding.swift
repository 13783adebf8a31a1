// The stored form is a plain array of the elements: no index, no trace of how they are kept in memory.

extension IdentityArray: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  ///
  /// - Parameter encoder: Takes them.
  /// - Throws: What an element's own encoding throws.
  /// - Complexity: O(n).
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension IdentityArray: Decodable where Element: Decodable {
  /// Reads the elements from an array.
  ///
  /// - Parameter decoder: Gives them.
  /// - Throws: `DecodingError.dataCorrupted`, naming the id and the place, when two elements have one id: no version of this type
  ///   writes such an array, and guessing which one was meant would lose the other. What an element's own decoding throws.
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
      add(element)
    }
  }
}

/// A key that can be any text, so that an unknown one can be named.
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
