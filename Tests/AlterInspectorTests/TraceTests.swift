#if Inspector && SQLite
  import Alter
  import AlterSQLite
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterInspector

  @Suite("alter trace", .timeLimit(.minutes(20)))
  struct TraceTests {
    private let alter = Tool(name: "alter")

    /// Makes the file of Ann's device, and that of another device, whose copy ends where the server's journal ended when the first one began.
    private func withDevices(_ body: (_ ann: String, _ other: String) async throws -> Void) async throws {
      try await Folder.use { folder in
        let (ann, other) = (folder.path("ann.db"), folder.path("other.db"))
        var server = try await SyncedShop.device(at: ann)
        let storage = try await SyncedShop.open(other)
        try await storage.open(as: SyncedShop.origin(7))
        try await SyncedShop.exchange(.fetch, storage, &server)
        try await SyncedShop.exchange(.pull, storage, &server)
        await storage.close()
        try await body(ann, other)
      }
    }

    @Test("finds a change in the outbox, among the refusals, as an entry, and below the floor, with the device that made it first")
    func places() async throws {
      try await withDevices { ann, other in
        func lines(_ number: Int) async throws -> [String] {
          let outcome = try await alter.run("trace", "010a0b0c#\(number)", other, ann)
          #expect((outcome.status, outcome.errors) == (0, ""))
          #expect(!outcome.output.contains("\u{1B}"))
          return outcome.lines
        }
        let made = "\(ann) (made here, of 'ann␛[0m'): "
        let received = "\(other) (a device, of 'ann␛[0m'): "
        let entry = try await lines(5)
        #expect(entry.count == 3)
        #expect(entry[0].hasPrefix("010a0b0c#5  2023-11-14 ") && entry[0].hasSuffix("  .price(id: 2, price: 77)"))
        #expect(entry[1].hasPrefix(made + "entry 16, sent by ") && entry[2].hasPrefix(received + "entry 16, sent by "))
        let refused = try await lines(4)
        #expect(refused[0].hasSuffix("  .email(\"a@b.example\")"))
        #expect(
          refused[1] == made
            + "refused at 15: denied 'no ␛[31maddresses'; listed until it is retried or dismissed; repeated as 010a0b0c#8")
        #expect(refused[2].hasPrefix(received + "refused at 15, sent by ") && refused[2].hasSuffix(": denied"))
        let waiting = try await lines(7)
        #expect(waiting[1] == made + "number 2 in the outbox, not decided as far as this device knows")
        #expect(waiting[2] == received + "not there; the journal ends at 16")
        let old = try await lines(2)
        #expect(old[1] == made + "decided (accepted at 3); this copy begins after it, at 8")
        #expect(old[2].hasPrefix(received + "in the state at "))
      }
    }

    @Test("finds the verdicts of a server with receipts, an undo, and as JSON")
    func server() async throws {
      try await Folder.use { folder in
        let path = folder.path("server.db")
        await (try SyncedShop.served(at: path)).close()
        func trace(_ number: Int) async throws -> JSONValue {
          let outcome = try await alter.run("trace", "\(SyncedShop.ann.text)#\(number)", path, "--json")
          #expect((outcome.status, outcome.lines.count) == (0, 1))
          return try JSONValue(parsing: Data(outcome.output.utf8))
        }
        let accepted = try await trace(1)
        #expect((accepted["role"], accepted["place"], accepted["revision"], accepted["verdict"]) == ("server", "entry", 2, "accepted"))
        #expect(accepted["receipt"] == ["author": "fedcba9876543210", "arrival": 1_800_000_000_000_000, "principal": "ann"])
        let show = try await alter.run("show", path, "3")
        #expect(show.output.contains("  sent by 'ann' (fedcba9876543210), arrived "))
        let denied = try await trace(2)
        #expect(
          (denied["place"], denied["revision"], denied["verdict"], denied["reason"]) == ("refusal", 3, "denied", .string(SyncedShop.reason))
        )
        #expect(try await trace(3)["undoneBy"] == 6)
        let text = try await alter.run("trace", "010A0B0C#3", path)
        #expect(text.lines.last?.hasPrefix("\(path) (the server): entry 4, sent by 'ann' (fedcba9876543210), arrived ") == true)
        #expect(text.lines.last?.hasSuffix("; undone by 6") == true)
      }
    }

    @Test("names an unknown change, an unclear or malformed id, and a journal that cannot be read, and prints the others")
    func errors() async throws {
      try await withDevices { ann, other in
        let unknown = try await alter.run("trace", "010a0b0c#99", ann, other)
        #expect((unknown.status, unknown.output) == (66, ""))
        #expect(unknown.errors == "alter: none of these journals has the change 010a0b0c#99\n")
        for id in ["7", "010#7", "010a0b0c#0", "010a0b0c", "xyzw#7", "010a0b0c#7#8"] {
          let outcome = try await alter.run("trace", id, ann)
          #expect((outcome.status, outcome.output) == (64, ""))
          #expect(outcome.errors.contains("ORIGIN#NUMBER"))
        }
        let missing = try await alter.run("trace", "010a0b0c#5", ann, ann + "-missing")
        #expect(missing.status == 66)
        #expect(missing.errors.contains("ann.db-missing"))
        #expect(missing.lines.count == 2 && missing.lines[1].contains("entry 16"))
        let another = ann + "-another"
        await (try SyncedShop.served(at: another)).close()
        #expect(try await alter.run("trace", "010a0b0c#7", ann, another).lines.last?.contains("another.db") == false)
      }
    }

    @Test("asks for more digits if several origins begin alike")
    func unclear() async throws {
      try await Folder.use { folder in
        let path = folder.path("plain.db")
        let journal = try await SQLiteJournal(at: path, durability: .relaxed)
        let origins = [0x10, 0x11].map { Origin(UUID(uuid: (0xAB, 0xCD, $0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))) }
        for (origin, kind) in zip(origins, [Entry.Kind.initial, .reset]) {
          let draft = Entry.Draft(kind: kind, id: EntryID(origin: origin, sequence: 1), time: 0, payload: try JournalCoding.encode(Shop()))
          _ = try await journal.append([draft], after: journal.head())
        }
        await journal.close()
        let outcome = try await alter.run("trace", "abcd#1", path)
        #expect((outcome.status, outcome.output) == (64, ""))
        #expect(outcome.errors.contains(origins[0].text) && outcome.errors.contains(origins[1].text))
        let one = try await alter.run("trace", "abcd11#1", path)
        #expect((one.status, one.lines.count) == (0, 2))
        #expect(one.lines[1] == "\(path): entry 2")
      }
    }
  }
#endif
