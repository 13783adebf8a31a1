import Alter
import Foundation
import Testing

@Suite("todo serve refuses")
struct RefusalTests {
  private let add = #"{"changes":[{"add":{"text":"forged"}}]}"#

  /// Expects that the server refuses a request, and that the list is unchanged.
  private func expect(
    _ request: HTTPRequest, _ status: Int, _ words: String, from server: TodoServer, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let reply = try await server.send(request)
    #expect(reply.status == status, "\(reply)", sourceLocation: sourceLocation)
    #expect(reply.error.contains(words), "\(reply.error)", sourceLocation: sourceLocation)
    #expect(!(try server.todo(["list"])).contains("forged"), sourceLocation: sourceLocation)
  }

  @Test("what a page elsewhere could forge")
  func forged() async throws {
    let server = try await TodoServer()
    for headers in [
      ["Origin": "http://elsewhere.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
      ["Origin": "http://127.0.0.1:1"],
    ] {
      for path in ["/api/changes", "/api/undo", "/api/redo"] {
        try await expect(.post(path, add, headers), 403, "page", from: server)
      }
    }
    // An HTML form can't send JSON, and a page from another site can't read the answer.
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
      try await expect(.post("/api/changes", add, ["Content-Type": type]), 415, "must be JSON", from: server)
    }
    for path in ["/api/list", "/api/events"] {
      try await expect(.get(path, ["Sec-Fetch-Site": "cross-site"]), 403, "page of another origin", from: server)
    }
    #expect(
      try await server.send(.post("/api/changes", #"{"changes":[{"add":{"text":"mine"}}]}"#, ["Origin": "http://127.0.0.1:\(server.port)"]))
        .status == 200)
  }

  @Test("to be asked by a name that isn't its own")
  func host() async throws {
    let server = try await TodoServer([], arguments: ["--allow-host", "todo.example"])
    for host in ["evil.example", "evil.example:\(server.port)", "127.0.0.1.evil.example"] {
      try await expect(.get("/api/list", ["Host": host]), 421, "is not called", from: server)
      try await expect(.post("/api/changes", add, ["Host": host]), 421, "is not called", from: server)
    }
    for host in ["localhost:\(server.port)", "todo.example", "TODO.example:80"] {
      #expect(try await server.send(.get("/api/list", ["Host": host])).status == 200)
    }
  }

  @Test("whoever doesn't know the token")
  func token() async throws {
    let server = try await TodoServer([], arguments: ["--token", "secret-1234"])
    #expect(server.address.hasSuffix("/?token=secret-1234"))
    for request in [HTTPRequest.get("/"), .get("/api/list"), .get("/api/events"), .get("/todo.js"), .post("/api/changes", add)] {
      try await expect(request, 401, "token", from: server)
    }
    try await expect(.get("/api/list", ["Authorization": "Bearer secret-1235"]), 401, "token", from: server)
    try await expect(.get("/?token=wrong"), 401, "token", from: server)
    #expect(try await server.send(.get("/api/list", ["Authorization": "Bearer secret-1234"])).status == 200)
    let welcome = try await server.send(.get("/?token=secret-1234"))
    #expect(welcome.status == 303 && welcome.headers["location"] == "/")
    let cookie = try #require(welcome.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(try await server.send(.get("/api/list", ["Cookie": pair])).status == 200)
    try await expect(.post("/api/changes", add, ["Cookie": pair, "Origin": "http://elsewhere.example"]), 403, "elsewhere", from: server)
  }

  @Test("to listen beyond this machine without a token")
  func beyondLoopback() async throws {
    let server = try await TodoServer([], arguments: ["--host", "0.0.0.0"])
    #expect(server.address.contains("?token="))
    try await expect(.get("/api/list"), 401, "token", from: server)
  }

  @Test("what is too large, before it has come in whole")
  func tooLarge() async throws {
    let server = try await TodoServer()
    let text = "{\"changes\":[{\"add\":{\"text\":\"forged \(String(repeating: "a", count: 70_000))\"}}]}"
    try await expect(.post("/api/changes", text), 413, "too large", from: server)
    try await expect(.post("/api/changes", "", ["Content-Length": "99999999999"]), 413, "too large", from: server)
    // A chunked body announces no length.
    let chunks = HTTPRequest(
      method: "POST", path: "/api/changes",
      headers: ["Content-Type": "application/json", "Transfer-Encoding": "chunked", "Content-Length": ""],
      body: Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n0\r\n\r\n".utf8))
    try await expect(chunks, 413, "too large", from: server)
    try await expect(
      .post("/api/changes", "{\"changes\":[{\"add\":{\"text\":\"forged \(String(repeating: "a", count: 5_000))\"}}]}"), 422, "too long",
      from: server)
  }

  @Test("what is no JSON, and what it doesn't know")
  func malformed() async throws {
    let server = try await TodoServer(["Pay rent"])
    let id = try #require(try await server.page()["items"]?[0]?["id"]?.text)
    for (body, words) in [
      ("", "invalid JSON"), ("{", "invalid JSON"), ("\u{0}", "invalid JSON"), ("[]", "is an object"),
      (#"{"changes":[{"explode":{}}]}"#, "no command"),
      (#"{"changes":[{"add":{"text":"forged","more":1}}]}"#, "no field"), (#"{"changes":[{"add":{"text":["forged"]}}]}"#, "is a text"),
      (#"{"changes":[{"complete":{"id":"\#(id)","done":"yes"}}]}"#, "true or false"),
      (String(repeating: "[", count: 60_000), "nested"),
    ] {
      try await expect(.post("/api/changes", body), 400, words, from: server)
    }
    try await expect(.post("/api/undo", #"{"of":"last"}"#), 400, "whole number", from: server)
    try await expect(.post("/api/undo", #"{"all":true}"#), 400, "no field", from: server)
    for (query, words) in [
      ("show=some", "is open, done"), ("sort=size", "is one of"), ("limit=0", "from 1"), ("limit=99999", "from 1"),
      ("colour=red", "no parameter"),
      ("tag=two%20words", "single word"), ("tag=", "single word"),
    ] {
      try await expect(.get("/api/list?\(query)"), 400, words, from: server)
      try await expect(.get("/api/events?\(query)"), 400, words, from: server)
    }
  }

  @Test("what the list doesn't allow, all of it")
  func refused() async throws {
    let server = try await TodoServer(["Pay rent"])
    let gone = UUID().uuidString
    try await expect(
      .post("/api/changes", #"{"changes":[{"add":{"text":"forged"}},{"complete":{"id":"\#(gone)","done":true}}]}"#), 409, "was removed",
      from: server)
    for (text, words) in [("", "type one"), ("two\\nlines", "line break"), ("due:2026-02-30 forged", "no such day")] {
      try await expect(.post("/api/changes", #"{"changes":[{"add":{"text":"\#(text)"}}]}"#), 422, words, from: server)
    }
    #expect(try await server.send(.post("/api/undo", "{}")).status == 200)
    try await expect(.post("/api/undo", "{}"), 409, "nothing to undo", from: server)
  }

  @Test("other methods, and paths where there is nothing")
  func methods() async throws {
    let server = try await TodoServer()
    for (path, method) in [
      ("/", "GET"), ("/todo.js", "GET"), ("/api/list", "GET"), ("/api/events", "GET"), ("/api/changes", "POST"), ("/api/undo", "POST"),
      ("/api/redo", "POST"),
    ] {
      for other in ["PUT", "DELETE", "PATCH", "OPTIONS", method == "GET" ? "POST" : "GET"] {
        let reply = try await server.send(HTTPRequest(method: other, path: path, headers: ["Content-Type": "application/json"]))
        #expect(reply.status == 405 && reply.headers["allow"] == method, "\(other) \(path): \(reply)")
      }
    }
    for path in ["/api", "/api/", "/api/nothing", "/todo.css/more", "/../etc/passwd", "/index.html", "/library/", "/%2e%2e/x"] {
      #expect(try await server.send(.get(path)).status == 404, "\(path)")
    }
  }

  @Test("what is wrong on its command line")
  func usage() async throws {
    for (arguments, words) in [
      (["--port", "70000"], "0 to 65535"), (["--token", "short"], "8 to 200"), (["--token", "semi;colon;x"], "8 to 200"),
    ] {
      do {
        _ = try await TodoServer([], arguments: arguments)
        Issue.record("\(arguments) was accepted")
      } catch let error as TodoServer.ServerError {
        #expect(error.description.contains(words), "\(error)")
      }
    }
  }
}
