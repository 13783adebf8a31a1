#if SQLite
  import Alter
  import AlterJournal
  import AlterSQLite
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Accidents {
    @Suite("Copied, replaced and twice opened files", .timeLimit(.minutes(20))) struct CopyTests {
      private func open(_ path: String) async throws -> Store<Tally> { try await Store.open(Tally(), in: SQLiteJournal(at: path)) }

      private func count(_ numbers: ClosedRange<Int>, as name: String, in store: Store<Tally>) async throws {
        for number in numbers { try await store.change(Tally.batch(number, of: name)).durable() }
      }

      private func verified(_ path: String) async throws -> Tally {
        let journal = try await SQLiteJournal(at: path)
        try await Store<Tally>.verify(journal)
        let state = try await Store<Tally>.state(at: try await journal.head().revision, in: journal)
        await journal.close()
        return state
      }

      /// When a file is replaced while it is open, the log of the old file stays beside the new one. Checks that the new file can't be
      /// opened, neither for writing nor for reading, and removes the log.
      private func removeOldLog(of path: String) async throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for isReadOnly in [false, true] {
          let error = await #expect(throws: JournalError.self) { try await SQLiteJournal(at: path, isReadOnly: isReadOnly) }
          #expect(error?.code == .damaged)
          #expect(error?.description.contains("the file was replaced, but '\(path)-wal' beside it") == true, "\(error?.description ?? "")")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        unlink(path + "-wal")
      }

      @Test("both copies of a file can be written, each for itself; a store that comes upon the other stops: it has diverged")
      func copied() async throws {
        let folder = try Folder(inMemory: true)
        let (original, copy) = (folder.path("original.db"), folder.path("copy.db"))
        let before = try await open(original)
        try await count(1...3, as: "before", in: before)
        await before.close()
        try FileManager.default.copyItem(atPath: original, toPath: copy)
        let first = try await open(original)
        let second = try await open(copy)
        try await count(1...2, as: "original", in: first)
        try await count(1...2, as: "copy", in: second)
        #expect(first.state.counted == ["before": 9, "original": 6])
        #expect(second.state.counted == ["before": 9, "copy": 6])
        await second.close()
        // The copy replaces the original.
        try #require(rename(copy, original) == 0)
        let late = try first.change(Tally.batch(3, of: "original"))
        let error = await #expect(throws: CommitError<Refusal>.self) { try await late.durable() }
        guard case .failed(let reason) = error else { return }
        #expect(reason.code == .diverged)
        #expect(await first.close().count == 1)
        try await removeOldLog(of: original)
        #expect(try await verified(original).counted == ["before": 9, "copy": 6])
        let again = try await open(original)
        try await count(3...3, as: "copy", in: again)
        await again.close()
        #expect(try await verified(original).batches(of: "copy") == 3)
      }

      @Test("a head of one copy is not of the other's history, however long that is") func heads() async throws {
        let folder = try Folder(inMemory: true)
        var drafts = Drafts()
        let original = try await SQLiteJournal(at: folder.path("original.db"))
        _ = try await original.append(drafts.next(2), after: try await original.head())
        try await original.backup(to: folder.path("copy.db"))
        let copy = try await SQLiteJournal(at: folder.path("copy.db"))
        let common = try await copy.head()
        let head = try await original.append(drafts.next(2), after: common).head
        for length in 0...3 {
          var others = Drafts()
          if length > 0 { _ = try await copy.append(others.next(1), after: try await copy.head()) }
          let next = drafts.next(1)
          let error = await #expect(throws: JournalError.self) { try await copy.append(next, after: head) }
          #expect(error?.code == .diverged, "\(length) entries were added")
        }
        await original.close()
        await copy.close()
      }

      @Test("a backup that is put in place under a running store stops it when it writes; nothing of the backup is harmed")
      func restored() async throws {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let running = try await Store.open(Tally(), in: journal)
        try await count(1...5, as: "a", in: running)
        try await journal.backup(to: folder.path("backup.db"))
        try await count(6...9, as: "a", in: running)
        try #require(rename(folder.path("backup.db"), path) == 0)
        let late = try running.change(Tally.batch(10, of: "a"))
        let error = await #expect(throws: CommitError<Refusal>.self) { try await late.durable() }
        guard case .failed(let reason) = error else { return }
        #expect(reason.code == .diverged)
        #expect(reason.description.contains("was replaced"))
        #expect(throws: ChangeError<Refusal>.self) { try running.change(Tally.batch(11, of: "a")) }
        // The store still shows its last state until it is closed.
        #expect(running.state.batches(of: "a") == 10)
        #expect(await running.close().count == 1)
        try await removeOldLog(of: path)
        #expect(try await verified(path).counted == ["a": 15])
        let again = try await open(path)
        try await count(6...6, as: "a", in: again)
        await again.close()
        #expect(try await verified(path).counted == ["a": 18])
      }

      @Test("a file that is replaced or deleted under a store that only follows stops that too", arguments: [true, false], [true, false])
      func following(isMissing: Bool, isReadOnly: Bool) async throws {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let first = try await Store.open(Tally(), in: journal)
        try await count(1...2, as: "a", in: first)
        try await journal.backup(to: folder.path("backup.db"))
        let follower = try await Store.open(Tally(), in: SQLiteJournal(at: path, isReadOnly: isReadOnly))
        if isMissing { unlink(path) } else { try #require(rename(folder.path("backup.db"), path) == 0) }
        for await problem in follower.problems {
          guard case .failed(let error) = problem else { continue }
          #expect(error.code == .diverged)
          break
        }
        #expect(follower.state.batches(of: "a") == 2)
        await follower.close()
        await first.close()
      }

      @Test("a backup that is put in place while the old log is in use is not opened, and not harmed, until that is gone")
      func restoredBesideLog() async throws {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let running = try await Store.open(Tally(), in: journal)
        try await count(1...5, as: "a", in: running)
        try await journal.backup(to: folder.path("backup.db"))
        try await count(6...9, as: "a", in: running)
        try #require(rename(folder.path("backup.db"), path) == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        await #expect(throws: JournalError.self) { try await open(path) }
        await running.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        try await removeOldLog(of: path)
        #expect(try await verified(path).counted == ["a": 15])
      }

      @Test("a file that is copied with its log, with everything beside it or without, is opened with it") func copiedWithLog()
        async throws
      {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        let store = try await open(path)
        try await count(1...5, as: "a", in: store)
        let copies = try Folder(inMemory: true)
        for name in folder.contents where !name.hasSuffix("-shm") {
          try FileManager.default.copyItem(atPath: folder.path(name), toPath: copies.path(name))
        }
        await store.close()
        try #require(
          rename(copies.path("journal.db"), copies.path("away")) == 0 && rename(copies.path("away"), copies.path("journal.db")) == 0)
        #expect(try await verified(copies.path("journal.db")).counted == ["a": 15])
        // The copies of both files replace them. The bell file in the folder belongs to the previous files.
        let again = try await open(path)
        try await count(6...6, as: "a", in: again)
        for name in folder.contents where !name.hasSuffix("-shm") {
          try FileManager.default.copyItem(atPath: folder.path(name), toPath: copies.path("second-" + name))
        }
        await again.close()
        for end in ["", "-wal"] { try #require(rename(copies.path("second-journal.db" + end), path + end) == 0) }
        #expect(try await verified(path).counted == ["a": 18])
      }

      @Test("a backup that is put in place when nobody has the journal open is simply there") func restoredAtRest() async throws {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let store = try await Store.open(Tally(), in: journal)
        try await count(1...5, as: "a", in: store)
        try await journal.backup(to: folder.path("backup.db"))
        try await count(6...9, as: "a", in: store)
        await store.close()
        try #require(rename(folder.path("backup.db"), path) == 0)
        #expect(try await verified(path).counted == ["a": 15])
        let again = try await open(path)
        try await count(6...6, as: "a", in: again)
        await again.close()
        #expect(try await verified(path).counted == ["a": 18])
      }

      @Test("a store that is opened twice in one process, and closed and opened again while others write, is as safe as two processes")
      func twice() async throws {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        let writer = try faultWriter("write", path, "child", "10")
        #expect(writer.readLine() == "open")
        let rounds = Effort.count(short: 8, full: 60)
        try await withThrowingTaskGroup { group in
          for name in ["x", "y", "z"] {
            group.addTask {
              for round in 0..<rounds {
                // Closing the file affects the locks of this process, but not those of the others.
                let store = try await open(path)
                try await count(round * 3 + 1...round * 3 + 3, as: name, in: store)
                await store.close()
              }
            }
          }
          try await group.waitForAll()
        }
        // On a busy machine its first batch may be late.
        _ = writer.readLine()
        writer.child.end()
        writer.readLines()
        let acknowledged = writer.lines.compactMap { Int($0) }.last ?? 0
        let state = try await verified(path)
        for name in ["x", "y", "z"] { #expect(state.batches(of: name) == rounds * 3) }
        #expect(state.batches(of: "child") >= acknowledged)
        #expect(acknowledged > 0)
        print("opened \(3 * rounds) times in one process, beside another that wrote \(acknowledged) batches: \(state.counted)")
      }
    }
  }
#endif
