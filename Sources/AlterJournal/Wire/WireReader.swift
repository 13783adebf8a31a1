/// Reads the properties of a value, or the values of a case, by their stored names.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///   let fields = try WireReader(of: Self.self, from: decoder)
///   id = try fields.value("id")
///   text = try fields.value("text", formerly: "title")        // an older version said "title"
///   completed = try fields.value("completed", default: false)  // an older version said nothing
/// }
/// ```
///
/// Names that it isn't asked for are ignored: a property that was removed leaves nothing to clean up.
public struct WireReader {
  private let type: Any.Type
  private let name: String?
  private let container: KeyedDecodingContainer<WireKey>

  /// Reads an object.
  ///
  /// - Parameters:
  ///   - type: The type that is read, for the errors.
  ///   - decoder: Where to read.
  /// - Throws: `DecodingError` when there is no object.
  public init(of type: Any.Type, from decoder: any Decoder) throws {
    self.init(type: type, name: nil, container: try decoder.container(keyedBy: WireKey.self))
  }

  init(type: Any.Type, name: String?, container: KeyedDecodingContainer<WireKey>) {
    self.type = type
    self.name = name
    self.container = container
  }

  /// A value by name. One that is absent is nil where the type is an optional, and an error elsewhere.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - older: Names that it had in older versions, looked for when it isn't there by its present one.
  /// - Throws: `DecodingError.keyNotFound` when there is no such value; what the value's own decoding throws.
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

  /// A value by name, or another one where it is absent.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - older: Names that it had in older versions.
  ///   - standIn: The value of data that was written before there was this name.
  /// - Throws: What the value's own decoding throws.
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
