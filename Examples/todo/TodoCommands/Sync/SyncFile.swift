import Alter
import TodoCore
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file beside a list that makes it a synced one: the server and the token. Only its owner can read it.
enum SyncFile {
  /// The path of the settings.
  static func path(_ list: String) -> String { list + ".sync" }

  /// Whether a list is synced.
  static func exists(_ list: String) -> Bool { access(path(list), F_OK) == 0 }

  /// The settings of a list; nil if it is not synced.
  ///
  /// - Throws: ``CommandError``: `badData` if they are malformed, `noPermission` if other users of this machine may read the token.
  static func read(_ list: String) throws -> SyncSettings? {
    guard exists(list) else { return nil }
    let path = path(list)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandError(.noPermission, "can't open '\(path.printable)': \(systemMessage())") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw CommandError(
        .noPermission,
        "others may read the token in '\(path.printable)', so it is not used. Ask the server for a new one, and run: chmod 600 '\(path.printable)'"
      )
    }
    let (bytes, code) = readSome(descriptor, upTo: 65_536)
    guard code == 0, let settings = try? JournalCoding.decode(SyncSettings.self, from: Data(bytes)) else {
      throw CommandError(.badData, "'\(path.printable)' is damaged. Delete it, then run 'todo sync' with the server's address again.")
    }
    return settings
  }

  /// Writes the settings with mode 0600, completely or not at all.
  static func write(_ settings: SyncSettings, _ list: String) throws {
    let path = path(list)
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandError(.cannotCreate, "can't write '\(path.printable)': \(systemMessage())") }
    var failure = TextOutput(descriptor: descriptor).write(Array(try JournalCoding.encode(settings)))
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    if failure == 0, rename(temporary, path) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw CommandError(.ioError, "can't write '\(path.printable)': \(systemMessage(failure))")
    }
  }

  /// Deletes the settings: from then on the list is a local one.
  static func remove(_ list: String) throws {
    guard unlink(path(list)) == 0 else {
      throw CommandError(.ioError, "can't delete '\(path(list).printable)': \(systemMessage())")
    }
  }
}
