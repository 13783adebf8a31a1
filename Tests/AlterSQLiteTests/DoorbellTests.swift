#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterSQLite

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite("The doorbell", .timeLimit(.minutes(20)))
  struct DoorbellTests {
    private let queue = DispatchQueue(label: "test")

    /// A stream with one element for each call of `look`.
    private func looks() -> (stream: AsyncStream<Void>, look: @Sendable (BellWatch.Cause) -> Bool) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      return (
        stream,
        { _ in
          continuation.yield()
          return true
        }
      )
    }

    @Test("wakes those who wait when it rings, without any polling")
    func rings() async throws {
      try await Folder.use { folder in
        let bell = Doorbell(path: folder.path("bell"))
        let (stream, look) = looks()
        let watch = BellWatch(path: folder.path("bell"), queue: queue, interval: nil, look: look)
        watch.begin()
        var iterator = stream.makeAsyncIterator()
        for revision in 1...3 {
          bell.ring(Revision(Int64(revision)), of: 1)
          #expect(await iterator.next() != nil)
          #expect(Doorbell.lastRung(at: folder.path("bell")).number == Int64(revision))
        }
        watch.end()
      }
    }

    @Test("that is broken is made up for by looking now and then")
    func polls() async throws {
      let (stream, look) = looks()
      let watch = BellWatch(path: "/nowhere/bell", queue: queue, interval: .milliseconds(1), look: look)
      watch.begin()
      var iterator = stream.makeAsyncIterator()
      for _ in 0..<3 { #expect(await iterator.next() != nil) }
      watch.end()
    }

    @Test("is not listened to while nobody waits, and again when somebody does")
    func idle() async throws {
      try await Folder.use { folder in
        let bell = Doorbell(path: folder.path("bell"))
        let counted = Lock(0)
        let (stream, look) = looks()
        let watch = BellWatch(path: folder.path("bell"), queue: queue, interval: nil) {
          counted.withLock { $0 += 1 }
          return look($0)
        }
        watch.begin()
        watch.finish()
        for revision in 1...10 { bell.ring(Revision(Int64(revision)), of: 1) }
        queue.sync {}
        #expect(counted.withLock { $0 } == 0)
        watch.begin()
        bell.ring(11, of: 1)
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        watch.end()
      }
    }

    @Test("is not heard by the process that rings it, but by it when another does, waiting or not")
    func others() async throws {
      try await Folder.use { folder in
        let (own, other) = (Doorbell(path: folder.path("bell")), Doorbell(path: folder.path("bell")))
        let (counted, missed) = (Lock(0), Lock(0))
        let (stream, look) = looks()
        let watch = BellWatch(
          path: folder.path("bell"), queue: queue, interval: nil, isRung: { !own.rings(of: [1]).isEmpty },
          missed: { missed.withLock { $0 += 1 } },
          look: { cause in
            counted.withLock { $0 += 1 }
            return look(cause)
          })
        #expect(!own.rings(of: [1]).isEmpty)
        #expect(watch.begin())
        own.spare(watch)
        var iterator = stream.makeAsyncIterator()
        let isOver = try EventBarrier(folder)
        // A ring is up to three writes, and each may be an event of its own: a ring of others is counted once or more, one of its own never.
        for revision in 1...10 {
          await isOver()
          let before = counted.withLock { $0 }
          own.ring(Revision(Int64(2 * revision)), of: 1)
          #expect(own.rings(of: [1]).isEmpty)
          await isOver()
          queue.sync {}
          #expect(counted.withLock { $0 } == before)
          other.ring(Revision(Int64(2 * revision + 1)), of: 1)
          #expect(!own.rings(of: [1]).isEmpty)
          repeat { #expect(await iterator.next() != nil) } while counted.withLock { $0 } == before
        }
        await isOver()
        queue.sync {}
        let before = counted.withLock { $0 }
        own.ring(100, of: 1)
        watch.finish()
        other.ring(101, of: 1)
        while missed.withLock({ $0 }) == 0 { await Task.yield() }
        await isOver()
        queue.sync {}
        #expect(counted.withLock { $0 } == before)
        watch.end()
      }
    }

    /// Waits until all events of files that have happened before are delivered. Elsewhere than on Linux it waits for none.
    private struct EventBarrier {
      let path: String

      init(_ folder: Folder) throws {
        path = folder.path("barrier")
        try Data().write(to: URL(fileURLWithPath: path))
      }

      func callAsFunction() async {
        #if os(Linux) || os(Android)
          // One queue delivers the events, but those that it reads together in any order: the second one is read after them.
          for _ in 0..<2 {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            guard let token = FileEvents.shared.watch(path, for: UInt32(IN_ATTRIB), { _ in continuation.yield() }) else { return }
            chmod(path, 0o600)
            for await _ in stream { break }
            FileEvents.shared.end(token)
          }
        #endif
      }
    }

    #if os(Linux) || os(Android)
      /// A file with a log and a lock, and a watch that counts how often it looks.
      private struct Watched {
        let location: FileLocation
        let watch: BellWatch
        let looks = Lock(0)

        init(in folder: String, on queue: DispatchQueue) throws {
          location = try FileLocation(folder + "/file", name: "file")
          for path in [location.path, location.wal, location.lock, location.bell] { try Data().write(to: URL(fileURLWithPath: path)) }
          watch = BellWatch(
            path: location.bell, queue: queue, interval: .milliseconds(20), guarded: BellWatch.Guarded(location: location)
          ) { [looks] _ in
            looks.withLock { $0 += 1 }
            return true
          }
        }

        /// Waits until no timer runs.
        func rest() async { while watch.isTicking { await Task.yield() } }

        /// Does something while the watch rests, and waits until it has looked again.
        func look(after event: () throws -> Void) async rethrows {
          await rest()
          let before = looks.withLock { $0 }
          try event()
          while looks.withLock({ $0 }) == before { await Task.yield() }
        }
      }

      private func append(_ text: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
      }

      @Test("no timer runs while nothing happens; a write to the log starts it, and the end of the journal is read again")
      func rests() async throws {
        try await Folder.use { folder in
          let watched = try Watched(in: folder.path, on: queue)
          watched.watch.begin()
          // Commits whose rings are lost.
          for _ in 1...3 { try await watched.look { try append("frame", to: watched.location.wal) } }
          await watched.rest()
          watched.watch.end()
        }
      }

      @Test("while a handle holds the lock, a commit may be unfinished: the timer keeps running")
      func lockHeld() async throws {
        try await Folder.use { folder in
          let watched = try Watched(in: folder.path, on: queue)
          let lock = FileLock(path: watched.location.lock, name: "file")
          try lock.take(for: "append", waiting: LockWait(), timeout: .patient)
          watched.watch.begin()
          while watched.looks.withLock({ $0 }) < 6 { await Task.yield() }
          #expect(watched.watch.isTicking)
          lock.release()
          await watched.rest()
          watched.watch.end()
        }
      }

      @Test(
        "a file that is moved, deleted or replaced, and a folder that is moved, wake the watch",
        arguments: ["move", "delete", "replace", "folder"])
      func places(event: String) async throws {
        try await Folder.use { folder in
          let inner = folder.url.appendingPathComponent("inner")
          try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
          let watched = try Watched(in: inner.path, on: queue)
          watched.watch.begin()
          let path = watched.location.path
          try await watched.look {
            switch event {
            case "move": #expect(rename(path, path + "2") == 0)
            case "delete": #expect(unlink(path) == 0)
            case "replace":
              try folder.write(Data([1]), to: "other")
              #expect(rename(folder.path("other"), path) == 0)
            default: #expect(rename(inner.path, folder.path("outer")) == 0)
            }
          }
          watched.watch.end()
        }
      }

      @Test("an append whose ring is lost wakes the journals that rest, and reaches those whose tasks wait later")
      func lostRing() async throws {
        try await Folder.use { folder in
          let path = folder.path("todo.db")
          // Another durability, so that the handles do not share a bell.
          let others = [try await SQLiteJournal(at: path, key: "a"), try await SQLiteJournal(at: path, key: "b")]
          // From now on the other handles ring a bell that no handle hears.
          #expect(unlink(folder.path("todo.db-bell")) == 0)
          let first = try await SQLiteJournal(at: path, key: "a", durability: .relaxed)
          let second = try await SQLiteJournal(at: path, key: "b", durability: .relaxed)
          await #expect(throws: JournalError.self) {
            // Its end was read, and it is not behind.
            let wait = Task { try await second.waitForEntry(after: .zero) }
            while !second.journal.waiters.hasWaiters { await Task.yield() }
            wait.cancel()
            try await wait.value
          }
          let waiting = Task { try await first.waitForEntry(after: .zero) }
          while !first.journal.waiters.hasWaiters || first.file.watch.isTicking { await Task.yield() }
          var writer = TestWriter()
          _ = try await others[1].append([writer.draft()], after: others[1].head())
          _ = try await others[0].append([writer.draft()], after: others[0].head())
          try await waiting.value
          try await second.waitForEntry(after: .zero)
          for journal in others + [first, second] { await journal.close() }
        }
      }

      @Test("an append that is repeated does not lower the number of the bell, which other handles may take for their own ring")
      func repeated() async throws {
        try await Folder.use { folder in
          let journal = try await SQLiteJournal(at: folder.path("todo.db"))
          var writer = TestWriter()
          let (first, start) = (writer.draft(), try await journal.head())
          _ = try await journal.append([first], after: start)
          _ = try await journal.append([writer.draft()], after: journal.head())
          let again = try await journal.append([first], after: start)
          #expect(again.head.revision == 1)
          #expect(Doorbell.lastRung(at: folder.path("todo.db-bell")) == 2)
          // The process of the last append died before it rang.
          Doorbell(path: folder.path("todo.db-bell")).ring(1, of: 1)
          _ = try await journal.append([first], after: start)
          #expect(Doorbell.lastRung(at: folder.path("todo.db-bell")) == 2)
          await journal.close()
        }
      }

      @Test("a handle whose bell was replaced rings, and the handles of the new bell still receive its events")
      func replacedBell() async throws {
        try await Folder.use { folder in
          let events = FileEvents.shared
          for name in ["bell", "other"] { try folder.write(Data(), to: name) }
          let (marks, mark) = AsyncStream.makeStream(of: Void.self)
          let marker = try #require(events.watch(folder.path("other"), for: UInt32(IN_MODIFY)) { _ in mark.yield() })
          let heard = Lock(0)
          let old = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("bell")))
          let first = try #require(events.watch(folder.path("bell"), for: UInt32(IN_MODIFY)) { _ in })
          #expect(unlink(folder.path("bell")) == 0)
          try folder.write(Data(), to: "bell")
          let second = try #require(
            events.watch(folder.path("bell"), for: UInt32(IN_MODIFY)) { _ in heard.withLock { $0 += 1 } })
          #expect(!events.silently(first, at: folder.path("bell")) {})
          try append("ring", to: folder.path("bell"))
          // The handlers of the first mark's events have run when the second one arrives.
          var iterator = marks.makeAsyncIterator()
          for _ in 1...2 {
            try append("mark", to: folder.path("other"))
            #expect(await iterator.next() != nil)
          }
          #expect(heard.withLock { $0 } >= 1)
          for token in [marker, first, second] { events.end(token) }
          try old.close()
        }
      }

      @Test("all bells of a process share one inotify instance, and a handle that rings wakes the others of its file")
      func shared() async throws {
        try await Folder.use { folder in
          func instances() -> Int {
            let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return links.count {
              (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.contains("inotify") == true
            }
          }
          var watches: [BellWatch] = []
          var bells: [Doorbell] = []
          var iterators: [AsyncStream<Void>.AsyncIterator] = []
          for number in 0..<20 {
            // Two handles for each file.
            let path = folder.path("bell \(number / 2)")
            let bell = Doorbell(path: path)
            let (stream, look) = looks()
            let watch = BellWatch(
              path: path, queue: queue, interval: nil, isRung: { !bell.rings(of: [1]).isEmpty }, look: look)
            bell.spare(watch)
            watch.begin()
            watches.append(watch)
            bells.append(bell)
            iterators.append(stream.makeAsyncIterator())
          }
          // Other tests have watches of their own, in the same instance.
          // One that is being closed may still be there.
          while instances() != 1 { await Task.yield() }
          for number in stride(from: 0, to: 20, by: 2) {
            bells[number].ring(Revision(Int64(number + 1)), of: 1)
            #expect(await iterators[number + 1].next() != nil)
          }
          for watch in watches { watch.end() }
        }
      }
    #endif

    @Test("rings for one of the journals of a file, and for no other")
    func journals() async throws {
      try await Folder.use { folder in
        let (here, there) = (Doorbell(path: folder.path("bell")), Doorbell(path: folder.path("bell")))
        // The last two are on another page of the file, and one of them has no place of its own.
        let journals: [Int64] = [1, 2, 600, 1_000_001]
        func rung() -> Set<Int64> { Set(here.rings(of: journals).revisions.keys) }
        // Nothing was rung yet, so each journal may have grown.
        #expect(rung() == Set(journals))
        there.ring(7, of: 2)
        #expect(rung() == [2, 1_000_001])
        #expect(there.rings(of: journals).revisions.keys.sorted() == [1_000_001])
        here.hear(here.rings(of: journals))
        #expect(rung() == [1_000_001])
        // The same revision of another journal.
        there.ring(7, of: 600)
        #expect(rung() == [600, 1_000_001])
        here.ring(8, of: 600)
        #expect(rung() == [1_000_001])
        #expect(there.rings(of: journals).revisions[600] == 8)
        // A version without numbers for journals.
        let old = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("bell")))
        try old.write(contentsOf: Data([0, 0, 0, 0, 0, 0, 0, 9]))
        try old.close()
        #expect(rung() == Set(journals))
        there.ring(3, of: 1)
        #expect(rung() == [1, 1_000_001])
        #expect(Doorbell.lastRung(at: folder.path("bell")) == 3)
        here.close()
        #expect(rung() == Set(journals))
        here.ring(4, of: 1)
        #expect(Doorbell.lastRung(at: folder.path("bell")) == 3)
      }
    }

    @Test("that never rang, or isn't there, tells of no revision")
    func silent() async throws {
      try await Folder.use { folder in
        #expect(Doorbell.lastRung(at: folder.path("bell")) == .zero)
        try folder.write(Data([1, 2, 3]), to: "bell")
        #expect(Doorbell.lastRung(at: folder.path("bell")) == .zero)
        // If the bell file can't be created, ringing does nothing.
        Doorbell(path: folder.path("missing/bell")).ring(1, of: 1)
      }
    }
  }
#endif
