#if SQLite
  import AlterCore
  import AlterJournal
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  @Suite("Large appends", .timeLimit(.minutes(20)))
  struct LargeAppendTests {
    @Test("hold the same entries as single appends of the same drafts, whatever their sizes", arguments: [1, 15, 16, 17, 32, 100])
    func sizes(count: Int) async throws {
      try await Folder.use { folder in
        var generator = SeededGenerator(seed: UInt64(count))
        let origin = Origin.random()
        let drafts = (1...count).map { number in
          // Some entries are too large for a group, and some are empty.
          let size = [0, 10, 100, 1_000, 10_000, 100_000].randomElement(using: &generator) ?? 0
          return Entry.Draft(
            kind: number % 5 == 0 ? .undo : .changes, id: EntryID(origin: origin, sequence: Int64(number)), time: Int64(number) * 7,
            scope: number % 3 == 0 ? "a scope" : .journal, schema: number % 4, payload: Data(repeating: 0x61, count: size),
            cause: number % 2 == 0 ? Data(#"{"feedback":"f"}"#.utf8) : nil)
        }
        let journal = try await SQLiteJournal(at: folder.path("large.alter"))
        let head = try await journal.append(drafts, after: journal.head()).head
        #expect(head.revision.number == Int64(count))
        var expected = Head(empty: head.journal)
        var entries: [Entry] = []
        while entries.count < count { entries += try await journal.entries(after: Revision(Int64(entries.count)), limit: count) }
        for (draft, entry) in zip(drafts, entries) {
          #expect(entry == Entry(draft, after: expected))
          expected = expected.advanced(by: entry)
        }
        #expect(expected == head)
        #expect(try await journal.verify() == head)
        try await journal.verifyStorage()
        await journal.close()
      }
    }

    @Test("with an id that the journal has already, name that id and write nothing", arguments: [1, 5, 16, 17, 31, 39])
    func collision(place: Int) async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("large.alter"))
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(3), after: journal.head()).head
        var drafts = writer.drafts(40)
        let there = EntryID(origin: writer.origin, sequence: 2)
        drafts[place] = Entry.Draft(kind: .changes, id: there, time: 0, payload: Data("[]".utf8))
        let error = try await #require(throws: JournalError.self) { try await journal.append(drafts, after: head) }
        #expect(error == JournalError.originCollision(journal.name, there, at: 2))
        #expect(try await journal.head() == head)
        #expect(try await journal.append(writer.drafts(40), after: head).head.revision == 43)
        #expect(try await journal.verify().revision == 43)
        await journal.close()
      }
    }
  }
#endif
