#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The id of one store replica: who made a change.
///
/// Random for each opened store and never reused, so that (origin, sequence) names a change for ever.
public struct Origin: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The two halves, big-endian. (Not a `UUID`, whose sixteen bytes are copied and compared one by one: every record has an origin.)
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt64

  /// The 128 random bits.
  @inlinable public var uuid: UUID { UUID(high: high, low: low) }

  /// An origin with the given bits, as read from a journal.
  @inlinable
  public init(_ uuid: UUID) { (high, low) = uuid.halves }

  /// A fresh origin. Called by the shell when it opens a store, never by `apply`.
  public static func random() -> Origin { Origin(UUID()) }

  /// The origin of ``Stamp/none``: nobody.
  public static let none = Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

  /// Decodes the UUID's text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(UUID.self))
  }

  /// Encodes the UUID's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuid)
  }

  /// The first eight hexadecimal digits, lowercase: enough to tell replicas apart in a log.
  public var description: String { String(uuid.uuidString.prefix(8)).lowercased() }
}
