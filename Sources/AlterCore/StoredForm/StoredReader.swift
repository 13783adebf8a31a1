/// Reads values from the bytes of JSON, in the form that ``StoredWriter`` writes.
///
/// A reader reads straight from the bytes to the values, without containers, dictionaries of keys, or texts that are not part of a value. It
/// throws ``StoredFormError`` at everything that is unusual in stored JSON, even if it is legal: spaces, keys that are not in ascending
/// order, escapes of characters that needn't be escaped, numbers with a fraction for an integer, more than 128 levels.
///
/// `JournalCoding` creates readers. See ``StoredForm`` for an example.
public struct StoredReader: ~Copyable {
  // Invariant: `position` lies between the first byte and `end`, and every access to memory checks it against `end`. The memory belongs to
  // the caller of `StoredCoding.read`. A reader can't be copied, so none outlives that call.
  @usableFromInline var position: UnsafePointer<UInt8>
  @usableFromInline let end: UnsafePointer<UInt8>
  /// The number of open objects and arrays.
  @usableFromInline var depth = 0
  /// The number of bytes that `Codable` decoded.
  var codableBytes = 0
  /// Whether an unknown key of an object was skipped.
  var skippedKey = false

  /// The number of levels of objects and arrays in a stored value, read and written by any way. Foundation's coders need up to 2.3 KiB for a
  /// level in a debug build, and threads of Apple's systems have stacks of 512 KiB.
  @usableFromInline static var maximumDepth: Int { 128 }

  @usableFromInline
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no memory.
    position = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
    end = position + bytes.count
  }

  /// Whether all bytes are read.
  var isAtEnd: Bool { position == end }

  /// The byte at the position; 0, which begins no token of JSON, at the end.
  @inlinable var byte: UInt8 {
    @inline(__always) get { position < end ? position.pointee : 0 }
  }

  /// Skips one byte, which must be this one.
  @inlinable @inline(__always)
  mutating func take(_ byte: UInt8) throws(StoredFormError) {
    guard self.byte == byte, byte != 0 else { throw StoredFormError() }
    position += 1
  }

  /// Skips these bytes if they are next.
  @inlinable @inline(__always)
  mutating func takes(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - position >= count, StoredReader.equal(position, word.utf8Start, count) else { return false }
    position += count
    return true
  }

  @inlinable @inline(__always)
  static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var offset = 0
    while count - offset >= 8 {
      let one = UnsafeRawPointer(left + offset).loadUnaligned(as: UInt64.self)
      guard one == UnsafeRawPointer(right + offset).loadUnaligned(as: UInt64.self) else { return false }
      offset += 8
    }
    while offset < count {
      guard left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }

  @inlinable @inline(__always)
  mutating func enter() throws(StoredFormError) {
    guard depth < StoredReader.maximumDepth else { throw StoredFormError() }
    depth += 1
  }

  // MARK: - Values

  /// Reads a value of a type that has a stored form.
  ///
  /// - Parameter type: The type.
  /// - Throws: The error of the value's reading.
  @inlinable @inline(__always)
  public mutating func value<Value: StoredForm>(_ type: Value.Type = Value.self) throws(StoredFormError) -> Value {
    try Value(from: &self)
  }

  /// Reads a value of any other type, by its `Codable` conformance.
  ///
  /// - Parameter type: The type.
  /// - Throws: ``StoredFormError`` for any error of the decoding.
  /// - Complexity: That of a `JSONDecoder` for the bytes of the value.
  @_disfavoredOverload
  public mutating func value<Value: Decodable>(_ type: Value.Type = Value.self) throws(StoredFormError) -> Value {
    let start = position
    try skipValue()
    codableBytes += position - start
    return try StoredCoding.decode(type, UnsafeBufferPointer(start: start, count: position - start))
  }

  /// Reads `null`, if it is next.
  ///
  /// - Returns: True if `null` was next; the reader is then behind it.
  @inlinable @inline(__always)
  package mutating func null() -> Bool { byte == UInt8(ascii: "n") && takes("null") }

  // MARK: - Objects

  /// Begins to read an object.
  ///
  /// - Returns: The state of the reading, for the keys.
  /// - Throws: ``StoredFormError`` if the next value is no object, or too deep.
  @inlinable @inline(__always)
  public mutating func beginObject() throws(StoredFormError) -> StoredObject {
    try take(UInt8(ascii: "{"))
    try enter()
    return StoredObject()
  }

  /// Reads a key, if it is the next one. Unknown keys that are less are skipped.
  ///
  /// - Parameters:
  ///   - name: The key, which must be greater than all keys before. It has no characters that JSON escapes, nor one that is canonically
  ///     equivalent to an ASCII character, as the sign of the unit Kelvin is.
  ///   - object: The object.
  /// - Returns: Whether the object has the key; its value is then next.
  /// - Throws: ``StoredFormError`` if the object's keys are not in ascending order, or an unknown key has other characters than ASCII.
  @inlinable @inline(__always)
  public mutating func key(_ name: StaticString, in object: inout StoredObject) throws(StoredFormError) -> Bool {
    assert(object.follows(name), "the keys of an object are read in ascending order, without '\(name)' at this place")
    let count = name.utf8CodeUnitCount
    let comma = object.last == nil ? 0 : 1
    // A comma if it is not the first, a quote, the name, a quote, a colon.
    if end - position >= comma + count + 3, comma == 0 || position.pointee == UInt8(ascii: ",") {
      let key = position + comma
      if key.pointee == UInt8(ascii: "\""), StoredReader.equal(key + 1, name.utf8Start, count), key[count + 1] == UInt8(ascii: "\""),
        key[count + 2] == UInt8(ascii: ":")
      {
        object.last = key + 1
        position = key + count + 3
        return true
      }
    }
    return try search(name.utf8Start, count, &object)
  }

  /// Reads the value of a key.
  ///
  /// - Parameters:
  ///   - name: The key, as in ``key(_:in:)``.
  ///   - object: The object.
  /// - Throws: ``StoredFormError`` if the key is absent; the error of the value's reading.
  @inlinable @inline(__always)
  public mutating func required<Value: StoredForm>(
    _ name: StaticString, in object: inout StoredObject
  ) throws(StoredFormError) -> Value {
    guard try key(name, in: &object) else { throw StoredFormError() }
    return try Value(from: &self)
  }

  /// Reads the value of a key, by its `Codable` conformance.
  ///
  /// - Parameters:
  ///   - name: The key, as in ``key(_:in:)``.
  ///   - object: The object.
  /// - Throws: ``StoredFormError`` if the key is absent, or for any error of the decoding.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public mutating func required<Value: Decodable>(
    _ name: StaticString, in object: inout StoredObject
  ) throws(StoredFormError) -> Value {
    guard try key(name, in: &object) else { throw StoredFormError() }
    return try value()
  }

  /// Reads the value of a key that may be absent or `null`, which are nil.
  ///
  /// - Parameters:
  ///   - name: The key, as in ``key(_:in:)``.
  ///   - object: The object.
  /// - Throws: The error of the value's reading.
  @inlinable @inline(__always)
  public mutating func optional<Value: StoredForm>(
    _ name: StaticString, in object: inout StoredObject
  ) throws(StoredFormError) -> Value? {
    guard try key(name, in: &object), !null() else { return nil }
    return try Value(from: &self)
  }

  /// Reads the value of a key that may be absent or `null`, by its `Codable` conformance.
  ///
  /// - Parameters:
  ///   - name: The key, as in ``key(_:in:)``.
  ///   - object: The object.
  /// - Throws: ``StoredFormError`` for any error of the decoding.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public mutating func optional<Value: Decodable>(
    _ name: StaticString, in object: inout StoredObject
  ) throws(StoredFormError) -> Value? {
    guard try key(name, in: &object), !null() else { return nil }
    return try value()
  }

  /// Ends the object. Unknown keys are skipped.
  ///
  /// - Parameter object: The object.
  /// - Throws: ``StoredFormError`` as ``key(_:in:)``.
  @inlinable @inline(__always)
  public mutating func endObject(_ object: inout StoredObject) throws(StoredFormError) {
    if byte != UInt8(ascii: "}") { try skipRest(&object) }
    position += 1
    depth -= 1
  }

  // MARK: - Cases

  /// Begins to read an object with one key, the name of a case.
  ///
  /// - Throws: ``StoredFormError`` if the next value is no object, or too deep.
  @inlinable @inline(__always)
  public mutating func beginCase() throws(StoredFormError) {
    try take(UInt8(ascii: "{"))
    try enter()
  }

  /// Reads the name of the case, if it is this one.
  ///
  /// - Parameter name: The name. It has no characters that JSON escapes.
  /// - Returns: True if the case has this name; its payload is then next.
  @inlinable @inline(__always)
  public mutating func isCase(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard end - position >= count + 3, position.pointee == UInt8(ascii: "\""), position[count + 1] == UInt8(ascii: "\""),
      StoredReader.equal(position + 1, name.utf8Start, count), position[count + 2] == UInt8(ascii: ":")
    else { return false }
    position += count + 3
    return true
  }

  /// Reads the `true` of a case without a payload.
  ///
  /// - Throws: ``StoredFormError`` if there is anything else.
  @inlinable @inline(__always)
  public mutating func nothing() throws(StoredFormError) {
    guard takes("true") else { throw StoredFormError() }
  }

  /// Creates a value from parts that are read in another order than the value takes them. The compiler infers the types of the parts.
  ///
  /// ```swift
  /// // Stored as {"change":…,"id":…}.
  /// self = try StoredReader.value(of: reader.required("change", in: &object), reader.required("id", in: &object)) { .item($1, $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - part: The parts, in the order of the bytes.
  ///   - make: Creates the value.
  /// - Returns: The value.
  @inlinable @inline(__always)
  public static func value<each Part, Value>(of part: repeat each Part, make: (repeat each Part) -> Value) -> Value {
    make(repeat each part)
  }

  /// Ends the object of a case.
  ///
  /// - Throws: ``StoredFormError`` if it has another key.
  @inlinable @inline(__always)
  public mutating func endCase() throws(StoredFormError) {
    try take(UInt8(ascii: "}"))
    depth -= 1
  }

  // MARK: - Arrays

  /// Begins to read an array.
  ///
  /// - Returns: The state of the reading, for the elements.
  /// - Throws: ``StoredFormError`` if the next value is no array, or too deep.
  @inlinable @inline(__always)
  package mutating func beginArray() throws(StoredFormError) -> StoredArray {
    try take(UInt8(ascii: "["))
    try enter()
    return StoredArray()
  }

  /// Moves to the next element, or ends the array.
  ///
  /// - Parameter array: The array.
  /// - Returns: Whether there is another element.
  /// - Throws: ``StoredFormError`` if neither a comma nor the end is next.
  @inlinable @inline(__always)
  package mutating func hasElement(in array: inout StoredArray) throws(StoredFormError) -> Bool {
    if byte == UInt8(ascii: "]") {
      position += 1
      depth -= 1
      return false
    }
    if array.isAtStart {
      array.isAtStart = false
    } else {
      try take(UInt8(ascii: ","))
    }
    return true
  }
}

/// The state of a ``StoredReader`` in an object.
public struct StoredObject {
  /// The first byte of the key before; nil at the first one.
  @usableFromInline var last: UnsafePointer<UInt8>?
  #if DEBUG
    private var previous: StaticString?
  #endif

  @inlinable init() { last = nil }

  /// Returns whether a key is greater than the one before. In debug builds only; the others don't remember it.
  @usableFromInline mutating func follows(_ name: StaticString) -> Bool {
    #if DEBUG
      defer { previous = name }
      guard let previous else { return true }
      return StoredReader.isLess(
        UnsafeBufferPointer(start: previous.utf8Start, count: previous.utf8CodeUnitCount),
        UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    #else
      return true
    #endif
  }
}

/// The state of a ``StoredReader`` in an array.
@usableFromInline
package struct StoredArray {
  @usableFromInline var isAtStart: Bool

  @inlinable init() { isAtStart = true }
}
