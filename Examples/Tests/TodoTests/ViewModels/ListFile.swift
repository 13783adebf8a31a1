import Alter
import AlterSQLite
import Foundation
import ProcessTesting
import TodoCore

/// A list in a temporary file, which is removed with this object.
final class ListFile: Sendable {
  let path: String
  var place: JournalPlace { .file(path) }
  var readingPlace: JournalPlace {
    JournalPlace { [path] () async throws(JournalError) in try await SQLiteJournal(at: path, isReadOnly: true) }
  }
  private let folder: Folder

  init() throws {
    folder = try Folder()
    path = folder.path("list.alter")
  }

  /// Adds an item for each line, with the ids 1, 2 …
  func write(_ lines: [String]) async throws {
    let store = try await Store.open(AppState(), in: place)
    try await store.change(lines.enumerated().map { .add(.item(TodoItem(id: id($0 + 1), try line($1)))) }).durable()
    _ = await store.close()
  }

  /// The state in the file.
  func state() async throws -> AppState {
    let journal = try await SQLiteJournal(at: path, isReadOnly: true)
    let state = try await Store<AppState>.state(at: try await journal.head().revision, in: journal)
    await journal.close()
    return state
  }
}
