#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Writes values as the bytes of JSON: the same bytes as `JournalCoding` gives for the values' `Codable`.
///
/// A writer appends to one buffer. It puts the commas; the keys of an object must be written in ascending order of their UTF-8 bytes.
///
/// `JournalCoding` creates writers. See ``StoredForm`` for an example.
public struct StoredWriter: ~Copyable {
  // Invariant: the first `count` of `capacity` bytes are initialised. The memory belongs to the writer, which can't be copied.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var count: Int
  @usableFromInline var capacity: Int
  /// The number of open objects and arrays.
  @usableFromInline var depth: Int
  /// The number of bytes that `Codable` encoded.
  var codableBytes = 0
  /// Whether only the depth is wanted: a part without a stored form is walked through instead of encoded.
  var isMeasuring = false
  /// Whether a part was written by code that may not read it again: see `StoredForm._isTotal`.
  @usableFromInline var isByHand = false
  /// The reason why the value can't be stored, by `Codable` neither; nil for none.
  private(set) var refusal: String?

  @usableFromInline
  init() {
    capacity = 256
    base = .allocate(capacity: capacity)
    count = 0
    depth = 0
  }

  deinit { base.deallocate() }

  /// Returns an array of one element as JSON; nil if the element refuses that, or if it may not be read as an equal value: see `StoredForm._isTotal`.
  @inlinable
  package static func array<Element: StoredForm>(of element: Element) -> Data? {
    var writer = StoredWriter()
    do throws(StoredFormError) {
      try writer.beginArray()
      writer.element()
      try writer.value(element)
      writer.endArray()
    } catch { return nil }
    return writer.total
  }

  /// The bytes, if only code of the macros and of the standard types has written them; otherwise nil.
  @usableFromInline var total: Data? { isByHand || codableBytes > 0 ? nil : Data(bytes) }

  /// The bytes so far, valid until the next call.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  @usableFromInline @inline(never)
  mutating func grow(for more: Int) {
    let larger = max(capacity * 2, count + more)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memory.update(from: base, count: count)
    base.deallocate()
    base = memory
    capacity = larger
  }

  @inlinable @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(for: more) }
  }

  @inlinable @inline(__always)
  mutating func put(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Appends bytes as they are.
  @inlinable @inline(__always)
  mutating func put(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    (base + count).update(from: bytes, count: length)
    count += length
  }

  @inlinable @inline(__always)
  mutating func put(_ word: StaticString) { put(word.utf8Start, word.utf8CodeUnitCount) }

  @inlinable @inline(__always)
  mutating func enter() throws(StoredFormError) {
    guard depth < StoredReader.maximumDepth else { throw tooDeep() }
    depth += 1
  }

  @usableFromInline @inline(never)
  mutating func tooDeep() -> StoredFormError { refused(StoredCoding.tooDeep) }

  /// Notes that `Codable` can't store the value, either.
  mutating func refused(_ reason: String) -> StoredFormError {
    refusal = reason
    return StoredFormError()
  }

  // MARK: - Values

  /// Writes a value of a type that has a stored form.
  ///
  /// - Parameter value: The value.
  /// - Throws: The error of the value's writing.
  @inlinable @inline(__always)
  public mutating func value<Value: StoredForm>(_ value: Value) throws(StoredFormError) {
    if !Value._isTotal { isByHand = true }
    try value.write(to: &self)
  }

  /// Writes the value of an optional, which must not be stored as nil is.
  @inlinable @inline(__always)
  mutating func present(_ value: some StoredForm) throws(StoredFormError) {
    let start = count
    try self.value(value)
    if base[start] == UInt8(ascii: "n") { throw presentNull() }
  }

  /// Writes the value of an optional by its `Codable` conformance.
  @usableFromInline
  mutating func presentByCodable(_ value: some Encodable) throws(StoredFormError) {
    let start = count
    try StoredCoding.encode(value, to: &self)
    if base[start] == UInt8(ascii: "n") { throw presentNull() }
  }

  @usableFromInline @inline(never)
  mutating func presentNull() -> StoredFormError {
    refused("an optional in it contains a value that is stored as null, such as '.some(nil)' of a type 'T??': nil would be read")
  }

  /// Writes a value of any other type, by its `Codable` conformance.
  ///
  /// - Parameter value: The value.
  /// - Throws: ``StoredFormError`` for any error of the encoding.
  /// - Complexity: That of a `JSONEncoder` for the value.
  @_disfavoredOverload
  public mutating func value(_ value: some Encodable) throws(StoredFormError) { try StoredCoding.encode(value, to: &self) }

  /// Writes `null`.
  @inlinable
  package mutating func null() { put("null") }

  /// Writes `true` or `false`.
  ///
  /// - Parameter value: The value.
  @inlinable
  public mutating func bool(_ value: Bool) { value ? put("true") : put("false") }

  // MARK: - Objects

  /// Begins an object.
  ///
  /// - Throws: ``StoredFormError`` if it would be too deep: 128 levels are stored.
  @inlinable @inline(__always)
  public mutating func beginObject() throws(StoredFormError) {
    try enter()
    put(UInt8(ascii: "{"))
  }

  /// Writes a key. Its value must follow.
  ///
  /// - Parameter name: The key, greater than all keys before. It has no characters that JSON escapes.
  @inlinable @inline(__always)
  public mutating func key(_ name: StaticString) {
    assert(depth > 0, "the key '\(name)' is written inside an object")
    let length = name.utf8CodeUnitCount
    reserve(length + 4)
    // A value doesn't end with a brace that opens.
    if base[count - 1] != UInt8(ascii: "{") {
      base[count] = UInt8(ascii: ",")
      count += 1
    }
    base[count] = UInt8(ascii: "\"")
    (base + count + 1).update(from: name.utf8Start, count: length)
    base[count + length + 1] = UInt8(ascii: "\"")
    base[count + length + 2] = UInt8(ascii: ":")
    count += length + 3
  }

  /// Writes a key and its value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The key, as in ``key(_:)``.
  /// - Throws: The error of the value's writing.
  @inlinable @inline(__always)
  public mutating func field(_ value: some StoredForm, _ name: StaticString) throws(StoredFormError) {
    key(name)
    try self.value(value)
  }

  /// Writes a key and its value, by its `Codable` conformance.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The key, as in ``key(_:)``.
  /// - Throws: ``StoredFormError`` for any error of the encoding.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public mutating func field(_ value: some Encodable, _ name: StaticString) throws(StoredFormError) {
    key(name)
    try self.value(value)
  }

  /// Writes a key and its value, unless the value is nil.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The key, as in ``key(_:)``.
  /// - Throws: The error of the value's writing.
  @inlinable @inline(__always)
  public mutating func field<Value: StoredForm>(_ value: Value?, _ name: StaticString) throws(StoredFormError) {
    guard let value else { return }
    key(name)
    try present(value)
  }

  /// Writes a key and its value by its `Codable` conformance, unless the value is nil.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The key, as in ``key(_:)``.
  /// - Throws: ``StoredFormError`` for any error of the encoding.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public mutating func field<Value: Encodable>(_ value: Value?, _ name: StaticString) throws(StoredFormError) {
    guard let value else { return }
    key(name)
    try presentByCodable(value)
  }

  /// Writes a key and its value, and `null` for nil.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The key, as in ``key(_:)``.
  /// - Throws: The error of the value's writing.
  @inlinable @inline(__always)
  public mutating func field<Value: StoredForm>(orNull value: Value?, _ name: StaticString) throws(StoredFormError) {
    key(name)
    if let value { try present(value) } else { null() }
  }

  /// Writes a key and its value by its `Codable` conformance, and `null` for nil.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The key, as in ``key(_:)``.
  /// - Throws: ``StoredFormError`` for any error of the encoding.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public mutating func field<Value: Encodable>(orNull value: Value?, _ name: StaticString) throws(StoredFormError) {
    key(name)
    if let value { try presentByCodable(value) } else { null() }
  }

  /// Ends an object.
  @inlinable @inline(__always)
  public mutating func endObject() {
    put(UInt8(ascii: "}"))
    depth -= 1
  }

  // MARK: - Cases

  /// Begins an object with one key, the name of a case. Its payload must follow, then ``endObject()``.
  ///
  /// - Parameter name: The name. It has no characters that JSON escapes.
  /// - Throws: As ``beginObject()``.
  @inlinable @inline(__always)
  public mutating func beginCase(_ name: StaticString) throws(StoredFormError) {
    try beginObject()
    key(name)
  }

  // MARK: - Arrays

  /// Begins an array.
  ///
  /// - Throws: As ``beginObject()``.
  @inlinable @inline(__always)
  package mutating func beginArray() throws(StoredFormError) {
    try enter()
    put(UInt8(ascii: "["))
  }

  /// Begins an element. Its value must follow.
  @inlinable @inline(__always)
  package mutating func element() {
    assert(depth > 0, "an element is written inside an array")
    // A value doesn't end with a bracket that opens.
    if base[count - 1] != UInt8(ascii: "[") { put(UInt8(ascii: ",")) }
  }

  /// Ends an array.
  @inlinable @inline(__always)
  package mutating func endArray() {
    put(UInt8(ascii: "]"))
    depth -= 1
  }
}
