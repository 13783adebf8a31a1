#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import FaultModel

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Uses all functions of a journal: creation, appends, snapshots, leases and turns, backup, closing, reopening, verification.
  struct JournalScenario: Reopening {
    let folder: String
    /// Called with the revision of the head after each acknowledged append, and with the negative revision of each acknowledged backup.
    var onAcknowledged: (Int64) -> Void = { _ in }
    /// The size of the payloads in the n-th batch, in bytes.
    var size: (Int) -> Int = { $0 == 2 ? 20_000 : 10 }
    var batches = 6
    var durability = Durability.full

    var errors: [JournalError] = []
    var handle: SQLiteJournal?
    private var drafts = Drafts()
    /// The attempted batches, in order, and whether each was acknowledged.
    private var tried: [(drafts: [Entry.Draft], isAcknowledged: Bool)] = []
    private var backups: [(path: String, revision: Revision)] = []

    var path: String { folder + "/journal.db" }

    init(folder: String) { self.folder = folder }

    /// Adds entries that the journal contains before the scenario.
    mutating func know(_ drafts: [Entry.Draft]) { tried.append((drafts, true)) }

    mutating func play() async {
      for batch in 0..<batches {
        await append(batch)
        switch batch {
        case 1:
          await attempt { journal throws(JournalError) in
            let head = try await journal.head()
            try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: Data("{}".utf8)))
          }
        case 2:
          let origin = drafts.origin
          await attempt { journal throws(JournalError) in
            try await journal.release(try await journal.lease("sync", for: origin, lasting: .seconds(1)))
          }
          await close()
        case 3: await backUp(to: folder + "/backup.db")
        case 4:
          await attempt { journal throws(JournalError) in try await journal.removeSnapshot(at: 3) }
          await attempt { journal throws(JournalError) in _ = try await journal.verify() }
        default: break
        }
      }
      await close()
    }

    /// Tries up to three times, as an app would. After a permanent failure it reopens the journal and appends the same drafts again.
    private mutating func append(_ batch: Int) async {
      let made = drafts.next(batch % 3 + 1, size: size(batch))
      tried.append((made, false))
      let takesTurn = batch == 3
      let head: Head? = await attempt { journal throws(JournalError) in
        let turn = takesTurn ? try await journal.takeTurn() : nil
        defer { turn?.end() }
        return try await journal.append(made, after: try await journal.head(), in: turn).head
      }
      guard let head else { return }
      tried[tried.count - 1].isAcknowledged = true
      onAcknowledged(head.revision.number)
    }

    private mutating func backUp(to path: String) async {
      let revision: Revision? = await attempt { journal throws(JournalError) in
        let revision = try await journal.head().revision
        try await journal.backup(to: path)
        return revision
      }
      guard let revision else { return }
      backups.append((path, revision))
      onAcknowledged(-revision.number)
    }

    func open() async throws(JournalError) -> SQLiteJournal { try await SQLiteJournal(at: path, durability: durability) }

    func close(_ handle: SQLiteJournal) async { await handle.close() }

    // MARK: Afterwards

    mutating func check() async throws {
      await close()
      let journal = try await SQLiteJournal(at: path)
      let head = try await journal.verify()
      try await compare(journal, head: head)
      _ = try await journal.append(drafts.next(2), after: head)
      try await journal.backup(to: folder + "/last.db")
      try await journal.verify()
      await journal.close()
      for backup in backups {
        let copy = try await SQLiteJournal(at: backup.path)
        let found = try await copy.verify().revision
        guard found >= backup.revision else { throw Violation("the backup ends at \(found), not at \(backup.revision)") }
        await copy.close()
      }
    }

    /// Checks that the journal contains, in order, every acknowledged batch, and only whole batches that were attempted.
    private func compare(_ journal: SQLiteJournal, head: Head) async throws {
      var found = try await journal.entries(after: .zero, limit: 10_000).map(\.draft)[...]
      guard found.count == Int(head.revision.number) else { throw Violation("\(found.count) entries up to revision \(head.revision)") }
      for batch in tried {
        if found.starts(with: batch.drafts) {
          found = found.dropFirst(batch.drafts.count)
        } else if batch.isAcknowledged {
          throw Violation("the acknowledged batch \(batch.drafts[0].id) is not where it should be")
        }
      }
      guard found.isEmpty else { throw Violation("\(found.count) entries are half batches, doubled, or out of order") }
    }
  }

  /// The scenario with a new journal: the file does not exist yet.
  struct NewJournal: Scenario {
    private var scenario: JournalScenario
    var errors: [JournalError] { scenario.errors }

    init(folder: String) { scenario = JournalScenario(folder: folder) }

    mutating func play() async { await scenario.play() }
    mutating func check() async throws { try await scenario.check() }
  }

  /// The scenario with a journal whose last process was killed. Its log still exists and must be recovered.
  struct OldJournal: Scenario {
    private var scenario: JournalScenario
    var errors: [JournalError] { scenario.errors }

    init(folder: String) async throws {
      let journal = try await SQLiteJournal(at: folder + "/journal.db")
      var before = Drafts()
      let drafts = before.next(10, size: 500)
      _ = try await journal.append(drafts, after: try await journal.head())
      // The files as a killed process leaves them.
      for end in ["", "-wal"] {
        try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db" + end)).write(to: URL(fileURLWithPath: folder + "/killed" + end))
      }
      await journal.close()
      for end in ["", "-wal"] {
        try? FileManager.default.removeItem(atPath: folder + "/journal.db" + end)
        try FileManager.default.moveItem(atPath: folder + "/killed" + end, toPath: folder + "/journal.db" + end)
      }
      scenario = JournalScenario(folder: folder)
      scenario.know(drafts)
    }

    mutating func play() async { await scenario.play() }
    mutating func check() async throws { try await scenario.check() }
  }
#endif
