/// The compact stored form of one case of an enum: an object with one key, the name of the case, whose value is the payload.
///
/// | case | JSON |
/// |---|---|
/// | `.completed(true)` | `{"completed":true}` |
/// | `.due(nil)` | `{"due":null}` |
/// | `.edited` | `{"edited":true}` |
/// | `.move(id, to: 0)` | `{"move":{"id":"…","to":0}}` |
///
/// `@Wire` and `@Alterable` write the code that uses it. Without macros it is a few lines by hand, and the stored form is the same:
///
/// ```swift
/// extension Lamp.Change: Codable {
///   init(from decoder: any Decoder) throws {
///     let wire = try WireCase(of: Self.self, from: decoder)
///     switch wire.name {
///     case "level": self = .level(try wire.value())
///     case "toggle":
///       try wire.nothing()
///       self = .toggle
///     default: throw wire.unknown
///     }
///   }
///   func encode(to encoder: any Encoder) throws {
///     switch self {
///     case .level(let level): try WireCase.encode("level", level, to: encoder)
///     case .toggle: try WireCase.encode("toggle", to: encoder)
///     }
///   }
/// }
/// ```
public struct WireCase {
  /// The name of the case.
  public let name: String

  private let type: Any.Type
  private let container: KeyedDecodingContainer<WireKey>

  /// Reads which case a stored value is.
  ///
  /// - Parameters:
  ///   - type: The enum, for the errors.
  ///   - decoder: Where to read.
  /// - Throws: `DecodingError.dataCorrupted` when there isn't exactly one key, `typeMismatch` when it is no object.
  public init(of type: Any.Type, from decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: WireKey.self)
    let keys = container.allKeys
    guard let key = keys.first, keys.count == 1 else {
      let names = keys.map { "'\($0.stringValue)'" }.sorted().joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: """
            \(wireName(of: type)) is an object with one key, the name of the case, not \
            \(names.isEmpty ? "an empty one" : "one with \(names)")
            """))
    }
    self.type = type
    name = key.stringValue
  }

  /// The payload of a case with one value.
  ///
  /// - Parameter type: The payload's type.
  /// - Throws: What the payload's own decoding throws.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try container.decode(type, forKey: WireKey(name))
  }

  /// The payload of a case with several values.
  ///
  /// - Throws: `DecodingError` when it is no object.
  public func fields() throws -> WireReader {
    WireReader(
      type: type, name: name, container: try container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey(name)))
  }

  /// A path change: whom it is about, and what happens there.
  ///
  /// ```swift
  /// case "item": self = try wire.path(Self.item)
  /// ```
  ///
  /// - Parameter make: The case.
  /// - Throws: `DecodingError` when the payload is no object of `id` and `change`.
  public func path<ID: Decodable, Change: Decodable, Value>(_ make: (ID, Change) -> Value) throws -> Value {
    let fields = try fields()
    return make(try fields.value("id"), try fields.value("change"))
  }

  /// Checks that a case without payload has none.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when there is more than `true`: a newer version has given the case a payload, and to
  ///   leave it out would be another change than the one that was made.
  public func nothing() throws {
    guard (try? container.decode(Bool.self, forKey: WireKey(name))) == true else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath + [WireKey(name)],
          debugDescription: "\(wireName(of: type)) knows no payload of the case '\(name)' (written by a newer version?)"))
    }
  }

  /// The error for a case that the enum doesn't have: it names the type, the case and the place.
  public var unknown: DecodingError {
    .dataCorrupted(
      .init(
        codingPath: container.codingPath,
        debugDescription: "\(wireName(of: type)) has no case '\(name)' (written by a newer version?)"))
  }

  /// Writes a case with one value.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - value: Its payload; nil is written as `null`.
  ///   - encoder: Takes it.
  /// - Throws: What the value's own encoding throws.
  public static func encode(_ name: String, _ value: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    try container.encode(value, forKey: WireKey(name))
  }

  /// Writes a case without payload.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - encoder: Takes it.
  /// - Throws: What the encoder throws.
  public static func encode(_ name: String, to encoder: any Encoder) throws { try encode(name, true, to: encoder) }

  /// Writes a path change: `{"item":{"change":{"completed":true},"id":"…"}}`.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - id: Whom it is about.
  ///   - change: What happens there.
  ///   - encoder: Takes it.
  /// - Throws: What the id's or the change's own encoding throws.
  public static func encode(_ name: String, id: some Encodable, change: some Encodable, to encoder: any Encoder) throws {
    try encode(name, to: encoder) { fields in
      try fields.write(id, "id")
      try fields.write(change, "change")
    }
  }

  /// Writes a case with several values.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - encoder: Takes it.
  ///   - body: Writes the values.
  /// - Throws: What the closure throws.
  public static func encode(_ name: String, to encoder: any Encoder, fields body: (inout WireWriter) throws -> Void) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    var fields = WireWriter(container: container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey(name)))
    try body(&fields)
  }
}
