#if Inspector && SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterInspector

  @Suite("A verification finds damage of synced journals, names its place, and advises", .timeLimit(.minutes(20)))
  struct SyncedDamageTests {
    /// A kind of damage: the statements that make it, the words of the message, and the revision that the message names.
    struct Damage: Sendable, CustomTestStringConvertible {
      let sql: [String]
      let words: String
      let revision: Int64?

      init(_ sql: String..., says words: String, at revision: Int64? = nil) {
        (self.sql, self.words, self.revision) = (sql, words, revision)
      }

      var testDescription: String { sql.joined(separator: "; ") }
    }

    private static let own = "Keep a copy of the file, because changes that were not sent yet are nowhere else."

    /// Damages a file, verifies it without types, and compares the result.
    private func check(_ damage: Damage, advice: String, _ make: (String) async throws -> Void) async throws {
      try await Folder.use { folder in
        let path = folder.path("file.db")
        try await make(path)
        for sql in damage.sql { try await SyncedShop.run(sql, in: path) }
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let inspection = Inspection(of: journal)
        let result = try await inspection.verify()
        #expect(!result.isSound)
        let problem = try #require(result.problem)
        #expect(problem.contains(damage.words), "\(problem)")
        #expect(problem.contains(damage.revision == nil ? advice : "evision \(damage.revision ?? 0)"), "\(problem)")
        #expect(result.at == damage.revision)
        inspection.end()
        await journal.close()
      }
    }

    @Test(
      "in a device's file: its outbox, lists, verdicts, origins and row",
      arguments: [
        Damage(
          "UPDATE drafts SET payload = replace(payload, '3', '4') WHERE sequence = 7",
          says: "010a0b0c#7 in its outbox does not match its hash"),
        Damage("UPDATE drafts SET time = time + 1 WHERE sequence = 6", says: "010a0b0c#6 in its outbox does not match its hash"),
        Damage("UPDATE drafts SET scope = 'other' WHERE sequence = 6", says: "does not match its hash"),
        Damage("UPDATE drafts SET schema = 2 WHERE sequence = 6", says: "does not match its hash"),
        Damage("UPDATE drafts SET kind = 'redo' WHERE sequence = 9", says: "010a0b0c#9 in its outbox does not match its hash"),
        Damage("UPDATE drafts SET cause = NULL WHERE sequence = 7", says: "010a0b0c#7 in its outbox does not match its hash"),
        Damage("UPDATE drafts SET sequence = 70 WHERE sequence = 7", says: "010a0b0c#70 in its outbox does not match its hash"),
        Damage("UPDATE drafts SET hash = zeroblob(16) WHERE sequence = 8", says: "010a0b0c#8 in its outbox does not match its hash"),
        Damage("UPDATE drafts SET kind = 'wish' WHERE sequence = 8", says: "in its outbox has an invalid column"),
        Damage("UPDATE drafts SET place = 1000 WHERE sequence = 9", says: "has the place 1000, but the last place of the device is"),
        Damage(
          "UPDATE drafts SET verdict = 'accepted' WHERE sequence = 6", says: "the accepted draft 010a0b0c#6 in its outbox has no revision"),
        Damage("DELETE FROM own", says: "the origin of the draft 010a0b0c#6 in its outbox is not among its own origins"),
        Damage("UPDATE own SET origin = x'00'", says: "has another length than 16 bytes"),
        Damage(
          "UPDATE refusals SET payload = replace(payload, 'a@b', 'x@b')", says: "010a0b0c#4 in its list of refusals does not match its hash"
        ),
        Damage(
          "INSERT INTO awaited SELECT journal, place, time, origin, sequence, scope, schema, kind, payload, cause, '77', 3, zeroblob(16) FROM drafts",
          says: "010a0b0c#6 in its list of awaited changes does not match its hash"),
        Damage(
          "INSERT INTO awaited SELECT journal, place, time, origin, sequence, scope, schema, kind, payload, cause, 'wish', 3, hash FROM drafts",
          says: "010a0b0c#6 in its list of awaited changes has no generation"),
        Damage("UPDATE verdicts SET last = 0", says: "a range of its verdicts is invalid"),
        Damage("UPDATE verdicts SET number = 999", says: "a range of its verdicts is from transaction 999"),
        Damage(
          "INSERT INTO verdicts SELECT journal, origin, 2, 2, verdict, 3, number, NULL FROM verdicts",
          says: "two ranges of its verdicts contain the draft 010a0b0c#2"),
        Damage("DELETE FROM devices", says: "the row of the device is missing"),
        Damage("UPDATE journals SET generation = NULL", says: "it has entries of a server, and no generation"),
        Damage("UPDATE journals SET source = NULL", says: "no id of the server's journal"),
        Damage("UPDATE journals SET role = 'plain'", says: "its row says that it is not synced, but it has the row of a device"),
      ])
    func device(_ damage: Damage) async throws { try await check(damage, advice: Self.own) { _ = try await SyncedShop.device(at: $0) } }

    @Test(
      "in a mirror: its entries, receipts and refusals, and both copies of the state at its floor",
      arguments: [
        Damage("UPDATE entries SET payload = replace(payload, '8', '9') WHERE revision = 12", says: "damaged", at: 12),
        Damage("UPDATE entries SET author = author + 1 WHERE revision = 12", says: "damaged", at: 12),
        Damage("UPDATE entries SET arrival = arrival + 1 WHERE revision = 13", says: "damaged", at: 13),
        Damage("UPDATE entries SET author = NULL, arrival = NULL WHERE revision = 12", says: "damaged", at: 12),
        Damage("UPDATE entries SET payload = replace(payload, 'denied', 'desired') WHERE revision = 15", says: "damaged", at: 15),
        Damage("DELETE FROM entries WHERE revision = 12", says: "missing", at: 12),
        Damage("UPDATE journals SET floor_checksum = zeroblob(16)", says: "damaged", at: 9),
        Damage(
          "UPDATE floors SET payload = replace(payload, 'Product', 'Produce') WHERE copy = 1", says: "copy 1 of the state there", at: 8),
        Damage(
          "UPDATE floors SET payload = replace(payload, 'Product', 'Produce') WHERE copy = 2", says: "copy 2 of the state there", at: 8),
        Damage(
          "DELETE FROM floors WHERE copy = 2", says: "copy 2 of the state there does not match its checksum. The other copy is sound", at: 8
        ),
        Damage(
          "UPDATE floors SET payload = replace(payload, 'Product', 'Produce')", says: "neither copy of the state there matches", at: 8),
        Damage("UPDATE journals SET floor_state = zeroblob(16)", says: "neither copy of the state there matches", at: 8),
      ])
    func mirror(_ damage: Damage) async throws { try await check(damage, advice: "") { _ = try await SyncedShop.device(at: $0) } }

    @Test(
      "in a journal that a server decides: its origins, attempts and reasons, its row, and its entries",
      arguments: [
        Damage("DELETE FROM origins", says: "the row of the origin 010a0b0c", at: 7),
        Damage("UPDATE origins SET last = 5", says: "says that its last decided draft is 5, but draft 6 is an entry", at: 7),
        Damage("UPDATE reasons SET revision = 4", says: "it has the reason of a refusal, but is no refusal", at: 4),
        Damage(
          "DELETE FROM attempts", says: "an accepted retry of the change 010a0b0c#2, but the row of that change's attempts is missing",
          at: 5),
        Damage("UPDATE attempts SET accepted_sequence = 99", says: "the accepted attempt of the change 010a0b0c#2 is no accepted entry"),
        Damage("UPDATE attempts SET accepted_sequence = 2", says: "the accepted attempt of the change 010a0b0c#2 is no accepted entry"),
        Damage("UPDATE journals SET generation = NULL", says: "the row with its part in sync is invalid"),
        Damage("UPDATE entries SET payload = replace(payload, 'denied', 'desired') WHERE revision = 3", says: "damaged", at: 3),
        Damage("UPDATE entries SET author = author + 1 WHERE revision = 4", says: "damaged", at: 4),
      ])
    func served(_ damage: Damage) async throws {
      try await check(damage, advice: "Keep a copy of the journal and restore a backup.") {
        await (try await SyncedShop.served(at: $0)).close()
      }
    }
  }
#endif
