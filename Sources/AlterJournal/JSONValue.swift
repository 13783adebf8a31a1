#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON as a value, without the type that it was written from: what migrations change, and what a journal is read as without its app.
///
/// ```swift
/// var change: JSONValue = ["rename": ["to": "Jack"]]
/// change["rename"]?["to"]                    // "Jack"
/// change["rename"] = nil
/// ```
///
/// Nothing is lost on the way: an integer stays an integer, and a number that neither `Int64` nor `Double` holds exactly keeps its digits.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// Another number.
  case number(Double)
  /// A number that is written in another way than both of these would be, or that they can't hold: its digits.
  case decimal(String)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name.
  case object([String: JSONValue])

  /// The value of a key: nil when there is none, or when this is no object. Setting nil removes it; setting a key of `null` makes an object.
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

  /// The value at an index: nil when there is none, or when this is no array.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }

  /// The text, if it is text.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, if it is one, however it is written.
  public var int: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .decimal(let digits): Int64(digits) ?? Double(digits).flatMap { Int64(exactly: $0) }
    default: nil
    }
  }

  /// The number, if it is one, as near as a `Double` comes to it.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }

  /// Whether it is true or false, if it is either.
  public var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The values, if it is an array.
  public var values: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// The values by name, if it is an object.
  public var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// The name and the payload of an object with one key: of a change in its compact form, `{"completed":true}`. Nil for anything else.
  public var only: (name: String, payload: JSONValue)? {
    guard case .object(let members) = self, members.count == 1, let member = members.first else { return nil }
    return (member.key, member.value)
  }

  /// The same object with a key named otherwise; what is no object, or hasn't the key, stays as it is.
  public func renaming(_ old: String, to new: String) -> JSONValue {
    guard case .object(var members) = self, let value = members.removeValue(forKey: old) else { return self }
    members[new] = value
    return .object(members)
  }

  /// The JSON of a value of any type, as a journal would store it.
  ///
  /// - Throws: whatever the value's `encode(to:)` throws.
  public init(encoding value: some Encodable) throws { try self.init(parsing: JournalCoding.encode(value)) }

  /// The value of a type that this JSON stands for.
  ///
  /// - Throws: `DecodingError` when it does not fit the type.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try JournalCoding.decode(type, from: data) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number; a whole one is an ``integer(_:)``, as it would be when read.
  public init(floatLiteral value: Double) { self = Int64(exactly: value).map { .integer($0) } ?? .number(value) }
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of two values with one name the last wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSONValue: Codable {
  /// Reads any JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .decimal(String(value))
    } else {
      self = .number(try container.decode(Double.self))
    }
  }

  /// Writes it as what it is.
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
