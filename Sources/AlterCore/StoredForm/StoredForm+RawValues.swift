// `RawRepresentable` types. The standard library stores one as its bare raw value if this is one of the types below. For any other raw value,
// such as a `UUID`, and for one that is generic, the compiler generates an object with the key `rawValue`. `_BareStoredForm` lists the types, and
// no code of a user names it: the raw value of a generic type does not conform to it.

extension StoredReader {
  /// Reads the raw value.
  @inlinable @inline(__always)
  mutating func represented<Value: RawRepresentable>(_ type: Value.Type) throws(StoredFormError) -> Value where Value.RawValue: StoredForm {
    guard let value = Value(rawValue: try Value.RawValue(from: &self)) else { throw StoredFormError() }
    return value
  }
}

extension StoredWriter {
  /// Writes the raw value, unless the type would not read it: the initialiser of a struct may reject the raw value of another initialiser.
  @inlinable @inline(__always)
  mutating func represent<Value: RawRepresentable>(
    _ value: Value
  ) throws(StoredFormError) where Value.RawValue: StoredForm & Equatable {
    let raw = value.rawValue
    // NaN is not equal to itself.
    guard let read = Value(rawValue: raw)?.rawValue, read == raw || raw != raw else { throw StoredFormError() }
    try raw.write(to: &self)
  }
}

extension StoredForm where Self: RawRepresentable, RawValue: _BareStoredForm {
  /// Each value can be read again.
  @inlinable public static var _isTotal: Bool { true }
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try writer.represent(self) }
}
