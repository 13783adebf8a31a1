public import AlterCore

// One key that names the case; its value is the payload. Written by hand, because what the compiler writes says `_0` in every
// journal, and reports an unknown case as "Invalid number of keys".

extension IdentityArray.Change: Encodable where Element: Encodable, Element.ID: Encodable, Element.Change: Encodable {
  /// Encodes the change as an object with one key, the name of the case.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error of the element's or the id's own encoding.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    switch self {
    case .put(let element): try container.encode(element, forKey: WireKey("put"))
    case .add(let element, let position):
      var payload = container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey("add"))
      try payload.encode(element, forKey: WireKey("element"))
      try payload.encodeIfPresent(position, forKey: WireKey("at"))
    case .update(let element): try container.encode(element, forKey: WireKey("update"))
    case .remove(let id): try container.encode(id, forKey: WireKey("remove"))
    case .move(let id, let position):
      var payload = container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey("move"))
      try payload.encode(id, forKey: WireKey("id"))
      try payload.encode(position, forKey: WireKey("to"))
    case .replace(let elements): try container.encode(elements, forKey: WireKey("replace"))
    case .element(let id, let change):
      var payload = container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey("element"))
      try payload.encode(id, forKey: WireKey("id"))
      try payload.encode(change, forKey: WireKey("change"))
    }
  }
}

extension IdentityArray.Change: Decodable where Element: Decodable, Element.ID: Decodable, Element.Change: Decodable {
  /// Decodes a change from an object with one key, the name of the case.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError.dataCorrupted`, naming the type and the case, if the case is unknown (possibly written by a newer version) or
  ///   if there is not exactly one key. Any error of the element's or the id's own decoding.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: WireKey.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      let names = container.allKeys.map { "'\($0.stringValue)'" }.sorted().joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath,
          debugDescription: """
            a change of IdentityArray<\(Element.self)> is an object with one key that names the case, not \
            \(names.isEmpty ? "an empty one" : "one with \(names)")
            """))
    }
    switch key.stringValue {
    case "put": self = .put(try container.decode(Element.self, forKey: key))
    case "add":
      let payload = try container.nestedContainer(keyedBy: WireKey.self, forKey: key)
      self = .add(
        try payload.decode(Element.self, forKey: WireKey("element")), at: try payload.decodeIfPresent(Int.self, forKey: WireKey("at")))
    case "update": self = .update(try container.decode(Element.self, forKey: key))
    case "remove": self = .remove(try container.decode(Element.ID.self, forKey: key))
    case "move":
      let payload = try container.nestedContainer(keyedBy: WireKey.self, forKey: key)
      self = .move(try payload.decode(Element.ID.self, forKey: WireKey("id")), to: try payload.decode(Int.self, forKey: WireKey("to")))
    case "replace": self = .replace(try container.decode(IdentityArray.self, forKey: key))
    case "element":
      let payload = try container.nestedContainer(keyedBy: WireKey.self, forKey: key)
      self = .element(
        try payload.decode(Element.ID.self, forKey: WireKey("id")), try payload.decode(Element.Change.self, forKey: WireKey("change")))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription: "IdentityArray<\(Element.self)> has no change '\(key.stringValue)'. Was it written by a newer version?")
    }
  }
}
