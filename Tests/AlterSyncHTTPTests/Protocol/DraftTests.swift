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

  /// Pushes that are truncated, repeated or forged.
  @Suite("Pushes over raw connections", .timeLimit(.minutes(30)))
  struct DraftTests {
    private static let drafts = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .claim(2))]
    private static let verdicts: [Verdict] = [.accepted(2), .refused(.refused, at: 3), .accepted(4)]

    private func isRunning(_ server: ListServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let health = try await server.ask(.get("/sync/health"))
      #expect(health.status == 200, sourceLocation: sourceLocation)
      try await server.until { server.service.openConnections == 0 && server.service.openStreams == 0 }
    }

    // MARK: - Cut off

    @Test("a client that hangs up in the head or in the body has decided nothing; the same bytes are decided later")
    func cutRequest() async throws {
      try await ListServer.with { server, _ in
        try await server.make("lists/42")
        let push = RawRequest.push(Self.drafts)
        let (bytes, head) = (push.bytes, push.head.count)
        let ends = push.body.indices.filter { push.body[$0] == UInt8(ascii: "\n") }.map { head + $0 + 1 }
        for count in [1, 20, head - 2, head, head + 1, head + 300] + ends.dropLast() + [bytes.count - 1] {
          let socket = try LoopbackSocket(port: server.port)
          socket.send(bytes[..<count])
          socket.hangUp()
        }
        try await isRunning(server)
        #expect(try await server.head()?.revision == 1)
        #expect(try await server.ask(push).verdicts() == Self.verdicts)
      }
    }

    @Test("a client that hangs up in the chunks of a body has decided nothing")
    func cutChunks() async throws {
      try await ListServer.with { server, _ in
        _ = try await server.head()
        let push = RawRequest.push(Self.drafts).with("Transfer-Encoding", "chunked")
        let chunk = Array("\(String(push.body.count, radix: 16))\r\n".utf8) + push.body + Array("\r\n".utf8)
        let socket = try LoopbackSocket(port: server.port)
        socket.send(push.head + chunk.dropLast(3))
        socket.hangUp()
        try await isRunning(server)
        #expect(try await server.head()?.revision == 1)
        #expect(try await server.ask(bytes: push.head + chunk + Array("0\r\n\r\n".utf8)).verdicts() == Self.verdicts)
      }
    }

    @Test("a client that hangs up before the answer, or in it, finds the verdicts when it sends the same bytes again: each draft once")
    func cutAnswer() async throws {
      try await ListServer.with { server, _ in
        try await server.make("lists/42")
        let push = RawRequest.push(Self.drafts)
        for bytes in [0, 1, 400] {
          let socket = try LoopbackSocket(port: server.port)
          let isSent = await onThread { () -> Bool in
            let isSent = socket.send(push.bytes)
            _ = socket.read { $0.count >= bytes }
            socket.hangUp()
            return isSent
          }
          #expect(isSent)
          // The first one has decided all of it, also for a client that has gone.
          try await server.until { try await server.head()?.revision == 4 }
        }
        #expect(try await server.ask(push).verdicts() == Self.verdicts)
        #expect(try await server.head()?.revision == 4)
        try await isRunning(server)
      }
    }

    // MARK: - Replayed

    @Test("the same bytes twice, and ten times in parallel, have the same verdicts and one entry each", arguments: [false, true])
    func replayed(_ isFirstAlone: Bool) async throws {
      try await ListServer.with { server, _ in
        let push = RawRequest.push(Self.drafts)
        if isFirstAlone { #expect(try await server.ask(push).verdicts() == Self.verdicts) }
        try await withThrowingTaskGroup(of: [Verdict].self) { group in
          for _ in 0..<10 { group.addTask { try await server.ask(push).verdicts() } }
          for try await verdicts in group { #expect(verdicts == Self.verdicts) }
        }
        #expect(try await server.ask(.pull()).page().entries.map(\.id).dropFirst() == Self.drafts.map(\.id)[...])
      }
    }

    @Test("ten requests behind each other on one connection are answered in order")
    func pipelined() async throws {
      try await ListServer.with { server, _ in
        let first = RawRequest.push([SyncDraft(1, 1, .claim(1))]).with("Connection", "keep-alive")
        let rest = (2...9 as ClosedRange<Int64>).map {
          RawRequest.push([SyncDraft(1, $0, .claim(Int($0) + 100))]).with("Connection", "keep-alive")
        }
        let last = RawRequest.pull()
        let socket = try LoopbackSocket(port: server.port)
        let bytes = await onThread { () -> [UInt8] in
          socket.send(first.bytes + rest.flatMap(\.bytes) + last.bytes)
          return socket.read { _ in false }.bytes
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "HTTP/1.1 200").count == 11)
        let revisions = text.split(separator: "\n").filter { $0.contains(#""verdict":"accepted""#) }
          .compactMap { try? JSONValue(parsing: Data($0.utf8))["revision"]?.int }
        #expect(revisions == Array(2...10))
      }
    }

    // MARK: - Forged

    @Test("a draft under another principal's origin is 'foreign', and the others of the same push are decided")
    func foreign() async throws {
      try await ListServer.with { server, _ in
        _ = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        let push = RawRequest.push(
          [SyncDraft(2, 1, .claim(2)), SyncDraft(1, 2, .claim(3)), SyncDraft(1, 1, .claim(1)), SyncDraft(2, 2, .claim(4))], as: "bob")
        let page = try await server.ask(push).page()
        #expect(page.lines.map(\.verdict) == [.accepted(3), .refused(.foreign, at: nil), .refused(.foreign, at: nil), .accepted(4)])
        #expect(page.hold == nil)
        // The id is still its owner's.
        #expect(try await server.ask(.push([SyncDraft(1, 2, .claim(5))])).verdicts() == [.accepted(5)])
      }
    }

    @Test("a receipt, an author, a revision and a checksum in a pushed draft have no effect")
    func forgedReceipt() async throws {
      let time = TestTime()
      try await ListServer.with {
        time.drive(&$0)
      } _: { server, _ in
        let forged = RawRequest.push([SyncDraft(1, 1, .claim(1))]).replacing(
          #""kind":"changes""#,
          by:
            #""kind":"changes","author":"00000000000000a1","arrival":5,"revision":900,"checksum":"\#(String(repeating: "0", count: 32))","reason":"x","verdict":"accepted""#
        )
        #expect(try await server.ask(forged).verdicts() == [.accepted(2)])
        let honest = try await server.ask(.push([SyncDraft(1, 2, .claim(2))])).page()
        let receipts = honest.entries.dropFirst().map(\.receipt)
        #expect(receipts.count == 2 && receipts[0] == receipts[1])
        #expect(receipts[0]?.arrival == time.now)
      }
    }

    @Test("the same id with other bytes is 'clone', and the verdict on the first bytes stays")
    func clone() async throws {
      try await ListServer.with { server, _ in
        _ = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        #expect(
          try await server.ask(.push([SyncDraft(1, 1, .claim(2)), SyncDraft(1, 2, .claim(3))])).verdicts() == [
            .refused(.clone, at: 2), .accepted(3),
          ])
        #expect(try await server.ask(.push([SyncDraft(1, 1, .claim(1))])).verdicts() == [.accepted(2)])
      }
    }

    @Test("the same id twice in one push with other bytes is decided once")
    func twins() async throws {
      try await ListServer.with { server, _ in
        let twins = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 1, .claim(2))].map { Submission(.draft($0), after: nil) }
        let verdicts = try await server.ask(RawRequest(.push(twins + twins))).verdicts()
        #expect(verdicts == [.accepted(2), .refused(.clone, at: 2), .accepted(2), .refused(.clone, at: 2)])
        #expect(try await server.head()?.revision == 2)
      }
    }

    @Test("a draft with a wrong hash, or of no sense, is 'malformed', and holds up no other draft")
    func malformed() async throws {
      try await ListServer.with { server, _ in
        let drafts = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(2)), SyncDraft(1, 3, .claim(3))]
        let wrong = RawRequest.push(drafts).replacing(drafts[1].hash.description, by: String(repeating: "a", count: 32))
        #expect(try await server.ask(wrong).verdicts() == [.accepted(2), .refused(.malformed, at: 3), .accepted(4)])
        // The verdict belongs to the id and the hash that were sent: the right bytes are another draft.
        #expect(try await server.ask(.push([drafts[1]])).verdicts() == [.refused(.clone, at: 3)])
        let noSense = SyncDraft(id: EntryID(1, 4), time: 0, content: .changes(Data(#"[{"fly":{}}]"#.utf8)))
        let noArray = SyncDraft(id: EntryID(1, 5), time: 0, content: .changes(Data("7".utf8)))
        let page = try await server.ask(.push([noSense, noArray, SyncDraft(1, 6, .claim(6))])).page()
        #expect(page.lines.map(\.verdict) == [.refused(.malformed, at: 5), .refused(.malformed, at: 6), .accepted(7)])
      }
    }

    @Test("too large a draft, as id, size and hash or in full, is 'tooLarge'; both have the same verdict")
    func tooLarge() async throws {
      try await ListServer.with {
        $0.limits.bytesPerDraft = 1_000
      } _: { server, _ in
        let draft = SyncDraft(1, 1, .note(String(repeating: "n", count: 2_000)))
        let short = [
          Submission(.oversized(draft.id, size: draft.size, hash: draft.hash), after: nil),
          Submission(.draft(SyncDraft(1, 2, .claim(1))), after: draft.id),
        ]
        let verdicts = try await server.ask(RawRequest(.push(short))).verdicts()
        #expect(verdicts == [.refused(.tooLarge, at: 2), .accepted(3)])
        #expect(try await server.ask(.push([draft])).verdicts() == [.refused(.tooLarge, at: 2)])
        let whole = SyncDraft(1, 3, .note(String(repeating: "n", count: 2_000)))
        #expect(try await server.ask(.push([whole])).verdicts() == [.refused(.tooLarge, at: 4)])
      }
    }

    @Test("drafts beyond the number of a push are not decided, and are not lost: they are decided when they come again")
    func tooMany() async throws {
      try await ListServer.with {
        $0.limits.draftsPerPush = 2
      } _: { server, _ in
        let push = RawRequest.push(Self.drafts)
        let verdicts = try await server.ask(push).verdicts()
        #expect(verdicts == Array(Self.verdicts.prefix(2)))
        #expect(try await server.ask(.push([Self.drafts[2]])).verdicts() == [Self.verdicts[2]])
      }
    }

    @Test("drafts beyond a principal's budget of refusals are held, and a draft that lacks the one before it is held")
    func holds() async throws {
      let time = TestTime()
      try await ListServer.with { options in
        time.drive(&options)
        options.limits.refusalsPerMinute = 1
      } _: { server, _ in
        let push = RawRequest.push([SyncDraft(1, 1, .claim(9)), SyncDraft(1, 2, .claim(9)), SyncDraft(1, 3, .claim(1))])
        let page = try await server.ask(push).page()
        #expect(page.lines.map(\.verdict) == [.refused(.denied, at: 2)] && page.hold?.code == .budget && page.hold?.id == EntryID(1, 2))
        let early = RawRequest(.push([Submission(.draft(SyncDraft(1, 3, .claim(1))), after: EntryID(1, 2))]))
        let hold = try await server.ask(early).page().hold
        #expect(hold?.code == .order && hold?.id == EntryID(1, 3))
        time.now += 60_000_000
        let later = try await server.ask(push).verdicts()
        #expect(later == [.refused(.denied, at: 2), .refused(.denied, at: 3), .accepted(4)])
      }
    }

    @Test("a policy that throws about a change holds it with all behind it, without a verdict, and decides it afterwards")
    func policyThrows() async throws {
      try await ListServer.with {
        $0.limits.holdSeconds = 3
      } _: { server, _ in
        server.policy.isDeciderDown.withLock { $0 = true }
        let page = try await server.ask(.push(Self.drafts)).page()
        #expect(page.lines.isEmpty && page.head?.revision == 1)
        #expect(page.hold?.code == .policy && page.hold?.id == EntryID(1, 1) && page.hold?.seconds == 3)
        server.policy.isDeciderDown.withLock { $0 = false }
        #expect(try await server.ask(.push(Self.drafts)).verdicts() == Self.verdicts)
      }
    }

    @Test("a newer schema than the enabled one is held")
    func schema() async throws {
      try await ListServer.with { server, _ in
        let page = try await server.ask(
          .push([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(2), schema: 2), SyncDraft(1, 3, .claim(3))])
        ).page()
        #expect(page.lines.map(\.verdict) == [.accepted(2)] && page.hold?.code == .schema)
      }
    }

    @Test("a page is bounded by entries, and the next pull continues behind it")
    func pages() async throws {
      try await ListServer.with {
        $0.limits.entriesPerPage = 2
      } _: { server, _ in
        var page = try await server.ask(.push(Self.drafts)).page()
        #expect(page.lines.count == 3 && page.entries.map(\.revision) == [1, 2] && page.head?.revision == 4)
        let last = try #require(page.entries.last)
        let position = Head(journal: page.journal, revision: last.revision, checksum: last.stored.checksum)
        page = try await server.ask(RawRequest(.pull, at: position, generation: page.lineage.generation)).page()
        #expect(page.entries.map(\.revision) == [3, 4])
      }
    }
  }
#endif
