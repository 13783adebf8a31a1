/// The id of a model: a raw value, such as a number or a text, of which the compiler knows the model that it identifies.
///
/// ```swift
/// struct Person: Identifiable { let id: Identifier<Person, String> }
/// struct Room: Identifiable { let id: Identifier<Room, Int> }
///
/// func book(_ room: Room.ID, for person: Person.ID) { … }
///
/// book(7, for: "jack")  // literals need no type
/// book(jack.id, for: room.id)  // does not compile: cannot convert 'Identifier<Person, String>' to 'Identifier<Room, Int>'
/// ```
///
/// Two ids of different owners never have the same type, even if their raw values have.
///
/// ## Stored form
///
/// An identifier is stored as its raw value alone, also as the key of a dictionary. A model can therefore replace a raw id by an identifier,
/// and reads its older journals as before. Differences, messages and idempotency keys show the raw value too: `items[7].text`.
///
/// ## Complexity
///
/// An identifier has the size of its raw value, and equality and hashing cost the same as those of the raw value.
///
/// - `Owner` is the identified model. It is only a name: no value of it is stored, so it may be any type.
/// - `RawValue` is the type of the raw value: `Int`, `String`, `UUID`, or a type of several parts.
public struct Identifier<Owner, RawValue: Hashable>: Hashable {
  /// The raw value.
  public let rawValue: RawValue

  /// Creates the id with this raw value.
  ///
  /// - Parameter rawValue: The raw value.
  @inlinable
  public init(_ rawValue: RawValue) { self.rawValue = rawValue }

  /// Whether both raw values are equal.
  @inlinable
  public static func == (left: Identifier, right: Identifier) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the raw value.
  @inlinable
  public func hash(into hasher: inout Hasher) { rawValue.hash(into: &hasher) }
}

// No value of the owner is stored, so only the raw value matters.
extension Identifier: Sendable where RawValue: Sendable {}
extension Identifier: BitwiseCopyable where RawValue: BitwiseCopyable {}

extension Identifier: Comparable where RawValue: Comparable {
  /// Whether the left raw value is the smaller one.
  @inlinable
  public static func < (left: Identifier, right: Identifier) -> Bool { left.rawValue < right.rawValue }
}

// MARK: - Literals

extension Identifier: ExpressibleByIntegerLiteral where RawValue: ExpressibleByIntegerLiteral {
  /// Creates the id with this raw value, written as a literal.
  @inlinable
  public init(integerLiteral value: RawValue.IntegerLiteralType) { self.init(RawValue(integerLiteral: value)) }
}

extension Identifier: ExpressibleByUnicodeScalarLiteral where RawValue: ExpressibleByUnicodeScalarLiteral {
  /// Creates the id with this raw value, written as a literal of one scalar.
  @inlinable
  public init(unicodeScalarLiteral value: RawValue.UnicodeScalarLiteralType) { self.init(RawValue(unicodeScalarLiteral: value)) }
}

extension Identifier: ExpressibleByExtendedGraphemeClusterLiteral where RawValue: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates the id with this raw value, written as a literal of one character.
  @inlinable
  public init(extendedGraphemeClusterLiteral value: RawValue.ExtendedGraphemeClusterLiteralType) {
    self.init(RawValue(extendedGraphemeClusterLiteral: value))
  }
}

extension Identifier: ExpressibleByStringLiteral where RawValue: ExpressibleByStringLiteral {
  /// Creates the id with this raw value, written as a literal.
  @inlinable
  public init(stringLiteral value: RawValue.StringLiteralType) { self.init(RawValue(stringLiteral: value)) }
}

// MARK: - The stored form

extension Identifier: Encodable where RawValue: Encodable {
  /// Encodes the bare raw value.
  ///
  /// - Throws: Any error of the raw value's own encoding.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Identifier: Decodable where RawValue: Decodable {
  /// Decodes the bare raw value.
  ///
  /// - Throws: `DecodingError` if the stored value is not a raw value.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(RawValue.self)) }
}

extension Identifier: CodingKeyRepresentable where RawValue: CodingKeyRepresentable {
  /// The raw value as the key of a dictionary.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// Creates the id from the key of a dictionary; nil if the key is not a raw value.
  public init?<Key: CodingKey>(codingKey: Key) {
    guard let rawValue = RawValue(codingKey: codingKey) else { return nil }
    self.init(rawValue)
  }
}

// MARK: - Texts

/// An ``Identifier`` of any owner, for code that shows values of unknown types.
package protocol RawIdentified {
  /// The raw value.
  var anyRawValue: any Hashable { get }
}

extension Identifier: RawIdentified {
  package var anyRawValue: any Hashable { rawValue }
}

extension Identifier: CustomStringConvertible {
  /// The text of the raw value.
  public var description: String { DateText.describing(rawValue) }
}

extension Identifier: CustomReflectable {
  /// One part without a name, the raw value, as its initialiser has it.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: [rawValue], displayStyle: .struct) }
}
