public import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Compares the two codings of a value: that of its `StoredForm`, and that of its `Codable`.
///
/// A test of a type whose `StoredForm` is written by hand needs this call for a few values. The macros' own code needs no test.
///
/// ```swift
/// #expect(try storedFormDifference(of: Place(height: nil, name: "Rigi")) == nil)
/// ```
///
/// - Parameter value: The value.
/// - Returns: The difference, with the stored forms; nil if the short cut writes the same bytes and reads an equal value. A value that the
///   short cut leaves to `Codable` is reported, too.
/// - Throws: The errors of the value's own `encode(to:)`.
/// - Complexity: That of coding the value twice.
public func storedFormDifference<Value: StoredForm & Equatable>(of value: Value) throws -> String? {
  let expected = try StoredCoding.encode(value)
  func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }
  guard let written = StoredCoding.write(value) else { return "write(to:) throws; encode(to:) writes \(text(expected))" }
  guard written == expected else { return "write(to:) writes \(text(written)); encode(to:) writes \(text(expected))" }
  guard let read = StoredCoding.read(Value.self, from: written) else { return "init(from:) can't read \(text(written))" }
  return read == value ? nil : "init(from:) reads another value from \(text(written)): \(read)"
}
