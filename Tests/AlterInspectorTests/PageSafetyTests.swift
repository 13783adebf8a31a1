#if InspectorServer
  import Alter
  import AlterInspector
  import BrowserTesting
  import Foundation
  import Testing

  @Suite(
    "What the inspector's page keeps from people, and from whom it keeps nothing", .enabled(if: Browser.isExpected),
    .timeLimit(.minutes(20)))
  struct PageSafetyTests {
    @Test("what is hidden is nowhere in the page") func hidden() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store, hiding: Hiding(["email"])), at: "#r=7") { page, _ in
        // For hidden values the difference shows only that they differ.
        for (tab, shown) in [("1", "•••"), ("2", "The states are equal"), ("3", "•••")] {
          try await page.press(tab)
          try await page.wait(until: "document.querySelector('.panel').innerText.includes('\(shown)')")
          #expect(try await page.evaluate("document.documentElement.outerHTML.includes('secret')") == false)
        }
        try await page.press("/")
        try await page.type("secret")
        try await page.wait(until: "document.querySelector('.progress')?.innerText.includes('No entry matches')")
        try await page.click("nav a:nth-child(3)")
        try await page.wait(until: "document.querySelector('.view')?.innerText.includes('shown as •••')")
      }
      await store.close()
    }

    @Test("a text that looks like a page stays a text") func markup() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store), at: "#r=8") { page, _ in
        for tab in ["1", "2", "3"] {
          try await page.press(tab)
          try await page.wait(until: "document.querySelector('.panel').innerText.length > 20")
        }
        try await page.wait(until: "document.querySelector('#raw')?.innerText.includes('<img')")
        #expect(try await page.texts(of: ".row .change").contains { $0.contains("<img src=x") })
        #expect(try await page.count(of: "#app img, #app script") == 0)
        #expect(try await page.evaluate("document.title") == "shelf · Inspector")
        try await page.fill("#search", with: "<img")
        try await page.wait(until: "document.querySelectorAll('.row').length === 1")
      }
      await store.close()
    }

    @Test("the page says that the server has gone, and catches up when it is back") func serverGone() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store)) { page, server in
        await server.stop()
        try await page.wait(until: "document.querySelector('.banner')?.innerText.includes('does not answer')")
        // Data that was loaded is still shown. Missing data is replaced by the reason.
        #expect(try await page.count(of: ".row") == 9)
        try await page.click("[data-revision='3']")
        try await page.wait(until: "document.querySelector('.detail .problem')")
        try await store.change(.put(Shelf.Book(id: 500, title: "Meanwhile"))).durable()
        try await server.start()
        try await page.wait(
          until: "!document.querySelector('.banner') && document.querySelector('[data-revision=\"10\"]')?.innerText.includes('Meanwhile')")
        try await page.wait(until: "document.querySelector('.tree') && !document.querySelector('.problem')")
        // The test causes the refused connections.
        for problem in page.takeProblems() { #expect(problem.contains("ERR_") && problem.contains("127.0.0.1"), "\(problem)") }
      }
      await store.close()
    }

    @Test("a damaged journal is named, shown as far as it goes, and fails its verification") func damaged() async throws {
      let (whole, damaged) = (try await Shop.journal(), MemoryJournal(name: "damaged"))
      for entry in try await whole.entries(after: 0, limit: 10) { _ = try await damaged.append([entry.draft], after: damaged.head()) }
      try await PageServer.withPage(Inspection(of: BrokenJournal(base: damaged, at: 5), as: Shop.self)) { page, _ in
        try await page.wait(until: "document.querySelector('.banner')?.innerText.includes('damaged at revision 5')")
        try await page.wait(until: "document.querySelector('[data-revision=\"4\"]') && document.querySelector('[data-revision=\"6\"]')")
        // States before the damage are shown. After it no state is shown, and the page gives the reason.
        try await page.click("[data-revision='4']")
        try await page.wait(until: "document.querySelector('.tree') && !document.querySelector('.detail .problem')")
        try await page.click("[data-revision='6']")
        try await page.wait(until: "document.querySelector('.detail .problem')?.innerText.includes('revision 5')")
        try await page.click("nav a:nth-child(3)")
        try await page.click("#verify")
        try await page.wait(until: "document.querySelector('.verdict.bad')?.innerText.includes('damaged at revision 5')")
        #expect(try await page.audit() == [])
        page.takeProblems()
      }
    }

    @Test("an empty journal fills before one's eyes") func empty() async throws {
      let journal = MemoryJournal(name: "empty")
      try await PageServer.withPage(Inspection(of: journal)) { page, _ in
        try await page.wait(until: "document.querySelector('.empty')?.innerText.includes('This journal is empty')")
        #expect(try await page.audit() == [])
        // The store stays open while the page is, because closing it would close the journal.
        let store = try await Store.open(Shelf(), in: journal)
        try await page.wait(until: "document.querySelector('.row')?.dataset.revision === '1' && document.querySelector('#raw, .problem')")
        #expect(store.revision == 1)
      }
    }

    @Test("on a phone the list and the detail take turns") func phone() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store), width: 390, height: 844) { page, _ in
        #expect(try await page.count(of: ".detail") == 0)
        try await page.click("[data-revision='4']")
        try await page.wait(until: "document.querySelector('.detail') && !document.querySelector('.list')")
        try await page.click("#back")
        try await page.wait(until: "document.querySelector('.list') && !document.querySelector('.detail')")
        // The browser's back button works, too.
        try await page.click("[data-revision='5']")
        try await page.wait(until: "document.querySelector('.about h2')?.innerText === '5'")
        try await page.run("history.back()")
        try await page.wait(until: "document.querySelector('.list')")
      }
      await store.close()
    }

    @Test("everybody can use it", arguments: Page.looks)
    func accessible(width: Int, scheme: Page.ColorScheme) async throws {
      let store = try await Shelf.store()
      let inspection = Inspection(of: store, hiding: Hiding(["email"]), conditions: ["has books": { !$0.books.isEmpty }])
      try await PageServer.withPage(inspection, width: width, height: 900) { page, _ in
        try await page.colorScheme(scheme)
        for (hash, shown) in [
          ("", ".row.undone"), ("#r=4", ".tree"), ("#r=9&tab=difference", ".differences"), ("#r=9&tab=entry", "#raw"),
          ("#q=whale&kind=changes", ".row mark"), ("#view=feedback", ".view"), ("#view=overview", ".share"),
        ] {
          try await page.run("location.hash = '\(hash)'")
          try await page.wait(until: "document.querySelector('\(shown)')", "\(shown) at \(hash)")
          let findings = try await page.audit()
          #expect(findings == [], "at '\(hash)'")
        }
        try await page.press("?")
        try await page.wait(until: "document.querySelector('dialog[open]')")
        #expect(try await page.audit() == [])
      }
      await store.close()
    }
  }
#endif
