#if SQLite
  import AlterJournal
  import AlterSQLite
  import Foundation
  import Testing

  @testable import AlterInspector

  /// Makes the journal that `Design/0012-inspector.md` measures: `ALTER_MILLION=/a/path swift test --filter MillionTests`.
  @Suite("A journal of a million entries")
  struct MillionTests {
    static let path = ProcessInfo.processInfo.environment["ALTER_MILLION"]

    @Test("is made, if somebody asks for it", .enabled(if: path != nil))
    func made() async throws {
      let path = try #require(Self.path)
      let journal = try await SQLiteJournal(at: path, durability: .relaxed)
      var generator = Seeded(state: 1)
      let words = ["milk", "bread", "rent", "call Jill", "water the plants", "read", "tidy the cellar", "letter to Ann"]
      let start: Int64 = 1_767_225_600_000_000
      var number = 0
      var ids: [String] = []
      // Each batch by another replica, as when an app is opened a thousand times.
      for batch in 0..<1_000 {
        var writer = DraftWriter()
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
            let word = number == 123_456 ? "a needle" : words[number % words.count]
            drafts.append(
              writer.draft(#"[{"add":{"item":{"completed":false,"id":"\#(id)","text":"\#(word) \#(number)"}}}]"#, time: time))
          }
        }
        _ = try await journal.append(drafts, after: journal.head())
        if batch % 100 == 99 { print("\(number) entries") }
      }
      await journal.close()
    }
  }
#endif
