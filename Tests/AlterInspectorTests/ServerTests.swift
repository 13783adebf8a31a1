#if InspectorServer
  import Alter
  import AlterSQLite
  import AlterTesting
  import _AlterWeb
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterInspector
  @testable import AlterInspectorServer

  /// Serves an inspection during a test, and stops the server afterwards.
  func withServer<Result>(
    _ inspection: Inspection, host: String = "127.0.0.1", token: WebServer.Token = .none, limits: WebLimits = WebLimits(),
    under folder: String = "",
    _ body: (HTTPClient, String) async throws -> Result
  ) async throws -> Result {
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let server = WebServer(host: host, token: token, limits: limits)
    let running = Task {
      defer { continuation.finish() }
      try await server.run(obeysSignals: false, assets: WebAsset.library + InspectorRoutes.assets(under: folder)) { router in
        InspectorRoutes(inspection).add(to: router, under: folder)
      } onReady: { address in
        continuation.yield(address)
      }
    }
    defer { running.cancel() }
    var address: String?
    for await given in addresses {
      address = given
      break
    }
    guard let address, let port = URLComponents(string: address)?.port else {
      try await running.value
      throw ChildProcess.SpawnError("the server: no address", code: 0)
    }
    let result = try await body(HTTPClient(port: port), address)
    running.cancel()
    _ = try? await running.value
    inspection.end()
    return result
  }

  @Suite("The inspector over HTTP", .timeLimit(.minutes(20)))
  struct ServerTests {
    private func json(_ answer: HTTPAnswer) throws -> JSONValue { try JSONValue(parsing: answer.body) }

    @Test("answers every route as the contract says")
    func routes() async throws {
      let inspection = Inspection(of: try await Shop.journal(), as: Shop.self, conditions: Shop.conditions)
      _ = try await inspection.stats()
      try await withServer(inspection) { client, _ in
        func get(_ path: String) async throws -> JSONValue {
          let answer = try await client.ask(path)
          #expect(answer.status == 200, "\(path): \(answer.text)")
          #expect(answer.headers["content-type"] == "application/json")
          #expect(answer.headers["cache-control"] == "no-store")
          return try json(answer)
        }
        let journal = try await get("/api/journal")
        for key in [
          "name", "journal", "revision", "checksum", "schema", "types", "isLive", "hidden", "conditions", "firstTime", "lastTime",
          "indexed", "origins", "kinds", "scopes", "takenBack", "problem",
        ] { #expect(journal[key] != nil, "\(key) is missing") }
        #expect(journal["types"] == "Shop")
        #expect(journal["revision"] == 10)
        #expect(journal["conditions"] == ["expensive", "never"])
        #expect(journal["takenBack"] == 2)
        #expect(journal["scopes"] == ["journal"])

        let newest = try await get("/api/entries?limit=2")
        #expect(newest["revision"] == 10)
        #expect(newest["entries"]?.values?.map { $0["revision"] } == [10, 9])
        let row = newest["entries"]?[1]
        for key in [
          "revision", "time", "origin", "sequence", "kind", "scope", "text", "changes", "cause", "undone", "suppressed", "targets",
        ] { #expect(row?[key] != nil, "\(key) is missing") }
        #expect(row?["undone"] == true)
        #expect(try await get("/api/entries?after=0&limit=1")["entries"]?[0]?["kind"] == "initial")
        #expect(try await get("/api/entries?before=3")["entries"]?.values?.count == 2)

        let found = try await get("/api/search?text=milk+%26&kind=changes,undo&undone=false")
        #expect(found["entries"]?.values?.map { $0["revision"] } == [3])
        #expect((found["next"], found["searched"]) == (.null, 10))

        let entry = try await get("/api/entry/6")
        for key in [
          "revision", "payload", "causeMetadata", "checksum", "size", "schema", "answers", "takesBack", "takenBackBy", "isSuppressed",
          "raw",
        ] { #expect(entry[key] != nil, "\(key) is missing") }
        #expect(entry["takenBackBy"] == 7)

        let state = try await get("/api/state?at=6&path=/products&offset=1&limit=1")
        #expect((state["at"], state["asked"], state["exact"]) == (6, 6, true))
        #expect(state["node"]?["count"] == 3)
        #expect(state["node"]?["offset"] == 1)
        #expect(state["node"]?["children"]?[0]?["key"] == "2")
        #expect(try await get("/api/state")["node"]?["kind"] == "object")
        #expect(try await get("/api/state/search?at=6&text=TEA")["found"]?[0]?["path"] == "/products/0/title")

        let difference = try await get("/api/diff?from=5&to=6")
        #expect(
          difference["differences"]?.values == [["path": "products[1].price", "kind": "changed", "old": "0", "new": "500"]])
        #expect(try await get("/api/feedback") == ["isLive": false, "effects": [], "leases": [], "answers": []])
        let verification = try await get("/api/verify")
        #expect((verification["isSound"], verification["revision"], verification["problem"]) == (true, 10, .null))
        #expect(try await get("/api/stats")["indexed"] == 10)
        #expect(try await get("/api/bisect?condition=expensive&to=6") == ["revision": 6, "was": false, "is": true])
        #expect(try await get("/api/bisect?condition=expensive&scan=true")["revision"] == 6)

        let export = try await client.ask("/api/export")
        #expect(export.headers["content-disposition"]?.hasPrefix("attachment") == true)
        #expect(try await MemoryJournal().import(export.body).revision == 10)

        for path in ["/", "/library/render.js", "/library/base.css"] { #expect(try await client.ask(path).status == 200, "\(path)") }
        let head = try await client.ask("/api/journal", method: "HEAD")
        #expect((head.status, head.body.isEmpty) == (200, true))
        let page = try await client.ask("/")
        #expect(try await client.ask("/", headers: ["If-None-Match": page.headers["etag"] ?? ""]).status == 304)
      }
    }

    @Test("lies in an app's folder, too")
    func folder() async throws {
      try await withServer(Inspection(of: try await Shop.journal()), under: "/inspector") { client, _ in
        let inside = try await client.ask("/inspector/api/journal")
        #expect(inside.status == 200)
        #expect(try await client.ask("/api/journal").status == 404)
        #expect(try await client.ask("/inspector/").status == 200)
        let redirection = try await client.ask("/inspector")
        #expect((redirection.status, redirection.headers["location"]) == (301, "/inspector/"))
        #expect(try await client.ask("/inspector/api/journal", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
      }
    }

    @Test(
      "refuses what makes no sense, and says why",
      arguments: [
        ("/api/entries?limit=x", 400, "limit"), ("/api/entries?limit=501", 400, "500"), ("/api/entries?limit=-1", 400, "limit"),
        ("/api/entries?page=2", 400, "after, before, limit"), ("/api/search?kind=wish", 400, "initial"),
        ("/api/search?undone=maybe", 400, "true"),
        ("/api/search?from=yesterday", 400, "from"), ("/api/search?text=%FF", 400, "UTF-8"), ("/api/entry/x", 400, "whole number"),
        ("/api/entry/11", 404, "1 to 10"), ("/api/entry/0", 404, "1 to 10"), ("/api/entry/-9223372036854775808", 404, "1 to 10"),
        ("/api/state?at=99", 404, "1 to 10"), ("/api/state?path=/nothing", 404, "nothing"), ("/api/state?path=nothing", 404, "Pointer"),
        ("/api/state/search", 400, "text"), ("/api/diff", 400, "from"), ("/api/diff?from=1&to=99", 404, "1 to 10"),
        ("/api/bisect", 400, "condition"), ("/api/bisect?condition=unknown", 404, "expensive"),
        ("/api/bisect?condition=never&from=5&to=4", 400, "between"), ("/api/nothing", 404, "no such route"), ("/api", 404, ""),
        ("/nothing", 404, ""), ("/../etc/passwd", 404, ""), ("/api/search?text=" + String(repeating: "a", count: 3_000), 400, "longer"),
        ("/api/search?text=" + String(repeating: "a", count: 9_000), 400, "longer"),
        ("/api/entries?before=99999999999999999999", 400, "before"),
      ])
    func refusals(_ path: String, _ status: Int, _ words: String) async throws {
      let inspection = Inspection(of: try await Shop.journal(), as: Shop.self, conditions: Shop.conditions)
      try await withServer(inspection) { client, _ in
        let answer = try await client.ask(path)
        #expect(answer.status == status, "\(answer.text)")
        if !words.isEmpty { #expect(try json(answer)["error"]?.text?.contains(words) == true, "\(answer.text)") }
      }
    }

    @Test("changes nothing: other methods are refused", arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    func methods(_ method: String) async throws {
      try await withServer(Inspection(of: try await Shop.journal())) { client, _ in
        for path in ["/api/journal", "/api/entry/3", "/api/export", "/api/events", "/api/verify"] {
          let answer = try await client.ask(path, method: method)
          #expect(answer.status == 405, "\(path)")
          #expect(answer.headers["allow"] == "GET, HEAD")
        }
      }
    }

    @Test("is for this machine's own browser: strangers are refused before anything is looked at")
    func strangers() async throws {
      try await withServer(Inspection(of: try await Shop.journal())) { client, _ in
        let port = client.port
        for host in [
          "evil.example", "evil.example:\(port)", "localhost.evil.example:\(port)", "127.0.0.1.evil.example:\(port)", "1.2.3", "localhost",
          "localhost:1",
          "127.0.0.1", "192.168.1.7:\(port)", "[::1]x:\(port)", "localhost:\(port):\(port)", "evil@localhost:\(port)", "localhost.:\(port)",
          "",
        ] {
          #expect(try await client.ask("/api/journal", host: host).status == 421, "\(host)")
        }
        #expect(try await client.ask("/api/journal", host: nil).status == 400)
        for host in ["localhost:\(port)", "LOCALHOST:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"] {
          #expect(try await client.ask("/api/journal", host: host).status == 200, "\(host)")
        }
        for path in ["/api/journal", "/api/events", "/api/export"] {
          for headers in [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost:1"], ["Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Site": "same-site"],
          ] { #expect(try await client.ask(path, headers: headers).status == 403, "\(path) \(headers)") }
        }
        #expect(
          try await client.ask("/api/journal", headers: ["Origin": "http://localhost:\(port)", "Sec-Fetch-Site": "same-origin"]).status
            == 200)
        // A link from another site may open the page.
        let page = try await client.ask("/", headers: ["Sec-Fetch-Site": "cross-site"])
        #expect(page.status == 200)
        #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(page.headers["access-control-allow-origin"] == nil)
      }
    }

    @Test("with a token lets in who knows it, and keeps it out of the address")
    func token() async throws {
      try await withServer(Inspection(of: try await Shop.journal()), token: .given("open-sesame")) { client, address in
        #expect(address.hasSuffix("/?token=open-sesame"))
        let host = "localhost:\(client.port)"
        for path in ["/", "/api/journal", "/api/events", "/library/base.css"] {
          let answer = try await client.ask(path, host: host)
          #expect(answer.status == 401)
          #expect(!answer.text.contains("sesame"))
        }
        #expect(try await client.ask("/?token=open-sesamf", host: host).status == 401)
        #expect(try await client.ask("/?token=", host: host).status == 401)
        #expect(try await client.ask("/", host: host, headers: ["Authorization": "Bearer wrong"]).status == 401)
        #expect(try await client.ask("/", host: host, headers: ["Authorization": "Bearer open-sesame"]).status == 200)
        let welcome = try await client.ask("/?token=open-sesame", host: host)
        #expect((welcome.status, welcome.headers["location"]) == (303, "/"))
        let cookie = try #require(welcome.headers["set-cookie"])
        #expect(cookie.contains("HttpOnly"))
        #expect(cookie.contains("SameSite=Strict"))
        let sent = String(cookie.prefix { $0 != ";" })
        #expect(sent.hasPrefix("alter-token-\(client.port)="))
        #expect(try await client.ask("/api/journal", host: host, headers: ["Cookie": sent]).status == 200)
        #expect(try await client.ask("/api/journal", host: host, headers: ["Cookie": sent + "x"]).status == 401)
      }
    }

    @Test("beyond this machine always has a token")
    func anywhere() async throws {
      try await withServer(Inspection(of: try await Shop.journal()), host: "0.0.0.0", token: .fresh) { client, address in
        let token = try #require(URLComponents(string: address)?.queryItems?.first { $0.name == "token" }?.value)
        #expect(token.count == 32)
        #expect(try await client.ask("/api/journal").status == 401)
        #expect(try await client.ask("/api/journal", headers: ["Authorization": "Bearer \(token)"]).status == 200)
      }
    }

    @Test("says who has the port, if somebody has")
    func port() async throws {
      let inspection = Inspection(of: try await Shop.journal())
      try await withServer(inspection) { client, _ in
        let second = WebServer(port: client.port, token: .none)
        let error = await #expect(throws: WebServerError.self) {
          try await second.run(obeysSignals: false, assets: []) { _ in
          } onReady: { _ in
          }
        }
        #expect(error?.description.contains("another program has the port") == true)
      }
    }

    @Test("streams what is new, forgets a listener who leaves, and lets go of those who stay when it stops")
    func events() async throws {
      let journal = MemoryJournal()
      var writer = TestWriter()
      _ = try await journal.append(writer.journal(3), after: journal.head())
      let inspection = Inspection(of: journal)
      let stays = try await withServer(inspection) { client, _ in
        let draft = writer.draft(#"[{"count":{"_0":4}}]"#)
        async let first = client.listen("/api/events") { $0.contains(#"{"revision":4}"#) }
        while inspection.keeper.listenerCount == 0 { await Task.yield() }
        _ = try await journal.append([draft], after: journal.head())
        let (text, hasEnded) = try await first
        #expect(!hasEnded)
        #expect(text.contains("text/event-stream"))
        #expect(text.contains("event: head\ndata: {\"revision\":3}") || text.contains("event: head\ndata: {\"revision\":4}"))
        while inspection.keeper.listenerCount > 0 { await Task.yield() }
        let stays = Task { try await client.listen("/api/events") { _ in false } }
        while inspection.keeper.listenerCount == 0 { await Task.yield() }
        return stays
      }
      #expect(try await stays.value.hasEnded)
      #expect(inspection.keeper.listenerCount == 0)
    }

    @Test("tells that the journal has gone")
    func gone() async throws {
      let journal = try await Shop.journal()
      try await withServer(Inspection(of: journal)) { client, _ in
        async let stream = client.listen("/api/events") { $0.contains("event: gone") }
        _ = try await client.listen("/api/events") { $0.contains("event: head") }
        await journal.close()
        #expect(try await stream.text.contains("event: gone\ndata: {\"error\""))
        let answer = try await client.ask("/api/entries")
        #expect(answer.status == 500)
        #expect(try json(answer)["error"]?.text?.contains("closed") == true)
      }
    }

    @Test("lets hidden values out nowhere")
    func hidden() async throws {
      let journal = try await Shop.journal()
      var writer = TestWriter()
      let cause = #"{"metadata":{"email":"jack@secret.example","who":"jack"}}"#
      _ = try await journal.append([writer.draft(#"[{"email":{"_0":"jill@secret.example"}}]"#, cause: cause)], after: journal.head())
      // The payload is not JSON, so that no key can be found in it.
      _ = try await journal.append([writer.draft(#"[{"email":"secret.example""#)], after: journal.head())
      for typed in [false, true] {
        let hiding = Hiding(["email"])
        let inspection = typed ? Inspection(of: journal, as: Shop.self, hiding: hiding) : Inspection(of: journal, hiding: hiding)
        try await withServer(inspection) { client, _ in
          var paths = [
            "/api/journal", "/api/entries?after=0", "/api/entries?before=99", "/api/search", "/api/search?text=a", "/api/state?at=1",
            "/api/state?at=6", "/api/state?at=6&path=/email", "/api/state/search?at=6&text=s", "/api/diff?from=1&to=6",
            "/api/diff?from=6&to=5",
            "/api/feedback", "/api/verify", "/api/stats", "/api/export", "/api/bisect?condition=x",
          ]
          paths += (1...12).map { "/api/entry/\($0)" }
          var marks = 0
          for path in paths {
            let text = try await client.ask(path).text
            #expect(!text.contains("secret"), "\(path): \(text)")
            marks += text.contains(Hiding.mark) ? 1 : 0
          }
          #expect(marks >= 8)
          let found = try json(try await client.ask("/api/search?text=secret"))
          #expect(found["entries"] == [])
          let events = try await client.listen("/api/events") { $0.contains("event: indexed") }
          #expect(!events.text.contains("secret"))
        }
      }
    }

    @Test("says what is wrong with a damaged file, and shows the rest")
    func damaged() async throws {
      let (whole, damaged) = (try await Shop.journal(), MemoryJournal(name: "damaged"))
      // The chain begins with another journal's id, so that it breaks at the first entry.
      for entry in try await whole.entries(after: 0, limit: 10) { _ = try await damaged.append([entry.draft], after: damaged.head()) }
      let broken = BrokenJournal(base: damaged, at: 5)
      try await withServer(Inspection(of: broken, as: Shop.self)) { client, _ in
        let page = try json(try await client.ask("/api/entries"))
        #expect(page["entries"]?.values?.compactMap { $0["revision"]?.int } == [10, 9, 8, 7, 6, 4, 3, 2, 1])
        #expect(page["problem"]?.text?.contains("revision 5") == true)
        let answer = try await client.ask("/api/entry/5")
        #expect(answer.status == 500)
        #expect(try json(answer)["error"]?.text?.contains("damaged at revision 5") == true)
        #expect(try await client.ask("/api/state?at=4").status == 200)
        #expect(try await client.ask("/api/state?at=6").status == 500)
        let verification = try json(try await client.ask("/api/verify"))
        #expect((verification["isSound"], verification["at"]) == (false, 5))
        // A truncated export can't be taken for a complete one.
        await #expect(throws: (any Error).self) { try await MemoryJournal().import(client.ask("/api/export").body) }
        _ = try await client.listen("/api/events") { $0.contains("event: indexed\ndata: {\"revision\":10}") }
        #expect(try json(try await client.ask("/api/journal"))["problem"]?.text?.contains("revision 5") == true)
      }
    }

    @Test("reads what a newer app has written without its types, and says so with them")
    func newer() async throws {
      let journal = try await Shop.journal()
      var writer = TestWriter()
      _ = try await journal.append([writer.draft(#"[{"paint":"red"}]"#, schema: 9)], after: journal.head())
      try await withServer(Inspection(of: journal, as: Shop.self)) { client, _ in
        let answer = try await client.ask("/api/state")
        #expect(answer.status == 422)
        #expect(try json(answer)["error"]?.text?.contains("newer version") == true)
        #expect(try json(try await client.ask("/api/entries"))["entries"]?[0]?["text"] == #".paint("red")"#)
        #expect(try await client.ask("/api/state?at=10").status == 200)
      }
      try await withServer(Inspection(of: journal)) { client, _ in
        let state = try await client.ask("/api/state")
        #expect(state.status == 200)
        let overview = try json(try await client.ask("/api/journal"))
        #expect(overview["schema"] == 9)
      }
    }

    @Test("verifies once at a time")
    func busy() async throws {
      let inspection = Inspection(of: try await Shop.journal())
      try await withServer(inspection) { client, _ in
        inspection.isVerifying.withLock { $0 = true }
        let second = try await client.ask("/api/verify")
        #expect(second.status == 429)
        inspection.isVerifying.withLock { $0 = false }
        for _ in 0..<2 { #expect(try await client.ask("/api/verify").status == 200) }
      }
    }

    #if SQLite
      @Test("leaves every byte of a file as it is")
      func readOnly() async throws {
        try await Folder.use { folder in
          let path = folder.path("shop.db")
          let writer = try await SQLiteJournal(at: path)
          try await Shop.fill(writer)
          func bytes() throws -> [Data] { try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) } }
          let before = try bytes()
          #expect(!before[1].isEmpty)
          let journal = try await SQLiteJournal(at: path, isReadOnly: true)
          try await withServer(Inspection(of: journal, as: Shop.self)) { client, _ in
            for path in ["/api/journal", "/api/entries", "/api/state", "/api/verify", "/api/stats", "/api/export", "/api/feedback"] {
              #expect(try await client.ask(path).status == 200)
            }
            _ = try await client.listen("/api/events") { $0.contains("event: indexed") }
          }
          await journal.close()
          #expect(try bytes() == before)
          await writer.close()
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path + "x", isReadOnly: true) }
          #expect(error?.code == .unreachable)
          #expect(!FileManager.default.fileExists(atPath: path + "x"))
        }
      }
    #endif
  }

  /// A journal with one unreadable entry.
  struct BrokenJournal: ForwardingJournal {
    let base: any Journal
    let at: Revision

    func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      if revision.next == at {
        throw JournalError(.damaged, journal: name, revision: at, message: "is damaged at revision \(at): a test says so.")
      }
      let read = try await base.entries(after: revision, limit: limit)
      return Array(read.prefix { $0.revision != at })
    }
  }
#endif
