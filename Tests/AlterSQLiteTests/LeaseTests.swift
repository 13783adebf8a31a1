#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import StoreTesting
  import Testing

  /// `AlterFeedbackTests.ProcessTests` kills real processes. Here an unlocked file represents a dead holder.
  @Suite("Leases of a journal in a file", .timeLimit(.minutes(20)))
  struct LeaseTests {
    private let long = Duration.seconds(3_600)
    private let first = Origin.random()
    private let second = Origin.random()

    /// The name of the file that shows whether a holder is alive.
    private func file(_ holder: Origin, _ journal: String = "journal.db") -> String {
      "\(journal)-holder-\(holder.uuid.uuidString.lowercased().replacing("-", with: ""))"
    }

    private func holderFiles(_ folder: Folder) -> [String] { folder.contents.filter { $0.contains("-holder-") } }

    private func isLeased(_ work: () async throws(JournalError) -> Lease) async throws -> Bool {
      do throws(JournalError) {
        _ = try await work()
        return false
      } catch {
        try #require(error.code == .leased, "\(error)")
        return true
      }
    }

    @Test("show by a locked file that their holder is alive, for as long as it has one, and leave no file behind")
    func files() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        #expect(holderFiles(folder).isEmpty)
        let lease = try await journal.lease("a", for: first, lasting: long)
        let other = try await journal.lease("b", for: first, lasting: long)
        #expect(holderFiles(folder) == [file(first)])
        #expect(try FileManager.default.attributesOfItem(atPath: folder.path(file(first)))[.posixPermissions] as? Int == 0o600)
        #expect(try await isLeased { () async throws(JournalError) in try await journal.lease("a", for: second, lasting: long) })
        #expect(holderFiles(folder) == [file(first)])
        try await journal.release(lease)
        #expect(holderFiles(folder) == [file(first)])
        try await journal.release(other)
        #expect(holderFiles(folder).isEmpty)
        // A lease that has already expired when it is granted needs no file.
        _ = try await journal.lease("a", for: second, lasting: .zero)
        #expect(holderFiles(folder).isEmpty)
        _ = try await journal.lease("a", for: first, lasting: long)
        await journal.close()
        #expect(folder.contents == ["journal.db", "journal.db-bell", "journal.db-lock"])
        // The lease was not released, and its holder is not known to be dead.
        let again = try await SQLiteJournal(at: folder.path("journal.db"))
        #expect(try await isLeased { () async throws(JournalError) in try await again.lease("a", for: second, lasting: long) })
        await again.close()
      }
    }

    @Test("of a live holder are kept, whatever other handles of its process open, look at and close")
    func processes() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        let neighbour = try await SQLiteJournal(at: path, key: "neighbour")
        _ = try await journal.lease("a", for: first, lasting: long)
        for _ in 0..<3 {
          let other = try await SQLiteJournal(at: path)
          #expect(try await isLeased { () async throws(JournalError) in try await other.lease("a", for: second, lasting: long) })
          let own = try await other.lease("b", for: second, lasting: long)
          _ = try await neighbour.lease("a", for: second, lasting: long)
          try await other.release(own)
          await other.close()
        }
        #expect(try await journal.lease("a", for: first, lasting: long).epoch == 1)
        await neighbour.close()
        await journal.close()
        #expect(holderFiles(folder).isEmpty)
      }
    }

    @Test("of a dead holder are taken over at once, one after the other, with a higher epoch; its file goes with the last")
    func dead() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        var journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        let late = try await journal.lease("a", for: first, lasting: long)
        _ = try await journal.lease("b", for: first, lasting: long)
        let head = try await journal.append(writer.drafts(1), after: try await journal.head(), in: nil, under: [late]).head
        await journal.close()
        // The state after kill -9, beside the files of two other holders, one of which has no lease.
        try folder.write(Data(), to: file(first))
        try folder.write(Data(), to: file(.random()))
        journal = try await SQLiteJournal(at: path)
        let taken = try await journal.lease("a", for: second, lasting: long)
        #expect(taken.epoch == 2 && taken.holder == second)
        #expect(Set(holderFiles(folder)) == [file(first), file(second)])
        let drafts = writer.drafts(1)
        let stale = await #expect(throws: JournalError.self) { try await journal.append(drafts, after: head, in: nil, under: [late]) }
        #expect(stale?.code == .staleLease)
        #expect(try await journal.lease("b", for: second, lasting: long).epoch == 2)
        #expect(holderFiles(folder) == [file(second)])
        // The same holder, opened again with the same origin, keeps its lease.
        #expect(try await journal.lease("a", for: second, lasting: long).epoch == 2)
        await journal.close()
        #expect(holderFiles(folder).isEmpty)
      }
    }

    @Test("in a copy run out by the clock when only the journal was copied, and are free when its folder was")
    func copied() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        _ = try await journal.lease("a", for: first, lasting: long)
        try await journal.backup(to: folder.path("copy.db"))
        let copy = try await SQLiteJournal(at: folder.path("copy.db"))
        #expect(try await isLeased { () async throws(JournalError) in try await copy.lease("a", for: second, lasting: long) })
        try FileManager.default.copyItem(atPath: folder.path(file(first)), toPath: folder.path(file(first, "copy.db")))
        #expect(try await copy.lease("a", for: second, lasting: long).epoch == 2)
        // The original is another file.
        #expect(try await isLeased { () async throws(JournalError) in try await journal.lease("a", for: second, lasting: long) })
        await copy.close()
        await journal.close()
        #expect(holderFiles(folder).isEmpty)
      }
    }

    @Test(
      "run out by the clock where a holder's file is something else: a symbolic link, a folder, a pipe",
      arguments: ["link", "folder", "pipe"])
    func strange(_ kind: String) async throws {
      try await Folder.use { folder in
        func occupy(_ name: String) throws {
          switch kind {
          case "link": try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: folder.path("target"))
          case "folder": try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
          default: mkfifo(folder.path(name), 0o600)
          }
        }
        try folder.write(Data("kept".utf8), to: "target")
        let path = folder.path("journal.db")
        let (journal, other) = (try await SQLiteJournal(at: path), try await SQLiteJournal(at: path))
        // A holder that can't create its file still gets the lease.
        try occupy(file(first))
        let lease = try await journal.lease("a", for: first, lasting: long)
        #expect(lease.epoch == 1)
        #expect(try await isLeased { () async throws(JournalError) in try await other.lease("a", for: second, lasting: long) })
        try await journal.release(lease)
        #expect(try await other.lease("a", for: second, lasting: long).epoch == 2)
        await other.close()
        await journal.close()
        // The journal touches no foreign file.
        #expect(holderFiles(folder) == [file(first)])
        #expect(try folder.bytes("target") == Data("kept".utf8))
      }
    }

    @Test("show their holder again after its file was deleted")
    func deleted() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        let lease = try await journal.lease("a", for: first, lasting: long)
        try FileManager.default.removeItem(atPath: folder.path(file(first)))
        #expect(try await isLeased { () async throws(JournalError) in try await journal.lease("a", for: second, lasting: long) })
        _ = try await journal.lease("a", for: first, lasting: long)
        #expect(holderFiles(folder) == [file(first)])
        #expect(try await isLeased { () async throws(JournalError) in try await journal.lease("a", for: second, lasting: long) })
        try await journal.release(lease)
        #expect(holderFiles(folder).isEmpty)
        await journal.close()
      }
    }

    @Test("hold nobody up for ever, whatever numbers are stored: they are taken over, or the file is damaged")
    func extreme() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        func store(_ epoch: Int64, _ granted: Int64, _ expires: Int64) async throws -> SQLiteJournal {
          let journal = try await SQLiteJournal(at: path)
          _ = try await journal.lease("a", for: first, lasting: .zero)
          await journal.close()
          let database = try DatabaseQueue(path: path)
          try await database.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE leases SET epoch = ?, granted = ?, expires = ?", arguments: [epoch, granted, expires])
          }
          try database.close()
          return try await SQLiteJournal(at: path)
        }
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
        for granted in [Int64.min, 0, now - LeaseRecord.longest, .max] {
          let journal = try await store(1, granted, .max)
          let lease = try await journal.lease("a", for: second, lasting: long)
          #expect(lease.holder == second && lease.epoch == 2)
          try await journal.release(lease)
          await journal.close()
        }
        // A grant with the current time is valid for at most a day.
        let held = try await store(1, now, .max)
        #expect(try await isLeased { () async throws(JournalError) in try await held.lease("a", for: second, lasting: long) })
        #expect(try await held.leases().map(\.expires) == [now + LeaseRecord.longest])
        await held.close()
        let last = try await store(.max, 0, 0)
        let error = await #expect(throws: JournalError.self) { try await last.lease("a", for: second, lasting: long) }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("the lease 'a' has expired, and its epoch is the largest number") == true, "\(error as Any)")
        await last.close()
      }
    }
  }
#endif
