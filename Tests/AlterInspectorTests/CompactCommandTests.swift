#if Inspector && SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterInspector

  @Suite("alter compact", .timeLimit(.minutes(20)))
  struct CompactCommandTests {
    private let alter = Tool(name: "alter")

    /// Makes a file with 301 entries, a day apart, of which the newest is of this moment, and with snapshots.
    private func withCounter(_ body: (String) async throws -> Void) async throws {
      try await Folder.use { folder in
        let path = folder.path("counter.db")
        let day: Int64 = 86_400_000_000
        let present = Date().microseconds
        let journal = try await SQLiteJournal(at: path, durability: .relaxed)
        let origin = Origin.random()
        var drafts: [Entry.Draft] = []
        for number: Int64 in 0...300 {
          let payload = number == 0 ? #"{"count":0}"# : #"[{"add":{"_0":1}}]"#
          drafts.append(
            Entry.Draft(
              kind: number == 0 ? .initial : .changes, id: EntryID(origin: origin, sequence: number + 1),
              time: present - (300 - number) * day, payload: Data(payload.utf8)))
        }
        _ = try await journal.append(drafts, after: journal.head())
        for base in [100, 200] as [Int64] {
          let head = try #require(try await journal.head(at: Revision(base), of: journal.head().journal))
          try await journal.keep(
            Snapshot(head: head, base: head, schema: 1, written: base * 80, payload: Data(#"{"count":\#(base - 1)}"#.utf8)))
        }
        await journal.close()
        try await body(path)
      }
    }

    @Test("plans without a change, compacts to the snapshot that keeps enough, and the other commands know the floor")
    func compacts() async throws {
      try await withCounter { path in
        let plan = try await alter.run("compact", path, "--keep", "90d", "--dry-run")
        #expect((plan.status, plan.errors) == (0, ""))
        #expect(plan.lines.count == 2 && plan.lines[0].hasPrefix("Would go: 200 entries up to revision 200, "))
        #expect(plan.lines[0].hasSuffix(" bytes. Kept: 101 up to 301.") && plan.lines[1] == "Nothing was changed.")
        #expect(try await alter.run("show", path, "1").status == 0)
        let json = try await alter.run("compact", path, "--keep", "150", "--dry-run", "--json")
        let value = try JSONValue(parsing: Data(json.output.utf8))
        #expect((value["floor"], value["entries"], value["revision"], value["isDone"]) == (100, 100, 301, false))

        let done = try await alter.run("compact", path, "--keep", "90d")
        #expect((done.status, done.errors) == (0, ""))
        #expect(done.lines[0].hasPrefix("Gone: 200 entries up to revision 200, "))
        let again = try await alter.run("compact", path, "--keep", "90d", "--vacuum")
        #expect(again.status == 0)
        #expect(
          again.lines == [
            "No entry can go: no stored snapshot has its base in revisions 201 to 211.",
            "A journal can begin only at a stored snapshot. The app's stores make snapshots as the journal grows.",
            "The file was rewritten.",
          ])

        let verified = try await alter.run("verify", path)
        #expect(verified.output.hasPrefix("Sound: 101 entries, after the floor, revision 200, in "))
        let below = try await alter.run("show", path, "200")
        #expect(below.output.contains("The entries up to revision 200 are not in this journal: it was compacted"))
        #expect(below.output.contains("199"))
        #expect(try await alter.run("show", path, "199").status == 66)
        #expect(try await alter.run("stats", path).output.contains("\nfloor: revision 200. "))
        let export = path + ".jsonl"
        #expect(try await alter.run("export", path, export).status == 0)
        let target = MemoryJournal()
        #expect(try await target.import(Data(contentsOf: URL(fileURLWithPath: export))).revision == 102)
        let store = try await Store.open(Counter(), in: target)
        #expect(store.state.count == 300)
        await store.close()
        let hidden = try await alter.run("export", path, "--hide", "count")
        #expect(!hidden.output.contains(#""count":199"#) && hidden.output.contains("•••"))
      }
    }

    @Test("leaves a journal without a suitable snapshot as it is, and explains it")
    func unable() async throws {
      try await withCounter { path in
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for keep in ["301", "100000", "9223372036854775807", "365d", "9223372036854775807d"] {
          let outcome = try await alter.run("compact", path, "--keep", keep)
          #expect((outcome.status, outcome.lines.count) == (0, 2), "\(keep)")
          #expect(outcome.lines.first == "No entry can go: the journal has no entries before the ones to keep.", "\(keep)")
        }
        #expect(
          try await alter.run("compact", path, "--keep", "250").lines[0].contains("no stored snapshot has its base in revisions 1 to 51"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      }
    }

    @Test("names wrong arguments, a missing file, a damaged entry and a device's copy, and changes nothing")
    func errors() async throws {
      try await withCounter { path in
        for keep in ["", "-1", "d", "90 d", "90days", "1e3", "9223372036854775808", "+5", "٣"] {
          #expect(try await alter.run("compact", path, "--keep=\(keep)").status == 64, "\(keep)")
        }
        #expect(try await alter.run("compact", path).status == 64)
        #expect(try await alter.run("compact", path, "--keep", "1", "--dry-run", "--vacuum").status == 64)
        let missing = try await alter.run("compact", path + "-missing", "--keep", "1")
        #expect(missing.status == 66)
        #expect(!FileManager.default.fileExists(atPath: path + "-missing"))
        #expect(try await alter.run("compact", path, "--keep", "1", "--key", "other").status == 66)
        try Child.run(["/usr/bin/env", "sqlite3", path, "UPDATE entries SET time = time + 1 WHERE revision = 250"])
        let damaged = try await alter.run("compact", path, "--keep", "1")
        #expect(damaged.status == 65)
        #expect(damaged.errors.contains("250"))
        #expect(try await alter.run("show", path, "1").status == 0)

        let device = path + "-device"
        _ = try await SyncedShop.device(at: device)
        let copy = try await alter.run("compact", device, "--keep", "1")
        #expect(copy.status == 77)
        #expect(copy.errors.contains("a device's copy of a server's journal"))
      }
    }

    @Test("works beside a store of another process's size: each of its changes is kept, and it continues")
    func besideStore() async throws {
      try await withCounter { path in
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let journal = try await SQLiteJournal(at: path, lockTimeout: .seconds(600))
        let store = try await Store.open(Counter(), in: journal, options: options)
        async let outcome = alter.run("compact", path, "--keep", "50")
        for _ in 0..<50 { try await store.change(.add(1)).durable() }
        #expect(try await outcome.status == 0)
        try await store.change(.add(1)).durable()
        #expect(store.state.count == 351)
        #expect(try await journal.floor()?.revision == 200)
        #expect(try await journal.verify().revision == 352)
        await store.close()
        await journal.close()
      }
    }
  }
#endif
