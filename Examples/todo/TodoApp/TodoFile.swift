#if canImport(SwiftUI)
  public import Alter
  import AlterSQLite
  import SwiftUI
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The file of the list, which the app, its widget and its intents share.
  nonisolated public enum TodoFile {
    /// The app group. Change it to yours; docs/app-groups.md explains the lock.
    public static let group = "group.org.example.todo"

    /// The list for the app and the intents.
    public static let place = JournalPlace { () async throws(JournalError) in try await SQLiteJournal(at: try path()) }

    /// The list for the widget, and for the intents' choice of items: opened for reading only.
    static let readingPlace = JournalPlace { () async throws(JournalError) in try await SQLiteJournal(at: try path(), isReadOnly: true) }

    /// The database with the rows of the list, for searches: in the app's own folder, because no other process of the app searches. The system may
    /// delete it: then the rows are made again.
    static var rows: String? {
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.appendingPathComponent("todo-rows.db").path
    }

    /// The commands of the intents.
    static var commands: ListCommands { ListCommands(at: place, reading: readingPlace) }

    private static func path() throws(JournalError) -> String {
      guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
        throw JournalError(.unreachable, journal: "todo", message: "has no place: the app has no right to the group '\(group)'.")
      }
      return folder.appendingPathComponent("todo.alter").path
    }
  }
#endif
