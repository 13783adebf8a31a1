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

  /// The statuses with a pause: 429 and 503.
  @Suite("The statuses of a busy sync service", .timeLimit(.minutes(30)))
  struct BusyTests {
    private func nothingWasDecided(_ server: ListServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
      #expect(try await server.ask(.pull()).kind == "absent", sourceLocation: sourceLocation)
    }

    @Test("more pushes in a minute than permitted are answered by 429 with a pause, which is true, and another principal is not concerned")
    func pushes() async throws {
      let time = TestTime()
      try await ListServer.with { options in
        time.drive(&options)
        options.limits.pushesPerMinute = 2
      } _: { server, _ in
        #expect(try await server.ask(.push([SyncDraft(1, 1, .claim(1))])).status == 200)
        #expect(try await server.ask(.push([SyncDraft(1, 2, .claim(2))])).status == 200)
        let third = RawRequest.push([SyncDraft(1, 3, .claim(3))])
        let refused = try await server.ask(third)
        #expect(refused.status == 429 && refused.kind == "busy" && refused.headers["retry-after"] == "30")
        #expect(try await server.head()?.revision == 3)
        #expect(try await server.ask(.push([SyncDraft(2, 1, .claim(4))], as: "bob")).status == 200)
        time.now += 29_999_999
        #expect(try await server.ask(third).status == 429)
        time.now += 1
        #expect(try await server.ask(third).verdicts() == [.accepted(5)])
      }
    }

    @Test("a clock that was set back does not stop a principal's pushes for longer than a minute")
    func clockSetBack() async throws {
      let time = TestTime()
      time.now = 10_000_000_000
      try await ListServer.with { options in
        time.drive(&options)
        options.limits.pushesPerMinute = 1
      } _: { server, _ in
        let first = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        #expect(first.status == 200)
        time.now = 1_000_000
        #expect(try await server.ask(.push([SyncDraft(1, 2, .claim(2))])).status == 429)
        time.now += 60_000_000
        #expect(try await server.ask(.push([SyncDraft(1, 2, .claim(2))])).status == 200)
      }
    }

    @Test("a policy or an authenticator that throws is answered by 503 with a pause, and afterwards as before")
    func failures() async throws {
      let tokens = TestTokens()
      try await ListServer.with(authenticator: tokens) {
        $0.limits.holdSeconds = 7
      } _: { server, _ in
        server.policy.isDown.withLock { $0 = true }
        for request in StatusTests.all {
          let answer = try await server.ask(request)
          #expect(answer.status == 503 && answer.kind == "busy" && answer.headers["retry-after"] == "7")
        }
        server.policy.isDown.withLock { $0 = false }
        tokens.isDown.withLock { $0 = true }
        for request in StatusTests.all {
          let answer = try await server.ask(request)
          #expect(answer.status == 503 && answer.headers["retry-after"] == "5")
        }
        tokens.isDown.withLock { $0 = false }
        try await nothingWasDecided(server)
      }
    }

    @Test("a policy that never answers is answered by 503 after its time")
    func silentPolicy() async throws {
      let (time, silence) = (TestTime(), Waiter<Void>())
      try await ListServer.with {
        time.drive(&$0)
      } _: { server, _ in
        server.policy.obstacle.withLock { $0 = silence }
        async let asked = server.ask(.pull())
        // Otherwise it is the authenticator that has no more time.
        try await server.until { server.policy.questions.withLock { $0 } == 1 }
        await time.pass(.seconds(5))
        let answer = try await asked
        #expect(answer.status == 503)
        server.policy.obstacle.withLock { $0 = nil }
        silence.finish(())
        try await nothingWasDecided(server)
      }
    }

    @Test("a journal that cannot be opened is answered by 503 with a pause, and the others are served")
    func unopenable() async throws {
      try await ListServer.with { server, folder in
        try Data("This is no database.".utf8).write(to: URL(fileURLWithPath: folder + "/server/broken.alter"))
        for request in [RawRequest.pull(key: "broken"), .push([SyncDraft(1, 1, .add)], key: "broken")] {
          let answer = try await server.ask(request)
          #expect(answer.status == 503 && answer.headers["retry-after"] == "30")
          #expect(!answer.text.contains("broken") && !answer.text.contains(folder))
        }
        #expect(try await server.ask(.pull()).kind == "absent")
      }
    }

    @Test("a service that ends answers 503 with a pause, also to its readiness, and its health stays")
    func ending() async throws {
      try await ListServer.with { server, _ in
        #expect(try await server.ask(.get("/sync/ready")).status == 200)
        await server.service.close()
        for request in StatusTests.all {
          let answer = try await server.ask(request)
          #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
        }
        #expect(try await server.ask(.get("/sync/ready")).status == 503)
        #expect(try await server.ask(.get("/sync/health")).status == 200)
      }
    }
  }
#endif
