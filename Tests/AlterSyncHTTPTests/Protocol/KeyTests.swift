#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterSyncCore
  import AlterSyncServer
  import Foundation
  import Logging
  import ProcessTesting
  import StockModel
  import Testing

  /// Keys, several server processes, and that which an outsider may see.
  @Suite("Keys, processes and logs of the sync protocol", .timeLimit(.minutes(30)))
  struct KeyTests {
    @Test(
      "a key is any text: each has a journal of its own",
      arguments: [
        "lists/42", "lists%2F42", "Größe 7", "🐦‍⬛", "a b", "100%", "%2F", "a/entries", "entries", "snapshot", "/", "//", "..", "../../x", ".",
        "a?b#c&d=e", "\u{0}",
        "\n", "+", " ",
      ])
    func keys(_ key: String) async throws {
      try await ListServer.with { server, folder in
        let other = try await server.ask(.push([SyncDraft(9, 1, .claim(1))], key: "other")).page()
        let page = try await server.ask(.push([SyncDraft(1, 1, .claim(1))], key: key)).page()
        #expect(page.lines.map(\.verdict) == [.accepted(2)] && page.journal != other.journal)
        #expect(try await server.head(of: key) == page.head)
        let fetch = try await server.ask(RawRequest(.fetch([EntryID(1, 1)]), key: key))
        #expect(fetch.status == 200)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == ["server"])
      }
    }

    @Test("a proxy that decodes %2F reaches the same journal")
    func slashes() async throws {
      try await ListServer.with { server, _ in
        let head = try await server.ask(.push([SyncDraft(1, 1, .claim(1))], key: "lists/42/a")).page().head
        for path in ["lists%2F42%2Fa", "lists/42/a", "lists/42%2fa", "%6Cists/42/a", "lists//42/a/"] {
          let answer = try await server.ask(.get("/sync/journals/\(path)/entries"))
          #expect(try answer.page().head == head, "\(path)")
        }
      }
    }

    @Test(
      "an invalid percent-encoding is answered by 422, and makes no journal",
      arguments: ["%", "%2", "%ZZ", "a%", "%FF", "%C3%28", "%ED%A0%80"])
    func invalid(_ path: String) async throws {
      try await ListServer.with { server, folder in
        let answer = try await server.ask(.get("/sync/journals/\(path)/entries"))
        #expect(answer.status == 422 && answer.kind == "badEnvelope")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server") == [])
      }
    }

    @Test("keys of the same characters in other bytes are different journals, and each needs the permission to be made")
    func canonicalEquivalence() async throws {
      let policy = TestPolicy()
      try await ListServer.with(policy: policy) { server, folder in
        let one = try await server.ask(.push([SyncDraft(1, 1, .claim(1))], key: "\u{E9}")).page()
        policy.creators.withLock { $0 = [] }
        let refused = try await server.ask(.pull(key: "e\u{301}"))
        #expect(refused.status == 403)
        policy.creators.withLock { $0 = ["ann"] }
        let other = try await server.ask(.push([SyncDraft(1, 1, .claim(2))], key: "e\u{301}")).page()
        #expect(one.journal != other.journal)
        #expect(try await server.head(of: "\u{E9}") == one.head)
      }
    }

    // MARK: - Several processes

    @Test("a pull from one process has at once the push to another one, and no process takes the other's head for unknown")
    func processes() async throws {
      try await ListServer.with { first, folder in
        try await first.make("lists/42")
        let second = try await ListServer(folder + "/server")
        var page = try await second.ask(.pull()).page()
        let servers = [first, second]
        for number in 1...10 as ClosedRange<Int64> {
          let (writer, reader) = (servers[Int(number % 2)], servers[Int((number + 1) % 2)])
          let push = RawRequest(
            .push(Submission.all([SyncDraft(30, number, .claim(Int(number) + 100))])), at: page.head, generation: page.lineage.generation)
          page = try await writer.ask(push).page()
          #expect(page.lines.map(\.verdict) == [.accepted(Revision(number + 1))])
          let pulled = try await reader.ask(RawRequest(.pull, at: page.head, generation: page.lineage.generation)).page()
          #expect(pulled.head == page.head && pulled.entries.isEmpty)
          #expect(try await reader.ask(push).page().lines == page.lines)
        }
        let stream = try StreamTests.Stream(second)
        await stream.read { $0.revisions().last == 11 }
        _ = try await first.ask(.push([SyncDraft(20, 1, .claim(20))]))
        await stream.read { $0.revisions().last == 12 }
        await second.stop()
      }
    }

    @Test("two processes that get the same pushes at once decide each draft once")
    func race() async throws {
      try await ListServer.with { first, folder in
        let second = try await ListServer(folder + "/server")
        let pushes = (1...8 as ClosedRange<UInt8>).map { RawRequest.push([SyncDraft($0, 1, .claim(1)), SyncDraft($0, 2, .add)]) }
        let answers = try await withThrowingTaskGroup(of: (Int, [Verdict]).self) { group in
          for (index, push) in pushes.enumerated() {
            for server in [first, second] {
              group.addTask {
                // A server that loses a race decides fewer drafts at once. The device sends the rest again.
                while true {
                  let verdicts = try await server.ask(push).verdicts()
                  if verdicts.count == 2 { return (index, verdicts) }
                }
              }
            }
          }
          return try await group.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
        }
        for (index, verdicts) in answers { #expect(verdicts[0] == verdicts[1], "\(index)") }
        #expect(answers.values.count { if case .accepted = $0[0][0] { true } else { false } } == 1)
        #expect(try await first.head()?.revision == 17)
        await second.stop()
      }
    }

    // MARK: - Secrets

    /// Collects log lines with their metadata.
    struct Lines: LogHandler {
      let lines: Lock<[String]>
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.trace

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.filter { $0.key != "alter.journal" }
        lines.withLock { $0.append("\(event.level) \(event.message) \(all)") }
      }
    }

    @Test("no token, principal or content is in the logs or in an answer about a failure; a key is in the field 'alter.journal' alone")
    func secrets() async throws {
      let lines = Lock<[String]>([])
      let logger = Logger(label: "test") { _ in Lines(lines: lines) }
      let tokens = TestTokens()
      let names = ["ann's token", "eve's token", "Bearer", "secretKey", "secretPrincipal", "secretToken", "secretNote"]
      try await ListServer.with(authenticator: tokens, logger: logger) { server, folder in
        let key = "secretKey/1"
        let push = RawRequest.push([SyncDraft(1, 1, .note("secretNote")), SyncDraft(1, 2, .claim(9))], key: key)
        try FileManager.default.createDirectory(atPath: folder + "/server/secret%4bey%2f2.alter", withIntermediateDirectories: false)
        var answers: [HTTPAnswer] = []
        func ask(_ request: RawRequest) async throws { answers.append(try await server.ask(request)) }
        try await ask(push.with(SyncHTTP.version, "7"))
        try await ask(push.with("Authorization", "Bearer secretToken"))
        try await ask(push.with("Authorization", "Bearer eve's token"))
        try await ask(push.with("Authorization", "Bearer bob's token"))
        try await ask(RawRequest.pull(key: key).with(SyncHTTP.principal, "secretPrincipal"))
        try await ask(push.with(body: push.body.dropLast(7)))
        try await ask(push.with("Content-Encoding", "gzip"))
        try await ask(.pull(key: "secretKey/2"))
        try await ask(.get("/sync/journals/secretKey/unknown"))
        server.policy.isDown.withLock { $0 = true }
        try await ask(push)
        server.policy.isDown.withLock { $0 = false }
        tokens.isDown.withLock { $0 = true }
        try await ask(push)
        tokens.isDown.withLock { $0 = false }
        for answer in answers {
          #expect(answer.status >= 400)
          for name in names where name != "Bearer" { #expect(!answer.description.contains(name), "\(answer)") }
        }
        server.policy.isDeciderDown.withLock { $0 = true }
        _ = try await server.ask(push).page()
        server.policy.isDeciderDown.withLock { $0 = false }
        _ = try await server.ask(push).page()
        let stream = try StreamTests.Stream(server, .live([key]))
        await stream.read { $0.revisions(key).last == 3 }
        let socket = try LoopbackSocket(port: server.port)
        socket.send(push.bytes.dropLast(10))
        socket.hangUp()
      }
      let logged = lines.withLock { $0 }
      #expect(logged.contains { $0.contains("policy has failed") } && logged.contains { $0.contains("authenticator") })
      for line in logged { for name in names { #expect(!line.contains(name), "\(line)") } }
    }

    @Test("a client that hangs up in its request is no error of the server: nothing above 'debug' is logged")
    func hangUps() async throws {
      let lines = Lock<[String]>([])
      let logger = Logger(label: "test") { _ in Lines(lines: lines) }
      try await ListServer.with(logger: logger) { server, _ in
        let push = RawRequest.push([SyncDraft(1, 1, .claim(1))])
        for count in [10, push.head.count + 10] {
          let socket = try LoopbackSocket(port: server.port)
          socket.send(push.bytes.prefix(count))
          socket.hangUp()
        }
        try await server.make("lists/42")
        let stream = try StreamTests.Stream(server)
        await stream.read { $0.revisions() == [1] }
        stream.socket.hangUp()
        try await server.until { server.service.openConnections == 0 && server.service.openStreams == 0 }
      }
      let logged = lines.withLock { $0 }.filter { line in ["notice", "warning", "error", "critical"].contains { line.hasPrefix($0) } }
      #expect(logged.isEmpty)
    }
  }
#endif
