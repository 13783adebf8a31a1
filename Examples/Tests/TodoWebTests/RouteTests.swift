import Alter
import Foundation
import Testing

@Suite("todo serve over HTTP")
struct RouteTests {
  @Test("gives the page and its files, each as what it is")
  func files() async throws {
    let server = try await TodoServer()
    for (path, type, words) in [
      ("/", "text/html; charset=utf-8", "<title>Todo</title>"), ("/todo.js", "text/javascript; charset=utf-8", "render("),
      ("/todo-item.js", "text/javascript; charset=utf-8", "export"), ("/todo-parts.js", "text/javascript; charset=utf-8", "export"),
      ("/todo-server.js", "text/javascript; charset=utf-8", "EventSource"), ("/todo-keys.js", "text/javascript; charset=utf-8", "export"),
      ("/todo.css", "text/css; charset=utf-8", ".item"), ("/todo.svg", "image/svg+xml", "<svg"),
      ("/library/render.js", "text/javascript; charset=utf-8", "export"), ("/library/base.css", "text/css; charset=utf-8", ":root"),
    ] {
      let reply = try await server.send(.get(path))
      #expect(reply.status == 200 && reply.headers["content-type"] == type && reply.text.contains(words), "\(path): \(reply.status)")
      let policy = try #require(reply.headers["content-security-policy"])
      #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
      #expect(reply.headers["x-content-type-options"] == "nosniff")
      let tag = try #require(reply.headers["etag"])
      #expect(try await server.send(.get(path, ["If-None-Match": tag])).status == 304)
    }
    #expect(server.address == "http://127.0.0.1:\(server.port)/")
  }

  @Test("GET api/list shows what is asked for")
  func list() async throws {
    let server = try await TodoServer(["Pay rent @home", "Buy bread @market"])
    try server.todo(["done", "2"])
    _ = try await EventStream(server).page { $0["counts"]?["done"] == 1 }
    #expect(try await server.page("")["items"]?.values?.map { $0["text"] } == ["Pay rent @home"])
    #expect(try await server.page("?show=done")["items"]?[0]?["text"] == "Buy bread @market")
    #expect(try await server.page("?show=all&tag=%40home")["matching"] == 1)
    #expect(try await server.page("?show=all&search=br%C3%A9ad")["matching"] == 0)
    #expect(try await server.page("?show=all&sort=text&limit=1")["items"]?[0]?["number"] == 2)
    let page = try await server.page()
    #expect(page["counts"] == ["all": 2, "open": 1, "done": 1, "overdue": 0])
    #expect(page["undo"]?["what"] == "completed ‘Buy bread @market’" && page["undo"]?["of"] == page["revision"])
  }

  @Test("POST api/changes makes every kind of change, and answers when it is on the disk")
  func changes() async throws {
    let server = try await TodoServer(["Pay rent", "Buy bread", "Old"])
    let ids = try #require(try await server.page()["items"]?.values?.compactMap { $0["id"]?.text })
    try await server.change(
      """
      {"rename":{"id":"\(ids[0])","text":"Pay the rent"}},{"due":{"id":"\(ids[0])","day":"2026-12-01"}},{"priority":{"id":"\(ids[0])","priority":"A"}},
      {"tag":{"id":"\(ids[0])","tag":"home"}},{"complete":{"id":"\(ids[1])","done":true}},{"remove":{"id":"\(ids[2])"}},
      {"add":{"text":"(B) Write the talk +talk"}},{"note":{"text":"A note"}}
      """)
    // Another process reads the change from the disk.
    let lines = try server.todo(["export"]).split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("(A) ") && lines[0].contains("Pay the rent") && lines[0].contains("due:2026-12-01"))
    #expect(lines[1].hasPrefix("x ") && lines[2].contains("Write the talk +talk"))
    #expect(try await server.page()["items"]?[0]?["tags"] == ["@home"])
    #expect(try server.todo(["notes"]).contains("A note"))
    try await server.change(#"{"untag":{"id":"\#(ids[0])","tag":"@home"}},{"clearCompleted":{}}"#)
    let page = try await server.page()
    #expect(page["counts"]?["all"] == 2 && page["items"]?[0]?["tags"] == .array([]))
  }

  @Test("a batch is one change: one undo takes all of it back")
  func batch() async throws {
    let server = try await TodoServer()
    let reply = try await server.change(#"{"add":{"text":"one"}},{"add":{"text":"two"}}"#)
    #expect(reply == ["changed": true, "revision": 2])
    #expect(try await server.send(.post("/api/undo", "{}")).status == 200)
    #expect(try await server.page()["counts"]?["all"] == 0)
  }

  @Test("the same item asked for twice, because the answer was lost, is there once")
  func twice() async throws {
    let server = try await TodoServer()
    let command = #"{"add":{"text":"Once","id":"\#(UUID().uuidString)"}}"#
    #expect(try await server.change(command)["changed"] == true)
    #expect(try await server.change(command) == ["changed": false, "revision": 2])
    #expect(try await server.page()["counts"]?["all"] == 1)
  }

  @Test("POST api/undo and api/redo do what the page said they would, and refuse when that has changed")
  func undo() async throws {
    let server = try await TodoServer(["Pay rent"])
    try server.todo(["rename", "1", "Pay the rent"])
    let renamed = try await EventStream(server).page { $0["revision"] == 3 }
    let step = try #require(renamed["undo"])
    #expect(step["what"] == "renamed ‘Pay rent’ to ‘Pay the rent’")
    let of = try #require(step["of"]?.int)
    let undone = try await server.send(.post("/api/undo", "{\"of\":\(of)}"))
    #expect(try undone.json() == ["action": "undo", "of": .integer(of), "revision": 4, "what": step["what"]!])
    let late = try await server.send(.post("/api/undo", "{\"of\":\(of)}"))
    #expect(late.status == 409 && late.error.contains("The list has changed meanwhile"))
    let redo = try #require(try await server.page()["redo"])
    #expect(redo == ["of": .integer(of), "what": "renamed ‘Pay rent’ to ‘Pay the rent’"])
    #expect(try await server.send(.post("/api/redo", "{\"of\":\(of)}")).status == 200)
    #expect(try await server.page()["items"]?[0]?["text"] == "Pay the rent")
    let nothing = try await server.send(.post("/api/redo", "{}"))
    #expect(nothing.status == 409 && nothing.error == "There is nothing to redo.")
  }

  @Test("GET api/events brings the page at once, and again whenever anybody has changed the list")
  func events() async throws {
    let server = try await TodoServer(["Pay rent"])
    let events = try EventStream(server)
    #expect(try await events.page { _ in true }["counts"]?["all"] == 1)
    try server.todo(["add", "From a terminal"])
    _ = try await events.page { $0["items"]?[1]?["text"] == "From a terminal" }
    let beside = try await server.beside()
    try await beside.change(#"{"add":{"text":"From another server"}}"#)
    let page = try await events.page { $0["items"]?[2]?["text"] == "From another server" }
    #expect(page["undo"]?["what"] == "added ‘From another server’")
    try await server.change(#"{"add":{"text":"From this one"}}"#)
    _ = try await events.page { $0["counts"]?["all"] == 4 }
  }

  @Test("a stream shows what was asked for, and nothing else")
  func filteredEvents() async throws {
    let server = try await TodoServer(["Pay rent @home", "Buy bread"])
    let events = try EventStream(server, "?tag=@home")
    #expect(try await events.page { _ in true }["matching"] == 1)
    try server.todo(["add", "Water the plants @home"])
    let page = try await events.page { $0["matching"] == 2 }
    #expect(page["items"]?.values?.map { $0["text"] } == ["Pay rent @home", "Water the plants @home"])
  }

  @Test("has the inspector of its own list beside it, behind the same door")
  func inspector() async throws {
    let server = try await TodoServer(["Pay rent"])
    let page = try await server.send(.get("/inspector/"))
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    let redirect = try await server.send(.get("/inspector"))
    #expect(redirect.status == 301 && redirect.headers["location"] == "/inspector/")
    let journal = try await server.send(.get("/inspector/api/journal"))
    #expect(try journal.json()["revision"] == 2 && journal.json()["types"] == "AppState")
    #expect(try await server.send(.get("/inspector/api/journal", ["Sec-Fetch-Site": "cross-site"])).status == 403)
    #expect(try await server.send(.post("/inspector/api/journal", "{}")).status == 405)
    #expect(try await server.send(.get("/inspector/nothing")).status == 404)
  }

  @Test("ends in good order when it is told to, though pages are open", arguments: [SIGINT, SIGTERM])
  func end(signal: Int32) async throws {
    let server = try await TodoServer(["Pay rent"])
    let events = try EventStream(server)
    _ = try await events.page { _ in true }
    #expect(try server.end(signal) == 0)
    #expect(try await events.next() == nil)
    #expect(try server.todo(["list"]).contains("Pay rent"))
  }

  @Test("says so when the port is taken")
  func portTaken() async throws {
    let server = try await TodoServer()
    do {
      _ = try await TodoServer([], arguments: ["--port", "\(server.port)"])
      Issue.record("two servers share a port")
    } catch let error as TodoServer.ServerError {
      #expect(error.description.contains("another program has the port") && error.description.contains("--port"), "\(error)")
    }
  }
}
