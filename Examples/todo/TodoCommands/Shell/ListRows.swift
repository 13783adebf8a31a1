import Alter
import AlterRows
import GRDB
import TodoCore
import TodoRows

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rows of a list, in a file beside it: for searches.
///
/// Nothing depends on the file. Where it can't be used, the same rows are made in memory.
enum ListRows {
  /// The path of the file for a file with a list.
  static func path(_ list: String) -> String { list + "-rows" }

  /// Reads the rows of a journal's head, if the file has them.
  ///
  /// - Returns: Nil if it does not.
  static func read<Value: Sendable>(
    at head: Head, beside list: String, _ value: @escaping @Sendable (Database) throws -> Value
  ) async -> Value? {
    guard isUsable(beside: list) else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    guard let queue = try? DatabaseQueue(path: path(list), configuration: configuration) else { return nil }
    // An error comes again when the file is opened for writing.
    return try? await Rows<AppState>.read(
      at: head, in: queue, version: AppState.tablesVersion, tables: AppState.tables, value)
  }

  /// Brings the rows of a store up to date, and reads them.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - list: The file with the list; nil for a list in another database.
  ///   - value: Reads the rows.
  static func read<Value: Sendable>(
    of store: Store<AppState>, beside list: String?, _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let list, make(beside: list), isUsable(beside: list) {
      do { return try await read(of: store, in: DatabaseQueue(path: path(list)), value) } catch {
        if isDamage(error) {
          Console.complain("'\(path(list))' is damaged and was not used. Delete it: the next search makes it again.")
        }
      }
    }
    return try await read(of: store, in: DatabaseQueue(), value)
  }

  private static func read<Value: Sendable>(
    of store: Store<AppState>, in queue: DatabaseQueue, _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let rows = try await Rows(of: store, in: queue, version: AppState.tablesVersion, tables: AppState.tables)
    do {
      let value = try await rows.read(value)
      await rows.close()
      return value
    } catch {
      await rows.close()
      throw error
    }
  }

  /// Whether the file itself is the reason of an error, and not its disk, its rights, or another process.
  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError: [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA, .SQLITE_ERROR].contains(error.resultCode)
    case RowsError.nameTaken: true
    default: error is ItemSearch.Unreadable
    }
  }

  /// Creates the file, with the rights of the list.
  private static func make(beside list: String) -> Bool {
    var status = stat()
    guard stat(list, &status) == 0 else { return false }
    let descriptor = open(path(list), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno == EEXIST }
    defer { close(descriptor) }
    return fchmod(descriptor, status.st_mode & 0o777) == 0
  }

  /// Whether the file is an ordinary one that only the readers of the list can read: an existing one gets the list's rights.
  private static func isUsable(beside list: String) -> Bool {
    var (own, its) = (stat(), stat())
    guard stat(list, &own) == 0, lstat(path(list), &its) == 0, its.st_mode & S_IFMT == S_IFREG else { return false }
    return own.st_mode & 0o777 == its.st_mode & 0o777 || chmod(path(list), own.st_mode & 0o777) == 0
  }
}
