#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncServer
  import Foundation
  import ProcessTesting
  import StockModel
  import Testing

  @Suite("A restored server", .timeLimit(.minutes(30)))
  struct RestoringTests {
    private static let file = "lists%2f42.alter"

    /// Runs a story: Ann has two changes that are in no backup, and one that the server has not decided.
    private static func restored(
      _ decide: (_ server: SQLiteJournal, _ ann: SQLiteJournal) async throws -> Void, then check: (Device, Device) async throws -> Void
    ) async throws {
      try await ListServer.with { server, folder in
        let port = server.port
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        let bob = try await Device(folder + "/bob.db", on: server.url, as: "bob")
        await bob.shows { $0.slots == [1] }
        await server.stop()
        try FileManager.default.copyItem(atPath: folder + "/server", toPath: folder + "/backup")
        let second = try await ListServer(folder + "/server", port: port)
        for slot in 2...3 { _ = try await ann.store.change(.claim(slot)).confirmed() }
        await second.stop()
        let undecided = try ann.store.change(.claim(4))
        // The operator restores the backup, without a decision.
        try FileManager.default.removeItem(atPath: folder + "/server")
        try FileManager.default.copyItem(atPath: folder + "/backup", toPath: folder + "/server")
        let third = try await ListServer(folder + "/server", port: port)
        await ann.reaches { $0 == .restarted }
        #expect(ann.store.state.slots == [1, 2, 3, 4])
        await third.stop()
        let (journal, mirror) = (
          try await SQLiteJournal(at: folder + "/server/" + file), try await SQLiteJournal(at: folder + "/ann.db", key: "lists/42")
        )
        try await decide(journal, mirror)
        await journal.close()
        await mirror.close()
        let fourth = try await ListServer(folder + "/server", port: port)
        ann.journal.nudge()
        _ = try await undecided.confirmed()
        try await check(ann, bob)
        for device in [ann, bob] { await device.close() }
        await fourth.stop()
      }
    }

    @Test("recover: the missing entries come from a device, byte for byte, and everything goes on")
    func recovers() async throws {
      let before = Lock<[Entry]>([])
      try await Self.restored { server, ann in
        let entries = try await ann.entries(after: .zero, limit: 100)
        before.withLock { $0 = entries }
        let secret = SyncSecret("0123456789abcdef")
        let count = try await server.recover(from: ann, author: secret.author(among: ["ann", "bob"]))
        #expect(count == 2)
        let recovered = try await server.entries(after: .zero, limit: 100)
        #expect(recovered == entries)
        // Repeated, for example because the first call was interrupted.
        let again = try await server.recover(from: ann)
        #expect(again == 0)
      } then: { ann, bob in
        #expect(ann.store.refusals.isEmpty)
        await bob.shows { $0.slots == [1, 2, 3, 4] }
        #expect(ann.store.state.slots == [1, 2, 3, 4])
      }
      #expect(before.withLock { $0.count } == 4)
    }

    @Test("entries whose authors are not known are recovered, too: the journal is sound, and its devices continue")
    func unknownAuthors() async throws {
      try await Self.restored { server, ann in
        #expect(try await server.recover(from: ann) == 2)
        try await server.verify()
      } then: { ann, bob in
        await bob.shows { $0.slots == [1, 2, 3, 4] }
        #expect(ann.store.refusals.isEmpty)
      }
    }

    @Test(
      "'alter recover' and 'alter discard' print what they will do, and do it unless it is a dry run", arguments: ["recover", "discard"])
    func commands(command: String) async throws {
      try await Self.restored { server, ann in
        await server.close()
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("alter").path
        let path = server.path
        let more = command == "recover" ? ["--from", ann.path, "--from-key", "lists/42"] : []
        let plan = try Child.run([program, command, path] + more + ["--dry-run"])
        #expect(plan.contains(command == "recover" ? "The 2 missing entries are appended." : "list those of their own as lost"), "\(plan)")
        #expect(plan.hasSuffix("Nothing was changed."))
        let done = try Child.run([program, command, path] + more)
        #expect(done == plan.replacingOccurrences(of: "Nothing was changed.", with: "Done. The server can start."))
        #expect(try Child.run([program, "verify", path]).hasPrefix("Sound: "))
      } then: { ann, bob in
        await bob.shows { $0.slots == (command == "recover" ? [1, 2, 3, 4] : [1, 4]) }
        #expect(ann.store.refusals.map(\.code) == (command == "recover" ? [] : ["lost", "lost"]))
      }
    }

    @Test("discard: lost changes are listed, and can be made again")
    func discards() async throws {
      try await Self.restored { server, _ in
        try await server.discardLostEntries()
      } then: { ann, bob in
        await bob.shows { $0.slots == [1, 4] }
        #expect(ann.store.state.slots == [1, 4])
        #expect(ann.store.refusals.map(\.code) == ["lost", "lost"])
        let commits = ann.store.retry(ann.store.refusals)
        #expect(commits.count == 2)
        for commit in commits.values { _ = try await commit.get().confirmed() }
        await bob.shows { $0.slots == [1, 2, 3, 4] }
      }
    }

    @Test("recover refuses a file that does not follow, and changes nothing")
    func refuses() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        let other = try await Device(folder + "/other.db", key: "other", on: server.url)
        _ = try await other.store.change(.claim(1)).confirmed()
        for device in [ann, other] { await device.close() }
        await server.stop()
        let journal = try await SQLiteJournal(at: folder + "/server/" + Self.file)
        let before = try await journal.position()
        for (path, key, code) in [("other.db", "other", JournalError.Code.diverged), ("plain.db", "main", .failed)] {
          let mirror = try await SQLiteJournal(at: folder + "/" + path, key: key)
          await #expect { try await journal.recover(from: mirror) } throws: { ($0 as? JournalError)?.code == code }
          await mirror.close()
        }
        let after = try await journal.position()
        #expect(after == before)
        await journal.close()
      }
    }
  }

  @Suite("The beginning and the end of a device's file", .timeLimit(.minutes(30)))
  struct LifetimeTests {
    @Test("a local journal is adopted: its state becomes the server's initial one, once, however often it is tried")
    func adopts() async throws {
      try await ListServer.with { server, folder in
        let local = try await SQLiteJournal(at: folder + "/local.db")
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let store = try await Store.open(Stock(), in: local, options: options)
        for slot in [1, 9] { try await store.change(.claim(slot)).durable() }
        await store.close()
        let address = SyncServer(server.url, principal: "ann") { "ann's token" }
        for _ in 0..<2 {
          let journal = try await SyncedJournal.adopt(local, of: Stock.self, at: folder + "/ann.db", key: "lists/7", on: address)
          await journal.close()
        }
        let ann = try await Device(folder + "/ann.db", key: "lists/7", on: server.url)
        _ = try await ann.store.change(.claim(2)).confirmed()
        #expect(ann.store.state.slots == [1, 2, 9])
        let bob = try await Device(folder + "/bob.db", key: "lists/7", on: server.url, as: "bob")
        await bob.shows { $0.slots == [1, 2, 9] }
        // Another state under the same key, a key that exists, and users who may not.
        let changed = try await Store.open(Stock(), in: local, options: options)
        try await changed.change(.claim(3)).durable()
        await changed.close()
        await #expect(throws: AdoptionError.exists) {
          _ = try await SyncedJournal.adopt(local, of: Stock.self, at: folder + "/x.db", key: "lists/7", on: address)
        }
        server.policy.creators.withLock { $0 = [] }
        await #expect(throws: AdoptionError.forbidden) {
          _ = try await SyncedJournal.adopt(local, of: Stock.self, at: folder + "/x.db", key: "lists/8", on: address)
        }
        let stranger = SyncServer(server.url, principal: "ann") { "no token" }
        await #expect(throws: (any Error).self) {
          _ = try await SyncedJournal.adopt(local, of: Stock.self, at: folder + "/x.db", key: "lists/8", on: stranger)
        }
        for device in [ann, bob] { await device.close() }
        await local.close()
      }
    }

    @Test("a file is erased when nothing is undecided, or if its user gives that up")
    func erases() async throws {
      try await ListServer.with { server, folder in
        let port = server.port
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        await server.stop()
        try await ann.store.change(.claim(2)).durable()
        await #expect { try await ann.journal.erase() } throws: { ($0 as? JournalError)?.code == .failed }
        let again = try await ListServer(folder + "/server", port: port)
        _ = try await ann.store.change(.claim(3)).confirmed()
        try await ann.journal.erase()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("ann.db") }
        #expect(files == [])
        let new = try await Device(folder + "/ann.db", on: again.url)
        await new.shows { $0.slots == [1, 2, 3] }
        await again.stop()
        try await new.store.change(.claim(4)).durable()
        try await new.journal.erase(discarding: true)
        #expect(!FileManager.default.fileExists(atPath: folder + "/ann.db"))
      }
    }

    @Test("another user's file is locked: nothing is shown or sent")
    func locked() async throws {
      try await ListServer.with { server, folder in
        let ann = try await Device(folder + "/device.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        await ann.close()
        await #expect { _ = try await Device(folder + "/device.db", on: server.url, as: "bob") } throws: {
          ($0 as? JournalError)?.code == .readOnly
        }
        let again = try await Device(folder + "/device.db", on: server.url)
        #expect(again.store.state.slots == [1])
        await again.close()
      }
    }
  }
#endif
