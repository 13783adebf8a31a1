import Foundation
import ProcessTesting

/// A `todo-server` process, with Ann's list, which Bob may change. It can be killed and started again on the same port.
final class ListServer {
  private let folder: String
  private var process: LineProcess?
  /// The address for `todo sync`.
  private(set) var url = ""

  /// Starts a server.
  init() async throws {
    folder = FileManager.default.temporaryDirectory.path + "/todo-server-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try await start(port: "0")
  }

  deinit {
    process?.child.end(SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs an administrator's command.
  ///
  /// - Returns: The first line of its output.
  @discardableResult
  func admin(_ arguments: String...) throws -> String {
    let outcome = try ChildProcess.run(
      [Product.path("todo-server")] + arguments + ["--data", folder], environment: ["PATH": "/usr/bin:/bin"], input: [], mergesErrors: true)
    guard outcome.status == 0, let line = outcome.lines.first else { throw TodoServer.ServerError(description: "\(outcome)") }
    return line
  }

  /// Ends the server at any point, without a chance to do anything.
  func kill() {
    process?.child.end(SIGKILL)
    process = nil
  }

  /// Starts the server again on the same port.
  func restart() async throws {
    try await start(port: url.split(separator: ":").last.map { String($0.prefix { $0.isNumber }) } ?? "")
  }

  private func start(port: String) async throws {
    let process = try LineProcess(
      [Product.path("todo-server"), "run", "--data", folder, "--port", port], environment: ["PATH": "/usr/bin:/bin"], mergesErrors: true)
    self.process = process
    guard let line = await process.line(where: { $0.hasPrefix("listening on ") }) else {
      throw TodoServer.ServerError(description: "todo-server ended: \(process.lines)")
    }
    url = String(line.dropFirst("listening on ".count))
  }
}

extension TodoServer {
  /// Begins to sync, again if the machine is too busy for the time limit of an exchange.
  func begin(_ server: ListServer, token: String, list: String = "ann/todo") throws {
    while true {
      do {
        try todo(["sync", server.url, "--list", list], input: token + "\n")
        return
      } catch let error as ServerError where error.description.contains("can't reach") {}
    }
  }

  /// Waits until the server has decided everything.
  func sync() throws {
    while true {
      do {
        try todo(["sync"])
        return
      } catch let error as ServerError where error.description.contains("offline") {}
    }
  }
}
