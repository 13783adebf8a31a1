#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSyncCore
  import AlterSyncServer
  import Foundation
  import ProcessTesting
  import StockModel
  import Testing

  /// Each row of the protocol with each status, over a raw connection.
  @Suite("The statuses of the sync protocol", .timeLimit(.minutes(30)))
  struct StatusTests {
    /// The kinds of requests about a journal.
    static let requests: [RawRequest] = [.pull(), .push([SyncDraft(1, 1, .claim(1))]), RawRequest(.fetch([EntryID(1, 1)]), at: nil)]
    static var all: [RawRequest] { requests + [.live()] }

    private func nothingWasDecided(_ server: ListServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
      #expect(try await server.ask(.pull()).kind == "absent", sourceLocation: sourceLocation)
    }

    @Test("a pull, a push and a fetch answer 200, each with the version, the limits and the media type, and without a cache")
    func success() async throws {
      try await ListServer.with { server, _ in
        let push = try await server.ask(.push([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .claim(9))]))
        let page = try push.page()
        #expect(page.lines.map(\.verdict) == [.accepted(2), .refused(.refused, at: 3), .refused(.denied, at: 4)])
        #expect(page.entries.map(\.revision) == [1, 2, 3, 4])
        #expect(page.reasons[EntryID(1, 3)] == "the slot is reserved" && page.reasons.count == 2)
        let pull = try await server.ask(RawRequest(.pull, at: page.head, generation: page.lineage.generation))
        #expect(try pull.page().entries.isEmpty)
        #expect(try pull.page().head == page.head)
        let fetch = try await server.ask(RawRequest(.fetch([EntryID(1, 3), EntryID(1, 4)]), at: nil))
        guard case .snapshot(let fetched) = try fetch.answer() else { throw HTTPAnswer.Unexpected(description: fetch.description) }
        #expect(fetched.floor.head.revision == 1 && fetched.lines.map(\.verdict) == [.refused(.denied, at: 4)])
        for answer in [push, pull, fetch] {
          #expect(answer.status == 200)
          #expect(answer.headers["alter-sync"] == "1")
          #expect(answer.headers["content-type"] == "application/jsonl")
          #expect(answer.headers["cache-control"] == "no-store")
          #expect(answer.headers["alter-limits"] == "drafts=1000 push=8388608 draft=1048576 fetch=33554432 journals=100")
        }
        // The reasons are for their author alone.
        let bob = try await server.ask(.pull(as: "bob"))
        #expect(try bob.page().reasons.isEmpty)
      }
    }

    @Test(
      "a missing or unknown version is answered by 400, which names the version of the server, and decides nothing",
      arguments: [nil, "0", "2", "1.0", ""])
    func version(_ version: String?) async throws {
      try await ListServer.with { server, _ in
        for request in Self.all {
          let answer = try await server.ask(request.with(SyncHTTP.version, version))
          #expect(answer.status == 400 && answer.kind == "notUnderstood")
          #expect(answer.text.contains("version 1") && answer.headers["alter-sync"] == "1")
        }
        try await nothingWasDecided(server)
      }
    }

    @Test("an unknown version in the body is answered by 400, and decides nothing")
    func bodyVersion() async throws {
      try await ListServer.with { server, _ in
        for request in Self.requests where request.method == "POST" {
          for other in [#""version":2"#, #""version":"1""#, #""other":1"#] {
            let answer = try await server.ask(request.replacing(#""version":1"#, by: other))
            #expect(answer.status == 400 && answer.kind == "badEnvelope", "\(other)")
          }
        }
        try await nothingWasDecided(server)
      }
    }

    @Test(
      "a request without a valid bearer token is answered by 401, with the scheme",
      arguments: [
        nil, "", "Bearer", "Bearer ", "Basic YW5uOmFubg==", "Bearer an unknown token", "Bearer ann's token and more", "Token ann's token",
      ])
    func token(_ field: String?) async throws {
      try await ListServer.with { server, _ in
        for request in Self.all {
          let answer = try await server.ask(request.with("Authorization", field))
          #expect(answer.status == 401 && answer.kind == "unauthorised")
          #expect(answer.headers["www-authenticate"] == "Bearer")
        }
        // The name of the scheme has any letters (RFC 9110, section 11.1).
        let pull = try await server.ask(RawRequest.pull().with("Authorization", "bEaReR  ann's token"))
        #expect(pull.status == 404 && pull.kind == "absent")
        try await nothingWasDecided(server)
      }
    }

    @Test("a token of the principal that is reserved for the server is answered by 403")
    func reserved() async throws {
      try await ListServer.with(authenticator: StaticTokens(["token": "alter/server", "ann's token": "ann"])) { server, _ in
        for request in Self.all {
          #expect(try await server.ask(request.with("Authorization", "Bearer token")).status == 403)
        }
        try await nothingWasDecided(server)
      }
    }

    @Test("an expired token is answered by 401, and the same token with a later end is not")
    func expired() async throws {
      let (tokens, time) = (TestTokens(), TestTime())
      try await ListServer.with(authenticator: tokens) {
        time.drive(&$0)
      } _: { server, _ in
        tokens.expires.withLock { $0 = time.now }
        for request in Self.all {
          let answer = try await server.ask(request)
          #expect(answer.status == 401 && answer.headers["www-authenticate"] == "Bearer")
        }
        tokens.expires.withLock { $0 = time.now + 1 }
        try await nothingWasDecided(server)
      }
    }

    @Test("a principal that may not read gets 403, which is the same for a missing journal")
    func readers() async throws {
      try await ListServer.with { server, _ in
        _ = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        for (mine, missing) in zip(
          [
            RawRequest.pull(as: "eve"), .push([SyncDraft(3, 1, .claim(2))], as: "eve"), RawRequest(.fetch([]), as: "eve"), .live(as: "eve"),
          ],
          [
            RawRequest.pull(key: "lists/43", as: "eve"), .push([SyncDraft(3, 1, .claim(2))], key: "lists/43", as: "eve"),
            RawRequest(.fetch([]), key: "lists/43", as: "eve"), .live(["lists/43"], as: "eve"),
          ])
        {
          let (one, other) = (try await server.ask(mine), try await server.ask(missing))
          #expect(one.status == 403 && one.kind == "forbidden")
          #expect(one.body == other.body && other.status == 403)
          #expect(one.headers.filter { $0.key != "date" } == other.headers.filter { $0.key != "date" })
        }
        #expect(try await server.head()?.revision == 2)
      }
    }

    @Test("a principal that may not create gets 403 for a missing journal, and no file is made")
    func creators() async throws {
      let policy = TestPolicy()
      policy.creators.withLock { $0 = ["ann"] }
      policy.readers.withLock { $0 = ["ann", "bob"] }
      try await ListServer.with(policy: policy) { server, folder in
        let requests = [
          RawRequest.pull(as: "bob"), .push([SyncDraft(2, 1, .claim(1))], as: "bob"), RawRequest(.fetch([]), as: "bob"), .live(as: "bob"),
        ]
        for request in requests {
          let answer = try await server.ask(request)
          #expect(answer.status == 403 && answer.kind == "forbidden")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server") == [])
        // The same requests after Ann has created it.
        try await server.make("lists/42")
        for request in requests.dropLast() { #expect(try await server.ask(request).status == 200) }
      }
    }

    @Test("a principal that may read and not write gets 403 for a push alone, and nothing is decided")
    func writers() async throws {
      try await ListServer.with { server, _ in
        server.policy.writers.withLock { $0 = [] }
        let push = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        #expect(push.status == 403 && push.kind == "forbidden")
        try await nothingWasDecided(server)
        server.policy.writers.withLock { $0 = ["ann"] }
        #expect(try await server.ask(.push([SyncDraft(1, 1, .claim(1))])).verdicts() == [.accepted(2)])
      }
    }

    @Test("the file of another principal than the token is answered by 403, and nothing is decided")
    func files() async throws {
      try await ListServer.with { server, _ in
        for request in Self.requests {
          let answer = try await server.ask(request.with("Authorization", "Bearer bob's token"))
          #expect(answer.status == 403 && answer.kind == "forbidden")
        }
        let pull = try await server.ask(RawRequest.pull().with(SyncHTTP.principal, nil))
        #expect(pull.status == 422)
        try await nothingWasDecided(server)
      }
    }

    @Test(
      "unknown paths and methods are answered by 404",
      arguments: [
        ("GET", "/sync/journals"), ("GET", "/sync/journals/"), ("GET", "/sync/journals/lists"), ("GET", "/sync/journals/entries"),
        ("GET", "/sync/journals//entries"), ("GET", "/sync/journals/a/other"), ("GET", "/sync/journals/a/snapshot"),
        ("PATCH", "/sync/journals/a/entries"), ("PUT", "/sync/journals/a/snapshot"), ("DELETE", "/sync/journals/a/entries"),
        ("POST", "/sync/live?journal=a"), ("GET", "/sync/"),
        ("GET", "/journals/a/entries"), ("GET", "/sync/../journals/a/entries"),
      ])
    func paths(_ method: String, _ path: String) async throws {
      try await ListServer.with { server, folder in
        var request = RawRequest.get(path)
        request.method = method
        let answer = try await server.ask(request)
        #expect(answer.status == 404)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server") == [])
      }
    }

    @Test("another checksum, a head beyond the server's, another journal and an unknown generation are answered by 409: nothing is decided")
    func conflicts() async throws {
      try await ListServer.with { server, _ in
        let page = try await server.ask(.push([SyncDraft(1, 1, .add), SyncDraft(1, 2, .add)])).page()
        let (head, generation) = (try #require(page.head), page.lineage.generation)
        let wrong: [(Head, Generation?)] = [
          (Head(journal: head.journal, revision: 3, checksum: Checksum(high: 1, low: 2)), generation),
          (Head(journal: head.journal, revision: 2, checksum: head.checksum), generation),
          (Head(journal: head.journal, revision: 4, checksum: head.checksum), generation),
          (Head(journal: head.journal, revision: Revision(.max), checksum: head.checksum), generation),
          (Head(journal: .random(), revision: 3, checksum: head.checksum), generation),
          (head, Generation(generation.number &+ 1)),
        ]
        for (position, generation) in wrong {
          for body in [Request.Body.pull, .push(Submission.all([SyncDraft(1, 3, .add)]))] {
            let answer = try await server.ask(RawRequest(body, at: position, generation: generation))
            #expect(answer.status == 409)
            guard case .diverged(let lineage) = try answer.answer() else { throw HTTPAnswer.Unexpected(description: answer.description) }
            #expect(lineage == page.lineage)
          }
        }
        #expect(try await server.head() == head)
      }
    }

    @Test("a mirror that begins above the server's floor is answered by 410: nothing is decided")
    func gone() async throws {
      try await ListServer.with { server, _ in
        let page = try await server.ask(.push([SyncDraft(1, 1, .add)])).page()
        for body in [Request.Body.pull, .push(Submission.all([SyncDraft(1, 2, .add)]))] {
          let request = Request(body, position: page.head, floor: 2, principal: Principal("ann"), generation: page.lineage.generation)
          let call = SyncHTTP.call(SyncMessage.Addressed(request, to: "lists/42"), limit: .max)
          let answer = try await server.ask(RawRequest(call, token: "ann's token"))
          #expect(answer.status == 410 && answer.kind == "gone")
        }
        #expect(try await server.head() == page.head)
      }
    }
  }
#endif
