import Alter
import Foundation
import ProcessTesting
import Testing
import TodoCore

@testable import AlterInspectorServer

/// Sends the built servers hostile values of every parameter in their routers' tables.
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

  // The `switch` statements have no default: a new case doesn't compile until it has hostile values.
  private static func kind(_ parameter: InspectorRoute.Parameter) -> HostileKind {
    switch parameter {
    case .revision, .count: .number
    case .time: .time
    case .text: .text
    case .pointer: .pointer
    case .kinds, .list, .flag: .choice
    }
  }

  private static func kind(_ parameter: ListRequest.Parameter) -> HostileKind {
    switch parameter {
    case .show, .sort: .choice
    case .search: .text
    case .tag: .tag
    case .limit: .number
    }
  }

  /// The paths of one of the inspector's routes, with hostile values of all its parameters.
  private static func paths(_ route: InspectorRoute, under folder: String) -> [String] {
    let path = "\(folder)/api/\(route.path)"
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

  private func isAlive(_ server: RawServer, _ path: String) async throws { #expect(try await server.ask("GET", path).status == 200) }

  @Test("of every route and parameter of the inspector are answered with a documented status", arguments: ["alter", "todo"])
  func inspector(_ name: String) async throws {
    let folder = try await HostileFolder()
    let command = name == "alter" ? ["alter", "serve", folder.journal, "--no-token"] : ["todo", "serve", "--port", "0"]
    let server = try await RawServer([Product.path(command[0])] + command.dropFirst(), environment: folder.environment())
    let under = name == "alter" ? "" : "/inspector"
    for route in InspectorRoute.allCases {
      for path in Self.paths(route, under: under) { try await expect(server, "GET", path, [200, 400, 404, 422]) }
      for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let path = "\(under)/api/\(route.path)".replacingOccurrences(of: ":revision", with: "1")
        #expect(try await server.ask(method, path).status == 405, "\(method) \(path)")
      }
      try await isAlive(server, "\(under)/api/journal")
    }
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("of every route, parameter and command of the list are answered with a documented status, and change nothing that they may not")
  func list() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0"], environment: folder.environment())
    let statuses: Set<Int> = [200, 400, 409, 413, 422]
    for route in ListRoute.allCases {
      for parameter in route.parameters {
        for value in Self.values(Self.kind(parameter)) {
          try await expect(server, route.method, "\(route.path)?\(parameter.rawValue)=\(value)", statuses)
        }
      }
      if route.method == "POST" {
        for body in try Self.bodies(route) { try await expect(server, "POST", route.path, body: body, statuses) }
      }
      for method in ["PUT", "DELETE", "PATCH", "OPTIONS", route.method == "GET" ? "POST" : "GET"] {
        #expect(try await server.ask(method, route.path).status == 405, "\(method) \(route.path)")
      }
      try await isAlive(server, "/api/list")
    }
    #expect(server.process.child.end(SIGTERM) == 0)
    #expect(try await folder.run(["alter", "verify", folder.list]).status == 0)
  }

  /// JSON with hostile values for each field, and texts that are not JSON.
  private static func bodies(_ route: ListRoute) throws -> [String] {
    func json(_ text: String) throws -> String { String(decoding: try JournalCoding.encode(text), as: UTF8.self) }
    let texts = try (HostileKind.text.hostileValues + HostileKind.day.hostileValues).map { try json(String($0.prefix(10_000))) }
    let scalars =
      HostileKind.number.hostileValues.filter { Int64($0) != nil || $0.contains("e") } + ["null", "true", "[]", "{}", "1e400"]
    var bodies = [
      "", "{", "[]", "\u{0}", #"{"a":1,"a":2}"#, String(repeating: "[", count: 60_000), "{\(try json(HostileKind.needle)):1}",
    ]
    for (name, field) in route.fields.sorted(by: { $0.key < $1.key }) {
      switch field {
      case .revision: bodies += (scalars + texts).map { "{\"\(name)\":\($0)}" }
      case .keys: bodies += (scalars + texts).flatMap { ["{\"\(name)\":\($0)}", "{\"\(name)\":[\($0)]}"] }
      case .commands:
        bodies += scalars.map { "{\"\(name)\":\($0)}" }
        for command in ListCommand.Name.allCases {
          for value in scalars + texts {
            for member in ["id", "text", "done", "day", "priority", "tag"] {
              bodies.append("{\"\(name)\":[{\"\(command.rawValue)\":{\"\(member)\":\(value)}}]}")
            }
          }
        }
      }
    }
    return bodies
  }
}
