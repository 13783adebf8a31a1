#if SyncServer
  import Alter
  import AlterStore
  import AlterSync
  import AlterSyncServer
  import Foundation
  import ProcessTesting
  import StockModel
  import Testing

  /// `docs/sync.md` is enough to write a client: the one of `Tests/SyncClient` was written from it, in Python.
  @Suite(
    "A client in Python, which was written from docs/sync.md", .enabled(if: PythonClient.isExpected, "SKIPPED: python3 is not in PATH"),
    .timeLimit(.minutes(20)))
  struct PythonClientTests {
    @Test("pulls and verifies entries, pushes changes, and reads verdicts with the reasons of its own refusals")
    func sharing() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        let device = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        _ = try await device.store.change(.claim(1)).confirmed()
        let client = PythonClient(folder + "/ann.json", on: server.url)
        let pulled = try await client.run("pull")
        #expect(pulled.dropLast() == [#"entry 1 initial {"items":[],"slots":[]}"#, #"entry 2 changes [{"claim":{"_0":1}}]"#])
        let head = try await server.head()
        #expect(pulled.last == "head 2 \(head.checksum)")

        let added = try await client.run(
          "add", #"[{"claim":{"_0":2}}]"#, #"[{"claim":{"_0":9}}]"#, #"[{"claim":{"_0":1}}]"#, #"[{"note":{"_0":"\u00fc \"🎉\" \\ / 1"}}]"#,
          "[]]", #"[ {"note" : {"_0":"spaces"}} ]"#)
        let ids = added.compactMap { $0.split(separator: " ").last }
        #expect(ids.count == 6)
        let pushed = try await client.run("push")
        #expect(
          pushed.filter { $0.hasPrefix("verdict") } == [
            "verdict \(ids[0]) accepted at 3", "verdict \(ids[1]) denied at 4", "verdict \(ids[2]) refused at 5",
            "verdict \(ids[3]) accepted at 6",
            "verdict \(ids[4]) malformed at 7", "verdict \(ids[5]) accepted at 8",
          ])
        #expect(
          pushed.filter { $0.hasPrefix("refused") } == [
            "refused \(ids[1]) denied: the slot is reserved", "refused \(ids[2]) refused: The slot '1' is there already.",
            "refused \(ids[4]) malformed: it cannot be decoded",
          ])
        await device.shows { $0.slots == [1, 2] }

        // A device's next change is verified by the client, after entries of both, and receipts and reasons of the other principal.
        try await device.store.change(.claim(9)).durable()
        _ = try await device.store.change(.claim(3)).confirmed()
        let rest = try await client.run("pull")
        #expect(rest.count == 3 && rest[0].hasPrefix("entry 9 refused") && rest[1] == #"entry 10 changes [{"claim":{"_0":3}}]"#)
        #expect(try await client.run("pull") == [try #require(rest.last)])
        await device.close()
      }
    }

    @Test("gets the same verdicts for a repeated push, and changes nothing by it")
    func repeated() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        _ = try await client.run("add", #"[{"claim":{"_0":1}}]"#, #"[{"claim":{"_0":9}}]"#)
        // As if the answer was lost, and as if the file was copied: both send the same bytes again.
        let copy = try client.copied(to: folder + "/copy.json")
        let first = try await client.run("push")
        #expect(first.filter { $0.hasPrefix("verdict") }.count == 2)
        let head = try await server.head()
        #expect(try await copy.run("push") == first)
        #expect(try await server.head() == head)
        #expect(try await client.run("push").isEmpty)
      }
    }

    @Test("sends no draft again whose verdict it knows, while the entry comes in a later page")
    func pages() async throws {
      let smallPages: @Sendable (inout SyncOptions) -> Void = {
        PythonClient.patience(&$0)
        ($0.limits.entriesPerPage, $0.limits.draftsPerPush) = (1, 2)
      }
      try await ListServer.with(smallPages) { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        let added = try await client.run("add", #"[{"claim":{"_0":1}}]"#, #"[{"claim":{"_0":9}}]"#, #"[{"claim":{"_0":2}}]"#)
        let ids = added.map { $0.dropFirst("added ".count) }
        let lines = try await client.run("push")
        let verdicts = ["verdict \(ids[0]) accepted at 2", "verdict \(ids[1]) denied at 3", "verdict \(ids[2]) accepted at 4"]
        #expect(lines.filter { $0.hasPrefix("verdict") } == verdicts)
        #expect(lines.filter { $0.hasPrefix("entry") }.count == 4)
        // Before its entry, a refusal has no reason.
        #expect(lines.filter { $0.hasPrefix("refused") } == ["refused \(ids[1]) denied: the slot is reserved"])
        #expect(lines.prefix(3) == [verdicts[0], verdicts[1], #"entry 1 initial {"items":[],"slots":[]}"#])
        #expect(try await client.run("push").isEmpty)
      }
    }

    @Test("undoes a change of a device, and redoes it")
    func undo() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        var target = try await client.run("add", #"[{"claim":{"_0":1}}]"#)[0]
        let device = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        _ = try await client.run("push")
        await device.shows { $0.slots == [1] }
        for kind in ["undo", "redo"] {
          // 'added ORIGIN/SEQUENCE'. A redo names the undo.
          let id = target.dropFirst("added ".count).split(separator: "/")
          target = try await client.run("add", "--kind", kind, #"{"target":{"origin":"\#(id[0])","sequence":\#(id[1])}}"#)[0]
          #expect(try await client.run("push").first?.contains("accepted") == true)
          await device.shows { $0.slots == (kind == "undo" ? [] : [1]) }
        }
        await device.close()
      }
    }

    @Test("keeps a draft that the server holds, and those after it, until they are decided")
    func held() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        let newer = try await client.run("add", "--schema", "2", #"[{"claim":{"_0":1}}]"#)[0].dropFirst("added ".count)
        _ = try await client.run("add", #"[{"claim":{"_0":2}}]"#)
        for _ in 0..<2 {
          #expect(try await client.failure("push").last == "error: hold 'schema' at \(newer): the draft is undecided; push again in 0 s")
        }
        #expect(try await server.head().revision == 1)
        // Without the draft before it, the next one is held, too: no draft overtakes another one.
        try client.edit { file in
          var outbox = file["outbox"] as? [[String: Any]] ?? []
          outbox[0]["verdict"] = ["code": "accepted", "revision": 99]
          file["outbox"] = outbox
        }
        #expect(try await client.failure("push").last?.hasPrefix("error: hold 'order'") == true)
        #expect(try await client.failure("push").last?.hasPrefix("error: hold 'schema'") == true)
      }
    }

    @Test("continues after a page that was cut anywhere, with what has arrived", arguments: 0...4)
    func cut(after lines: Int) async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        var client = PythonClient(folder + "/ann.json", on: server.url)
        _ = try await client.run("add", #"[{"claim":{"_0":1}}]"#, #"[{"claim":{"_0":2}}]"#)
        let whole = try await client.run("push").filter { $0.hasPrefix("entry") || $0.hasPrefix("head") }
        client = PythonClient(folder + "/new.json", on: server.url)
        let proxy = try await CuttingProxy(to: server.url, forwarding: lines)
        client.url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/sync"))
        let part = try await client.failure("pull")
        await proxy.stop()
        // The first line has no entry.
        #expect(part.dropLast() == whole.prefix(max(0, lines - 1)))
        #expect(part.last?.contains(lines == 0 ? "no answer of this protocol" : "the page was cut") == true)
        client.url = server.url
        #expect(try await client.run("pull") == Array(whole.dropFirst(max(0, lines - 1))))
      }
    }

    @Test("sends no draft again whose verdict has arrived, if the answer was cut behind the verdicts", arguments: 1...3)
    func cutAnswer(after lines: Int) async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        var client = PythonClient(folder + "/ann.json", on: server.url)
        _ = try await client.run("add", #"[{"claim":{"_0":1}}]"#, #"[{"claim":{"_0":9}}]"#)
        let proxy = try await CuttingProxy(to: server.url, forwarding: lines)
        client.url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/sync"))
        let part = try await client.failure("push")
        await proxy.stop()
        #expect(part.count == lines && part.last?.contains("the page was cut") == true)
        #expect(try await server.head().revision == 3)
        client.url = server.url
        let rest = try await client.run("push")
        #expect((part + rest).filter { $0.hasPrefix("verdict") }.count == 2)
        #expect(rest.filter { $0.hasPrefix("entry") }.count == 3)
        #expect(rest.filter { $0.hasPrefix("refused") }.count == 1)
      }
    }

    @Test("keeps to the limits that the server names, and reports those that it exceeds")
    func limits() async throws {
      let small: @Sendable (inout SyncOptions) -> Void = {
        PythonClient.patience(&$0)
        ($0.limits.bytesPerDraft, $0.limits.draftsPerPush, $0.limits.bytesPerFetch) = (100, 2, 100)
        ($0.limits.pushesPerMinute, $0.limits.streamsPerPrincipal) = (2, 1)
        // No push is forgotten while the test waits for a processor.
        $0.now = { 1_000_000 }
      }
      try await ListServer.with(small) { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        _ = try await client.run("pull")
        let long = #"[{"note":{"_0":"\#(String(repeating: "long ", count: 20))"}}]"#
        _ = try await client.run("add", #"[{"claim":{"_0":1}}]"#, long, #"[{"claim":{"_0":2}}]"#, #"[{"claim":{"_0":3}}]"#)
        let lines = try await client.run("push")
        #expect(lines.filter { $0.hasPrefix("verdict") }.count == 4)
        // A draft that the client sends as a whole has another reason.
        #expect(
          lines.filter { $0.hasPrefix("refused") }.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
            == ["tooLarge: it has \(long.utf8.count) bytes, and the limit is 100"])
        _ = try await client.run("add", #"[{"claim":{"_0":4}}]"#)
        let push = try await client.failure("push").last
        #expect(push == "error: 429 busy: The principal has made too many pushes in the last minute.; try again later (in 30 s)")
        #expect(try await client.failure("snapshot").last?.hasPrefix("error: 413 badEnvelope") == true)
        let stream = try client.start("live")
        #expect(await stream.line() == "open")
        #expect(try await client.failure("live").last?.hasPrefix("error: 429 busy: The principal has 1 streams") == true)
        stream.child.end()
      }
    }

    @Test("explains each error, and keeps its outbox")
    func errors() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        var client = PythonClient(folder + "/ann.json", on: server.url)
        try await server.make("lists/42")
        _ = try await client.run("pull")
        _ = try await client.run("add", #"[{"claim":{"_0":1}}]"#)
        let old = try await client.failure("--version", "2", "push")
        #expect(old.last?.hasPrefix("error: 400 notUnderstood: The header field 'Alter-Sync' names a version") == true)
        client.token = ""
        #expect(try await client.failure("push").last?.hasPrefix("error: 401 unauthorised") == true)
        client.token = "bob's token"
        #expect(try await client.failure("push").last?.hasPrefix("error: 403 forbidden: The device's file belongs to another") == true)
        client.token = nil
        server.policy.isDown.withLock { $0 = true }
        #expect(try await client.failure("push").last?.contains("error: 503 busy") == true)
        #expect(try await client.failure("push").last?.hasSuffix("try again later (in 0 s)") == true)
        server.policy.isDown.withLock { $0 = false }

        let position = try await server.head()
        let other = try client.copied(to: folder + "/other.json")
        try other.edit {
          $0["position"] = ["journal": position.journal.description, "revision": 1, "checksum": String(repeating: "0", count: 32)]
        }
        for command in ["pull", "push"] {
          #expect(try await other.failure(command).last?.contains("409 diverged") == true)
          #expect(try await other.failure(command).last?.hasSuffix("the server was restored, and its operator must act") == true)
        }
        try other.edit { $0["generation"] = "00000000000000ff" }
        #expect(try await other.failure("push").last?.hasSuffix("has begun a new generation; run 'snapshot'") == true)

        #expect(try await server.head() == position)
        #expect(try await client.run("push").first?.hasSuffix("accepted at 2") == true)
        let eve = PythonClient(folder + "/eve.json", on: server.url, as: "eve")
        #expect(try await eve.failure("pull").last?.hasPrefix("error: 403 forbidden") == true)
      }
    }

    @Test("begins at a snapshot after a 410, which tells the verdicts of its outbox")
    func snapshot() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        #expect(try await client.run("pull") == ["absent"])
        try await server.make("lists/42")
        _ = try await client.run("pull")
        let id = try await client.run("add", #"[{"claim":{"_0":1}}]"#)[0].dropFirst("added ".count)
        let late = try client.copied(to: folder + "/late.json")
        _ = try await client.run("push")
        let first = try await client.run("pull")
        // The server's journal has no floor, so a copy with one has lost the entries below it.
        try late.edit { $0["floor"] = 5 }
        #expect(try await late.failure("pull").last?.hasPrefix("error: 410 gone") == true)
        let snapshot = try await late.run("snapshot")
        #expect(snapshot.first == "verdict \(id) accepted at 2")
        #expect(snapshot.last?.hasPrefix("snapshot 1 ") == true)
        #expect(snapshot.last?.hasSuffix(#" schema 1 {"items":[],"slots":[]}"#) == true)
        #expect(try await late.run("pull") == [#"entry 2 changes [{"claim":{"_0":1}}]"#] + first)
        #expect(try await late.run("push").isEmpty)
      }
    }

    @Test("lists as lost what a new generation has discarded")
    func restart() async throws {
      try await ListServer.with(PythonClient.patience) { server, folder in
        let port = server.port
        let client = PythonClient(folder + "/ann.json", on: server.url)
        let id = try await client.run("add", #"[{"claim":{"_0":1}}]"#)[0].dropFirst("added ".count)
        _ = try await client.run("push")
        _ = try await client.run("add", #"[{"claim":{"_0":2}}]"#)
        await server.stop()
        // A journal that was created again: the client stops at it, because it does not know the client's generation.
        try FileManager.default.createDirectory(atPath: folder + "/other", withIntermediateDirectories: false)
        let again = try await ListServer(folder + "/other", port: port, PythonClient.patience)
        #expect(try await client.failure("push").last?.contains("409 diverged") == true)
        #expect(try await client.failure("snapshot").last?.contains("the address leads to another journal") == true)
        // Its operator names the client's generation as a former one.
        var generation: String?
        try client.edit { generation = $0["generation"] as? String }
        try await again.begin(after: try #require(generation))
        let lines = try await client.run("snapshot")
        #expect(lines.first == "refused \(id) lost: the operator has discarded it")
        #expect(try await client.run("push").first?.hasSuffix("accepted at 2") == true)
        await again.stop()
      }
    }

    @Test("follows the heads of the journal in a stream")
    func live() async throws {
      try await ListServer.with { server, folder in
        let client = PythonClient(folder + "/ann.json", on: server.url)
        try await server.make("lists/42")
        let stream = try client.start("live")
        #expect(await stream.line() == "open")
        #expect(await stream.line()?.hasPrefix("hint lists/42 1 ") == true)
        let device = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        _ = try await device.store.change(.claim(1)).confirmed()
        let head = try await server.head()
        #expect(await stream.line() == "hint lists/42 2 \(head.checksum)")
        await device.close()
        await server.service.close()
        #expect(await stream.line() == "error: the stream has ended; open it again after a pause")
        #expect(await stream.child.ended() == 1)
      }
    }
  }
#endif
