/// The place of an entry in a journal's total order: 1, 2, 3 …, without gaps. 0 is before the first entry.
public struct Revision: Sendable, Hashable, Comparable, Codable, ExpressibleByIntegerLiteral,
  LosslessStringConvertible
{
  /// The number.
  public let number: Int64

  /// The revision with this number.
  @inlinable
  public init(_ number: Int64) { self.number = number }

  /// The revision with this number, written as a literal: `store.state(at: 1_042)`.
  @inlinable
  public init(integerLiteral value: Int64) { self.init(value) }

  /// The revision that a text tells, as in "1042"; nil when it is no number from 0.
  public init?(_ description: String) {
    guard let number = Int64(description), number >= 0 else { return nil }
    self.init(number)
  }

  /// Before the first entry.
  public static let zero: Revision = 0

  /// The revision that follows.
  @inlinable
  public var next: Revision { Revision(number + 1) }

  /// The revision before.
  @inlinable
  public var previous: Revision { Revision(number - 1) }

  /// Whether the left one came first.
  @inlinable
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }

  /// The revision `distance` entries later.
  @inlinable
  public static func + (left: Revision, distance: Int) -> Revision { Revision(left.number + Int64(distance)) }

  /// How many entries lie between two revisions.
  @inlinable
  public static func - (left: Revision, right: Revision) -> Int { Int(left.number - right.number) }

  /// Decodes the bare number.
  public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int64.self) }

  /// Encodes the bare number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  /// The number in decimal digits.
  public var description: String { String(number) }
}
