#if canImport(SwiftUI)
  public import Alter
  import AlterSQLite
  import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The file of the list, which the app, its widget and its intents share.
  nonisolated public enum TodoFile {
    /// The app group. Change it to yours; docs/app-groups.md explains the lock.
    public static let group = "group.org.example.todo"

    /// The list for the app and the intents.
    public static let place = JournalPlace { () async throws(JournalError) in try await SQLiteJournal(at: try path()) }

    /// Opens the list for reading only.
    static func openForReading() async throws(JournalError) -> any Journal { try await SQLiteJournal(at: try path(), isReadOnly: true) }

    private static func path() throws(JournalError) -> String {
      guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
        throw JournalError(.unreachable, journal: "todo", message: "has no place: the app has no right to the group '\(group)'.")
      }
      return folder.appendingPathComponent("todo.alter").path
    }
  }
#endif
