/// A place at which a journal is opened: a file, an app's own folder, or a server.
///
/// A place is a value that opens the journal when a store needs it, so that an app names its journal in one word:
///
/// ```swift
/// let store = try await Store.open(AppState(), in: .app("Plants"))
/// let store = try Store.openBlocking(AppState(), in: .app("Plants"))  // in an app's `init`
/// ```
///
/// The modules of the journals declare the places: `AlterSQLite` has `.app(_:)` and `.file(_:)`.
public struct JournalPlace: Sendable {
  private let opening: @Sendable () async throws(JournalError) -> any Journal

  /// Creates a place.
  ///
  /// - Parameter opening: Opens the journal. It is called once for each store.
  public init(_ opening: @escaping @Sendable () async throws(JournalError) -> any Journal) { self.opening = opening }

  /// Opens the journal.
  ///
  /// - Throws: ``JournalError`` if the journal cannot be opened.
  public func open() async throws(JournalError) -> any Journal { try await opening() }
}
