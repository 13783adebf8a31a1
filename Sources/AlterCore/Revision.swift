/// The position of an entry in a journal's total order: 1, 2, 3 …, without gaps. 0 is the position before the first entry.
public struct Revision: Sendable, Hashable, Comparable, Codable, ExpressibleByIntegerLiteral,
  LosslessStringConvertible
{
  /// The number.
  public let number: Int64

  /// Creates the revision with this number.
  @inlinable
  public init(_ number: Int64) { self.number = number }

  /// Creates the revision with this number, written as a literal: `store.state(at: 1_042)`.
  @inlinable
  public init(integerLiteral value: Int64) { self.init(value) }

  /// Creates a revision from a text such as "1042"; nil if the text is not a number from 0.
  public init?(_ description: String) {
    guard let number = Int64(description), number >= 0 else { return nil }
    self.init(number)
  }

  /// The position before the first entry.
  public static let zero: Revision = 0

  /// The next revision; after the largest number, that number again.
  @inlinable
  public var next: Revision { Revision(number.saturatingAdding(1)) }

  /// The previous revision; before the smallest number, that number again.
  @inlinable
  package var previous: Revision { Revision(number.saturatingAdding(-1)) }

  /// Whether the left revision is the earlier one.
  @inlinable
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }

  /// The revision `distance` entries later, clamped to the range of the number.
  @inlinable
  public static func + (left: Revision, distance: Int) -> Revision { Revision(left.number.saturatingAdding(Int64(distance))) }

  /// The number of entries between two revisions, clamped to the range of the number.
  @inlinable
  public static func - (left: Revision, right: Revision) -> Int { Int(left.number.saturatingSubtracting(right.number)) }

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

// A revision, a sequence or a time may come from a file or a request, and be any number: arithmetic on it must not trap.
extension Int64 {
  /// The sum, clamped to the range of the number.
  @inlinable
  package func saturatingAdding(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }

  /// The difference, clamped to the range of the number.
  @inlinable
  package func saturatingSubtracting(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
