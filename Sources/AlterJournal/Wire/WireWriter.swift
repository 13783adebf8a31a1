/// Writes the properties of a value, or the values of a case, by their stored names.
///
/// ```swift
/// func encode(to encoder: any Encoder) throws {
///   var fields = WireWriter(to: encoder)
///   try fields.write(id, "id")
///   try fields.write(due, "due")  // absent when it is nil
/// }
/// ```
public struct WireWriter {
  private var container: KeyedEncodingContainer<WireKey>

  /// Creates a writer of an object.
  ///
  /// - Parameter encoder: The encoder to write to.
  public init(to encoder: any Encoder) { self.init(container: encoder.container(keyedBy: WireKey.self)) }

  init(container: KeyedEncodingContainer<WireKey>) { self.container = container }

  /// Encodes a value under a name.
  ///
  /// - Parameters:
  ///   - value: The value to write.
  ///   - name: The stored name.
  /// - Throws: Any error of the value's own encoding.
  public mutating func write(_ value: some Encodable, _ name: String) throws { try container.encode(value, forKey: WireKey(name)) }

  /// Encodes a value under a name, unless it is nil.
  ///
  /// - Parameters:
  ///   - value: The value to write; nil to write nothing.
  ///   - name: The stored name.
  /// - Throws: Any error of the value's own encoding.
  public mutating func write<Value: Encodable>(_ value: Value?, _ name: String) throws {
    try container.encodeIfPresent(value, forKey: WireKey(name))
  }

  /// Encodes a value under a name, and nil as `null`. Use it for a property whose absence does not mean nil.
  ///
  /// - Parameters:
  ///   - value: The value to write.
  ///   - name: The stored name.
  /// - Throws: Any error of the value's own encoding.
  public mutating func write<Value: Encodable>(orNull value: Value?, _ name: String) throws {
    if let value { try container.encode(value, forKey: WireKey(name)) } else { try container.encodeNil(forKey: WireKey(name)) }
  }
}
