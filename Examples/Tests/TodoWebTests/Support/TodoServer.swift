import Foundation
import ProcessTesting
import Testing

/// `todo serve` as a process, on a list of its own in a temporary folder, and on any free port.
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
  ///   - items: What is on the list already, each as one types it.
  ///   - arguments: What follows `todo serve`.
  init(_ items: [String] = [], arguments: [String] = []) async throws {
    executable = try Product.path("todo")
    folder = FileManager.default.temporaryDirectory.path + "/todo-web-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if !items.isEmpty { try todo(["add", "-"], input: items.joined(separator: "\n") + "\n") }
    try await start(["--port", "0"] + arguments)
  }

  deinit {
    running.process?.child.end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The address that it has printed, with the token if there is one.
  var address: String { running.address }
  /// The port that it listens on.
  var port: Int { URLComponents(string: address)?.port ?? 0 }

  /// Runs a command on the same list to its end, as somebody does in a terminal.
  @discardableResult
  func todo(_ arguments: [String], input: String = "") throws -> String {
    let outcome = try ChildProcess.run([executable] + arguments, environment: environment, input: Array(input.utf8), mergesErrors: true)
    guard outcome.status == 0 else { throw ServerError(description: "todo \(arguments): \(outcome)") }
    return outcome.output
  }

  /// Ends it, and waits for its end.
  ///
  /// - Returns: Its exit status, or 128 and the signal's number.
  @discardableResult
  func end(_ signal: Int32) throws -> Int32 {
    let process = try #require(running.process)
    return process.child.end(signal)
  }

  /// Starts it again on the port that it had.
  func restart() async throws { try await start(["--port", "\(port)"]) }

  /// Another server on the same list.
  func beside() async throws -> TodoServer { try await TodoServer(sharing: self) }

  private init(sharing other: TodoServer) async throws {
    executable = other.executable
    folder = other.folder
    try await start(["--port", "0"])
  }

  /// What else it has said.
  var output: String { running.process?.lines.joined(separator: "\n") ?? "" }

  private var environment: [String: String] {
    ["HOME": folder, "TODO_STORE": folder + "/list.alter", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
  }

  private func start(_ arguments: [String]) async throws {
    // Without a token, unless a test is about it.
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

  /// The process of the moment.
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
