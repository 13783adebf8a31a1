import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Compares the short cut of the stored form with Foundation's coders, in both directions.
package struct StoredFormCheck {
  /// A difference, with the type and the bytes.
  package struct Difference: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// How many documents the short cut has read and written, and how many it has left to Foundation.
  package private(set) var read = 0
  package private(set) var leftToFoundation = 0

  package init() {}

  /// Writes a value in both ways, and reads the bytes in both ways.
  ///
  /// - Returns: The bytes.
  @discardableResult
  package mutating func callAsFunction<Value: StoredForm>(_ value: Value) throws -> Data {
    let expected = try StoredCoding.encode(value)
    if let written = StoredCoding.write(value), written != expected {
      throw Difference(description: "\(Value.self) is written as \(text(written)), and by Foundation as \(text(expected))")
    }
    try self(Value.self, reading: expected)
    return expected
  }

  /// Reads bytes in both ways: the short cut gives the same value, or leaves them to Foundation.
  package mutating func callAsFunction<Value: StoredForm>(_ type: Value.Type, reading bytes: Data) throws {
    guard let value = StoredCoding.read(Value.self, from: bytes) else {
      leftToFoundation += 1
      return
    }
    read += 1
    let expected: Value
    do { expected = try StoredCoding.decoder().decode(Value.self, from: bytes) } catch {
      throw Difference(description: "\(Value.self) is read from \(text(bytes)), and Foundation throws \(error)")
    }
    // Equal values have equal bytes, and a NaN, too. The order of a set may differ.
    if try StoredCoding.encode(value) == StoredCoding.encode(expected) { return }
    func areEqual<Same: Equatable>(_ left: Same) -> Bool { left == expected as? Same }
    guard let equatable = value as? any Equatable, areEqual(equatable) else {
      throw Difference(description: "\(Value.self) is read from \(text(bytes)) as \(value), and by Foundation as \(expected)")
    }
  }

  private func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }
}

/// A type without a stored form of its own.
package struct OnlyCodable: Codable, Hashable {
  package var text: String
  package var inner: [[Int]]
  package var range: Range<Int>

  package init(text: String, inner: [[Int]], range: Range<Int>) {
    self.text = text
    self.inner = inner
    self.range = range
  }
}

/// A handwritten stored form, with parts that go through `Codable`.
package struct WithFallback: Codable, StoredForm, Equatable {
  package var amount: Decimal
  package var colour: Colour?
  package var other: OnlyCodable?
  package var others: [OnlyCodable]
  package var zone: String

  package enum Colour: String, Codable, StoredForm { case red, green }

  package init(amount: Decimal, colour: Colour?, other: OnlyCodable?, others: [OnlyCodable], zone: String) {
    self.amount = amount
    self.colour = colour
    self.other = other
    self.others = others
    self.zone = zone
  }

  package init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    amount = try reader.required("amount", in: &object)
    colour = try reader.optional("colour", in: &object)
    other = try reader.optional("other", in: &object)
    others = try reader.required("others", in: &object)
    zone = try reader.required("zone", in: &object)
    try reader.endObject(&object)
  }

  package func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(amount, "amount")
    try writer.field(colour, "colour")
    try writer.field(other, "other")
    try writer.field(others, "others")
    try writer.field(zone, "zone")
    writer.endObject()
  }
}
