import Alter
import AlterInspector
import ArgumentParser
import TodoCore

/// The location of the list.
package struct StoreLocation: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      """
      The file that keeps the list, or the address of a database (default: $TODO_STORE, or todo/todo.alter among your data). \(JournalAddress.advice) TODO_STORE may \
      hold one, too.
      """,
      valueName: "path"),
    completion: .file())
  var given: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait while another process is writing; 0 gives up at once. Reading never waits.", valueName: "seconds"))
  var wait: Double = standardWait

  /// The value of `--wait` on a command line without it, in seconds.
  private static let standardWait: Double = 10

  /// The location that a command line without options names.
  static var standard: StoreLocation {
    var location = StoreLocation()
    location.given = nil
    location.wait = standardWait
    return location
  }

  /// Creates the options; the parser sets them.
  package init() {}

  package func validate() throws {
    guard wait.isFinite, wait >= 0 else { throw ValidationError("--wait needs a number of seconds, from 0") }
  }

  /// The maximum time to wait for other processes.
  var patience: Duration { .milliseconds(Int64(min(wait, 1_000_000) * 1_000)) }

  /// The path, and whether it is the default one, whose folder is created if necessary.
  func find() throws -> (path: String, isDefault: Bool) {
    if let given {
      guard !given.isEmpty else { throw CommandError(.usage, "--store needs the path of a file") }
      return (given, false)
    }
    if let path = environment("TODO_STORE") { return (path, false) }
    // The XDG Base Directory Specification requires that a relative path is ignored here.
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return (data + "/todo/todo.alter", true) }
    guard let home = environment("HOME") else {
      throw CommandError(.usage, "can't tell where to keep the list: neither TODO_STORE nor HOME is set. Name a file by --store.")
    }
    #if canImport(Darwin)
      return (home + "/Library/Application Support/todo/todo.alter", true)
    #else
      return (home + "/.local/share/todo/todo.alter", true)
    #endif
  }

  /// The name in messages: the path, or the URL without the user and the password.
  var name: String {
    get throws {
      let path = try find().path
      return try SharedList(path)?.name ?? path
    }
  }

  private func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
