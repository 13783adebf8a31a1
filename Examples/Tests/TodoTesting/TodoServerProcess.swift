import Foundation
public import ProcessTesting

/// A running `todo-server` with its data in a temporary folder. It can be killed and started again on the same port.
public final class TodoServerProcess {
  /// The folder of the server's data.
  public var folder: String { home.path }
  private let home: Folder
  private let arguments: [String]
  private let environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"]
  private var process: LineProcess?
  /// The address for `todo sync`.
  public private(set) var url = ""
  /// Everything that the server has written.
  public private(set) var log: [String] = []

  /// Starts the server.
  public init(_ arguments: String...) throws {
    self.arguments = arguments
    home = try Folder()
    try start(port: "0")
  }

  deinit { process?.child.end(SIGKILL) }

  /// Runs an administrator's command of the server.
  @discardableResult
  public func admin(_ arguments: String...) throws -> Outcome {
    try ChildProcess.run([Product.path("todo-server")] + arguments + ["--data", folder], environment: environment, input: [])
  }

  /// Adds a user.
  ///
  /// - Returns: The token.
  public func add(_ user: String) throws -> String { try admin("user", "add", user).lines.first ?? "" }

  /// Ends the server at any point, without a chance to do anything.
  public func kill() {
    process?.child.end(SIGKILL)
    log += process?.readLines() ?? []
    process = nil
  }

  /// Starts the server again on the same port.
  public func restart() throws { try start(port: url.split(separator: ":").last.map { String($0.prefix { $0.isNumber }) } ?? "") }

  private func start(port: String) throws {
    let process = try LineProcess(
      [Product.path("todo-server"), "run", "--data", folder, "--port", port] + arguments, environment: environment, mergesErrors: true)
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
  public struct NotStarted: Error, CustomStringConvertible {
    let log: [String]
    /// The message.
    public var description: String { "todo-server ended: \(log.joined(separator: "\n"))" }
  }
}
