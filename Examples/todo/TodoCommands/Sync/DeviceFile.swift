import Alter
import AlterSQLite
import TodoCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The device's file of a synced list: the copy of the server's list, and the changes that the server has not decided.
enum DeviceFile {
  /// The path of the file of a list.
  static func path(_ list: String) -> String { list + ".device" }

  /// Whether a list has a device's file.
  static func exists(_ list: String) -> Bool { access(path(list), F_OK) == 0 }

  /// Deletes the device's file of a list, and the files beside it.
  static func remove(_ list: String) { remove(at: path(list)) }

  /// Deletes the files beside a device's file that is gone: a process that had it open has left them.
  static func tidy(_ list: String) {
    if !exists(list), !SyncFile.exists(list) { remove(list) }
  }

  /// Examines the device's file while no other process can change it, and then deletes it. The process that changes it next fails, and has
  /// changed nothing.
  ///
  /// - Parameters:
  ///   - settings: The settings of the list.
  ///   - list: The path of the list.
  ///   - engine: Opens the file.
  ///   - options: The options of the store.
  ///   - patience: The longest time to wait for other processes.
  ///   - body: Examines the content. If it throws, the file stays as it is.
  static func end(
    _ settings: SyncSettings, _ list: String, _ engine: any SyncEngine, _ options: StoreOptions, waiting patience: Duration,
    _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    guard exists(list) else {
      throw CommandError(.badData, "the device's copy of the list is missing: 'todo sync' fetches it. Nothing was changed.")
    }
    let journal = try await SQLiteJournal(at: path(list), key: settings.list, lockTimeout: patience)
    do {
      let turn = try await journal.takeTurn()
      defer { turn.end() }
      // Another process may have ended the sync during the wait.
      guard SyncFile.exists(list), exists(list) else { throw CommandError(.noSuchThing, "the list is not synced any more") }
      // The store writes when it is opened, and the turn would keep it waiting: it reads a copy.
      let copy = path(list) + ".copy"
      remove(at: copy)
      defer { remove(at: copy) }
      try await journal.backup(to: copy)
      let synced = try await engine.open(settings, at: copy, options, isTalking: false)
      do { try await body(synced.store) } catch {
        _ = await synced.store.close(deadline: .seconds(1))
        throw error
      }
      _ = await synced.store.close(deadline: .seconds(1))
      remove(list)
    } catch {
      await journal.close()
      throw error
    }
    await journal.close()
    tidy(list)
  }

  /// Deletes a journal's file, and then the files beside it.
  private static func remove(at path: String) {
    unlink(path)
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let beside = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for other in beside where other.hasPrefix(name + "-") { unlink(folder + "/" + other) }
  }
}
