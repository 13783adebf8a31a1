#if InspectorServer && SQLite
  import Alter
  import AlterInspector
  import AlterSQLite
  import BrowserTesting
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("A device's file in the inspector's page", .enabled(if: Browser.isExpected), .timeLimit(.minutes(20)))
  struct PageDeviceTests {
    /// Shows a file that was made at a path, and closes it afterwards.
    private static func showing(
      typed: Bool = true, hiding: Hiding = Hiding(), at hash: String = "", width: Int = 1440,
      making make: (String) async throws -> Void = { _ = try await SyncedShop.device(at: $0) },
      _ body: (Page, String) async throws -> Void
    ) async throws {
      try await Folder.use { folder in
        let path = folder.path("device.db")
        try await make(path)
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let inspection =
          typed
          ? Inspection(of: journal, as: Shop.self, hiding: hiding, conditions: ["dear": { $0.products[id: 2]?.price ?? 0 > 70 }])
          : Inspection(of: journal, hiding: hiding)
        try await PageServer.withPage(inspection, at: hash, width: width) { page, _ in try await body(page, path) }
        await journal.close()
      }
    }

    /// Whether the text of an element contains a text.
    private static func has(_ selector: String, _ text: String) -> String {
      "document.querySelector('\(selector)')?.innerText.includes(\(JSONValue.string(text)))"
    }

    @Test("the status is at the top of every view, and leads to the outbox and the refusals") func status() async throws {
      try await Self.showing { page, _ in
        for text in ["copy of a server’s journal, of ann", "generation 77", "4 in the outbox", "1 refused", "begins after 8"] {
          try await page.wait(until: Self.has(".sync", text), "'\(text)' in the status")
        }
        try await page.click(".sync a")
        try await page.wait(
          until: "document.querySelectorAll('#outbox > .draft').length === 4 && document.querySelector('#refusals > .draft')")
        #expect(try await page.evaluate("location.hash") == "#view=device")
        let drafts = try await page.texts(of: "#outbox > .draft .about-line .numerals, #outbox > .draft .about-change")
        #expect(drafts.prefix(4).map { $0 } == ["#6", #".add(id: 6, title: "Milk\u{1B}[2J", price: 0)"#, "#7", ".price(id: 6, price: 3)"])
        #expect(try await page.texts(of: "#outbox .relations li") == ["requires 010a0b0c#6", "retries 15"])
        #expect(try await page.texts(of: "#outbox .kind") == ["undo"])
        #expect(try await page.texts(of: "#refusals .about-change") == [#".email("a@b.example")"#])
        #expect(try await page.texts(of: "#refusals .kind") == ["denied"])
        #expect(try await page.texts(of: "#refusals .relations li").first?.hasSuffix("addresses") == true)
        #expect(try await page.texts(of: "#verdicts td") == ["010a", "#1–3", "accepted", "2–4"])
        // The stored form is shown on request. A retry leads to its first attempt.
        try await page.click("#outbox summary")
        try await page.wait(until: Self.has("#outbox pre", "\"Milk"))
        try await page.click("#outbox .relations a")
        try await page.wait(until: "document.querySelector('.about h2')?.innerText === '15'")
      }
    }

    @Test("the timeline ends at the floor, whose state is shown, and revisions below it are explained") func timeline() async throws {
      try await Self.showing { page, _ in
        try await page.wait(until: "document.querySelectorAll('.row').length === 9")
        #expect(try await page.texts(of: ".row .revision") == ["16", "15", "14", "13", "12", "11", "10", "9", "8"])
        #expect(try await page.texts(of: "[data-revision='15'] .kind") == ["refused"])
        #expect(try await page.texts(of: "[data-revision='15'] .change").first == "denied draft #4")
        #expect(try await page.texts(of: ".row.ground .change") == ["The file begins here: entries 1 to 8 are not in it."])
        // Every control ends at the floor.
        try await page.press("End")
        try await page.wait(until: "document.querySelector('.about h2')?.innerText === '8' && document.querySelector('.tree')")
        #expect(try await page.texts(of: ".about .note").first?.contains("its floor") == true)
        try await page.wait(until: "document.querySelector('#slider').value === '8' && document.querySelector('#slider').min === '8'")
        #expect(try await page.count(of: ".scrubber button:disabled") == 2)
        try await page.press("ArrowLeft")
        try await page.press("2")
        try await page.wait(until: Self.has(".difference", "There is no state before 8"))
        try await page.press("ArrowRight")
        try await page.wait(
          until: "document.querySelector('.about h2')?.innerText === '9' && document.querySelector('.differences .badge')")
        // A revision below the floor.
        try await page.press("g")
        try await page.fill("#jump", with: "3")
        try await page.press("Enter")
        try await page.wait(until: Self.has(".about .note", "Entry 3 is not in this file"))
        #expect(try await page.count(of: ".problem, .row.selected") == 0)
        try await page.click(".about .note a")
        try await page.wait(until: "document.querySelector('.row.ground.selected')")
        // The entry of the refusal, with its receipt.
        try await page.run("location.hash = '#r=15&tab=entry'")
        try await page.wait(until: "document.querySelector('#raw')")
        let entry = try await page.texts(of: ".entry .facts")[0]
        for text in ["Sent by", "Arrived", "denied", "no: the server refused the change"] { #expect(entry.contains(text), "\(text)") }
        #expect(try await page.texts(of: ".relations li").contains("the server refused the draft 010a0b0c#4: denied"))
        // The filter offers refusals.
        try await page.run("location.hash = '#kind=refused'")
        try await page.wait(until: "document.querySelector('.progress')?.innerText.includes('1 entry found: all of them')")
        try await page.click(".filter-toggle")
        try await page.wait(until: "document.querySelector('.chip:nth-child(6) input')?.checked")
        #expect(try await page.texts(of: ".chip:nth-child(6)").first?.hasPrefix("refused") == true)
      }
    }

    @Test("the overview counts the entries after the floor, verifies them, and explains why there is no export")
    func overview() async throws {
      try await Self.showing(at: "#view=overview") { page, path in
        try await page.wait(
          until: Self.has(".facts", "(the entries up to it are not in this file)")
            + " && !document.querySelector('.cards [role=status].note')")
        #expect(try await page.texts(of: ".card .facts dd")[2] == "8")
        #expect(try await page.count(of: "#export") == 0)
        #expect(try await page.texts(of: "#no-export").first?.contains("keeps it whole, with its outbox") == true)
        try await page.click("#verify")
        try await page.wait(until: Self.has(".verdict", "Sound. 8 entries, 4 drafts in the outbox and 1 refusal verified"))
        try await page.click(".bisect button")
        try await page.wait(until: Self.has(".verdict:not(:has(b))", "becomes true at 16"))
        try await SyncedShop.run("UPDATE drafts SET time = time + 1 WHERE sequence = 6", in: path)
        try await page.click("#verify")
        try await page.wait(until: Self.has(".verdict.bad", "the draft 010a0b0c#6 in its outbox does not match its hash"))
        try await page.run("location.hash = '#view=device'")
        try await page.wait(until: Self.has("#outbox .damage", "does not match its hash"))
        #expect(try await page.audit() == [])
      }
    }

    @Test("a compacted journal begins at its floor, and can be exported") func beginsAtFloor() async throws {
      func compacted(_ path: String) async throws {
        let journal = try await SQLiteJournal(at: path)
        try await Shop.fill(journal)
        let base = try #require(try await journal.head(at: 6, of: journal.head().journal))
        let state = try await Store<Shop>.state(at: 6, in: journal)
        try await journal.keep(Snapshot(head: base, base: base, schema: 1, written: 0, payload: try JournalCoding.encode(state)))
        // The undo at 7 names 6: the floor would separate them.
        let between = try await journal.compactionPlan(keeping: .last(4))
        #expect(between.floor < 6)
        let lower = try #require(try await journal.head(at: 4, of: base.journal))
        let earlier = try await Store<Shop>.state(at: 4, in: journal)
        try await journal.keep(Snapshot(head: lower, base: lower, schema: 1, written: 0, payload: try JournalCoding.encode(earlier)))
        let plan = try await journal.compactionPlan(keeping: .last(4))
        #expect(plan.floor == 4)
        try await journal.compact(plan)
        await journal.close()
      }
      try await Self.showing(at: "#view=overview", making: compacted) { page, _ in
        try await page.wait(until: Self.has(".facts", "(the entries up to it are not in this file)"))
        #expect(try await page.count(of: "#export") == 1)
        #expect(try await page.count(of: "#no-export") == 0)
        try await page.click("#verify")
        try await page.wait(until: Self.has(".verdict", "Sound. 6 entries verified"))
        try await page.run("location.hash = '#r=4'")
        try await page.wait(until: Self.has(".about .note", "the journal was compacted"))
        #expect(try await page.audit() == [])
      }
    }

    @Test("the lists follow the file, and are loaded in pages") func lists() async throws {
      try await Self.showing(at: "#view=device") { page, path in
        try await page.wait(until: "document.querySelectorAll('#outbox > .draft').length === 4")
        let storage = try await SyncedShop.open(path)
        try await storage.enqueue((10...240).map { SyncedShop.draft($0, .price(id: 1, price: Int($0))).stored })
        try await page.wait(
          until: "document.querySelectorAll('#outbox > .draft').length === 100 && document.querySelector('nav .badge')?.innerText === '235'"
        )
        try await page.click("#more-outbox")
        try await page.wait(until: "document.querySelectorAll('#outbox > .draft').length === 200")
        try await page.click("#more-outbox")
        try await page.wait(
          until: "document.querySelectorAll('#outbox > .draft').length === 235 && !document.querySelector('#more-outbox')")
        let shown = try await page.texts(of: "#outbox > .draft .about-line .numerals")
        #expect(shown == (6...240).map { "#\($0)" })
        await storage.close()
      }
    }

    @Test("a mirror that begins again shows its new floor by itself") func beginsAgain() async throws {
      try await Folder.use { folder in
        let path = folder.path("device.db")
        var server = try await SyncedShop.device(at: path)
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        try await PageServer.withPage(Inspection(of: journal)) { page, _ in
          try await page.wait(until: "document.querySelector('.row.ground')?.dataset.revision === '8'")
          let storage = try await SyncedShop.open(path)
          for number in 11...30 as ClosedRange<Int64> { server.change(number) }
          let isCompacted = server.database.compact(to: 30)
          #expect(isCompacted)
          try await SyncedShop.exchange(.fetch, storage, &server)
          try await SyncedShop.exchange(.pull, storage, &server)
          try await page.wait(
            until:
              "document.querySelector('.row.ground')?.dataset.revision === '30' && document.querySelector('[data-revision=\"36\"] .change')"
          )
          #expect(try await page.count(of: ".row") == 7)
          // The page may ask for the entry that it showed last while the mirror begins again.
          for problem in page.takeProblems() { #expect(problem.contains("404") && problem.contains("/api/entry/"), "\(problem)") }
          await storage.close()
        }
        await journal.close()
      }
    }

    @Test("without types, hidden, hostile: the page shows no hidden value, and no markup from the file") func hostile() async throws {
      let hostile = "<img src=x onerror=\"document.title='taken'\">"
      try await Self.showing(
        typed: false, hiding: Hiding(["email"]), at: "#view=device",
        making: { path in
          try await SyncedShop.device(at: path)
          let storage = try await SyncedShop.open(path)
          try await storage.enqueue([SyncedShop.draft(10, .add(Shop.Product(id: 9, title: hostile))).stored])
          await storage.close()
        }
      ) { page, _ in
        try await page.wait(
          until: "document.querySelectorAll('#outbox > .draft').length === 5 && document.querySelector('#refusals > .draft')")
        #expect(try await page.evaluate("document.documentElement.outerHTML.includes('example')") == false)
        #expect(try await page.texts(of: "#refusals .relations li") == ["•••"])
        #expect(try await page.count(of: "#app img") == 0)
        #expect(try await page.texts(of: "#outbox .about-change").last?.contains("<img src=x") == true)
        #expect(try await page.evaluate("document.title") == "device.db · Inspector")
        // The state is known at the floor alone.
        try await page.run("location.hash = '#r=12&tab=state'")
        try await page.wait(until: Self.has(".note.warn", "state at 8, the nearest before 12"))
        try await page.run("location.hash = '#r=8'")
        try await page.wait(
          until: Self.has(".about .note", "its floor")
            + " && document.querySelector('[role=tab][aria-selected=true]').innerText === 'Entry'")
      }
    }

    @Test("a file before the first contact has an outbox and no entries") func firstContact() async throws {
      try await Self.showing(making: { path in
        let storage = try await SyncedShop.open(path)
        try await storage.open(as: SyncedShop.ann)
        try await storage.enqueue([SyncedShop.draft(1, .order).stored])
        await storage.close()
      }) { page, _ in
        try await page.wait(
          until: Self.has(".empty", "appear here after the first contact") + " && " + Self.has(".sync", "no contact with the server yet"))
        try await page.click(".sync a")
        try await page.wait(until: "document.querySelectorAll('#outbox > .draft').length === 1")
        #expect(try await page.texts(of: "section[aria-labelledby=title-refusals] .note").first?.contains("has refused no change") == true)
        #expect(try await page.audit() == [])
      }
    }

    @Test("a served journal says so, and has no outbox") func served() async throws {
      try await Self.showing(making: { await (try await SyncedShop.served(at: $0)).close() }) { page, _ in
        try await page.wait(
          until: Self.has(".sync", "A server decides this journal") + " && document.querySelectorAll('.row').length === 7")
        #expect(try await page.texts(of: "nav a") == ["Timeline", "Feedback", "Overview"])
        #expect(try await page.texts(of: "[data-revision='3'] .change").first == "denied draft #2")
        #expect(try await page.texts(of: "[data-revision='4'] .cause").first == "requires 2")
        try await page.click("[data-revision='3']")
        try await page.wait(until: Self.has(".relations", "addresses"))
        try await page.run("location.hash = '#view=device'")
        try await page.wait(until: Self.has(".view", "has no outbox"))
        try await page.run("location.hash = '#view=overview'")
        try await page.wait(until: Self.has(".facts", "drafts up to schema 1") + " && document.querySelector('#export')")
      }
    }

    @Test("every user can use it", arguments: Page.looks)
    func accessible(width: Int, scheme: Page.ColorScheme) async throws {
      try await Self.showing(width: width) { page, _ in
        try await page.colorScheme(scheme)
        for (hash, shown) in [
          ("", ".row.ground"), ("#r=8", ".about .note"), ("#r=3", ".about .note"), ("#r=15&tab=entry", "#raw"),
          ("#kind=refused", ".row .kind"),
          ("#view=device", "#refusals .draft"), ("#view=overview", ".share"),
        ] {
          try await page.run("location.hash = '\(hash)'")
          try await page.wait(until: "document.querySelector('\(shown)')", "\(shown) at \(hash)")
          if hash == "#view=device" { try await page.run("for (const part of document.querySelectorAll('details')) part.open = true") }
          let findings = try await page.audit()
          #expect(findings == [], "at '\(hash)'")
        }
      }
    }
  }
#endif
