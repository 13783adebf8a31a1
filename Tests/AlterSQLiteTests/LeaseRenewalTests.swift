#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import Testing

  @Suite("Leases in a file that are renewed together", .timeLimit(.minutes(20)))
  struct LeaseRenewalTests {
    private let long = Duration.seconds(3_600)
    private let holder = Origin.random()
    private let rival = Origin.random()

    private func request(_ journal: SQLiteJournal, _ name: String = "work") -> LeaseRequest {
      LeaseRequest(journal: journal, name: name, holder: holder, duration: long)
    }

    private func texts(_ outcomes: [LeaseRenewal]) -> [String] {
      outcomes.map { outcome in
        switch outcome {
        case .decided(.success(let lease)): "epoch \(lease.epoch)"
        case .decided(.failure(let error)): error.code.rawValue
        case .undecided: "undecided"
        }
      }
    }

    private func journals(_ folder: Folder, _ keys: String...) async throws -> [SQLiteJournal] {
      var journals: [SQLiteJournal] = []
      for key in keys { journals.append(try await SQLiteJournal(at: folder.path("journal.db"), key: key)) }
      return journals
    }

    @Test("each in its own journal; one that was released, is missing or can be taken over is left to a request of its own")
    func outcomes() async throws {
      try await Folder.use { folder in
        let journals = try await journals(folder, "a", "b", "c", "d", "e")
        for journal in journals[...2] { _ = try await request(journal).send() }
        let before = try await journals[0].leases()[0]
        try await journals[1].release(journals[1].leases()[0])
        _ = try await journals[3].lease("work", for: rival, lasting: .zero)
        // The last one has no row.
        #expect(
          texts(try await journals[4].renew(journals.map { request($0) })) == ["epoch 1", "undecided", "epoch 1", "undecided", "undecided"])
        let after = try await journals[0].leases()[0]
        #expect(after.expires > before.expires && after.holder == holder)
        // The released one was not taken again, and nothing was taken from the rival.
        #expect(try await journals[1].lease("work", for: rival, lasting: long).epoch == 2)
        #expect(try await journals[3].leases().map(\.holder) == [rival])
        #expect(try await journals[4].leases() == [])
        for journal in journals { await journal.close() }
      }
    }

    @Test("a lease of another live replica is refused, and the former holder's file goes with its last lease")
    func refused() async throws {
      try await Folder.use { folder in
        let journals = try await journals(folder, "a", "b")
        for journal in journals { _ = try await request(journal).send() }
        _ = try await journals[1].lease("work", for: holder, lasting: .zero)
        let other = try await SQLiteJournal(at: folder.path("journal.db"), key: "b")
        #expect(try await other.lease("work", for: rival, lasting: long).epoch == 2)
        #expect(texts(try await journals[0].renew(journals.map { request($0) })) == ["epoch 1", "leased"])
        // A dead rival's lease is left to a request of its own.
        await other.close()
        try folder.write(Data(), to: "journal.db-holder-\(rival.uuid.uuidString.lowercased().replacing("-", with: ""))")
        #expect(texts(try await journals[0].renew(journals.map { request($0) })) == ["epoch 1", "undecided"])
        #expect(try await journals[1].lease("work", for: holder, lasting: long).epoch == 3)
        for journal in journals { await journal.close() }
        #expect(!folder.contents.contains { $0.contains("-holder-") })
      }
    }

    @Test("a damaged row fails its own lease only")
    func damaged() async throws {
      try await Folder.use { folder in
        let journals = try await journals(folder, "a", "b", "c")
        for journal in journals { _ = try await request(journal).send() }
        let database = try DatabaseQueue(path: folder.path("journal.db"))
        try await database.write { database in
          try database.execute(
            sql: "UPDATE leases SET holder = x'00' WHERE journal = (SELECT max(journal) FROM leases)")
        }
        try database.close()
        #expect(texts(try await journals[0].renew(journals.map { request($0) })) == ["epoch 1", "epoch 1", "damaged"])
        for journal in journals { await journal.close() }
      }
    }

    @Test("more leases than a statement has parameters are renewed by one transaction")
    func many() async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"), durability: .relaxed)
        let names = (0..<2_000).map { "work \($0)" }
        for name in names { _ = try await request(journal, name).send() }
        let outcomes = texts(try await journal.renew(names.map { request(journal, $0) }))
        #expect(outcomes == names.map { _ in "epoch 1" })
        await journal.close()
      }
    }

    @Test("handles from before and after a replacement of the file are not renewed together, nor is one that only reads")
    func places() async throws {
      try await Folder.use { folder in
        func place(_ journal: SQLiteJournal) -> AnyHashable? { journal.leasePlace.map { AnyHashable($0) } }
        let path = folder.path("journal.db")
        let (old, second) = (try await SQLiteJournal(at: path), try await SQLiteJournal(at: path, key: "b"))
        #expect(place(old) == place(second))
        #expect(place(try await SQLiteJournal(at: path, isReadOnly: true)) == nil)
        try await old.backup(to: folder.path("copy.db"))
        try FileManager.default.removeItem(atPath: path)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.moveItem(atPath: folder.path("copy.db"), toPath: path)
        let new = try await SQLiteJournal(at: path)
        #expect(place(old) != place(new))
        for journal in [old, second, new] { await journal.close() }
      }
    }
  }
#endif
