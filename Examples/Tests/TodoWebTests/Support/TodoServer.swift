import Foundation
import ProcessTesting
import Testing

/// A `todo serve` process with its own list in a temporary folder, on any free port.
final class TodoServer: Sendable {
  struct ServerError: Error, CustomStringConvertible {
    let description: String
  }

  let folder: String
  private let executable: String
  private let running = Running()

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - items: The initial items, as a user types them.
  ///   - arguments: The arguments of `todo serve`.
  ///   - prepare: Runs before the server starts, to sync the list.
  init(_ items: [String] = [], arguments: [String] = [], prepare: (TodoServer) throws -> Void = { _ in }) async throws {
    executable = try Product.path("todo")
    folder = FileManager.default.temporaryDirectory.path + "/todo-web-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if !items.isEmpty { try todo(["add", "-"], input: items.joined(separator: "\n") + "\n") }
    try prepare(self)
    try await start(["--port", "0"] + arguments)
  }

  deinit {
    running.process?.child.end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The printed address, with the token if there is one.
  var address: String { running.address }
  /// The port of the server.
  var port: Int { URLComponents(string: address)?.port ?? 0 }

  /// Runs a command on the same list to its end, as a user does in a terminal.
  @discardableResult
  func todo(_ arguments: [String], input: String = "") throws -> String {
    let outcome = try ChildProcess.run([executable] + arguments, environment: environment, input: Array(input.utf8), mergesErrors: true)
    guard outcome.status == 0 else { throw ServerError(description: "todo \(arguments): \(outcome)") }
    return outcome.output
  }

  /// Ends the server and waits for its end.
  ///
  /// - Returns: The exit status, or 128 plus the signal's number.
  @discardableResult
  func end(_ signal: Int32) throws -> Int32 {
    let process = try #require(running.process)
    return process.child.end(signal)
  }

  /// Starts the server again on the same port.
  func restart() async throws { try await start(["--port", "\(port)"]) }

  /// Starts another server on the same list.
  func beside() async throws -> TodoServer { try await TodoServer(sharing: self) }

  private init(sharing other: TodoServer) async throws {
    executable = other.executable
    folder = other.folder
    try await start(["--port", "0"])
  }

  /// The lines of output read so far.
  var output: String { running.process?.lines.joined(separator: "\n") ?? "" }

  private var environment: [String: String] {
    ["HOME": folder, "TODO_STORE": folder + "/list.alter", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
  }

  private func start(_ arguments: [String]) async throws {
    // The server uses no token, unless the test is about tokens.
    let isAboutToken = arguments.contains { $0.contains("token") || $0.hasPrefix("--host") }
    let process = try LineProcess(
      [executable, "serve"] + (isAboutToken ? [] : ["--no-token"]) + arguments, environment: environment, mergesErrors: true)
    running.process = process
    guard let line = await process.line(where: { $0.contains("http://") }) else {
      throw ServerError(description: "it says nothing of the kind: ‘\(output)’")
    }
    guard let begin = line.range(of: "http://") else { throw ServerError(description: "no address: \(line)") }
    running.address = line[begin.lowerBound...].trimmingCharacters(in: .whitespaces)
  }

  /// The current process.
  private final class Running: Sendable {
    private let contents = Shared<(process: LineProcess?, address: String)>((nil, ""))
    var process: LineProcess? {
      get { contents.withLock { $0.process } }
      set { contents.withLock { $0.process = newValue } }
    }
    var address: String {
      get { contents.withLock { $0.address } }
      set { contents.withLock { $0.address = newValue } }
    }
  }
}
