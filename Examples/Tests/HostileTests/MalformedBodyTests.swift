import Foundation
import ProcessTesting
import Testing
import TodoTesting

@Suite("Bodies and lines that are malformed or too long", .timeLimit(.minutes(20)))
struct MalformedBodyTests {
  @Test("a chunk whose size is no number is answered with 400, and the server goes on")
  func chunks() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0"], environment: folder.environment())
    let fields = ["Content-Type: application/json", "Transfer-Encoding: chunked"]
    for body in ["zz\r\n{}\r\n0\r\n\r\n", "-1\r\n{}\r\n0\r\n\r\n", "ffffffffffffffffff\r\n{}\r\n"] {
      let connection = try LoopbackSocket(port: server.port)
      connection.send(server.head("POST", "/api/changes", fields) + body)
      let answer = HTTPAnswer(await connection.readAll())
      #expect(answer.status == 400, "\(body.debugDescription): \(answer)")
    }
    #expect(try await server.ask("GET", "/").status == 200)
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("a line of 'add -' of more than 1 MiB is refused by its number; the lines before it are on the disk")
  func lines() async throws {
    let folder = try await HostileFolder()
    let input = Array("Before the long line\n".utf8) + [UInt8](repeating: 0x78, count: (1 << 20) + 1) + Array("\nAfter it\n".utf8)
    let outcome = try await folder.run(["todo", "add", "-"], input: input)
    #expect(
      outcome.status == 65 && outcome.errors.contains("line 2 has more than 1 MiB"), "\(outcome.status): \(outcome.errors.prefix(500))")
    let list = try await folder.run(["todo", "list"])
    #expect(list.output.contains("Before the long line") && !list.output.contains("After it"), "\(list)")
  }
}
