#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Foundation's coders with the strategies of `JournalCoding`, which define the stored form; and the short cut of ``StoredForm``.
package enum StoredCoding {
  /// Encodes a value by its `Codable` conformance.
  ///
  /// - Throws: Any error of the value's `encode(to:)`; `EncodingError` if the value is too deep.
  package static func encode(_ value: some Encodable) throws -> Data { try encode(value, below: 0) }

  /// The same, for a part that has levels around it.
  private static func encode(_ value: some Encodable, below depth: Int) throws -> Data {
    try DepthProbe.check(value, below: depth)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      if let text = DateText.text(of: date) {
        try container.encode(text)
      } else {
        try container.encode(date.timeIntervalSinceReferenceDate)
      }
    }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return try encoder.encode(value)
  }

  /// Returns a decoder with the strategies of the stored form.
  package static func decoder(userInfo: [CodingUserInfoKey: any Sendable] = [:]) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo = userInfo
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        if let date = DateText.date(of: text) { return date }
        // Infinite numbers and NaN are stored as strings.
        if let seconds = try? container.decode(Double.self) { return Date(timeIntervalSinceReferenceDate: seconds) }
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "a date is written as 2026-12-01T09:30:00.25Z, not as this text")
      }
      return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
    }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }

  /// Reads a value by its ``StoredForm``.
  ///
  /// - Returns: The value; nil if its type has no stored form, or if the bytes are unusual.
  package static func read<Value>(_ type: Value.Type, from json: Data) -> Value? {
    guard let form = type as? any StoredForm.Type else { return nil }
    func value<Form: StoredForm>(_ form: Form.Type) -> Value? {
      json.withUnsafeBytes { bytes in
        var reader = StoredReader(bytes.bindMemory(to: UInt8.self))
        guard let value = try? Form(from: &reader), reader.isAtEnd else { return nil }
        // The same type under its other name. A cast would look for a value in an optional.
        return unsafeBitCast(value, to: Value.self)
      }
    }
    return value(form)
  }

  /// Whether a type's ``StoredForm`` ignores a part of the bytes, because it does not know the name. Parts that go through `Codable` are not
  /// examined.
  ///
  /// - Returns: True if a part is ignored; false if none is, if the type has no stored form, or if the bytes are unusual.
  package static func skipsKeys<Value>(_ type: Value.Type, from json: Data) -> Bool {
    guard let form = type as? any StoredForm.Type else { return false }
    func skips<Form: StoredForm>(_ form: Form.Type) -> Bool {
      json.withUnsafeBytes { bytes in
        var reader = StoredReader(bytes.bindMemory(to: UInt8.self))
        guard (try? Form(from: &reader)) != nil, reader.isAtEnd else { return false }
        return reader.skippedKey
      }
    }
    return skips(form)
  }

  /// Writes a value by its ``StoredForm``.
  ///
  /// - Returns: The bytes; nil if its type has no stored form, or if it refuses to write the value.
  package static func write<Value: Encodable>(_ value: Value) -> Data? {
    guard let form = Value.self as? any StoredForm.Type else { return nil }
    func bytes<Form: StoredForm>(_ form: Form.Type) -> Data? {
      var writer = StoredWriter()
      // The same type under its other name.
      do throws(StoredFormError) { try unsafeBitCast(value, to: Form.self).write(to: &writer) } catch { return nil }
      return Data(writer.bytes)
    }
    return bytes(form)
  }

  /// Encodes a value: the bytes of its ``StoredForm``, or those of its `Codable` conformance.
  ///
  /// - Returns: The bytes, and whether they can be read as an equal value for certain: only code of the macros and of the standard types has
  ///   written them.
  /// - Throws: Any error of the value's `encode(to:)`; `EncodingError` for a value that is too deep, or that would be read as another one.
  package static func written<Value: Encodable>(_ value: Value) throws -> (json: Data, isTotal: Bool) {
    guard let form = Value.self as? any StoredForm.Type else { return (try encode(value), false) }
    func written<Form: StoredForm>(_ form: Form.Type) throws -> (json: Data, isTotal: Bool) {
      var writer = StoredWriter()
      // The same type under its other name.
      do throws(StoredFormError) { try writer.value(unsafeBitCast(value, to: Form.self)) } catch {
        guard let reason = writer.refusal else { return (try encode(value), false) }
        throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: reason))
      }
      return if let total = writer.total { (total, true) } else { (Data(writer.bytes), false) }
    }
    return try written(form)
  }

  /// Checks that a value is not too deep to be stored, on each stack.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - levels: The number of objects and arrays around it.
  /// - Throws: `EncodingError` if it is too deep.
  /// - Complexity: That of encoding the value.
  package static func checkDepth<Value: Encodable>(of value: Value, below levels: Int) throws {
    guard let form = Value.self as? any StoredForm.Type else { return try DepthProbe.check(value, below: levels) }
    func check<Form: StoredForm>(_ form: Form.Type) throws {
      var writer = StoredWriter()
      (writer.depth, writer.isMeasuring) = (levels, true)
      // The same type under its other name. Only `Codable` tells why the short cut was left.
      do throws(StoredFormError) { try unsafeBitCast(value, to: Form.self).write(to: &writer) } catch {
        try DepthProbe.check(value, below: levels)
      }
    }
    try check(form)
  }

  static var tooDeep: String { "it is nested more than \(StoredReader.maximumDepth) levels deep" }

  /// Checks that `Codable` can decode JSON on each stack.
  ///
  /// - Throws: `DecodingError` if it has more levels than can be stored.
  package static func checkDepth(of json: Data) throws {
    guard depth(of: json) > StoredReader.maximumDepth else { return }
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: tooDeep))
  }

  // MARK: - Parts without a stored form

  /// Decodes a part of a document.
  static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoredFormError) -> Value {
    do { return try decoder().decode(type, from: Data(bytes)) } catch { throw StoredFormError() }
  }

  /// Encodes a part of a document.
  static func encode(_ value: some Encodable, to writer: inout StoredWriter) throws(StoredFormError) {
    let bytes: Data
    do {
      guard !writer.isMeasuring else {
        try DepthProbe.check(value, below: writer.depth)
        return writer.put("0")
      }
      bytes = try encode(value, below: writer.depth) as Data
    } catch { throw StoredFormError() }
    writer.codableBytes += bytes.count
    bytes.withUnsafeBytes { if let start = $0.bindMemory(to: UInt8.self).baseAddress { writer.put(start, $0.count) } }
  }

  /// Returns the number of levels of objects and arrays in JSON.
  private static func depth(of json: Data) -> Int { json.withUnsafeBytes { depth(of: $0) } }

  private static func depth(of json: UnsafeRawBufferPointer) -> Int {
    var (deepest, depth, isText, isEscaped) = (0, 0, false, false)
    for byte in json {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return deepest
  }
}

/// The number of bytes of stored JSON that go through `Codable` instead of ``StoredForm``, for the benchmarks.
@_spi(Benchmarks)
public enum CodableBytes {
  /// Returns the number of bytes that `Codable` decodes: parts of the document, or all of it.
  public static func reading<Value>(_ type: Value.Type, from json: Data) -> Int {
    func count<Form: StoredForm>(_ form: Form.Type) -> Int {
      json.withUnsafeBytes { bytes in
        var reader = StoredReader(bytes.bindMemory(to: UInt8.self))
        guard (try? Form(from: &reader)) != nil, reader.isAtEnd else { return bytes.count }
        return reader.codableBytes
      }
    }
    return (type as? any StoredForm.Type).map { count($0) } ?? json.count
  }

  /// Returns the number of bytes that `Codable` encodes: parts of the document, or all of it.
  public static func writing(_ value: some Encodable) throws -> Int {
    if let form = value as? any StoredForm {
      var writer = StoredWriter()
      do throws(StoredFormError) {
        try form.write(to: &writer)
        return writer.codableBytes
      } catch {}
    }
    return try StoredCoding.encode(value).count
  }
}
