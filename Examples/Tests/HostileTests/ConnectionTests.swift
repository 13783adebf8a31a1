import Foundation
import ProcessTesting
import Testing
import TodoTesting

@testable import _AlterWeb

/// Clients that use up connections and memory, over raw sockets.
@Suite("A server's clients can't keep it from others", .timeLimit(.minutes(20)))
struct ConnectionTests {
  /// Serves one large file while a test sends requests.
  private func withServer(
    _ limits: WebLimits, token: WebServer.Token = .none, bytes: Int = 10, _ body: (Int, Connections) async throws -> Void
  ) async throws {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = WebServer(token: token, limits: limits)
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

  // Each test shortens only the limit that it checks. The other limits stay long, because a busy machine answers slowly.
  @Test("a connection with nothing or half a head is closed")
  func heads() async throws {
    var limits = WebLimits()
    limits.headTime = .milliseconds(30)
    try await withServer(limits) { port, connections in
      for text in ["", "GET /fi", "GET /file HTTP/1.1\r\nHost: 127.0.0.1"] {
        let connection = try LoopbackSocket(port: port)
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
        let connection = try LoopbackSocket(port: port)
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
      let body = try LoopbackSocket(port: port)
      body.send(head(port, "POST", "Content-Length: 10\r\n") + "abc")
      _ = await body.readAll()
      // A byte now and then is not a request, either.
      let dripping = try LoopbackSocket(port: port)
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
        let connection = try LoopbackSocket(port: port)
        connection.send(["", "GET /fi", head(port, "POST", "Content-Length: 9\r\n")][number % 3])
        return connection
      }
      let asking = try LoopbackSocket(port: port)
      asking.send(head(port, "GET", "Connection: close\r\n"))
      #expect(HTTPAnswer(await asking.readAll()).status == 200)
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
        let connection = try LoopbackSocket(port: port, receiveBuffer: 4_096)
        connection.send(head(port))
        return connection
      }
      while connections.count > 20 { await Task.yield() }
      #expect(connections.mostUnsent <= 8 << 20)
      let reading = try LoopbackSocket(port: port)
      reading.send(head(port, "GET", "Connection: close\r\n"))
      #expect(HTTPAnswer(await reading.readAll()).body.count == 3 << 20)
      #expect(connections.mostUnsent <= 8 << 20)
      _ = slow
    }
  }

  @Test("clients without the token that ask on and on, and read a little now and then, keep no visitor out")
  func strangers() async throws {
    var limits = WebLimits()
    limits.connections = 12
    // None of these limits expires during the test.
    (limits.headTime, limits.idleTime, limits.readerTime) = (.seconds(600), .seconds(600), .seconds(600))
    try await withServer(limits, token: .given("a-good-token")) { port, connections in
      let strangers = try (0..<24).map { _ in
        let connection = try LoopbackSocket(port: port, receiveBuffer: 4_096)
        connection.send(String(repeating: head(port), count: 12))
        return connection
      }
      // The strangers have not read any part of their answers yet.
      let visitor = try LoopbackSocket(port: port)
      visitor.send(head(port, "GET", "Authorization: Bearer a-good-token\r\nConnection: close\r\n"))
      #expect(HTTPAnswer(await visitor.readAll()).status == 200)
      _ = strangers
    }
  }

  @Test("a refusal ends the connection, and nothing that was asked after it is answered")
  func refusals() async throws {
    try await withServer(WebLimits(), token: .given("a-good-token")) { port, connections in
      let asked = head(port, "GET", "Authorization: Bearer a-good-token\r\n")
      for (request, status) in [
        (head(port), 401), ("GET /file HTTP/1.1\r\n\r\n", 400), ("GET /file HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        (head(port, "POST", "Origin: http://evil.example\r\nContent-Length: 9\r\n") + "123456789", 403), ("nonsense\r\n\r\n", 400),
      ] {
        let connection = try LoopbackSocket(port: port)
        connection.send(asked + request + asked + asked)
        let text = String(decoding: await connection.readAll(), as: UTF8.self)
        let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(answers.compactMap { Int($0.prefix(3)) } == [200, status], "\(text)")
        #expect(answers.last?.lowercased().contains("connection: close") == true, "\(text)")
      }
      while connections.count > 0 { await Task.yield() }
    }
  }

  @Test("a connection ends when the request says so, in HTTP/1.0 unless it says otherwise")
  func endOfConnection() async throws {
    try await withServer(WebLimits()) { port, connections in
      for (line, isKept) in [
        ("HTTP/1.0\r\n", false), ("HTTP/1.0\r\nConnection: keep-alive\r\n", true), ("HTTP/1.1\r\n", true),
        ("HTTP/1.1\r\nConnection: Close\r\n", false),
      ] {
        let connection = try LoopbackSocket(port: port)
        let request = "GET /file \(line)Host: 127.0.0.1:\(port)\r\n\r\n"
        connection.send(request + request + head(port, "GET", "Connection: close\r\n"))
        let text = String(decoding: await connection.readAll(), as: UTF8.self)
        #expect(text.components(separatedBy: "HTTP/1.1 200").count == (isKept ? 4 : 2), "\(line): \(text)")
      }
      while connections.count > 0 { await Task.yield() }
    }
  }

  @Test("a client that asks for more at once than it may is closed, whether its requests are answered or come after the last one")
  func pipelines() async throws {
    var limits = WebLimits()
    limits.pipelinedRequests = 3
    try await withServer(limits, bytes: 8 << 20) { port, connections in
      for first in [head(port), head(port, "GET", "Connection: close\r\n")] {
        let connection = try LoopbackSocket(port: port, receiveBuffer: 4_096)
        // The first answer is too large to be sent before the client reads it.
        connection.send(first + String(repeating: head(port), count: 4))
        // The first bytes, or the end of the answer, show that the server has accepted the connection.
        let begun = await connection.read(until: "HTTP/1.1")
        while connections.count > 0 { await Task.yield() }
        let rest = await connection.readAll()
        #expect(begun.utf8.count + rest.count < 8 << 20)
      }
    }
  }

  @Test("a reader that takes a little all the time is closed when it takes less than it has to")
  func drippingReader() async throws {
    var limits = WebLimits()
    (limits.readerTime, limits.readerRate, limits.headTime) = (.seconds(1), 64 << 20, .seconds(600))
    try await withServer(limits, bytes: 64 << 20) { port, _ in
      let (slow, silent) = (try LoopbackSocket(port: port, receiveBuffer: 4_096), try LoopbackSocket(port: port))
      slow.send(head(port))
      let count = await onThread {
        var count = 0
        while let bytes = slow.read() {
          count += bytes.count
          _ = silent.isReadable(within: 5)
        }
        return count
      }
      #expect(count < 64 << 20)
    }
  }

  @Test("a reader that takes nothing at all is closed")
  func deadReader() async throws {
    var limits = WebLimits()
    limits.readerTime = .milliseconds(50)
    try await withServer(limits, bytes: 16 << 20) { port, connections in
      let dead = try LoopbackSocket(port: port, receiveBuffer: 4_096)
      dead.send(head(port))
      while connections.mostUnsent == 0 { await Task.yield() }
      while connections.count > 0 { await Task.yield() }
      #expect(HTTPAnswer(await dead.readAll()).body.count < 16 << 20)
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
      let connection = try LoopbackSocket(port: server.port)
      connection.send(sent)
      return connection
    }
    #expect(try await server.ask("GET", "/").status == 200)
    #expect(try await server.ask("POST", "/api/changes", body: #"{"add":{"text":"through"}}"#).status == 200)
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
      let connection = try LoopbackSocket(port: server.port, receiveBuffer: 4_096)
      connection.send(server.head("GET", "/api/events"))
      return connection
    }
    // The first bytes of each answer show whether it is a stream.
    var statuses: [Int: Int] = [:]
    for stream in streams { statuses[HTTPAnswer(Array(await stream.read(until: "\r\n").utf8)).status, default: 0] += 1 }
    #expect(statuses == [200: WebLimits().streams, 429: 40 - WebLimits().streams])
    #expect(try await server.ask("POST", "/api/changes", body: #"{"add":{"text":"through"}}"#).status == 200)
    #expect(server.process.child.end(SIGTERM) == 0)
  }

  @Test("a redirection stays on the server, and keeps the query but for the token")
  func redirections() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0"], environment: folder.environment())
    let token = try #require(server.token)
    for (path, location) in [
      ("/?token=\(token)&x=all&y=a%26b", "/?x=all&y=a%26b"), ("/?token=\(token)", "/"),
      ("//evil.example/?token=\(token)", "/evil.example/"),
      ("///evil.example?x=1&token=\(token)", "/evil.example?x=1"), ("/\\evil.example?token=\(token)", "/evil.example"),
      ("/inspector?x=1&y=2", "/inspector/?x=1&y=2"),
    ] {
      let answer = try await server.ask("GET", path)
      #expect([301, 303].contains(answer.status) && answer.field("Location") == location, "\(path): \(answer)")
    }
  }

  @Test("there is one Host, and it decides")
  func host() async throws {
    let folder = try await HostileFolder()
    let server = try await RawServer([Product.path("todo"), "serve", "--port", "0", "--no-token"], environment: folder.environment())
    func status(_ line: String, _ hosts: [String]) async throws -> Int {
      let connection = try LoopbackSocket(port: server.port)
      connection.send(([line] + hosts.map { "Host: \($0)" } + ["Connection: close", "", ""]).joined(separator: "\r\n"))
      return HTTPAnswer(await connection.readAll()).status
    }
    let (get, own) = ("GET / HTTP/1.1", "127.0.0.1:\(server.port)")
    #expect(try await status(get, [own]) == 200)
    for hosts in [[own, own], [own, "evil.example"], ["evil.example", own], []] {
      #expect(try await status(get, hosts) == 400, "\(hosts)")
    }
    // The Host field decides, whatever the request line contains.
    #expect(try await status("GET http://\(own)/ HTTP/1.1", ["evil.example"]) == 421)
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

  @Test("who was never let in goes before who was, and who was let in and is answered stays")
  func order() {
    var table = ConnectionTable(connections: 6, unsentBytes: 100)
    let ids = (0..<5).map { _ in table.open().id }
    // With the token: ids 0 (in an answer) and 1 (idle). Without it: ids 2 (in an answer), 3 and 4 (idle).
    for id in ids[..<3] { table.beginAnswer(id) }
    for id in [ids[0], ids[1]] { table.letIn(id) }
    table.endAnswer(ids[1])
    var closed: [ConnectionTable.ID] = []
    for _ in 0..<4 {
      let (id, closing) = table.open()
      if let closing { closed.append(closing) }
      table.beginAnswer(id)
      table.letIn(id)
    }
    #expect(closed == [ids[3], ids[4], ids[1], ids[2]])
    // All connections are in an answer, so that the next one has to wait.
    #expect(table.open().closing == nil)
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

@Suite("The pace of a reader")
struct ReaderPaceTests {
  private func pace() -> ReaderPace { ReaderPace(patience: .seconds(30), rate: 1_000) }

  @Test("a reader that takes nothing has so much time")
  func nothing() {
    var pace = pace()
    #expect(pace.deadline(isStream: false) == nil)
    pace.wait(10_000, at: .seconds(100))
    pace.wait(10_000, at: .seconds(110))
    #expect(pace.deadline(isStream: false) == .seconds(130) && pace.deadline(isStream: true) == .seconds(130))
  }

  @Test("a little all the time is enough for a stream alone; an answer has to be taken at the rate")
  func little() {
    var pace = pace()
    pace.wait(1_000_000, at: .zero)
    for second in 1...100 { pace.took(10, at: .seconds(second)) }
    #expect(pace.deadline(isStream: true) == .seconds(130))
    #expect(pace.deadline(isStream: false) == .seconds(31))
    pace.took(200_000, at: .seconds(110))
    #expect(pace.deadline(isStream: false) == .seconds(140))
  }

  @Test("time in which nothing waits doesn't count, and small answers one after the other are one")
  func pauses() {
    var pace = pace()
    for round in 0..<10 {
      pace.wait(100, at: .seconds(round * 100))
      pace.took(100, at: .seconds(round * 100 + 2))
    }
    #expect(pace.deadline(isStream: false) == nil)
    pace.wait(100, at: .seconds(1_000))
    // The client waited for 20 s and gained 1 s.
    #expect(pace.deadline(isStream: false) == .seconds(1_011))
    pace.took(100, at: .seconds(1_001))
    pace.end(at: .seconds(1_001))
    pace.wait(100, at: .seconds(1_002))
    #expect(pace.deadline(isStream: false) == .seconds(1_032))
  }

  @Test("when the server ends, the time is short")
  func end() {
    var pace = pace()
    pace.wait(100, at: .zero)
    pace.hurry(.seconds(1), at: .seconds(5))
    #expect(pace.deadline(isStream: false) == .seconds(6))
  }
}
