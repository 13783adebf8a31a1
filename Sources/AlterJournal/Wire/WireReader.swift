/// Reads the properties of a value, or the values of a case, by their stored names.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///   let fields = try WireReader(of: Self.self, from: decoder)
///   id = try fields.value("id")
///   text = try fields.value("text", formerly: "title")        // an older version stored it as 'title'
///   completed = try fields.value("completed", default: false)  // an older version did not store it
/// }
/// ```
///
/// Names that are not read are ignored, so removing a property needs no migration.
public struct WireReader {
  private let type: Any.Type
  private let name: String?
  private let container: WireContainer

  /// Creates a reader for an object.
  ///
  /// If the type is ``Migrating``, and the object was stored under an older schema, the reader reads the converted object.
  ///
  /// - Parameters:
  ///   - type: The type that is read, for its migrations and for errors.
  ///   - decoder: The decoder to read from.
  /// - Throws: `DecodingError` if the value is not an object; an error that names the model if one of its migrations throws, or is for a
  ///   higher version than the state's schema.
  /// - Complexity: O(1); O(n) in the size of the object if it is converted.
  public init(of type: Any.Type, from decoder: any Decoder) throws {
    self.init(type: type, name: nil, container: try WireContainer(of: type, .value, from: decoder))
  }

  init(type: Any.Type, name: String?, container: WireContainer) {
    self.type = type
    self.name = name
    self.container = container
  }

  /// Decodes the value of a name. An absent value is nil if the type is an optional, and an error otherwise.
  ///
  /// - Parameters:
  ///   - name: The present name.
  ///   - older: Names of older versions. They are tried in order if the present name is absent.
  /// - Throws: `DecodingError.keyNotFound` if the value is absent; any error of the value's own decoding.
  public func value<Value: Decodable>(_ name: String, formerly older: String...) throws -> Value {
    guard let key = key(name, older) else {
      if let optional = Value.self as? any ExpressibleByNilLiteral.Type, let none = optional.init(nilLiteral: ()) as? Value { return none }
      let owner = wireName(of: type) + (self.name.map { ".\($0)" } ?? "")
      throw DecodingError.keyNotFound(
        WireKey(name),
        .init(
          codingPath: container.codingPath,
          debugDescription: "\(owner) needs a value '\(name)' (mark a property that older data lacks with @Default)"))
    }
    return try container.decode(Value.self, forKey: key)
  }

  /// Decodes the value of a name, or returns a default if the name is absent.
  ///
  /// - Parameters:
  ///   - name: The present name.
  ///   - older: Names of older versions. They are tried in order if the present name is absent.
  ///   - standIn: The value for data that was written before the property existed.
  /// - Throws: Any error of the value's own decoding.
  public func value<Value: Decodable>(
    _ name: String, formerly older: String..., default standIn: @autoclosure () -> Value
  ) throws -> Value {
    guard let key = key(name, older) else { return standIn() }
    return try container.decode(Value.self, forKey: key)
  }

  private func key(_ name: String, _ older: [String]) -> WireKey? {
    let key = WireKey(name)
    if container.contains(key) { return key }
    return older.lazy.map(WireKey.init(_:)).first(where: container.contains)
  }
}
