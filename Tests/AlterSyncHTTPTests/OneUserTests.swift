#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncCore
  import AlterSyncServer
  import Foundation
  import ProcessTesting
  import StockModel
  import Testing

  /// One authenticated user, or one device, that must not harm the others.
  @Suite("Limits for each user of a server", .timeLimit(.minutes(10)))
  struct OneUserTests {
    private static let megabyte = 1 << 20

    /// A fetch whose first line is a large array.
    private static func fetch(as name: String = "ann", bytes: Int) -> RawRequest {
      RawRequest(.fetch([]), as: name).with(body: Data("[".utf8) + Data(repeating: UInt8(ascii: "["), count: bytes) + Data("\n".utf8))
    }

    @Test("unfinished bodies of one principal hold a bounded number of bytes; other principals are served meanwhile")
    func unfinished() async throws {
      try await ListServer.with {
        ($0.limits.bytesPerFetch, $0.limits.bytesPerPush, $0.limits.bytesPerDraft) = (Self.megabyte, Self.megabyte, 1_000)
        $0.limits.bodyBytesPerPrincipal = 3 * Self.megabyte
      } _: { server, _ in
        let request = Self.fetch(bytes: Self.megabyte - 100)
        var (sockets, refused): ([LoopbackSocket], Int) = ([], 0)
        for _ in 0..<3 {
          let socket = try LoopbackSocket(port: server.port)
          socket.send(request.bytes.dropLast(1_000))
          sockets.append(socket)
        }
        try await server.until { server.service.heldBytes > 2_900_000 }
        for _ in 0..<3 where try await server.ask(request).status == 429 { refused += 1 }
        #expect(refused == 3 && server.service.heldBytes <= 3 * Self.megabyte)
        #expect(try await server.ask(.pull(as: "bob")).status == 404)
        #expect(try await server.ask(Self.fetch(as: "bob", bytes: 100_000)).status == 422)
        for socket in sockets { socket.hangUp() }
        try await server.until { server.service.heldBytes == 0 }
        #expect(try await server.ask(request).status == 422)
      }
    }

    @Test("a line with more values than it may have is refused before any of them is made", arguments: ["[ 0", "{\"a\":0"])
    func values(start: String) throws {
      func many(_ count: Int) -> String {
        start + String(repeating: start.first == "[" ? ",0" : ",\"a\":0", count: count) + (start.first == "[" ? "]" : "}")
      }
      #expect(LineValue(Data(many(70_000).utf8), values: 65_536) == nil && LineValue(Data(many(70_000).utf8)) != nil)
      // A sound request with one more member, in each of its lines. The first one has room for fewer.
      let request = String(decoding: RawRequest.push([SyncDraft(1, 1, .claim(1))]).body, as: UTF8.self)
      let lines = request.split(separator: "\n").map(String.init)
      func decode(_ count: Int, inLine number: Int) throws {
        var lines = lines
        lines[number - 1] = "{\"x\":" + many(count) + "," + lines[number - 1].dropFirst()
        _ = try SyncMessage.decodeRequest(Data((lines.joined(separator: "\n") + "\n").utf8))
      }
      for (line, tooMany) in [(1, 40_000), (2, 70_000)] {
        try decode(1_000, inLine: line)
        #expect(throws: SyncMessage.Failure.malformed(line: line)) { try decode(tooMany, inLine: line) }
      }
    }

    @Test("a principal follows a share of the journals that the process can follow, and the rest is left to others")
    func share() async throws {
      try await ListServer.with { _, folder in
        let server = try await ListServer(Stores(in: .folder(folder + "/server"), budget: StoresBudget(stores: 16)) { _ in Stock() })
        for number in 0..<7 { try await server.make("lists/\(number)") }
        // 8 places: one principal has at most half of them.
        let streams = try (0..<4).map { try StreamTests.Stream(server, .live(["lists/\($0)"])) }
        for (number, stream) in streams.enumerated() { await stream.read { $0.revisions("lists/\(number)") == [1] } }
        let refused = try await server.ask(.live(["lists/4"]))
        #expect(refused.status == 429 && refused.text.contains("share"))
        let bob = try StreamTests.Stream(server, .live(["lists/5", "lists/6"], as: "bob"))
        await bob.read { $0.hints.count == 2 }
        // A journal that is followed already needs no place.
        let same = try StreamTests.Stream(server, .live(["lists/5"]))
        await same.read { $0.revisions("lists/5") == [1] }
        for stream in streams + [bob, same] { stream.socket.hangUp() }
        await server.stop()
      }
    }

    @Test("the connections and the stores of a process share its file descriptors")
    func descriptors() async throws {
      try await ListServer.with { server, folder in
        var limit = rlimit()
        #if canImport(Glibc)
          #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #else
          #expect(getrlimit(RLIMIT_NOFILE, &limit) == 0)
        #endif
        var budget = StoresBudget()
        budget.descriptors = Int(clamping: limit.rlim_cur) / 4 * 3
        let stores = Stores(in: .folder(folder), budget: budget) { _ in Stock() }
        let service = SyncService(
          stores, secret: SyncSecret("0123456789abcdef"), authenticator: ListServer.tokens, policy: TestPolicy())
        #expect(service.mostConnections + stores.descriptors < Int(clamping: limit.rlim_cur))
        _ = await stores.close()
      }
    }

    // MARK: - The device

    @Test("a key that the server can't store is told at the device in words, and stays told")
    func key() async throws {
      try await ListServer.with { server, folder in
        let key = String(repeating: "k", count: 600)
        let ann = try await Device(folder + "/ann.db", key: key, on: server.url)
        await ann.reaches { if case .offline(.envelope, _) = $0 { true } else { false } }
        let problem = try #require(ann.journal.problem)
        #expect(problem.code == .failed && problem.description.contains("can't have a journal of this key: its 600 bytes"), "\(problem)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/server").isEmpty)
        ann.journal.nudge()
        await ann.reaches { if case .offline(.envelope, _) = $0 { true } else { false } }
        await ann.close()
      }
    }

    @Test("a process whose token the server rejects makes room for another one of the device")
    func signedOut() async throws {
      try await ListServer.with { server, folder in
        let out = try await Device(folder + "/ann.db", on: server.url) { nil }
        await out.reaches { $0 == .unauthorised }
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        await out.shows { $0.slots == [1] }
        await ann.close()
        await out.close()
      }
    }

    @Test("a stopped process that holds the connection is named, and is not waited for longer than the stated time")
    func stopped() async throws {
      try await ListServer.with { server, folder in
        let path = folder + "/ann.db"
        let first = try await Device(path, on: server.url)
        await first.reaches { $0 == .live }
        await first.close()
        // The process holds the lock of the one that talks, and does nothing else.
        let lock = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.contains("-talker-") })
        let holder = try LineProcess(["/usr/bin/flock", "-F", folder + "/" + lock, "sh", "-c", "echo held; exec sleep 100000"])
        #expect(holder.readLine() == "held")
        holder.child.signal(SIGSTOP)
        try Data("4711 other talk\n".utf8).write(to: URL(fileURLWithPath: folder + "/" + lock))
        let waiting = try await Device(path, on: server.url)
        try await server.until { waiting.journal.talker == "4711 other talk" }
        try await waiting.store.change(.claim(1)).durable()
        #expect(waiting.store.state.slots == [1] && waiting.journal.link == nil)
        await waiting.close()
        let ann = try await Device(path, on: server.url, silence: .seconds(2))
        #expect(ann.store.state.slots == [1])
        await ann.reaches { $0 == .live }
        _ = try await ann.store.change(.claim(2)).confirmed()
        await ann.close()
        holder.child.end(SIGKILL)
      }
    }
  }
#endif
