import Alter
import AlterSQLite
import Foundation
import ProcessTesting
import Testing
import TodoCore

/// A temporary folder with its own list, in which `todo` runs as for a new user.
final class Sandbox: Sendable {
  private let home: Folder
  var folder: String { home.path }
  let executable: String
  var store: String { folder + "/list.alter" }

  init() throws {
    executable = try Product.path("todo")
    home = try Folder()
  }

  func environment(_ more: [String: String] = [:]) -> [String: String] {
    let own = ["HOME": folder, "TODO_STORE": store, "TZ": "UTC", "PATH": "/usr/bin:/bin"]
    return own.merging(more) { $1 }.filter { !$0.value.isEmpty }
  }

  /// Runs `todo` to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `todo`.
  ///   - input: The standard input; empty by default.
  ///   - environment: Variables in addition to those of the sandbox. An empty value removes a variable.
  ///   - output: A descriptor for the standard output; nil to return the output.
  ///   - errors: A descriptor for the standard error; nil to return it.
  @discardableResult
  func todo(_ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:], output: Int32? = nil, errors: Int32? = nil)
    throws -> Outcome
  {
    try run([executable] + arguments, input: input, environment: environment, output: output, errors: errors)
  }

  /// Runs any command to its end.
  func run(_ command: [String], input: [UInt8] = [], environment: [String: String] = [:], output: Int32? = nil, errors: Int32? = nil) throws
    -> Outcome
  {
    try ChildProcess.run(command, environment: self.environment(environment), input: input, output: output, errors: errors)
  }

  /// The bytes of a file in the folder.
  func bytes(of name: String) throws -> [UInt8] { Array(try home.bytes(name)) }

  /// Writes a file into the folder.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try home.write(bytes, to: name)
    return home.path(name)
  }

  /// All records of the journal.
  func records() async throws -> [Record<AppState>] {
    let journal = try await SQLiteJournal(at: store, isReadOnly: true)
    var records: [Record<AppState>] = []
    try await Store<AppState>.entries(in: journal) { records.append($0) }
    await journal.close()
    return records
  }

  /// The texts of the items in the current list.
  func texts() throws -> [String] {
    let outcome = try todo("export")
    try #require(outcome.status == 0, "\(outcome)")
    return try outcome.output.split(separator: "\n").map { try line(String($0)).text }
  }
}
