#if InspectorServer
  import Alter
  import AlterInspector
  import BrowserTesting
  import Foundation
  import Testing

  @Suite("A revision in the inspector's page", .enabled(if: Browser.isExpected), .timeLimit(.minutes(20)))
  struct PageDetailTests {
    /// Clicks the line for a key of the state.
    private func toggle(_ key: String, _ page: Page) async throws {
      let line = "[...document.querySelectorAll('.line')].find(line => line.querySelector('.key, .range')?.innerText === '\(key)')"
      try await page.wait(until: line, "the line '\(key)'")
      try await page.run("\(line).click()")
    }

    @Test("the state is a tree that is opened, paged and searched") func tree() async throws {
      let store = try await Shelf.store(Shelf(books: 250, numbers: 20_500))
      try await store.change(.put(Shelf.Book(id: 250, title: String(repeating: "long, ", count: 100) + "the end"))).durable()
      try await PageServer.withPage(Inspection(of: store), at: "#r=3") { page, _ in
        try await toggle("books", page)
        try await toggle("100 … 199", page)
        try await toggle("101", page)
        try await page.wait(until: "document.querySelector('.tree').innerText.includes('Moby Dick')")
        // The line stays open at another revision, and shows the state there.
        try await page.run("location.hash = '#r=4'")
        try await page.wait(until: "document.querySelector('.tree').innerText.includes('The Whale')")
        // The page never shows twenty thousand values at once.
        try await toggle("numbers", page)
        try await toggle("20,000 … 20,499", page)
        try await toggle("20,400 … 20,499", page)
        try await page.wait(until: "[...document.querySelectorAll('.line .key')].some(key => key.innerText === '20499')")
        #expect(try await page.count(of: ".line") < 400)
        // A search finds values below closed lines.
        try await page.fill("#state-search", with: "volume 117")
        try await page.wait(until: "document.querySelectorAll('.place').length === 1")
        try await page.click(".place")
        try await page.wait(until: "document.querySelector('.line.focused')?.innerText.includes('Volume 117')")
        // A long text is truncated until the user expands it.
        try await page.run("location.hash = '#r=10'")
        try await toggle("200 … 250", page)
        try await toggle("250", page)
        try await page.wait(until: "[...document.querySelectorAll('.line .more')].length === 1")
        #expect(try await page.evaluate("document.querySelector('.tree').innerText.includes('the end')") == false)
        try await page.click(".line .more")
        try await page.wait(until: "document.querySelector('.tree').innerText.includes('the end')")
        // The keys move through the tree.
        try await toggle("117", page)
        try await page.focus(".tree")
        for (key, shown) in [
          ("ArrowRight", "document.querySelector('.line.focused').getAttribute('aria-expanded') === 'true'"),
          ("ArrowRight", "document.querySelector('.line.focused .key').innerText === 'id'"),
          ("ArrowLeft", "document.querySelector('.line.focused .key').innerText === '117'"),
          ("Enter", "document.querySelector('.line.focused').getAttribute('aria-expanded') === 'false'"),
          ("ArrowDown", "document.querySelector('.line.focused .key').innerText === '118'"),
          ("ArrowUp", "document.querySelector('.line.focused .key').innerText === '117'"),
        ] {
          try await page.press(key)
          try await page.wait(until: shown, "\(key) to show \(shown)")
        }
      }
      await store.close()
    }

    @Test("a state that is not known exactly says so") func inexact() async throws {
      let store = try await Shelf.store()
      let journal = try #require(store.journal)
      try await PageServer.withPage(Inspection(of: journal), at: "#r=4&tab=state") { page, _ in
        try await page.wait(until: "document.querySelector('.note.warn')?.innerText.includes('state at 1, the nearest before 4')")
        try await page.press("2")
        try await page.wait(until: "document.querySelector('.difference .note.warn')")
        try await page.run("location.hash = '#r=1&tab=state'")
        try await page.wait(until: "document.querySelector('.tree') && !document.querySelector('.note.warn')")
      }
      await store.close()
    }

    @Test("without the app's types the page opens on the entry, with them on the state") func withoutTypes() async throws {
      let store = try await Shelf.store()
      let journal = try #require(store.journal)
      let chosen = "[role=tab][aria-selected=true]"
      try await PageServer.withPage(Inspection(of: journal)) { page, _ in
        try await page.wait(until: "document.querySelector('#raw')?.innerText.includes('Middlemarch')")
        #expect(try await page.texts(of: chosen) == ["Entry"])
        // The user can still open the state, also by its address.
        try await page.press("1")
        try await page.wait(until: "document.querySelector('.note.warn') && location.hash.includes('tab=state')")
        #expect(try await page.texts(of: chosen) == ["State"])
      }
      try await PageServer.withPage(Inspection(of: store)) { page, _ in
        try await page.wait(until: "document.querySelector('.tree')")
        #expect(try await page.texts(of: chosen) == ["State"])
        #expect(try await page.count(of: ".home") == 0)
      }
      await store.close()
    }

    @Test("texts of the journal stand apart from the words of the page, and stay in their rows") func texts() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store), at: "#r=4&tab=difference") { page, _ in
        for (tab, shown) in [("2", ".differences"), ("3", "#raw"), ("1", ".tree")] {
          try await page.press(tab)
          try await page.wait(until: "document.querySelector('.panel \(shown)')")
          #expect(
            try await page.evaluate(
              """
              (() => {
                const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), loose = []
                while (texts.nextNode()) if (texts.currentNode.data.includes('Whale') && !texts.currentNode.parentElement.closest('bdi')) loose.push(texts.currentNode.data)
                return loose
              })()
              """, as: [String].self) == [])
        }
        #expect(try await page.evaluate("getComputedStyle(document.querySelector('.row')).overflow") == "clip")
        #expect(try await page.evaluate("document.querySelector('.row').offsetHeight") == 32)
      }
      await store.close()
    }

    @Test("the difference to the revision before, or to any other") func difference() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store), at: "#r=4&tab=difference") { page, _ in
        try await page.wait(until: "document.querySelector('.differences')")
        #expect(try await page.texts(of: ".differences .badge") == ["changed"])
        #expect(try await page.texts(of: ".differences .path") == ["books[101].title"])
        #expect(try await page.texts(of: ".differences .old code, .differences .new code") == [#""Moby Dick""#, #""The Whale""#])
        try await page.fill("#against", with: "1")
        try await page.press("Enter")
        try await page.wait(until: "document.querySelectorAll('.differences .badge.added').length === 2")
        try await page.wait(until: "location.hash.includes('against=1')")
        try await page.run("location.hash = '#r=1&tab=difference'")
        try await page.wait(until: "document.querySelector('.difference').innerText.includes('nothing before it')")
      }
      await store.close()
    }

    @Test("the entry as it is stored, copied and exported; the journal verified") func entry() async throws {
      let store = try await Shelf.store()
      try await PageServer.withPage(Inspection(of: store), at: "#r=9&tab=entry") { page, _ in
        try await page.wait(until: "document.querySelector('#raw')")
        #expect(try await page.texts(of: "#raw")[0].contains("Middlemarch"))
        #expect(try await page.texts(of: "#payload")[0].contains(#""title": "Middlemarch""#))
        // The test replaces the clipboard, which belongs to the user.
        try await page.run("navigator.clipboard.writeText = async text => { window.copied = text }")
        try await page.click("#copy")
        try await page.wait(until: "document.querySelector('.entry').innerText.includes('Copied')")
        #expect(try await page.evaluate("window.copied") == (try await page.texts(of: "#raw"))[0])

        try await page.click("nav a:nth-child(3)")
        try await page.click("#verify")
        try await page.wait(until: "document.querySelector('.verdict')?.innerText.startsWith('Sound. 9 entries')")
        let exported: String = try await page.evaluate("fetch(document.querySelector('#export').href).then(answer => answer.text())")
        #expect(exported.split(separator: "\n").filter { $0.contains("Middlemarch") }.count == 1)
        #expect(try await page.evaluate("document.querySelector('#export').download") == "")
      }
      await store.close()
    }

    @Test("a condition is bisected by") func bisection() async throws {
      let store = try await Shelf.store()
      let inspection = Inspection(of: store, conditions: ["has Emma": { $0.books[id: 102] != nil }])
      try await PageServer.withPage(inspection, at: "#view=overview") { page, _ in
        try await page.click(".bisect button")
        try await page.wait(until: "document.querySelector('.verdict')?.innerText.includes('becomes true at 3')")
        try await page.click(".verdict a")
        try await page.wait(until: "document.querySelector('.about h2')?.innerText === '3'")
      }
      await store.close()
    }

    @Test("requests in flight come and go, and their answers stay") func requests() async throws {
      let store = try await Shelf.store()
      let (orders, order) = AsyncStream.makeStream(of: Void.self)
      let ordering = Feedback<Shelf, Void>("order", request: { $0.isOrdering ? "Ulysses" : nil }) { _, _ in
        for await _ in orders { return .ordered }
        throw CancellationError()
      }
      try store.run([ordering])
      try await PageServer.withPage(Inspection(of: store), at: "#view=feedback") { page, _ in
        try await page.wait(until: "document.querySelector('.view')?.innerText.includes('Nothing is being performed')")
        try await store.change(.order).durable()
        // The revisions are known when the entries are in the index, which may be later.
        func links(_ table: String, _ revisions: String) -> String {
          "[...document.querySelectorAll('\(table) a')].map(link => link.innerText.trim()).join() === '\(revisions)'"
        }
        try await page.wait(until: "document.querySelector('#effects .phase')?.innerText === 'running' && \(links("#effects", "10"))")
        #expect(try await page.texts(of: "#effects td")[1].contains("Ulysses"))
        try await page.wait(until: "document.querySelector('nav .badge')?.innerText.trim() === '1'")
        order.yield()
        try await page.wait(until: "!document.querySelector('#effects') && \(links("#answers", "11,10"))")
        try await page.click("#answers a")
        try await page.wait(until: "document.querySelector('.relations')?.innerText.includes('answers 10 by order')")
      }
      order.finish()
      await store.close()
    }
  }
#endif
