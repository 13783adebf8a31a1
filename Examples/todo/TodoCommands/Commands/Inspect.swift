import Alter
import AlterInspector
import AlterSQLite
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo inspect`: the library's inspector, for this app's types. The library's `serve` is in `todo-web`.
struct Inspect: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    var configuration = InspectorCommand<AppState>.configuration
    configuration.subcommands.append(InspectServeElsewhere.self)
    return configuration
  }
}

extension AppState: Inspectable {
  /// The list at `--journal` or `TODO_STORE`, otherwise the default one.
  public static func journal(at location: String?) async throws -> any Journal {
    let store = try StoreLocation.parse(location.map { ["--store", $0] } ?? [])
    if !(try await Session.exists(store)) { throw missing(try store.name) }
    let path = try store.find().path
    if let settings = try Session.settings(store) {
      return try await SQLiteJournal(at: DeviceFile.path(path), key: settings.list, isReadOnly: true)
    }
    if let database = try SharedList(path) { return try await database.openForReading() }
    return try await SQLiteJournal(at: path, isReadOnly: true)
  }

  // A separate function, because the optimiser of Swift 6.3 crashes on a `try` within the text of an error that an asynchronous function
  // throws ("While splitting coroutine").
  private static func missing(_ name: String) -> CommandError {
    CommandError(.noSuchThing, "there is no list at '\(name.printable)' yet. Add something, or name another by --journal.")
  }

  /// The conditions of `todo inspect bisect`.
  public static var conditions: [String: @Sendable (AppState) -> Bool] {
    [
      "empty": { $0.items.isEmpty },
      "all-done": { !$0.items.isEmpty && $0.items.allSatisfy(\.completed) },
      "shared": { $0.cloud != nil },
    ]
  }
}
