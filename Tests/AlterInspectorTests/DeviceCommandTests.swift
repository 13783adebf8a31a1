#if Inspector && SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterInspector

  @Suite("The commands on files of synced journals", .timeLimit(.minutes(20)))
  struct DeviceCommandTests {
    private let alter = Tool(name: "alter")

    private func withFile(_ make: (String) async throws -> Void, _ body: (String) async throws -> Void) async throws {
      try await Folder.use { folder in
        let path = folder.path("file.db")
        try await make(path)
        try await body(path)
      }
    }

    private func withDevice(_ body: (String) async throws -> Void) async throws {
      try await withFile({ _ = try await SyncedShop.device(at: $0) }, body)
    }

    private func json(_ outcome: Outcome) throws -> [JSONValue] { try outcome.lines.map { try JSONValue(parsing: Data($0.utf8)) } }

    @Test("outbox names the file's part in sync, and lists the drafts in order, the refusals and the verdicts")
    func outbox() async throws {
      try await withDevice { path in
        let outcome = try await alter.run("outbox", path)
        #expect((outcome.status, outcome.errors) == (0, ""))
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(
          outcome.lines == [
            "a device's copy of a server's journal, of the user 'ann␛[0m': generation 77, after 1 former one",
            "floor: revision 8. The entries up to revision 8 are not in this journal: it was compacted, or is a device's copy of a server's journal. The state at 8 is.",
            "outbox: 4 drafts", "refusals: 1", "verdicts without entries: 1 range",
            "In the outbox, in the order in which it is sent:",
            "  2023-11-14 22:13:26  010a0b0c#6  .add(id: 6, title: \"Milk\\u{1B}[2J\", price: 0)",
            "  2023-11-14 22:13:27  010a0b0c#7  .price(id: 6, price: 3)  requires 010a0b0c#6",
            "  2023-11-14 22:13:28  010a0b0c#8  .email(\"c@d.example\")  retries 15",
            "  2023-11-14 22:13:29  010a0b0c#9  undo of 16", "Refused, until they are retried or dismissed:",
            "  2023-11-14 22:13:24  010a0b0c#4  .email(\"a@b.example\")  (denied) 'no ␛[31maddresses'",
            "Decided, without an entry in this file:", "  010a0b0c#1…3  accepted at 2…4",
          ])
        let short = try await alter.run("outbox", path, "--limit", "1")
        #expect(short.output.contains("… 3 more; see --all"))
        #expect(try await alter.run("outbox", path, "--limit", "1", "--all").lines.count == outcome.lines.count)
      }
    }

    @Test("outbox writes the same fields as JSON, one object a line, and hides what it is told to hide")
    func outboxJSON() async throws {
      try await withDevice { path in
        let lines = try json(try await alter.run("outbox", path, "--json", "--hide", "email"))
        #expect(lines.count == 7)
        let sync = lines[0]["sync"]
        #expect((sync?["role"], sync?["floor"], sync?["revision"]) == ("mirror", 8, 16))
        #expect((sync?["part"]?["generation"], sync?["part"]?["device"]?["drafts"]) == ("77", 4))
        let drafts = lines.compactMap { $0["outbox"] }
        #expect(drafts.map { $0["sequence"] } == [6, 7, 8, 9])
        #expect(drafts[1]["cause"]?["requires"] == ["origin": .string(SyncedShop.ann.text), "sequence": 6, "revision": nil])
        #expect(drafts[2]["cause"]?["retries"]?["revision"] == 15)
        #expect((drafts[2]["text"], drafts[2]["payload"]) == (".email(•••)", [["email": "•••"]]))
        let refused = lines[5]["refused"]
        #expect((refused?["verdict"], refused?["reason"], refused?["text"]) == ("denied", "•••", ".email(•••)"))
        #expect(
          lines[6]["verdict"] == ["origin": .string(SyncedShop.ann.text), "first": 1, "last": 3, "verdict": "accepted", "revision": 2])
      }
    }

    @Test("log ends at the floor with an explanation, and has refusals, receipts and a note on the outbox")
    func log() async throws {
      try await withDevice { path in
        let log = try await alter.run("log", path)
        #expect((log.status, log.lines.count) == (0, 10))
        #expect(log.lines[0] == "4 changes in the outbox, not in this list: see 'outbox'.")
        #expect(log.lines[1].contains("  .price(id: 2, price: 77)"))
        #expect(log.lines[2].contains("  refused 010a0b0c#4: denied"))
        #expect(log.lines[2].contains("  by ") && log.lines[2].contains(", arrived 2027-01-15 08:00:"))
        #expect(log.lines[3].hasSuffix("  by 0000000000000b0b, arrived 2027-01-15 08:00:00"))
        #expect(log.lines[9].contains("The entries up to revision 8 are not in this journal"))
        #expect(try await alter.run("log", path, "--limit", "2").lines.count == 3)
        #expect(try await alter.run("log", path, "--kind", "refused").lines.count == 3)
        let rows = try json(try await alter.run("log", path, "--json", "--all"))
        #expect(rows.count == 8)
        #expect((rows[1]["refusal"]?["code"], rows[1]["sequence"]) == ("denied", 4))
        #expect(rows[2]["receipt"] == ["author": "0000000000000b0b", "arrival": 1_800_000_000_000_000, "principal": nil])
      }
    }

    @Test("show, diff, stats, verify and export know the floor")
    func floor() async throws {
      try await withDevice { path in
        let below = try await alter.run("show", path, "3")
        #expect(below.status == 66)
        #expect(below.errors.contains("does not have the entries up to revision 8, its floor"))
        let floor = try await alter.run("show", path, "8")
        #expect(floor.status == 0)
        #expect(floor.output.contains("The entries up to revision 8 are not in this journal") && floor.output.contains("state at 8:"))
        let refusal = try await alter.run("show", path, "15")
        #expect(refusal.output.contains("  refuses the draft \(SyncedShop.ann.text)#4, hash "))
        #expect(refusal.output.contains("  sent by "))
        #expect(try await alter.run("diff", path, "8", "16").status == 0)
        #expect(try await alter.run("diff", path, "7", "16").status == 66)
        let stats = try await alter.run("stats", path)
        #expect(
          stats.output.hasPrefix("8 entries, ") && stats.output.contains("\nfloor: revision 8.")
            && stats.output.contains("\noutbox: 4 drafts\n"))
        let verified = try await alter.run("verify", path)
        #expect(verified.status == 0)
        #expect(verified.output.hasPrefix("Sound: 8 entries, after the floor, revision 8, with 4 drafts in the outbox and 1 refusal, in "))
        let export = try await alter.run("export", path, path + ".jsonl")
        #expect(export.status == 66)
        #expect(export.errors.contains("Back up the file instead"))
        #expect(!FileManager.default.fileExists(atPath: path + ".jsonl"))
        try await SyncedShop.run("UPDATE refusals SET time = time + 1", in: path)
        let damaged = try await alter.run("verify", path)
        #expect(damaged.status == 65)
        #expect(damaged.errors.contains("the draft 010a0b0c#4 in its list of refusals does not match its hash"))
        #expect(try await alter.run("outbox", path).output.contains("damaged: the draft 010a0b0c#4"))
      }
    }

    @Test("a served journal names its part, and is exported with its receipts and refusals")
    func served() async throws {
      try await withFile({ await (try await SyncedShop.served(at: $0)).close() }) { path in
        let stats = try await alter.run("stats", path)
        #expect(stats.output.contains("\ndecided by a server: generation 77, after 1 former one; decides drafts up to schema 1\n"))
        let log = try await alter.run("log", path)
        #expect(log.lines.count == 7)
        #expect(
          log.lines[4].contains(
            "  refused 010a0b0c#2: denied  'no ␛[31maddresses' by 'ann' (fedcba9876543210), arrived 2027-01-15 08:00:00"))
        #expect(log.lines[3].contains(".price(id: 1, price: 5)  (undone) requires 2"))
        #expect(log.lines[2].contains("  retries 3"))
        let outbox = try await alter.run("outbox", path)
        #expect(outbox.status == 66)
        #expect(outbox.errors.contains("has no outbox: a server decides it"))
        let export = try await alter.run("export", path)
        let lines = try json(export)
        #expect(lines.count == 8)
        #expect((lines[0]["format"], lines[3]["kind"], lines[3]["author"]) == (1, "refused", "fedcba9876543210"))
        let copy = MemoryJournal()
        #expect(try await copy.import(Data(export.bytes)).revision == 6)
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let entries = try await journal.entries(after: .zero, limit: 10).filter { $0.kind != .refused }
        #expect(try await copy.entries(after: .zero, limit: 10).map(\.draft) == entries.map(\.draft))
        #expect(
          lines.dropFirst().map { $0["checksum"] }
            == (try await journal.entries(after: .zero, limit: 10)).map { .string($0.checksum.description) })
        await journal.close()
      }
    }
  }
#endif
