import Alter
import Foundation
import ProcessTesting
import Testing
import TodoTesting

@testable import AlterInspectorServer

/// Sends the built servers hostile values: of every parameter in the inspector's table, and in every command of the todo page.
@Suite("Hostile requests", .timeLimit(.minutes(20)))
struct RouteCaseTests {
  private static func encoded(_ value: String) -> String {
    value.utf8.map { byte in
      let isPlain = byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// The hostile values in a query. Its maximum size is 8 KiB.
  private static func values(_ kind: HostileKind) -> [String] {
    kind.hostileValues.map { encoded(String($0.prefix(2_500))) } + ["%FF", "%", "%zz"]
  }

  // The `switch` has no default: a new case doesn't compile until it has hostile values.
  private static func kind(_ parameter: InspectorRoute.Parameter) -> HostileKind {
    switch parameter {
    case .revision, .count: .number
    case .time: .time
    case .text: .text
    case .pointer: .pointer
    case .kinds, .list, .flag: .choice
    }
  }

  /// The paths of one of the inspector's routes, with hostile values of all its parameters.
  private static func paths(_ route: InspectorRoute) -> [String] {
    let path = "/api/\(route.path)"
    var paths = route.path.contains(":revision") ? values(.number).map { path.replacingOccurrences(of: ":revision", with: $0) } : [path]
    // The other required parameters are present, so that the server examines the hostile value.
    let needed: [String: String] = ["text": "a", "condition": "empty", "from": "1"]
    for (name, parameter) in route.parameters.sorted(by: { $0.key < $1.key }) {
      let others = needed.filter { $0.key != name && route.parameters[$0.key] != nil }.map { "&\($0.key)=\($0.value)" }.joined()
      paths += values(kind(parameter)).map { "\(path)?\(name)=\($0)\(others)" }
    }
    return paths + ["\(path)?\(encoded(HostileKind.needle))=1"]
  }

  /// Sends a request and expects an answer with one of the statuses, without control characters.
  private func expect(_ server: RawServer, _ method: String, _ path: String, body: String? = nil, _ statuses: Set<Int>) async throws {
    let answer: HTTPAnswer
    if path.contains("/api/events") {
      let connection = try LoopbackSocket(port: server.port)
      connection.send(server.head(method, path))
      answer = HTTPAnswer(Array(await connection.read(until: "\r\n\r\n").utf8))
    } else {
      answer = try await server.ask(method, path, body: body)
    }
    #expect(statuses.contains(answer.status), "\(method) \(path.prefix(300)) \(body?.prefix(300) ?? ""): \(answer)")
    // An error message may repeat the value, but never its control characters.
    let active = answer.text.unicodeScalars.first { $0.value < 0x20 && !"\n\r\t".unicodeScalars.contains($0) }
    #expect(answer.status == 200 || active == nil, "\(method) \(path.prefix(300)): \(answer)")
  }

  @Test("of every route and parameter of the inspector are answered with a documented status")
  func inspector() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("alter"), "serve", folder.journal, "--no-token"], environment: folder.environment())
    for route in InspectorRoute.allCases {
      for path in Self.paths(route) { try await expect(server, "GET", path, [200, 400, 404, 422]) }
      for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let path = "/api/\(route.path)".replacingOccurrences(of: ":revision", with: "1")
        #expect(try await server.ask(method, path).status == 405, "\(method) \(path)")
      }
      #expect(try await server.ask("GET", "/api/journal").status == 200)
    }
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("of every command of the todo page are answered with a documented status, and leave a sound list")
  func list() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0"], environment: folder.environment())
    let texts = (HostileKind.text.hostileValues + HostileKind.number.hostileValues).map { String($0.prefix(10_000)) }
    let values =
      try texts.map { String(decoding: try JournalCoding.encode($0), as: UTF8.self) } + ["null", "true", "[]", "{}", "1e400", "-1"]
    for command in ["add", "complete", "reopen", "remove", "undo", "redo"] {
      for value in values {
        for body in ["{\"\(command)\":\(value)}", "{\"\(command)\":{\"id\":\(value)}}", "{\"\(command)\":{\"text\":\(value)}}"] {
          try await expect(server, "POST", "/api/changes", body: body, [200, 400, 409, 413, 422])
        }
      }
    }
    #expect(server.process.child.end(SIGTERM) == 0)
    #expect(try await folder.run(["alter", "verify", folder.list]).status == 0)
  }
}
