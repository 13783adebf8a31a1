import Foundation
import ProcessTesting
import Testing

@testable import AlterWeb

/// What clients do that take and take, by sockets.
@Suite("A server's clients can't keep it from others", .timeLimit(.minutes(20)))
struct ConnectionTests {
  /// Serves one large file while a test asks for it.
  private func withServer(_ limits: WebLimits, bytes: Int = 10, _ body: (Int, Connections) async throws -> Void) async throws {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = WebServer(token: .none, limits: limits)
    let running = Task {
      defer { continuation.finish() }
      try await server.run(obeysSignals: false, assets: [WebAsset("/file", [UInt8](repeating: 0x61, count: bytes))]) { _ in
      } onReady: { address in
        continuation.yield(URLComponents(string: address)?.port ?? 0)
      }
    }
    for await port in ports {
      try await body(port, server.connections)
      break
    }
    running.cancel()
    _ = try? await running.value
  }

  private func head(_ port: Int, _ method: String = "GET", _ fields: String = "") -> String {
    "\(method) /file HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n"
  }

  // Each with the limit that it is about, and long ones besides: a busy machine is slow with what is answered.
  @Test("a connection with nothing or half a head is closed")
  func heads() async throws {
    var limits = WebLimits()
    limits.headTime = .milliseconds(30)
    try await withServer(limits) { port, connections in
      for text in ["", "GET /fi", "GET /file HTTP/1.1\r\nHost: 127.0.0.1"] {
        let connection = try RawConnection(port: port)
        connection.send(text)
        #expect(await connection.readAll() == [])
      }
      while connections.count > 0 { await Task.yield() }
    }
  }

  @Test("a connection that was used is closed when nothing more comes, or half a head")
  func idle() async throws {
    for (more, limit) in [("", \WebLimits.idleTime), ("GET /fi", \WebLimits.headTime)] {
      var limits = WebLimits()
      limits[keyPath: limit] = .seconds(5)
      try await withServer(limits) { port, connections in
        let connection = try RawConnection(port: port)
        connection.send(head(port))
        #expect(await connection.read(until: "aaaaaaaaaa").hasPrefix("HTTP/1.1 200"))
        connection.send(more)
        #expect(await connection.readAll() == [])
        while connections.count > 0 { await Task.yield() }
      }
    }
  }

  @Test("a connection with half a body is closed, also when a byte comes now and then")
  func bodies() async throws {
    var limits = WebLimits()
    limits.bodyTime = .milliseconds(30)
    try await withServer(limits) { port, connections in
      let body = try RawConnection(port: port)
      body.send(head(port, "POST", "Content-Length: 10\r\n") + "abc")
      _ = await body.readAll()
      // A byte now and then is no request, either.
      let dripping = try RawConnection(port: port)
      dripping.send(head(port, "POST", "Content-Length: 1000000\r\n"))
      await onThread { while dripping.send("a"), !dripping.isReadable(within: 5) || dripping.read() != nil {} }
      while connections.count > 0 { await Task.yield() }
    }
  }

  @Test("more connections than there may be: those go that have waited longest without a request")
  func many() async throws {
    var limits = WebLimits()
    limits.connections = 12
    try await withServer(limits) { port, connections in
      let waiting = try (0..<40).map { number in
        let connection = try RawConnection(port: port)
        connection.send(["", "GET /fi", head(port, "POST", "Content-Length: 9\r\n")][number % 3])
        return connection
      }
      let asking = try RawConnection(port: port)
      asking.send(head(port, "GET", "Connection: close\r\n"))
      #expect(RawAnswer(await asking.readAll()).status == 200)
      #expect(connections.count <= 12 + 16)
      _ = waiting
    }
  }

  @Test("readers that don't read hold no more than the limit, and others go on reading")
  func slowReaders() async throws {
    var limits = WebLimits()
    limits.unsentBytes = 8 << 20
    try await withServer(limits, bytes: 3 << 20) { port, connections in
      let slow = try (0..<40).map { _ in
        let connection = try RawConnection(port: port, receiveBuffer: 4_096)
        connection.send(head(port))
        return connection
      }
      while connections.count > 20 { await Task.yield() }
      #expect(connections.mostUnsent <= 8 << 20)
      let reading = try RawConnection(port: port)
      reading.send(head(port, "GET", "Connection: close\r\n"))
      #expect(RawAnswer(await reading.readAll()).body.count == 3 << 20)
      #expect(connections.mostUnsent <= 8 << 20)
      _ = slow
    }
  }

  @Test("a reader that takes nothing at all is closed")
  func deadReader() async throws {
    var limits = WebLimits()
    limits.readerTime = .milliseconds(50)
    try await withServer(limits, bytes: 16 << 20) { port, connections in
      let dead = try RawConnection(port: port, receiveBuffer: 4_096)
      dead.send(head(port))
      while connections.mostUnsent == 0 { await Task.yield() }
      while connections.count > 0 { await Task.yield() }
      #expect(RawAnswer(await dead.readAll()).body.count < 16 << 20)
    }
  }

  @Test(
    "230 connections to a process with 256 descriptors: a visitor is answered at once",
    arguments: ["", "GET / HTTP/1.1\r\nHost: 127", "POST"])
  func descriptors(_ text: String) async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer(
      ["/bin/sh", "-c", #"ulimit -n 256 && exec "$0" serve --port 0"#, try Product.path("todo")], environment: folder.environment())
    let sent =
      text == "POST" ? server.head("POST", "/api/changes", ["Content-Type: application/json", "Content-Length: 100"]) + "{" : text
    let connections = try (0..<230).map { _ in
      let connection = try RawConnection(port: server.port)
      connection.send(sent)
      return connection
    }
    #expect(try await server.ask("GET", "/api/list").status == 200)
    #expect(try await server.ask("POST", "/api/changes", body: #"{"changes":[{"add":{"text":"through"}}]}"#).status == 200)
    #expect(try await folder.run(["todo", "list"]).output.contains("through"))
    _ = connections
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("40 streams that nobody reads: a client has so many of them and no more, and an add goes through")
  func streams() async throws {
    let folder = try await HostileFolder()
    let lines = (0..<500).map { "Item \($0) " + String(repeating: "x", count: 1_000) }.joined(separator: "\n")
    #expect(try await folder.run(["todo", "import", "-"], input: Array(lines.utf8)).status == 0)
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0"], environment: folder.environment())
    let streams = try (0..<40).map { _ in
      let connection = try RawConnection(port: server.port, receiveBuffer: 4_096)
      connection.send(server.head("GET", "/api/events?show=all&limit=10000"))
      return connection
    }
    // The first bytes of each say whether it is a stream.
    var statuses: [Int: Int] = [:]
    for stream in streams { statuses[RawAnswer(Array(await stream.read(until: "\r\n").utf8)).status, default: 0] += 1 }
    #expect(statuses == [200: WebLimits().streams, 429: 40 - WebLimits().streams])
    #expect(try await folder.run(["todo", "add", "through"]).status == 0)
    // The server learns of it from the journal.
    while true {
      let answer = try await server.ask("GET", "/api/list?search=through")
      #expect(answer.status == 200, "\(answer)")
      if answer.status != 200 || answer.text.contains("through") { break }
    }
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("a redirection stays on the server, and keeps the query but for the token")
  func redirections() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0"], environment: folder.environment())
    let token = try #require(server.token)
    for (path, location) in [
      ("/?token=\(token)&show=all&search=a%26b", "/?show=all&search=a%26b"), ("/?token=\(token)", "/"),
      ("//evil.example/?token=\(token)", "/evil.example/"),
      ("///evil.example?x=1&token=\(token)", "/evil.example?x=1"), ("/\\evil.example?token=\(token)", "/evil.example"),
      ("/inspector?x=1&y=2", "/inspector/?x=1&y=2"),
    ] {
      let answer = try await server.ask("GET", path)
      #expect([301, 303].contains(answer.status) && answer.field("Location") == location, "\(path): \(answer)")
    }
  }

  @Test("the Host is compared to the letter, and there is one")
  func host() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0", "--no-token"], environment: folder.environment())
    func status(_ line: String, _ hosts: [String]) async throws -> Int {
      let connection = try RawConnection(port: server.port)
      connection.send(([line] + hosts.map { "Host: \($0)" } + ["Connection: close", "", ""]).joined(separator: "\r\n"))
      return RawAnswer(await connection.readAll()).status
    }
    let (get, own) = ("GET /api/list HTTP/1.1", "127.0.0.1:\(server.port)")
    #expect(try await status(get, [own]) == 200)
    #expect(try await status(get, ["LocalHost:\(server.port)"]) == 200)
    for hosts in [[own, own], [own, "evil.example"], ["evil.example", own], []] {
      #expect(try await status(get, hosts) == 400, "\(hosts)")
    }
    // The Host decides, whatever stands in the first line.
    #expect(try await status("GET http://\(own)/api/list HTTP/1.1", ["evil.example"]) == 421)
    for host in [
      "evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:\(server.port)0", "127.0.0.1.:\(server.port)", "127.1:\(server.port)",
      "10.0.0.1:\(server.port)",
      "127.0.0.1:\(server.port):\(server.port)", "x@127.0.0.1:\(server.port)", "localhost:0\(server.port)",
    ] { #expect(try await status(get, [host]) == 421, "\(host)") }
  }
}

@Suite("The table of connections")
struct ConnectionTableTests {
  @Test("when it is nearly full, the one goes that waits longest; one that is answered stays")
  func full() {
    var table = ConnectionTable(connections: 4, unsentBytes: 100)
    let ids = (0..<3).map { _ in table.open().id }
    table.beginAnswer(ids[0])
    #expect(table.open().closing == ids[1])
    #expect(table.open().closing == ids[2])
    table.endAnswer(ids[0])
    #expect(table.open().closing != ids[0])
    #expect(table.count == 3)
  }

  @Test("when too much waits, those go that have taken nothing for longest; a single answer may be larger")
  func slow() {
    var table = ConnectionTable(connections: 9, unsentBytes: 100)
    let ids = (0..<3).map { _ in table.open().id }
    #expect(table.wait(60, for: ids[0]) == [])
    #expect(table.wait(30, for: ids[1]) == [])
    table.took(10, by: ids[0])
    #expect(table.wait(50, for: ids[2]) == [ids[1]])
    #expect(table.unsent == 100)
    #expect(table.wait(500, for: ids[2]) == [ids[0]])
    #expect(table.unsent == 550)
    table.close(ids[2])
    #expect((table.unsent, table.count) == (0, 0))
  }

  @Test("a client has so many streams, and gets a place back")
  func streams() {
    var table = ConnectionTable(connections: 9, unsentBytes: 100)
    for isOpen in [true, true, false] { #expect(table.openStream(of: "a", atMost: 2) == isOpen) }
    let other = table.openStream(of: "b", atMost: 2)
    table.closeStream(of: "a")
    let again = table.openStream(of: "a", atMost: 2)
    #expect(other && again)
  }
}
