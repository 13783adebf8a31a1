/// The places of many journals, each with a key: a folder of files, one file with many journals, or a server.
///
/// `Stores` opens a journal from it when a key is accessed.
///
/// ```swift
/// let stores = Stores(in: .folder("/var/lib/lists")) { key in TodoList() }
/// ```
///
/// The modules of the journals declare the places: `AlterSQLite` has `.folder(_:)` and `.file(_:)`, `AlterPostgres` has `.postgres(_:)`.
public struct JournalPlaces: Sendable {
  /// The number of file descriptors that each open journal needs; 0 if the journals share them. `Stores` multiplies it by the number of
  /// stores.
  public let descriptors: Int
  private let opening: @Sendable (_ key: String) async throws(JournalError) -> any Journal
  private let isMissing: @Sendable (_ key: String) -> Bool

  /// Creates the places.
  ///
  /// - Parameters:
  ///   - descriptors: The number of file descriptors that each open journal needs; 0 by default.
  ///   - opening: Opens the journal of a key. Calls for different keys may run at the same time. `Stores` never has two journals of one key
  ///     open.
  public init(descriptors: Int = 0, _ opening: @escaping @Sendable (_ key: String) async throws(JournalError) -> any Journal) {
    self.init(descriptors: descriptors, isMissing: { _ in false }, opening)
  }

  /// Creates places that know which keys have no journal.
  ///
  /// - Parameters:
  ///   - descriptors: The number of file descriptors that each open journal needs.
  ///   - isMissing: Whether a key surely has no journal.
  ///   - opening: Opens the journal of a key.
  package init(
    descriptors: Int, isMissing: @escaping @Sendable (_ key: String) -> Bool,
    _ opening: @escaping @Sendable (_ key: String) async throws(JournalError) -> any Journal
  ) {
    precondition(descriptors >= 0, "A number of descriptors is not negative.")
    self.descriptors = descriptors
    self.isMissing = isMissing
    self.opening = opening
  }

  /// Whether a key surely has no journal. An opening would make one. False if only an opening can tell.
  package func lacks(_ key: String) -> Bool { isMissing(key) }

  /// Opens the journal of a key.
  ///
  /// - Throws: ``JournalError`` if the journal cannot be opened.
  public func open(_ key: String) async throws(JournalError) -> any Journal { try await opening(key) }
}
