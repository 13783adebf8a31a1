#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A damaged journal file", .timeLimit(.minutes(20)))
  struct DamageTests {
    /// Writes ten entries, then executes the SQL without the journal. Returns the error of a verification, and the readable entries.
    private func damage(_ sql: String) async throws -> (error: JournalError, readable: [Entry], original: [Entry], unharmed: Bool) {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        var writer = TestWriter()
        let whole = try await SQLiteJournal(at: path)
        _ = try await whole.append(writer.drafts(10), after: try await whole.head())
        let original = try await whole.entries(after: .zero, limit: 10)
        let id = try await whole.head().journal
        await whole.close()
        let database = try DatabaseQueue(path: path)
        try await database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
        let before = try folder.bytes("journal.db")

        let journal = try await SQLiteJournal(at: path)
        let error = try await #require(throws: JournalError.self) { try await journal.verify() }
        var readable: [Entry] = []
        while let page = try? await journal.entries(after: readable.last?.revision ?? .zero, limit: 4), !page.isEmpty { readable += page }
        // A typed reader also checks the entries against the chain.
        var chain = Head(empty: id)
        readable = Array(readable.prefix { entry in (try? chain.verify(entry, in: "")) != nil })
        await journal.close()
        return (error, readable, original, try folder.bytes("journal.db") == before)
      }
    }

    @Test(
      "says at which revision, leaves everything before readable, and stays as it is",
      arguments: [
        ("a flipped byte", "UPDATE entries SET payload = '[5]' WHERE revision = 5", 5),
        ("a payload that is no text any more", "UPDATE entries SET payload = CAST(x'5BFF5D' AS TEXT) WHERE revision = 5", 5),
        ("an empty payload", "UPDATE entries SET payload = '' WHERE revision = 1", 1),
        ("another time", "UPDATE entries SET time = time + 1 WHERE revision = 10", 10),
        ("another scope", "UPDATE entries SET scope = CAST(x'80' AS TEXT) WHERE revision = 3", 3),
        ("another kind", "UPDATE entries SET kind = 'undo' WHERE revision = 3", 3),
        ("a kind that doesn't exist", "UPDATE entries SET kind = CAST(x'FF00' AS TEXT) WHERE revision = 3", 3),
        ("a cause out of nowhere", "UPDATE entries SET cause = '' WHERE revision = 3", 3),
        ("a short origin", "UPDATE entries SET origin = x'00' WHERE revision = 4", 4),
        ("a short checksum", "UPDATE entries SET checksum = x'00' WHERE revision = 4", 4),
        ("a wrong checksum", "UPDATE entries SET checksum = zeroblob(16) WHERE revision = 4", 4),
        ("an impossible schema", "UPDATE entries SET schema = -9223372036854775808 WHERE revision = 4", 4),
        ("a missing first row", "DELETE FROM entries WHERE revision = 1", 1),
        ("a missing row", "DELETE FROM entries WHERE revision = 6", 6),
        ("a cut tail", "DELETE FROM entries WHERE revision >= 9", 9),
        (
          "two rows that changed places",
          """
          UPDATE entries SET revision = -4 WHERE revision = 4; UPDATE entries SET revision = 4 WHERE revision = 7;
          UPDATE entries SET revision = 7 WHERE revision = -4
          """, 4
        ),
        ("a head behind its entries", "UPDATE journals SET head = 7, checksum = (SELECT checksum FROM entries WHERE revision = 7)", 8),
        ("a head before its entries", "UPDATE journals SET head = 12", 11),
        ("a head of another history", "UPDATE journals SET checksum = zeroblob(16)", 10),
      ])
    func damaged(_ what: String, _ sql: String, _ revision: Int64) async throws {
      let (error, readable, original, unharmed) = try await damage(sql)
      #expect(error.code == .damaged)
      #expect(error.revision?.number == revision)
      #expect(error.description.contains("is damaged at revision \(revision): "))
      #expect(readable.prefix(Int(revision - 1)) == original.prefix(Int(revision - 1)))
      #expect(unharmed)
    }

    @Test(
      "whose head row makes no sense is refused",
      arguments: [
        "UPDATE journals SET id = x'00'", "UPDATE journals SET checksum = x''", "UPDATE journals SET head = -1", "DROP TABLE entries",
        "DROP TABLE journals",
      ])
    func senselessHead(_ sql: String) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        await (try await SQLiteJournal(at: path)).close()
        let database = try DatabaseQueue(path: path)
        try await database.writeWithoutTransaction { try $0.execute(sql: "DROP VIEW log; \(sql)") }
        try database.close()
        let error = await #expect(throws: JournalError.self) {
          let journal = try await SQLiteJournal(at: path)
          _ = try await journal.verify()
        }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("is damaged: ") == true)
      }
    }

    @Test("isn't appended to where its head hides entries")
    func appendOverEntries() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        let early = try await journal.append(writer.drafts(1), after: try await journal.head()).head
        _ = try await journal.append(writer.drafts(1), after: early)
        let database = try DatabaseQueue(path: journal.path)
        try await database.write { try $0.execute(sql: "UPDATE journals SET head = 1, checksum = ?", arguments: [early.checksum.bytes]) }
        let error = await #expect(throws: JournalError.self) { try await journal.append(writer.drafts(1), after: early) }
        #expect(error?.code == .damaged)
        #expect(error?.revision == 2)
        await journal.close()
      }
    }
  }
#endif
