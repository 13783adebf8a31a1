#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON value without a Swift type. Migrations convert such values, and tools read a journal as such values without its app.
///
/// ```swift
/// var change: JSONValue = ["rename": ["to": "Jack"]]
/// change["rename"]?["to"]                    // "Jack"
/// change["rename"] = nil
/// ```
///
/// Parsing loses nothing: an integer stays an integer, and a number that neither `Int64` nor `Double` represents exactly keeps its digits.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number in the range of `Int64`.
  case integer(Int64)
  /// A number that a `Double` represents, written in the shortest form.
  case number(Double)
  /// The digits of a number that the other two cases cannot represent, or that is written differently.
  case decimal(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object: values by name.
  case object([String: JSONValue])

  /// The value of a key; nil if the key is absent or if this is not an object.
  ///
  /// Setting nil removes the key. Setting a value in ``null`` creates an object. Setting a value in anything else has no effect.
  public subscript(key: String) -> JSONValue? {
    get { if case .object(let members) = self { members[key] } else { nil } }
    set {
      switch self {
      case .object(var members):
        self = .null
        members[key] = newValue
        self = .object(members)
      case .null where newValue != nil: self = .object([key: newValue!])
      default: break
      }
    }
  }

  /// The value at an index; nil if the index is out of range or if this is not an array.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }

  /// The string, or nil for anything else.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, in any notation; nil for anything else or if it is outside the range of `Int64`.
  ///
  /// The property may have been a `Double`: a whole one is stored without a fraction. To convert such a property, read ``double``.
  public var int: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .decimal(let digits): Int64(digits) ?? Double(digits).flatMap { Int64(exactly: $0) }
    default: nil
    }
  }

  /// The number, rounded to a `Double`; nil for anything else. A `Double` of 90.0 is stored as `90`: an ``integer(_:)`` is a number, too.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }

  /// The Boolean, or nil for anything else.
  public var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The elements of an array, or nil for anything else.
  public var values: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// The members of an object by name, or nil for anything else.
  public var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// The name and the payload of an object with one key, such as a change in its compact form `{"completed":true}`; nil for anything else.
  public var only: (name: String, payload: JSONValue)? {
    guard case .object(let members) = self, members.count == 1, let member = members.first else { return nil }
    return (member.key, member.value)
  }

  /// Returns this object with a key renamed. Anything that is not an object with that key is returned unchanged.
  public func renaming(_ old: String, to new: String) -> JSONValue {
    guard case .object(var members) = self, let value = members.removeValue(forKey: old) else { return self }
    members[new] = value
    return .object(members)
  }

  /// Encodes a value of any type as JSON, with the strategies of `JournalCoding`.
  ///
  /// - Throws: Any error of the value's `encode(to:)`; `EncodingError` if the value is nested more than 128 levels deep.
  package init(encoding value: some Encodable) throws { try self.init(parsing: JournalCoding.encode(value)) }

  /// Decodes this JSON as a value of a type, with the strategies of `JournalCoding`.
  ///
  /// - Throws: `DecodingError` if the JSON does not fit the type.
  package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try JournalCoding.decode(type, from: data) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a number. A whole one becomes an ``integer(_:)``, as in parsing.
  public init(floatLiteral value: Double) { self = Int64(exactly: value).map { .integer($0) } ?? .number(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object. Of several values of one name, the last one wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSONValue: Codable {
  /// Decodes any JSON. A number that a `Double` does not represent becomes a ``decimal(_:)`` with up to 38 digits, the precision of `Decimal`.
  public init(from decoder: any Decoder) throws { self = try Self.read(from: decoder) }

  /// Encodes the value. A ``decimal(_:)`` is encoded as a `UInt64`, `Decimal` or `Double`, so its digits may change.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let digits):
      if let value = UInt64(digits) {
        try container.encode(value)
      } else if let value = Decimal(string: digits) {
        try container.encode(value)
      } else {
        try container.encode(Double(digits))
      }
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
