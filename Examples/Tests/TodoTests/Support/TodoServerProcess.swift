import Foundation
import ProcessTesting

/// A running `todo-server` with its folder in a sandbox. It can be killed and started again on the same port.
final class TodoServerProcess {
  private let sandbox: Sandbox
  private let arguments: [String]
  private var process: LineProcess?
  /// The address for `todo sync`.
  private(set) var url = ""
  /// Everything that the server has written.
  private(set) var log: [String] = []

  /// Starts the server.
  init(in sandbox: Sandbox, _ arguments: String...) throws {
    self.sandbox = sandbox
    self.arguments = arguments
    try start(port: "0")
  }

  /// Runs an administrator's command of the server.
  @discardableResult
  func admin(_ arguments: String...) throws -> Outcome {
    try sandbox.run([Product.path("todo-server")] + arguments + ["--data", sandbox.folder + "/server"])
  }

  /// Adds a user.
  ///
  /// - Returns: The token.
  func add(_ user: String) throws -> String { try admin("user", "add", user).lines.first ?? "" }

  /// Ends the server at any point, without a chance to do anything.
  func kill() {
    process?.child.end(SIGKILL)
    log += process?.readLines() ?? []
    process = nil
  }

  /// Starts the server again on the same port.
  func restart() throws {
    let port = url.split(separator: ":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
    try start(port: port)
  }

  private func start(port: String) throws {
    let process = try LineProcess(
      [Product.path("todo-server"), "run", "--data", sandbox.folder + "/server", "--port", port] + arguments,
      environment: sandbox.environment(), mergesErrors: true)
    self.process = process
    while let line = process.readLine() {
      log.append(line)
      guard line.hasPrefix("listening on ") else { continue }
      url = String(line.dropFirst("listening on ".count))
      return
    }
    throw NotStarted(log: log)
  }

  /// The error of a server that ended at once.
  struct NotStarted: Error, CustomStringConvertible {
    let log: [String]
    var description: String { "todo-server ended: \(log.joined(separator: "\n"))" }
  }
}

extension Sandbox {
  /// Runs `todo sync` until the server has decided everything. On a busy machine an exchange may take longer than its time limit.
  @discardableResult
  func synced() throws -> Outcome {
    var outcome = try todo("sync")
    while outcome.status == 75, outcome.output.contains("offline") { outcome = try todo("sync") }
    return outcome
  }

  /// Begins to sync, again if the machine was too busy.
  @discardableResult
  func begin(_ url: String, _ token: String, _ more: String...) throws -> Outcome {
    let command = [executable, "sync", url] + more
    var outcome = try run(command, input: Array((token + "\n").utf8))
    while outcome.status == 75 { outcome = try run(command, input: Array((token + "\n").utf8)) }
    return outcome
  }
}
