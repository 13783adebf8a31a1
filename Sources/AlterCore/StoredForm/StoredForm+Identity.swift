extension Identifier: StoredForm, _TotalStoredForm where RawValue: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "Identifier")
    form.put(RawValue.self)
  }
  /// Reads the bare raw value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self.init(try RawValue(from: &reader)) }
  /// Writes the bare raw value.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { try writer.value(rawValue) }
}

extension Identifier: StoredKey where RawValue: StoredKey {
  /// The key of the raw value.
  @inlinable public var storedKey: String { rawValue.storedKey }
  /// The id whose raw value has this key.
  @inlinable public init?(storedKey: String) {
    guard let rawValue = RawValue(storedKey: storedKey) else { return nil }
    self.init(rawValue)
  }
}

extension Origin: _TotalStoredForm {
  /// Reads the UUID's text.
  public init(from reader: inout StoredReader) throws(StoredFormError) { self.init(try reader.value()) }
  /// Writes the UUID's text, with small letters.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.uuid(uuid, letters: UInt8(ascii: "a")) }
}

extension Revision: _TotalStoredForm {
  /// Reads the bare number.
  public init(from reader: inout StoredReader) throws(StoredFormError) { self.init(try reader.integer(Int64.self)) }
  /// Writes the bare number.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.integer(number) }
}
