public import AlterJournal

/// A state whose journal can be inspected from the command line; see ``InspectorCommand``.
///
/// ```swift
/// extension AppState: Inspectable {
///   static func journal(at location: String?) async throws -> any Journal {
///     try await SQLiteJournal(at: location ?? AppState.path, isReadOnly: true)
///   }
///   static var conditions: [String: @Sendable (AppState) -> Bool] { ["overdrawn": { $0.balance < 0 }] }
/// }
/// ```
public protocol Inspectable: Journaled {
  /// Opens the journal, read-only if possible: an inspector writes nothing.
  ///
  /// - Parameter location: The value of `--journal`; nil for the app's default journal.
  /// - Throws: Any error of opening the journal. A `JournalError` ends the command with the status in `docs/exit-statuses.md`.
  static func journal(at location: String?) async throws -> any Journal

  /// Named conditions for bisecting; empty by default.
  static var conditions: [String: @Sendable (Self) -> Bool] { get }
}

extension Inspectable {
  /// No conditions.
  public static var conditions: [String: @Sendable (Self) -> Bool] { [:] }
}
