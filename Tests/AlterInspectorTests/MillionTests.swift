#if SQLite
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import BrowserTesting
  import Foundation
  import StoreTesting
  import Testing

  @testable import AlterInspector

  /// Creates the journal that `Design/0012-inspector.md` measures: `ALTER_MILLION=/a/path swift test --filter MillionTests`.
  @Suite("A journal of a million entries")
  struct MillionTests {
    static let path = ProcessInfo.processInfo.environment["ALTER_MILLION"]

    @Test("is made, if somebody asks for it", .enabled(if: path != nil))
    func made() async throws {
      let path = try #require(Self.path)
      let journal = try await SQLiteJournal(at: path, durability: .relaxed)
      var generator = SeededGenerator(seed: 1)
      let words = ["milk", "bread", "rent", "call Jill", "water the plants", "read", "tidy the cellar", "letter to Ann"]
      let start: Int64 = 1_767_225_600_000_000
      var number = 0
      var ids: [String] = []
      // Each batch has another replica, as if an app had been opened a thousand times.
      for batch in 0..<1_000 {
        var writer = TestWriter()
        var drafts: [Entry.Draft] = []
        for _ in 0..<1_000 {
          number += 1
          let time = start + Int64(number) * 30_000_000
          if number == 1 {
            drafts.append(writer.draft(#"{"items":[]}"#, kind: .initial, time: time))
          } else if number % 50 == 0, let last = drafts.last {
            let payload = String(decoding: try JournalCoding.encode(Entry.Targets([last.id])), as: UTF8.self)
            drafts.append(writer.draft(payload, kind: .undo, time: time))
          } else if number % 3 == 0, let id = ids.randomElement(using: &generator) {
            drafts.append(writer.draft(#"[{"item":{"change":{"completed":true},"id":"\#(id)"}}]"#, time: time))
          } else {
            let id = String(generator.next(), radix: 16)
            if ids.count < 1_000 { ids.append(id) }
            let word = number == 123_455 ? "a needle" : words[number % words.count]
            drafts.append(
              writer.draft(#"[{"add":{"item":{"completed":false,"id":"\#(id)","text":"\#(word) \#(number)"}}}]"#, time: time))
          }
        }
        _ = try await journal.append(drafts, after: journal.head())
        if batch % 100 == 99 { print("\(number) entries") }
      }
      await journal.close()
    }

    static let address = ProcessInfo.processInfo.environment["ALTER_MILLION_AT"]

    /// The part of `script/benchmark --inspector` that measures the page in a browser. The script starts the server on that journal.
    @Test("is looked at in the page, if somebody asks for it", .enabled(if: address != nil))
    func lookedAt() async throws {
      let address = try #require(Self.address)
      try await Browser.withPage { page in
        let clock = ContinuousClock()
        func measure(_ what: String, _ work: () async throws -> Void, until condition: String) async throws {
          let start = clock.now
          try await work()
          try await page.wait(until: condition)
          let time = (clock.now - start).components
          print("\(time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000) ms  \(what)")
        }
        func shows(_ revision: Int) -> String { "document.querySelector('[data-revision=\"\(revision)\"]:not(:has(.waiting))')" }
        try await measure("the page opens", { try await page.open(address) }, until: shows(1_000_000))
        try await measure(
          "a jump to 500,000",
          {
            try await page.press("g")
            try await page.fill("#jump", with: "500000")
            try await page.press("Enter")
          }, until: shows(500_000))
        try await measure(
          "the scroll bar dragged to the end", { try await page.run("document.querySelector('.list').scrollTop = 1e9") }, until: shows(1))
        try await measure(
          "a search for a text that one entry has, 876,545 back",
          {
            try await page.press("/")
            try await page.type("needle")
          }, until: "document.querySelector('.row mark')?.closest('.row').dataset.revision === '123455'")
        try await measure(
          "a search for what a quarter of them have",
          { try await page.fill("#search", with: "rent") }, until: "document.querySelectorAll('.row mark').length > 10")
        let heap = try await page.evaluate("Math.round(performance.memory.usedJSHeapSize / 1e6)", as: Int.self)
        let rows = try await page.evaluate("document.querySelectorAll('.row').length", as: Int.self)
        let asked = try await page.evaluate(
          "performance.getEntriesByType('resource').filter(entry => entry.name.includes('/api/entries')).length", as: Int.self)
        #expect(rows < 100)
        print("\(heap) MB in the page's heap, \(rows) rows in its document, rows were asked for \(asked) times")
      }
    }
  }
#endif
