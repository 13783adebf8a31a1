#if InspectorServer && SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterInspector

  @Suite("A device's file over HTTP", .timeLimit(.minutes(20)))
  struct DeviceServerTests {
    private func json(_ answer: HTTPAnswer) throws -> JSONValue { try JSONValue(parsing: answer.body) }

    private func withDevice(hiding: Hiding = Hiding(), _ body: (HTTPClient, String) async throws -> Void) async throws {
      try await Folder.use { folder in
        let path = folder.path("device.db")
        try await SyncedShop.device(at: path)
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        try await withServer(Inspection(of: journal, as: Shop.self, hiding: hiding)) { client, _ in try await body(client, path) }
        await journal.close()
      }
    }

    @Test("answers as the contract says: the lists in pages, the verdicts, and the part in sync")
    func routes() async throws {
      try await withDevice { client, _ in
        func get(_ path: String) async throws -> JSONValue {
          let answer = try await client.ask(path)
          #expect(answer.status == 200, "\(path): \(answer.text)")
          return try json(answer)
        }
        let journal = try await get("/api/journal")
        #expect((journal["floor"], journal["revision"]) == (8, 16))
        #expect(
          journal["sync"] == [
            "role": "mirror", "generation": "77", "former": 1, "accepts": nil, "problem": nil,
            "device": [
              "principal": "ann\u{1B}[0m", "drafts": 4, "decided": 0, "refusals": 1, "awaited": 0, "verdicts": 1, "origins": 1,
              "transactions": journal["sync"]?["device"]?["transactions"] ?? nil,
            ],
          ])
        let outbox = try await get("/api/drafts")
        #expect((outbox["count"], outbox["next"], outbox["drafts"]?.values?.count) == (4, .null, 4))
        let draft = outbox["drafts"]?[1]
        for key in [
          "place", "origin", "sequence", "time", "kind", "scope", "schema", "text", "changes", "cause", "payload", "hash", "verdict",
          "revision", "reason", "problem",
        ] { #expect(draft?[key] != nil, "\(key) is missing") }
        #expect(draft?["cause"]?["requires"] == ["origin": .string(SyncedShop.ann.text), "sequence": 6, "revision": nil])
        let first = try await get("/api/drafts?list=outbox&limit=3")
        #expect((first["count"], first["drafts"]?.values?.count) == (4, 3))
        let rest = try await get("/api/drafts?list=outbox&limit=3&after=\(first["next"]?.int ?? 0)")
        #expect((rest["next"], rest["drafts"]?.values?.map { $0["sequence"] }) == (.null, [9]))
        let refused = try await get("/api/drafts?list=refusals")["drafts"]?[0]
        #expect((refused?["verdict"], refused?["reason"]) == ("denied", .string(SyncedShop.reason)))
        #expect(try await get("/api/drafts?list=awaited") == ["drafts": [], "next": nil, "count": 0])
        #expect(
          try await get("/api/verdicts") == [
            "count": 1,
            "verdicts": [["origin": .string(SyncedShop.ann.text), "first": 1, "last": 3, "verdict": "accepted", "revision": 2]],
          ])
        #expect(try await get("/api/verdicts?offset=1&limit=5") == ["count": 1, "verdicts": []])
        let verified = try await get("/api/verify")
        #expect((verified["isSound"], verified["floor"], verified["sync"]?["device"]?["drafts"]) == (true, 8, 4))
        let row = try await get("/api/entries?before=16&limit=1")["entries"]?[0]
        #expect((row?["kind"], row?["refusal"]?["code"], row?["receipt"]?["author"]?.text?.count) == ("refused", "denied", 16))
        #expect(try await get("/api/search?kind=refused")["entries"]?.values?.map { $0["revision"] } == [15])
        #expect(try await get("/api/state?at=8")["exact"] == true)
        // The first entry after the floor is the first one of a page from the beginning.
        #expect(try await get("/api/entries?after=0&limit=1")["entries"]?[0]?["revision"] == 9)
      }
    }

    @Test(
      "explains what the file does not have, and refuses what makes no sense",
      arguments: [
        ("/api/entry/8", 404, "revision 8, its floor"), ("/api/entry/3", 404, "revision 8, its floor"),
        ("/api/state?at=7", 404, "its floor"), ("/api/state/search?at=7&text=a", 404, "its floor"),
        ("/api/diff?from=7&to=16", 404, "its floor"),
        ("/api/export", 404, "Back up the file instead"), ("/api/drafts?list=wishes", 400, "outbox, refusals, awaited"),
        ("/api/drafts?after=x", 400, "after"), ("/api/drafts?limit=501", 400, "500"), ("/api/verdicts?offset=-1", 400, "offset"),
        ("/api/verdicts?list=outbox", 400, "limit, offset"),
      ])
    func refusals(_ path: String, _ status: Int, _ words: String) async throws {
      try await withDevice { client, _ in
        let answer = try await client.ask(path)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try json(answer)["error"]?.text?.contains(words) == true, "\(answer.text)")
      }
    }

    @Test("has lists on a device alone", arguments: ["/api/drafts", "/api/verdicts"])
    func others(_ path: String) async throws {
      try await withServer(Inspection(of: try await Shop.journal())) { client, _ in
        let answer = try await client.ask(path)
        #expect(answer.status == 404)
        #expect(try json(answer)["error"]?.text?.contains("has no outbox: it is not synced") == true)
        let journal = try json(try await client.ask("/api/journal"))
        #expect((journal["floor"], journal["sync"]) == (0, .null))
      }
    }

    @Test("lets hidden values out nowhere")
    func hidden() async throws {
      try await withDevice(hiding: Hiding(["email"])) { client, _ in
        for path in [
          "/api/drafts", "/api/drafts?list=refusals", "/api/drafts?list=awaited", "/api/verdicts", "/api/entry/15", "/api/journal",
        ] {
          let text = try await client.ask(path).text
          #expect(!text.contains("example") && !text.contains("addresses"), "\(path): \(text)")
        }
        #expect(try await client.ask("/api/drafts").text.contains(Hiding.mark))
      }
    }

    @Test("announces changes of the outbox, which need no entry")
    func events() async throws {
      try await withDevice { client, path in
        let transactions = try json(try await client.ask("/api/journal"))["sync"]?["device"]?["transactions"]?.int ?? 0
        async let stream = client.listen("/api/events") { $0.contains("event: device\ndata: {\"transactions\":\(transactions + 1)}") }
        _ = try await client.listen("/api/events") { $0.contains("event: device\ndata: {\"transactions\":\(transactions)}") }
        let storage = try await SyncedShop.open(path)
        try await storage.enqueue([SyncedShop.draft(10, .order).stored])
        #expect(try await stream.hasEnded == false)
        #expect(try json(try await client.ask("/api/drafts"))["count"] == 5)
        await storage.close()
      }
    }
  }
#endif
