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
  package let descriptors: Int
  private let opening: @Sendable (_ key: String) async throws(JournalError) -> any Journal
  private let isMissing: @Sendable (_ key: String) async throws(JournalError) -> Bool
  private let objecting: @Sendable (_ key: String) -> String?
  private let marking: @Sendable (_ key: String) async throws(JournalError) -> JournalMark?

  /// Creates the places.
  ///
  /// - Parameters:
  ///   - descriptors: The number of file descriptors that each open journal needs; 0 by default.
  ///   - isMissing: Whether a key surely has no journal, so that an opening would make one. By default no: a search for the key then opens the
  ///     journal.
  ///   - opening: Opens the journal of a key. Calls for different keys may run at the same time. `Stores` has only one journal of a key open
  ///     for its stores.
  public init(
    descriptors: Int = 0, isMissing: @escaping @Sendable (_ key: String) async throws(JournalError) -> Bool = { _ in false },
    _ opening: @escaping @Sendable (_ key: String) async throws(JournalError) -> any Journal
  ) {
    self.init(descriptors: descriptors, isMissing: isMissing, objecting: { _ in nil }, opening)
  }

  /// Creates places that know which keys have no journal, and which can have none.
  ///
  /// - Parameters:
  ///   - descriptors: The number of file descriptors that each open journal needs.
  ///   - isMissing: Whether a key surely has no journal.
  ///   - objecting: The reason for which no journal can have a key; nil for any other key.
  ///   - marking: The present mark of a journal; see ``mark(of:)``.
  ///   - opening: Opens the journal of a key.
  package init(
    descriptors: Int = 0, isMissing: @escaping @Sendable (_ key: String) async throws(JournalError) -> Bool = { _ in false },
    objecting: @escaping @Sendable (_ key: String) -> String?,
    marking: @escaping @Sendable (_ key: String) async throws(JournalError) -> JournalMark? = { _ in nil },
    _ opening: @escaping @Sendable (_ key: String) async throws(JournalError) -> any Journal
  ) {
    precondition(descriptors >= 0, "A number of descriptors is not negative.")
    self.descriptors = descriptors
    self.isMissing = isMissing
    self.objecting = objecting
    self.marking = marking
    self.opening = opening
  }

  /// Whether a key has a journal with an entry. Nothing is created for a key that the places know to have none.
  ///
  /// - Throws: ``JournalError`` if the places can't be read, or if the journal is there and can't be opened.
  /// - Complexity: that of an opening, if the key has a journal.
  package func contains(_ key: String) async throws(JournalError) -> Bool {
    guard objection(to: key) == nil, try await !isMissing(key) else { return false }
    return try await JournalMark.head(of: open(key)).revision > .zero
  }

  /// The reason for which no journal can have a key, whatever is done; nil if it can have one.
  package func objection(to key: String) -> String? { objecting(key) }

  /// The present mark of a journal: as long as it stays the same, so does the journal's head.
  ///
  /// - Returns: nil if that is not known, for example because the journal may have changed a moment ago.
  package func mark(of key: String) async throws(JournalError) -> JournalMark? { try await marking(key) }

  /// Opens the journal of a key.
  ///
  /// - Throws: ``JournalError`` if the journal cannot be opened.
  public func open(_ key: String) async throws(JournalError) -> any Journal { try await opening(key) }
}

/// A mark of a journal, which changes with each entry.
package enum JournalMark: Sendable, Hashable {
  case head(Head)
  /// The sizes of its files in bytes, and the times of their last changes in nanoseconds.
  case files([Int64])

  /// The head of a journal that is open for this alone.
  package init(endOf journal: any Journal) async throws(JournalError) { self = .head(try await Self.head(of: journal)) }

  /// The head of a journal that is open for this alone. It is closed.
  fileprivate static func head(of journal: any Journal) async throws(JournalError) -> Head {
    let head: Result<Head, JournalError>
    do throws(JournalError) { head = .success(try await journal.head()) } catch { head = .failure(error) }
    await journal.close()
    return try head.get()
  }
}
