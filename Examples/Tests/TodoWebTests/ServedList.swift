import Alter
import Foundation
import ProcessTesting
import TodoTesting

/// A list in a temporary folder, for commands and servers.
struct ServedList {
  struct Failed: Error { let outcome: Outcome }

  private let folder: Folder
  private var environment: [String: String] {
    ["HOME": folder.path, "TODO_STORE": folder.path("list.alter"), "TZ": "UTC", "PATH": "/usr/bin:/bin"]
  }

  init(_ items: String...) throws {
    folder = try Folder()
    for item in items { try todo("add", item) }
  }

  /// Runs a command to its end, as a user does in a terminal.
  @discardableResult
  func todo(_ arguments: String..., input: String = "") throws -> String {
    let outcome = try ChildProcess.run([Product.path("todo")] + arguments, environment: environment, input: Array(input.utf8))
    guard outcome.status == 0 else { throw Failed(outcome: outcome) }
    return outcome.output
  }

  /// Begins to sync, again if the machine is too busy for the time limit of an exchange.
  func sync(with server: TodoServerProcess, token: String) throws {
    while true {
      do {
        try todo("sync", server.url, "--list", "ann/todo", input: token + "\n")
        return
      } catch let error as Failed where error.outcome.errors.contains("can't reach") {}
    }
  }

  /// Runs `todo serve` on any free port.
  func serve(_ arguments: String...) async throws -> RawServer {
    try await RawServer([Product.path("todo"), "serve", "--port", "0"] + arguments, environment: environment)
  }
}

extension RawServer {
  /// Sends a command of the page.
  func change(_ command: String) async throws -> HTTPAnswer { try await ask("POST", "/api/changes", body: command) }

  /// The list as a page receives it: the first event of a new stream.
  func view() async throws -> JSONValue {
    let connection = try LoopbackSocket(port: port)
    connection.send(head("GET", "/api/events"))
    let lines = await connection.read(until: "}\n\n").split(separator: "\n")
    let data = lines.first { $0.hasPrefix("data: ") }?.dropFirst("data: ".count) ?? ""
    return try JSONValue(parsing: Data(data.utf8))
  }
}

extension HTTPAnswer {
  /// The text of `{"error":"…"}`, or the whole text.
  var error: String { (try? JSONValue(parsing: body))?["error"]?.text ?? text }
}
