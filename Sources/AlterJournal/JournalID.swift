#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The id of a journal. It is random, is created with the journal, and is kept by its backups.
public struct JournalID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The 128 random bits.
  public let uuid: UUID

  /// Creates a journal id with the given bits.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// Returns a fresh id, for a new journal.
  public static func random() -> JournalID { JournalID(UUID()) }

  /// The UUID as lowercase text.
  public var description: String { uuid.uuidString.lowercased() }
}
