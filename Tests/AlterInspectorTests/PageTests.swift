#if InspectorServer
  import Alter
  import AlterInspector
  import BrowserTesting
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("The inspector's page", .enabled(if: Browser.isExpected), .timeLimit(.minutes(20)))
  struct PageTests {
    /// The number of requests for rows.
    private static let asked = "performance.getEntriesByType('resource').filter(entry => entry.name.includes('/api/entries')).length"

    private func selected(_ page: Page) async throws -> [String] { try await page.texts(of: ".row.selected .revision") }

    @Test("of a large journal only what is looked at is loaded") func large() async throws {
      // A million entries in the full run.
      let count = Effort.count(short: 100_000, full: 1_000_000)
      let grouped = count == 100_000 ? "100,000" : "1,000,000"
      try await PageServer.withPage(Inspection(of: try await Shelf.journal(of: count))) { page, _ in
        #expect(try await page.texts(of: ".row .revision").first == grouped)
        // The user jumps to a revision.
        try await page.press("g")
        try await page.fill("#jump", with: "50000")
        try await page.press("Enter")
        try await page.wait(until: "document.querySelector('.row.selected:not(:has(.waiting))')?.dataset.revision === '50000'")
        // The user drags the scroll bar to the end.
        try await page.run("document.querySelector('.list').scrollTop = 1e9")
        try await page.wait(until: "document.querySelector('[data-revision=\"1\"]:not(:has(.waiting))')")
        // The user drags the scroll bar all the way back without a pause.
        try await page.run(
          """
          new Promise(resolve => {
            const list = document.querySelector('.list')
            const step = () => { list.scrollTop -= list.scrollHeight / 60; list.scrollTop > 0 ? requestAnimationFrame(step) : resolve() }
            step()
          })
          """)
        try await page.wait(until: "document.querySelector('[data-revision=\"\(count)\"]:not(:has(.waiting))')")
        // The user turns the wheel.
        try await page.scroll(".list", by: 320)
        try await page.wait(
          until: "document.querySelector('[data-revision=\"\(count - 10)\"]') && !document.querySelector('[data-revision=\"\(count)\"]')")
        #expect(try await page.evaluate("document.querySelectorAll('.row').length", as: Int.self) < 100)
        // About 20 on an idle machine; a slow one asks between frames, too. All entries would take 1,000 requests.
        #expect(try await page.evaluate(Self.asked, as: Int.self) < 100)
      }
    }

    @Test("a search goes through a large journal and says how far it is") func search() async throws {
      let needles = Effort.count(short: 3, full: 10)
      try await PageServer.withPage(Inspection(of: try await Shelf.journal(of: needles * 10_000))) { page, _ in
        try await page.press("/")
        try await page.type("needle")
        try await page.wait(until: "document.querySelector('.progress')?.innerText.includes('\(needles) entries found: all of them')")
        #expect(try await page.texts(of: ".row .revision").prefix(2) == ["\(needles)0,000", "\(needles - 1)0,000"])
        #expect(try await page.texts(of: ".row mark").count == needles)
        // The keys move through the found rows.
        try await page.press("Escape")
        try await page.fill("#search", with: "needle 2")
        try await page.wait(until: "document.querySelectorAll('.row').length === 1")
        try await page.run("document.activeElement.blur()")
        try await page.press("j")
        try await page.wait(until: "location.hash.includes('r=20000') && document.querySelector('.about h2').innerText === '20,000'")
        try await page.fill("#search", with: "nobody has written this")
        try await page.wait(until: "document.querySelector('.progress')?.innerText.includes('No entry matches')")
      }
    }

    @Test("what is undone is struck through, and says by what") func undone() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store)) { page, _ in
        try await page.wait(until: "document.querySelectorAll('.row').length === 9 && document.querySelector('.row.undone')")
        #expect(try await page.texts(of: ".row.undone .revision") == ["5"])
        #expect(
          try await page.evaluate("getComputedStyle(document.querySelector('.row.undone .change')).textDecorationLine") == "line-through")
        #expect(try await page.texts(of: "[data-revision='6'] .kind") == ["undo"])
        try await page.click("[data-revision='5']")
        try await page.wait(until: "document.querySelector('.relations')?.innerText.includes('undone by 6')")
        try await page.click(".relations a")
        try await page.wait(
          until:
            "document.querySelector('.about h2').innerText === '6' && document.querySelector('.relations').innerText.includes('undoes 5')"
        )
        // An undo arrives while the user watches.
        try await store.undo()
        try await page.wait(until: "document.querySelector('[data-revision=\"9\"]').matches('.undone')")
      }
      await store.close()
    }

    @Test("the slider, its steps and the keyboard go through the revisions") func keyboard() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store), at: "#r=4&tab=difference") { page, _ in
        func at(_ revision: Int) async throws {
          try await page.wait(
            until:
              "document.querySelector('.about h2').innerText === '\(revision)' && document.querySelector('.row.selected')?.dataset.revision === '\(revision)'"
          )
        }
        // The address contains the selection.
        try await at(4)
        #expect(try await page.texts(of: "[role=tab][aria-selected=true]") == ["Difference"])
        for (key, revision) in [
          ("ArrowDown", 3), ("j", 2), ("k", 3), ("ArrowUp", 4), ("ArrowRight", 5), ("ArrowLeft", 4), ("End", 1), ("Home", 9),
          ("PageDown", 1),
          ("PageUp", 9),
        ] {
          try await page.press(key)
          try await at(revision)
        }
        try await page.focus("#slider")
        for (key, revision) in [("ArrowLeft", 8), ("Home", 1), ("ArrowRight", 2), ("End", 9)] {
          try await page.press(key)
          try await at(revision)
        }
        try await page.click("button[aria-label='First revision']")
        try await at(1)
        try await page.click("button[aria-label='Newer']")
        try await at(2)
        #expect(try await page.evaluate("document.querySelector('#slider').value") == "2")
        try await page.wait(until: "location.hash.includes('r=2')")
        try await page.press("3")
        try await page.wait(until: "document.querySelector('#raw')")
        try await page.press("?")
        try await page.wait(until: "document.querySelector('dialog[open]')")
        try await page.press("Escape")
        try await page.wait(until: "!document.querySelector('dialog')")
        // A link to a revision and a tab works.
        try await page.run("location.hash = '#r=7&tab=entry'")
        try await at(7)
      }
      await store.close()
    }

    @Test("filters add up, and are in the address") func filters() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store)) { page, _ in
        try await page.click(".filter-toggle")
        func finds(_ revisions: [Int]) async throws {
          try await page.wait(
            until:
              "document.querySelector('.progress')?.innerText.includes('all of them') && [...document.querySelectorAll('.row')].map(row => row.dataset.revision).join() === '\(revisions.map { "\($0)" }.joined(separator: ","))'",
            "the entries \(revisions)")
        }
        try await page.click(".chip:nth-child(4)")
        try await finds([6])
        try await page.click(".chip:nth-child(1)")
        try await finds([6, 1])
        try await page.wait(until: "location.hash.includes('kind=initial%2Cundo')")
        try await page.run("location.hash = '#undone=true'")
        try await finds([5])
        try await page.run("location.hash = '#q=WHALE&kind=changes'")
        try await finds([4])
        let made = try await store.journal?.entries(after: 3, limit: 1).first?.time ?? 0
        let day = Date(timeIntervalSince1970: Double(made) / 1_000_000 + 86_400).formatted(.iso8601.year().month().day())
        try await page.run("location.hash = '#from=\(day)T00:00'")
        try await page.wait(until: "document.querySelector('.progress')?.innerText.includes('No entry matches')")
        try await page.wait(until: "document.querySelector('#filter-origin').options.length > 1")
        let origin = try await page.evaluate("document.querySelector('#filter-origin').options[1].value", as: String.self)
        try await page.run("location.hash = '#origin=\(origin)&kind=undo'")
        try await finds([6])
        // The page shows all rows again.
        try await page.run("location.hash = ''")
        try await page.wait(until: "document.querySelectorAll('.row').length === 9")
      }
      await store.close()
    }

    @Test("what is appended appears by itself") func appended() async throws {
      let store = try await Shelf.store(Shelf(books: 60))
      for id in 200..<260 { try await store.change(.put(Shelf.Book(id: id, title: "Row \(id)"))).durable() }
      try await PageServer.withPage(Inspection(of: store)) { page, _ in
        try await store.change(.put(Shelf.Book(id: 900, title: "Fresh"))).durable()
        try await page.wait(until: "document.querySelector('.row.selected .change')?.innerText.includes('Fresh')")
        // A user who has scrolled away keeps the same rows in view and is notified.
        try await page.scroll(".list", by: 900)
        try await page.wait(until: "!document.querySelector('[data-revision=\"70\"]')")
        let top = "document.querySelector('[data-revision=\"35\"]').getBoundingClientRect().top"
        let before = try await page.evaluate(top, as: Double.self)
        try await page.click("[data-revision='35']")
        for id in 901...903 { try await store.change(.put(Shelf.Book(id: id, title: "Later"))).durable() }
        try await page.wait(until: "document.querySelector('.fresh')?.innerText.trim() === '3 new'")
        #expect(try await page.evaluate(top, as: Double.self) == before)
        #expect(try await selected(page) == ["35"])
        try await page.click(".fresh")
        try await page.wait(
          until: "document.querySelector('.row.selected')?.dataset.revision === '73' && !document.querySelector('.fresh')")
        // The same holds in a search.
        try await page.fill("#search", with: "later")
        try await page.wait(until: "document.querySelectorAll('.row').length === 3")
        try await store.change(.put(Shelf.Book(id: 904, title: "Later still"))).durable()
        try await page.wait(
          until: "document.querySelectorAll('.row').length === 4 && document.querySelector('.row .change').innerText.includes('still')")
      }
      await store.close()
    }
  }
#endif
