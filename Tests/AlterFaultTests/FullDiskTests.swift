#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Faults {
    @Suite(
      "A disk that is full", .timeLimit(.minutes(20)), .enabled(if: Mount.isPossible, "SKIPPED: mounting a small disk takes root, on Linux")
    )
    struct FullDiskTests {
      @Test("fails appends, snapshots and backups with `full`, leaves what is there, and lets the same handle go on once there is room")
      func journal() async throws {
        let disk = try Mount(kilobytes: 2_048)
        disk.fill("filler", kilobytes: 1_024)
        let journal = try await SQLiteJournal(at: disk.path + "/journal.db")
        var drafts = Drafts()
        var head = try await journal.head()
        var written: [Entry.Draft] = []
        var refused: [Entry.Draft] = []
        while refused.isEmpty {
          let batch = drafts.next(3, size: 10_000)
          do throws(JournalError) {
            head = try await journal.append(batch, after: head).head
            written += batch
          } catch {
            #expect(error.code == .full, "\(error)")
            refused = batch
          }
        }
        #expect(written.count >= 6)
        let before = disk.contents
        let snapshot = Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data(repeating: 0x20, count: 100_000))
        for attempt in [
          { [refused] in _ = try await journal.append(refused, after: head) }, { try await journal.keep(snapshot) },
          { try await journal.backup(to: disk.path + "/backup.db") },
        ] as [() async throws -> Void] {
          let error = await #expect(throws: JournalError.self) { try await attempt() }
          #expect(error?.code == .full, "\(error?.description ?? "")")
        }
        #expect(disk.contents == before)
        #expect(try await journal.entries(after: .zero, limit: 10_000).map(\.draft) == written)
        disk.remove("filler")
        head = try await journal.append(refused, after: head).head
        try await journal.keep(snapshot)
        try await journal.backup(to: disk.path + "/backup.db")
        #expect(try await journal.verify() == head)
        await journal.close()
        let again = try await SQLiteJournal(at: disk.path + "/journal.db")
        #expect(try await again.verify() == head)
        #expect(try await again.entries(after: .zero, limit: 10_000).map(\.draft) == written + refused)
        await again.close()
      }

      @Test("keeps a store waiting, which goes on when there is room; what a closed one gives back is resumed")
      func store() async throws {
        let disk = try Mount(kilobytes: 2_048)
        disk.fill("filler", kilobytes: 1_024)
        var options = StoreOptions()
        options.snapshotSpacing = 10
        options.outageTimeout = .milliseconds(100)
        let path = disk.path + "/journal.db"
        let store = try await Store.open(Tally(), in: SQLiteJournal(at: path), options: options)
        let padding = String(repeating: "x", count: 4_000)
        var acknowledged = 0
        var failure: CommitError<Refusal>?
        var last: Commit<Tally>?
        while failure == nil {
          let commit = try store.change(Tally.batch(acknowledged + 1, of: "full", padding: padding))
          last = commit
          do throws(CommitError<Refusal>) {
            try await commit.durable()
            acknowledged += 1
          } catch { failure = error }
        }
        guard case .notYet(let error?) = failure else { throw try #require(failure) }
        #expect(error.code == .full)
        guard case .waiting = store.status else { throw error }
        disk.remove("filler")
        for await status in store.statuses where status == .open { break }
        try await last?.durable()
        acknowledged += 1
        #expect(store.confirmed.state.batches(of: "full") == acknowledged)
        // The store writes until the disk is full again.
        disk.fill("filler", kilobytes: 1_024)
        failure = nil
        while failure == nil {
          let commit = try store.change(Tally.batch(acknowledged + 1, of: "full", padding: padding))
          do throws(CommitError<Refusal>) {
            try await commit.durable()
            acknowledged += 1
          } catch { failure = error }
        }
        let unwritten = await store.close(deadline: .milliseconds(100))
        #expect(unwritten.count == 1)
        disk.remove("filler")
        let journal = try await SQLiteJournal(at: path)
        options.keepsJournalOpen = true
        let again = try await Store.open(Tally(), in: journal, resuming: unwritten, options: options)
        #expect(again.state.batches(of: "full") == acknowledged + 1)
        await again.close()
        try await Store<Tally>.verify(journal)
        await journal.close()
      }

      @Test("can't hold a new journal, and nothing of one is left there") func new() async throws {
        var made = 0
        for kilobytes in stride(from: 0, through: 256, by: 8) {
          let disk = try Mount(kilobytes: 1_024)
          disk.fill("filler", kilobytes: 1_024 - kilobytes)
          let path = disk.path + "/journal.db"
          do throws(JournalError) {
            let journal = try await SQLiteJournal(at: path)
            try await journal.verify()
            await journal.close()
            made += 1
          } catch {
            // If the shared memory finds no space, SQLite reports an I/O error.
            #expect([.full, .failed].contains(error.code), "\(kilobytes) KiB: \(error)")
            #expect(!disk.contents.contains("journal.db-new"))
          }
          disk.remove("filler")
          let journal = try await SQLiteJournal(at: path)
          #expect(try await journal.verify().revision == 0)
          await journal.close()
        }
        #expect((1..<30).contains(made))
      }
    }
  }
#endif
