/// The compact stored form of an enum case: an object with one key, the name of the case. Its value is the payload.
///
/// | case | JSON |
/// |---|---|
/// | `.completed(true)` | `{"completed":true}` |
/// | `.due(nil)` | `{"due":null}` |
/// | `.edited` | `{"edited":true}` |
/// | `.move(id, to: 0)` | `{"move":{"id":"…","to":0}}` |
///
/// `@Wire` and `@Alterable` generate the code below. Code that is written by hand has the same stored form:
///
/// ```swift
/// extension Lamp.Change: Codable {
///   init(from decoder: any Decoder) throws {
///     let wire = try WireCase(of: Self.self, changing: Lamp.self, from: decoder)
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
  private let container: WireContainer

  /// Reads the case of a stored value.
  ///
  /// If the enum itself is ``Migrating``, and the value was stored under an older schema, the case is read from the converted value.
  ///
  /// - Parameters:
  ///   - type: The enum, for its migrations and for errors.
  ///   - decoder: The decoder to read from.
  /// - Throws: `DecodingError.dataCorrupted` if the object does not have exactly one key; `typeMismatch` if the value is not an object; an
  ///   error that names the enum if one of its migrations throws, or is for a higher version than the state's schema.
  public init(of type: Any.Type, from decoder: any Decoder) throws {
    try self.init(type: type, container: WireContainer(of: type, .value, from: decoder))
  }

  /// Reads the case of a stored change of a model.
  ///
  /// If the model is ``Migrating``, and the change was stored under an older schema, the case is read from the converted change. If only the
  /// enum is, this is ``init(of:from:)``.
  ///
  /// ```swift
  /// let wire = try WireCase(of: Self.self, changing: Person.self, from: decoder)  // in Person.Change.init(from:)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The enum of changes, for errors.
  ///   - model: The model, whose migrations convert its older changes.
  ///   - decoder: The decoder to read from.
  /// - Throws: As ``init(of:from:)``.
  /// - Complexity: O(1); O(n) in the size of the change if it is converted.
  public init(of type: Any.Type, changing model: Any.Type, from decoder: any Decoder) throws {
    let isOwn = !decoder.userInfo.isEmpty && !(model is any Migrating.Type)
    try self.init(type: type, container: isOwn ? .init(of: type, .value, from: decoder) : .init(of: model, .change, from: decoder))
  }

  private init(type: Any.Type, container: WireContainer) throws {
    let keys = container.allKeys
    guard let key = keys.first, keys.count == 1 else {
      let names = keys.map { "'\($0.stringValue)'" }.sorted().joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: """
            \(wireName(of: type)) is an object with one key, the name of the case, not \
            \(names.isEmpty ? "an empty one" : "one with \(names)")
            """))
    }
    self.type = type
    self.container = container
    name = key.stringValue
  }

  /// Decodes the payload of a case with one value.
  ///
  /// - Parameter type: The type of the payload.
  /// - Throws: Any error of the payload's own decoding.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try container.decode(type, forKey: WireKey(name))
  }

  /// Returns a reader for the payload of a case with several values.
  ///
  /// - Throws: `DecodingError` if the payload is not an object.
  public func fields() throws -> WireReader {
    WireReader(type: type, name: name, container: try container.nested(forKey: WireKey(name)))
  }

  /// Decodes a path change: an element's id, and the change to make to that element.
  ///
  /// ```swift
  /// case "item": self = try wire.path(Self.item)
  /// ```
  ///
  /// - Parameter make: Creates the case from the id and the change.
  /// - Throws: `DecodingError` if the payload is not an object with `id` and `change`.
  public func path<ID: Decodable, Change: Decodable, Value>(_ make: (ID, Change) -> Value) throws -> Value {
    let fields = try fields()
    return make(try fields.value("id"), try fields.value("change"))
  }

  /// Checks that a case without associated values was stored without a payload.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the payload is anything but `true`. A newer version may have added associated values;
  ///   ignoring them would make a different change.
  public func nothing() throws {
    guard (try? container.decode(Bool.self, forKey: WireKey(name))) == true else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath + [WireKey(name)],
          debugDescription: "\(wireName(of: type)) knows no payload of the case '\(name)' (written by a newer version?)"))
    }
  }

  /// The error for a case that the enum does not have. It names the type, the case and the coding path.
  public var unknown: DecodingError {
    .dataCorrupted(
      .init(
        codingPath: container.codingPath,
        debugDescription: "\(wireName(of: type)) has no case '\(name)' (of a newer version, or removed without a migration?)"))
  }

  /// Encodes a case with one value.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - value: The payload. Nil is written as `null`.
  ///   - encoder: The encoder to write to.
  /// - Throws: Any error of the value's own encoding.
  public static func encode(_ name: String, _ value: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    try container.encode(value, forKey: WireKey(name))
  }

  /// Encodes a case without a payload, as `{"name":true}`.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - encoder: The encoder to write to.
  /// - Throws: Any error of the encoder.
  public static func encode(_ name: String, to encoder: any Encoder) throws { try encode(name, true, to: encoder) }

  /// Encodes a path change, as `{"item":{"change":{"completed":true},"id":"…"}}`.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - id: The id of the element that changes.
  ///   - change: The change to that element.
  ///   - encoder: The encoder to write to.
  /// - Throws: Any error of the id's or the change's own encoding.
  public static func encode(_ name: String, id: some Encodable, change: some Encodable, to encoder: any Encoder) throws {
    try encode(name, to: encoder) { fields in
      try fields.write(id, "id")
      try fields.write(change, "change")
    }
  }

  /// Encodes a case with several values.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - encoder: The encoder to write to.
  ///   - body: Writes the values.
  /// - Throws: Any error that `body` throws.
  public static func encode(_ name: String, to encoder: any Encoder, fields body: (inout WireWriter) throws -> Void) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    var fields = WireWriter(container: container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey(name)))
    try body(&fields)
  }
}
