#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Accidents {
    @Suite("A process that is stopped and goes on later", .timeLimit(.minutes(20))) struct StoppedProcessTests {
      /// Starts a process that takes a lock or a lease, and stops it there.
      private func holder(of what: String, at path: String) throws -> LineProcess {
        let writer = try faultWriter("hold", what, path)
        try #require(writer.readLine() == "held")
        writer.child.stop()
        return writer
      }

      @Test("holding a lease that has been taken over meanwhile: its late append is rejected, and nothing of it is written")
      func lease() async throws {
        let folder = try Folder(inMemory: true)
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let writer = try holder(of: "lease", at: journal.path)
        var drafts = Drafts()
        let lease = try await journal.lease("sync", for: drafts.origin, lasting: .seconds(3_600))
        #expect(lease.epoch == 2)
        let next = drafts.next(1)
        let head = try await journal.append(next, after: try await journal.head(), in: nil, under: [lease]).head
        writer.child.signal(SIGCONT)
        writer.say("go on")
        #expect(writer.readLine() == JournalError.Code.staleLease.rawValue)
        #expect(writer.child.wait() == 0)
        #expect(try await journal.verify() == head)
        await journal.close()
      }

      @Test("with a store that works under a lease: what it made under it is dropped, and the store goes on") func store() async throws {
        let folder = try Folder(inMemory: true)
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let writer = try holder(of: "store", at: journal.path)
        let lease = try await journal.lease("sync", for: .random(), lasting: .seconds(3_600))
        #expect(lease.epoch == 2)
        writer.child.signal(SIGCONT)
        writer.say("go on")
        #expect(writer.readLine()?.hasPrefix("Another replica has taken over the lease 'sync' (epoch 1).") == true)
        #expect(writer.child.wait() == 0)
        #expect(try await journal.verify().revision == 1)
        await journal.close()
      }

      @Test("holding a turn: others wait only so long and name it, and write when it has gone on") func turn() async throws {
        let folder = try Folder(inMemory: true)
        let journal = try await SQLiteJournal(at: folder.path("journal.db"), lockTimeout: .milliseconds(20))
        let writer = try holder(of: "turn", at: journal.path)
        var drafts = Drafts()
        let next = drafts.next(1)
        let head = try await journal.head()
        let error = await #expect(throws: JournalError.self) { try await journal.append(next, after: head) }
        #expect(error?.code == .locked)
        let words = error?.description ?? ""
        #expect(words.contains("in use by process \(writer.child.pid) fault-writer turn"), "\(words)")
        // Readers don't wait for the stopped writer.
        #expect(try await journal.head() == head)
        writer.child.signal(SIGCONT)
        writer.say("go on")
        #expect(writer.readLine() == "done")
        #expect(writer.child.wait() == 0)
        #expect(try await journal.append(next, after: try await journal.head()).first == 2)
        try await journal.verify()
        await journal.close()
      }

      @Test("holding a turn, and killed there: others go on at once") func killed() async throws {
        let folder = try Folder(inMemory: true)
        let journal = try await SQLiteJournal(at: folder.path("journal.db"), lockTimeout: .seconds(600))
        let writer = try holder(of: "turn", at: journal.path)
        var drafts = Drafts()
        let (next, head) = (drafts.next(1), try await journal.head())
        async let appended = journal.append(next, after: head)
        writer.child.end()
        #expect(try await appended.first == 1)
        await journal.close()
      }
    }

    @Suite(
      "A wall clock that is set back", .timeLimit(.minutes(20)),
      .enabled(if: Faults.canInterpose, "SKIPPED: calls can be interposed on Linux alone, and not under a sanitizer"))
    struct ClockTests {
      @Test("keeps no store from writing, gives no later stamp its time, and lets no lease last for ever") func setBack() async throws {
        let folder = try Folder(inMemory: true)
        let writer = try faultWriter("clock", folder.path("journal.db"))
        #expect(writer.readLines() == ["epochs 1 2", "late append rejected", "batches 6"])
        #expect(writer.child.wait() == 0)
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let now = Date().timeIntervalSince1970
        let times = try await journal.entries(after: 1, limit: 100).map(\.time)
        #expect(times.count == 6)
        // Each setback is of more than an hour, so the times follow the clock: no entry passes its wrong time on.
        let days: [Double] = [2, 0, -1, -30, 1, 0]
        #expect(zip(times, days).allSatisfy { abs(Double($0) / 1e6 - now - $1 * 86_400) < 3_600 }, "\(times)")
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let store = try await Store.open(Tally(), in: journal, options: options)
        // Entries are ordered by revision, not by time: a store with a correct clock can continue.
        #expect(try await store.change(Tally.batch(7, of: "clock")).confirmed() == 8)
        await store.close()
        try await Store<Tally>.verify(journal)
        await journal.close()
      }
    }
  }
#endif
