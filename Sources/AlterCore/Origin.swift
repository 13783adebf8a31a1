#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The id of one store replica: the author of a change.
///
/// An origin is random for each opened store and never reused, so that (origin, sequence) identifies a change permanently.
public struct Origin: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The two halves, big-endian. (A `UUID` has sixteen bytes that are copied and compared one by one, and every record has an origin.)
  @usableFromInline package let high: UInt64
  @usableFromInline package let low: UInt64

  /// The 128 random bits.
  @inlinable public var uuid: UUID { UUID(high: high, low: low) }

  /// Creates an origin with the given bits, as read from a journal.
  @inlinable
  public init(_ uuid: UUID) { (high, low) = uuid.halves }

  /// Creates an origin from its halves.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Returns a fresh origin. The shell calls this when it opens a store; `apply` never does.
  public static func random() -> Origin { Origin(UUID()) }

  /// The origin of ``Stamp/none``: all bits are zero.
  public static let none = Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

  /// Decodes the UUID's text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(UUID.self))
  }

  /// Encodes the UUID's text, with small letters.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// The UUID's text with small letters, as it is stored, exported and shown. Texts with capital letters are read, too.
  package var text: String { uuid.uuidString.lowercased() }

  /// The first eight hexadecimal digits, lowercase: enough to tell replicas apart in a log.
  public var description: String { String(text.prefix(8)) }
}
