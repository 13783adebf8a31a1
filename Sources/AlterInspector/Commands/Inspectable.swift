public import AlterJournal

/// A state whose journal can be looked at from the command line: see ``InspectorCommand``.
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
  /// Opens the journal, for reading if it can be: an inspector writes nothing.
  ///
  /// - Parameter location: What the user has named by `--journal`; nil for the usual one.
  /// - Throws: What keeps it from being opened. A `JournalError` ends the command with the status that `docs/exit-statuses.md` has for it.
  static func journal(at location: String?) async throws -> any Journal

  /// What can be bisected by, by name. None, unless the app names some.
  static var conditions: [String: @Sendable (Self) -> Bool] { get }
}

extension Inspectable {
  /// None.
  public static var conditions: [String: @Sendable (Self) -> Bool] { [:] }
}
