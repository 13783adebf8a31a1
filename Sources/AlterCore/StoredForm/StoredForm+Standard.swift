// The standard types. Each has the stored form of its `Codable` conformance.

extension String: _BareStoredForm {
  /// Reads the text.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.string() }
  /// Writes the text.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.string(self) }
}

extension Bool: _BareStoredForm {
  /// Reads `true` or `false`.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.bool() }
  /// Writes `true` or `false`.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.bool(self) }
}

extension Double: _BareStoredForm {
  /// Reads the number.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.double() }
  /// Writes the number.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.double(self) }
}

extension Float: _BareStoredForm {
  /// Reads the number.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.float() }
  /// Writes the number.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.float(self) }
}

extension _BareStoredForm where Self: FixedWidthInteger {
  /// Reads the number.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { self = try reader.integer() }
  /// Writes the number.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.integer(self) }
}

extension Int: _BareStoredForm {}
extension Int8: _BareStoredForm {}
extension Int16: _BareStoredForm {}
extension Int32: _BareStoredForm {}
extension Int64: _BareStoredForm {}
extension UInt: _BareStoredForm {}
extension UInt8: _BareStoredForm {}
extension UInt16: _BareStoredForm {}
extension UInt32: _BareStoredForm {}
extension UInt64: _BareStoredForm {}

extension Never: _TotalStoredForm {
  /// Always throws: there is no value.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) { throw StoredFormError() }
  /// Never called.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) {}
}

extension Optional: StoredForm, _TotalStoredForm where Wrapped: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "?")
    form.put(Wrapped.self)
  }
  /// Reads the value, or `null`.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) {
    self = reader.null() ? nil : try Wrapped(from: &reader)
  }
  /// Writes the value, or `null`.
  ///
  /// - Throws: `StoredFormError` for a value that is itself stored as `null`: `.some(nil)` would be read as nil.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    if let self { try writer.present(self) } else { writer.null() }
  }
}

extension Array: StoredForm, _TotalStoredForm where Element: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "[]")
    form.put(Element.self)
  }
  /// Reads the elements.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) {
    self.init()
    var array = try reader.beginArray()
    while try reader.hasElement(in: &array) { append(try Element(from: &reader)) }
  }
  /// Writes the elements.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginArray()
    for element in self {
      writer.element()
      try writer.value(element)
    }
    writer.endArray()
  }
}

extension Set: StoredForm, _TotalStoredForm where Element: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "Set")
    form.put(Element.self)
  }
  /// Reads the elements.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) {
    self.init()
    var array = try reader.beginArray()
    while try reader.hasElement(in: &array) { insert(try Element(from: &reader)) }
  }
  /// Writes the elements in the set's order.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginArray()
    for element in self {
      writer.element()
      try writer.value(element)
    }
    writer.endArray()
  }
}

/// The key of a dictionary that is stored as an object: a `String`, an `Int`, an `Identifier` of one of them.
///
/// A dictionary with any other keys goes through `Codable`. The standard library stores a dictionary with keys of other types as an array,
/// unless they are `CodingKeyRepresentable`.
public protocol StoredKey: Hashable, Codable, CodingKeyRepresentable {
  /// The key in the object: the text of the `codingKey`.
  var storedKey: String { get }

  /// Creates the key from that of an object; nil if it is not the text that ``storedKey`` gives.
  init?(storedKey: String)
}

extension String: StoredKey {
  /// The text itself.
  @inlinable public var storedKey: String { self }
  /// The text itself.
  @inlinable public init?(storedKey: String) { self = storedKey }
}

extension Int: StoredKey {
  /// The digits.
  @inlinable public var storedKey: String { String(self) }
  /// The number of these digits.
  @inlinable public init?(storedKey: String) {
    guard let number = Int(storedKey), String(number) == storedKey else { return nil }
    self = number
  }
}

extension Dictionary: StoredForm, _TotalStoredForm where Key: StoredKey, Value: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "[:]")
    form.put(any: Key.self)
    form.put(Value.self)
  }
  /// Reads an object.
  @inlinable public init(from reader: inout StoredReader) throws(StoredFormError) {
    self.init()
    var object = try reader.beginDictionary()
    while let text = try reader.nextKey(in: &object) {
      // A key that the dictionary contains may be another text that is canonically equivalent.
      guard let key = Key(storedKey: text), updateValue(try Value(from: &reader), forKey: key) == nil else { throw StoredFormError() }
    }
  }
  /// Writes an object. The keys are sorted by their UTF-8 bytes.
  @inlinable public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    var isFirst = true
    for (key, value) in map({ ($0.key.storedKey, $0.value) }).sorted(by: { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }) {
      writer.key(text: key, isFirst: isFirst)
      isFirst = false
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension StoredReader {
  @usableFromInline
  mutating func beginDictionary() throws(StoredFormError) -> StoredArray {
    try take(UInt8(ascii: "{"))
    try enter()
    return StoredArray()
  }

  /// Reads the next key of a dictionary; nil at its end.
  @usableFromInline
  mutating func nextKey(in object: inout StoredArray) throws(StoredFormError) -> String? {
    if byte == UInt8(ascii: "}") {
      position += 1
      depth -= 1
      return nil
    }
    if !object.isAtStart { try take(UInt8(ascii: ",")) }
    object.isAtStart = false
    let key = try string()
    try take(UInt8(ascii: ":"))
    return key
  }
}

extension StoredWriter {
  @usableFromInline
  mutating func key(text: String, isFirst: Bool) {
    if !isFirst { put(UInt8(ascii: ",")) }
    string(text)
    put(UInt8(ascii: ":"))
  }
}
