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

  /// Bodies that are too large, too slow, truncated or of no sense.
  @Suite("The bodies of the sync protocol", .timeLimit(.minutes(30)))
  struct BodyTests {
    private static let push = RawRequest.push([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(2))])

    private static func small(_ options: inout SyncOptions) { (options.limits.bytesPerPush, options.limits.bytesPerDraft) = (1_000, 1_000) }
    /// The limit of a push with `small`.
    private static let limit = 71_536

    private func nothingWasDecided(_ server: ListServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let answer = try await server.ask(.pull())
      if answer.kind != "absent" { #expect(try answer.page().head?.revision == 1, sourceLocation: sourceLocation) }
    }

    private static func chunked(_ body: Data) -> [UInt8] {
      var bytes: [UInt8] = []
      for start in stride(from: 0, to: body.count, by: 10_000) {
        let part = body.dropFirst(start).prefix(10_000)
        bytes += Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8)
      }
      return bytes + Array("0\r\n\r\n".utf8)
    }

    @Test("a body over the limit is answered by 413, however it is sent, and however large it is: nothing is decided")
    func large() async throws {
      try await ListServer.with(Self.small) { server, _ in
        for size in [Self.limit + 1, 4 * Self.limit, 4 * Self.limit + 1, 40 * Self.limit] {
          // A valid push with blank space behind it.
          let request = Self.push.with(body: Self.push.body + Data(repeating: 0x20, count: size - Self.push.body.count))
          let stated = try await server.ask(request)
          #expect(stated.status == 413 && stated.kind == "badEnvelope", "\(size)")
          #expect(stated.text.contains("\(Self.limit) bytes"))
          let chunked = request.with("Transfer-Encoding", "chunked")
          let unstated = try await server.ask(bytes: chunked.head + Self.chunked(request.body))
          #expect(unstated.status == 413, "\(size)")
        }
        try await nothingWasDecided(server)
        // Exactly the limit is decided: the envelope is not sound, which is another answer.
        let exact = Self.push.with(body: Self.push.body + Data(repeating: 0x20, count: Self.limit - Self.push.body.count))
        #expect(try await server.ask(exact).verdicts() == [.accepted(2), .accepted(3)])
      }
    }

    @Test("a client that sends the whole of a body that is far too large sees the answer, and the server ends the connection in order")
    func largeWithoutReset() async throws {
      try await ListServer.with(Self.small) { server, folder in
        let file = folder + "/body"
        try Data(repeating: 0x20, count: 400 * Self.limit).write(to: URL(fileURLWithPath: file))
        let status = try await onThread {
          Result {
            try Child.run([
              "/usr/bin/env", "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Expect:", "-H", "Alter-Sync: 1", "-H",
              "Authorization: Bearer ann's token", "--data-binary", "@" + file, "\(server.url.absoluteString)/journals/a/entries",
            ])
          }
        }.get()
        #expect(status == "413")
      }
    }

    @Test("a request for a snapshot has a limit of its own")
    func largeFetch() async throws {
      try await ListServer.with {
        $0.limits.bytesPerFetch = 200
      } _: { server, _ in
        let answer = try await server.ask(RawRequest(.fetch([EntryID(1, 1), EntryID(1, 2), EntryID(1, 3)])))
        #expect(answer.status == 413 && answer.text.contains("200 bytes"))
        #expect(answer.headers["alter-limits"]?.contains("fetch=200 ") == true)
      }
    }

    @Test("limits of any size are no error of the program")
    func hugeLimits() async throws {
      try await ListServer.with { options in
        (options.limits.bytesPerPush, options.limits.bytesPerFetch, options.limits.bytesPerDraft) = (.max, .max, .max)
      } _: { server, _ in
        let verdicts = try await server.ask(Self.push).verdicts()
        #expect(verdicts == [.accepted(2), .accepted(3)])
      }
    }

    @Test("a body that drips is answered by 408, and nothing is decided; the same body at once is")
    func dripping() async throws {
      let time = TestTime()
      try await ListServer.with {
        time.drive(&$0)
      } _: { server, _ in
        let socket = try LoopbackSocket(port: server.port)
        socket.send(Self.push.head + Self.push.body.prefix(100))
        await time.pass(.seconds(30))
        let answer = await onThread { HTTPAnswer(socket.read { _ in false }.bytes) }
        #expect(answer.status == 408 && answer.kind == "badEnvelope")
        #expect(answer.headers["connection"] == "close")
        try await nothingWasDecided(server)
        #expect(try await server.ask(Self.push).verdicts() == [.accepted(2), .accepted(3)])
        try await server.until { server.service.openConnections == 0 }
      }
    }

    @Test("a content encoding is answered by 415, and nothing is decided", arguments: ["gzip", "identity", "br"])
    func encoding(_ name: String) async throws {
      try await ListServer.with { server, _ in
        let answer = try await server.ask(Self.push.with("Content-Encoding", name))
        #expect(answer.status == 415 && answer.kind == "badEnvelope")
        try await nothingWasDecided(server)
      }
    }

    @Test("a body with fewer lines than announced, cut at any byte, is answered by 422, and nothing is decided")
    func truncated() async throws {
      try await ListServer.with { server, _ in
        _ = try await server.head()
        let body = Self.push.body
        let feeds = body.indices.filter { body[$0] == UInt8(ascii: "\n") }
        let counts = [0, 1, 20] + feeds.flatMap { [$0, $0 + 1, $0 + 2] }
        for count in counts where count < body.count {
          let answer = try await server.ask(Self.push.with(body: body.prefix(count)))
          #expect(answer.status == 422 && answer.kind == "badEnvelope", "\(count) of \(body.count) bytes")
        }
        try await nothingWasDecided(server)
      }
    }

    @Test("bodies of no sense are answered by 422, and nothing is decided")
    func garbage() async throws {
      try await ListServer.with { server, _ in
        let (push, fetch) = (Self.push, RawRequest(.fetch([EntryID(1, 1)])))
        let second = push.body.split(separator: UInt8(ascii: "\n"))[1]
        var bodies: [String: RawRequest] = [
          "more lines than announced": push.with(body: push.body + second + [0x0A]),
          "another key": push.replacing("lists/42", by: "lists/43"),
          "a key with the same characters in other bytes": RawRequest.push([SyncDraft(1, 1, .claim(1))], key: "\u{E9}").replacing(
            "\u{E9}", by: "e\u{301}"),
          "a push at the path of a fetch": fetch.with(body: push.body),
          "a fetch at the path of a push": push.with(body: fetch.body),
          "a pull in a body": push.with(
            body: SyncMessage.encode(SyncMessage.Addressed(Request(.pull, position: nil, principal: Principal("ann")), to: "lists/42"))),
          "bytes that are no UTF-8": push.with(body: [0xFF, 0xFE, 0x0A]),
          "deep nesting": push.with(body: Data(repeating: UInt8(ascii: "["), count: 1_000_000) + [0x0A]),
          "line feeds": push.with(body: Data(repeating: 0x0A, count: 1_000_000)),
          "a line that is no object": push.replacing(#"{"after""#, by: #"[{"after""#),
          "a first line of another program": push.replacing(#""alter":"sync""#, by: #""alter":"journal""#),
        ]
        for (old, new) in [
          (#""lines":2"#, #""lines":-1"#), (#""lines":2"#, #""lines":9223372036854775807"#),
          (#""lines":2"#, #""lines":-9223372036854775808"#),
          (#""lines":2"#, #""lines":1e400"#), (#""floor":0"#, #""floor":-1"#), (#""known":0"#, #""known":1.5"#),
          (#""principal":"ann""#, #""principal":7"#), (#""key":"lists/42""#, #""key":null"#), (#""sequence":2"#, #""sequence":1e30"#),
        ] { bodies[new] = push.replacing(old, by: new) }
        for (name, request) in bodies {
          let answer = try await server.ask(request)
          #expect(answer.status == 422 && answer.kind == "badEnvelope", "\(name): \(answer)")
        }
        try await nothingWasDecided(server)
      }
    }

    @Test(
      "queries of a pull that make no sense are answered by 422",
      arguments: [
        "after=1", "after=x&checksum=0&journal=0", "floor=-1", "floor=x", "generation=7", "after=%ZZ", "checksum=%FF",
        "floor=99999999999999999999",
      ])
    func queries(_ query: String) async throws {
      try await ListServer.with { server, _ in
        let answer = try await server.ask(.get("/sync/journals/lists%2F42/entries?" + query))
        #expect(answer.status == 422 && answer.kind == "badEnvelope")
        // Unknown parts are ignored.
        try await server.make("lists/42")
        let unknown = try await server.ask(.get("/sync/journals/lists%2F42/entries?future=1&&="))
        #expect(unknown.status == 200)
      }
    }

    @Test("numbers at the ends of their ranges in a draft are decided or refused, by the same server")
    func extremes() async throws {
      try await ListServer.with { server, _ in
        var origin: UInt8 = 1
        for (old, new) in [
          (#""time":0"#, #""time":9223372036854775807"#), (#""time":0"#, #""time":-9223372036854775808"#),
          (#""schema":1"#, #""schema":0"#), (#""schema":1"#, #""schema":-9223372036854775808"#), (#""schema":1"#, #""schema":-1"#),
          (#""sequence":5"#, #""sequence":9223372036854775807"#), (#""sequence":5"#, #""sequence":0"#),
          (#""sequence":5"#, #""sequence":-1"#),
          (#""sequence":5"#, #""sequence":-9223372036854775808"#), (#""kind":"changes""#, #""kind":"initial""#),
          (#""kind":"changes""#, #""kind":"refused""#), (#""kind":"changes""#, #""kind":"undo""#),
          (#""kind":"changes""#, #""kind":"other""#),
          (#""time":0"#, #""scope":"\u0000","time":0"#), (#""payload":"#, #""size":-9223372036854775808,"payload":"#),
          (#""payload":"#, #""size":0,"payload":"#), (#""payload":"#, #""causeBase64":"!","payload":"#),
          (#""payload":"#, #""cause":7,"payload":"#),
        ] {
          origin += 1
          // With the right hash, where the line is a draft that the server can read.
          var line = try JSONValue(
            parsing: Data(RawRequest.push([SyncDraft(origin, 5, .add)]).body.split(separator: UInt8(ascii: "\n"))[1]))
          let changed = line.description.isEmpty ? "" : String(decoding: line.data, as: UTF8.self).replacingOccurrences(of: old, with: new)
          line = try JSONValue(parsing: Data(changed.utf8))
          if let draft = ExportLine.draft(line) { line["hash"] = .string(draft.hash.description) }
          let push = RawRequest.push([])
          let request = push.replacing(#""lines":0"#, by: #""lines":1"#)
          let answer = try await server.ask(request.with(body: request.body + line.data + [0x0A]))
          let verdicts = try answer.verdicts()
          let hold = try answer.page().hold
          #expect(verdicts.count == 1 || hold != nil, "\(new): \(answer)")
          let again = try await server.ask(request.with(body: request.body + line.data + [0x0A]))
          #expect(try again.verdicts() == verdicts, "\(new)")
        }
        let next = try await server.ask(.push([SyncDraft(1, 1, .claim(1))]))
        #expect(try next.verdicts().count == 1)
      }
    }
  }
#endif
