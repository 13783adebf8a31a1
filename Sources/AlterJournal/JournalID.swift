#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The id of a journal: random, made with it, and kept by its backups.
public struct JournalID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The 128 random bits.
  public let uuid: UUID

  /// A journal id with the given bits.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// A fresh id, for a journal that is being made.
  public static func random() -> JournalID { JournalID(UUID()) }

  /// The UUID's text, lowercase.
  public var description: String { uuid.uuidString.lowercased() }
}
