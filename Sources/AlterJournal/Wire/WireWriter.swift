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

  /// Writes an object.
  ///
  /// - Parameter encoder: Takes it.
  public init(to encoder: any Encoder) { self.init(container: encoder.container(keyedBy: WireKey.self)) }

  init(container: KeyedEncodingContainer<WireKey>) { self.container = container }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - value: What is written.
  ///   - name: Its name.
  /// - Throws: What the value's own encoding throws.
  public mutating func write(_ value: some Encodable, _ name: String) throws { try container.encode(value, forKey: WireKey(name)) }

  /// Writes a value if there is one.
  ///
  /// - Parameters:
  ///   - value: What is written; nothing when it is nil.
  ///   - name: Its name.
  /// - Throws: What the value's own encoding throws.
  public mutating func write<Value: Encodable>(_ value: Value?, _ name: String) throws {
    try container.encodeIfPresent(value, forKey: WireKey(name))
  }

  /// Writes a value, and `null` when there is none: for a property whose absence means something else than nil.
  ///
  /// - Parameters:
  ///   - value: What is written.
  ///   - name: Its name.
  /// - Throws: What the value's own encoding throws.
  public mutating func write<Value: Encodable>(orNull value: Value?, _ name: String) throws {
    try container.encode(value, forKey: WireKey(name))
  }
}
