// `RawRepresentable` types. The standard library stores one as its bare raw value if this is one of the types below. For any other raw value,
// such as a `UUID`, and for one that is generic, the compiler generates an object with the key `rawValue`: no protocol of the raw values can
// make this distinction.

extension StoredReader {
  /// Reads the raw value.
  @inlinable @inline(__always)
  mutating func represented<Value: RawRepresentable>(_ type: Value.Type) throws(StoredFormError) -> Value where Value.RawValue: StoredForm {
    guard let value = Value(rawValue: try Value.RawValue(from: &self)) else { throw StoredFormError() }
    return value
  }
}

extension StoredForm where Self: RawRepresentable, RawValue == String {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Bool {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Double {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Float {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Int {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Int8 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Int16 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Int32 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == Int64 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == UInt {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == UInt8 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == UInt16 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == UInt32 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}

extension StoredForm where Self: RawRepresentable, RawValue == UInt64 {
  /// Reads the raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.represented(Self.self) }
  /// Writes the raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try rawValue.write(to: &writer) }
}
