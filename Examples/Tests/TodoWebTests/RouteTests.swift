import Alter
import Foundation
import ProcessTesting
import Testing
import TodoTesting

@Suite("The routes of todo serve", .timeLimit(.minutes(20)))
struct RouteTests {
  @Test("change the list as its processes do, and answer when the change is on the disk")
  func changes() async throws {
    let list = try ServedList()
    let server = try await list.serve()
    #expect(try await server.change(#"{"add":{"text":"(B) Write the talk +talk due:2026-12-01"}}"#).status == 200)
    #expect(try list.todo("export").hasSuffix("Write the talk +talk due:2026-12-01\n"))
    let item = try #require(try await server.view()["items"]?[0])
    #expect(item["text"] == "(B) Write the talk +talk" && item["due"] == "2026-12-01" && item["isDone"] == false)
    let id = try #require(item["id"])
    for (command, isDone) in [("complete", true), ("complete", true), ("reopen", false)] {
      #expect(try await server.change("{\"\(command)\":{\"id\":\(id)}}").status == 200)
      #expect(try await server.view()["items"]?[0]?["isDone"]?.flag == isDone)
    }
    // The second 'complete' has changed nothing.
    #expect(try await server.change(#"{"undo":{}}"#).text == #"{"did":"Undid: reopened ‘Write the talk +talk’"}"#)
    #expect(try await server.change(#"{"undo":{}}"#).text == #"{"did":"Undid: completed ‘Write the talk +talk’"}"#)
    #expect(try await server.change(#"{"redo":{}}"#).status == 200)
    #expect(try await server.change("{\"remove\":{\"id\":\(id)}}").status == 200)
    #expect(try await server.view()["items"] == .array([]))
    #expect(try await server.change("{\"complete\":{\"id\":\(id)}}").error.contains("was removed elsewhere"))
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("refuse what is malformed, impossible, too large or forged, in words, and change nothing")
  func refusals() async throws {
    let list = try ServedList()
    let server = try await list.serve("--allow-host", "todo.example")
    let command = #"{"add":{"text":"forged"}}"#
    for (body, status, words) in [
      ("", 400, "no command"), ("{", 400, "no command"), ("\u{0}", 400, "no command"), (#"{"explode":{}}"#, 400, "no command"),
      (#"{"add":{"text":1}}"#, 400, "no command"), (#"{"remove":{"id":"1"}}"#, 400, "no command"),
      (#"{"add":{"text":"forged"},"undo":{}}"#, 400, "no command"), (String(repeating: "[", count: 60_000), 400, "no command"),
      (#"{"add":{"text":" "}}"#, 422, "type one"), (#"{"add":{"text":"(A) due:2026-12-01"}}"#, 422, "type one"),
      (#"{"add":{"text":"two\nlines"}}"#, 422, "single line"),
      (#"{"add":{"text":"forged due:2026-02-30"}}"#, 422, "no such day"),
      (#"{"remove":{"id":"00000000-0000-4000-8000-000000000000"}}"#, 409, "was removed elsewhere"),
      (#"{"undo":{}}"#, 409, "nothing to undo"), (#"{"redo":{}}"#, 409, "nothing to redo"),
      ("{\"add\":{\"text\":\"forged \(String(repeating: "a", count: 70_000))\"}}", 413, "too large"),
    ] {
      let answer = try await server.change(body)
      #expect(answer.status == status && answer.error.contains(words), "\(body.prefix(80)): \(answer)")
    }
    for (method, path, fields, status) in [
      ("GET", "/api/changes", [], 405), ("PUT", "/api/changes", [], 405), ("POST", "/api/events", [], 405),
      ("GET", "/api/nothing", [], 404),
      ("POST", "/api/changes", ["Origin: http://elsewhere.example"], 403), ("POST", "/api/changes", ["Sec-Fetch-Site: same-site"], 403),
      ("GET", "/api/events", ["Sec-Fetch-Site: cross-site"], 403),
    ] {
      let answer = try await server.ask(method, path, body: method == "GET" ? nil : command, fields)
      #expect(answer.status == status, "\(method) \(path) \(fields): \(answer)")
    }
    // Requests whose head a client writes by itself: without the token, with another name of the server, as a form of another site.
    for (head, status) in [
      ("Host: 127.0.0.1:\(server.port)", 401), ("Host: evil.example", 421), ("Host: TODO.example", 401),
      ("Host: todo.example\r\nAuthorization: Bearer \(server.token ?? "")", 415),
    ] {
      let connection = try LoopbackSocket(port: server.port)
      let fields = "\(head)\r\nContent-Type: text/plain\r\nContent-Length: \(command.utf8.count)\r\nConnection: close\r\n\r\n"
      connection.send("POST /api/changes HTTP/1.1\r\n" + fields + command)
      let answer = HTTPAnswer(await connection.readAll())
      #expect(answer.status == status, "\(head): \(answer)")
    }
    // A body in chunks announces no length.
    let connection = try LoopbackSocket(port: server.port)
    let fields = ["Content-Type: application/json", "Transfer-Encoding: chunked", "Connection: close"]
    connection.send(server.head("POST", "/api/changes", fields) + "11170\r\n" + String(repeating: "a", count: 0x11170) + "\r\n0\r\n\r\n")
    #expect(HTTPAnswer(await connection.readAll()).status == 413)
    #expect(try list.todo("export") == "")
  }

  @Test("are served beyond this machine with a token alone; a port that is taken or impossible ends the command with its status")
  func ports() async throws {
    let list = try ServedList()
    let server = try await list.serve("--host", "0.0.0.0")
    #expect(server.token?.count == 32)
    for (port, status, words) in [("\(server.port)", 75, "another program has the port"), ("70000", 64, "0 to 65535")] {
      let error = #expect(throws: ServedList.Failed.self) { try list.todo("serve", "--port", port) }
      #expect(error?.outcome.status == Int32(status) && error?.outcome.errors.contains(words) == true, "\(String(describing: error))")
    }
  }
}
