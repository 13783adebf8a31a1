#if SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  enum JournalKind: CaseIterable { case memory, file }

  private let countingOrigin = Origin.random()

  /// A suite with journals of 1,000 entries: after revision n the count is n - 1.
  protocol CountingSuite {}

  extension CountingSuite {
    func id(_ revision: Int64) -> EntryID { EntryID(origin: countingOrigin, sequence: revision) }

    func draft(_ revision: Int64) -> Entry.Draft {
      Entry.Draft(
        kind: revision == 1 ? .initial : .changes, id: id(revision), time: revision * 1_000,
        payload: Data((revision == 1 ? #"{"count":0}"# : #"[{"add":{"_0":1}}]"#).utf8))
    }

    /// Appends entries up to a revision: after revision n the count is n - 1.
    func fill(_ journal: any Journal, to last: Int64) async throws {
      let head = try await journal.head()
      _ = try await journal.append((head.revision.number + 1...last).map(draft), after: head)
    }

    func keepSnapshot(of journal: any Journal, base: Int64, head: Int64) async throws {
      let journalID = try await journal.head().journal
      let (top, bottom) = try await (
        journal.head(at: Revision(head), of: journalID), journal.head(at: Revision(base), of: journalID)
      )
      try await journal.keep(
        Snapshot(
          head: #require(top), base: #require(bottom), schema: 1, written: head * 75, payload: Data(#"{"count":\#(base - 1)}"#.utf8)))
    }

    func withJournal(_ kind: JournalKind, _ body: (any Journal, Folder) async throws -> Void) async throws {
      try await Folder.use { folder in
        let journal: any Journal =
          kind == .memory ? MemoryJournal() : try await SQLiteJournal(at: folder.path("one.db"), lockTimeout: .patient)
        try await fill(journal, to: 1_000)
        try await keepSnapshot(of: journal, base: 300, head: 310)
        try await keepSnapshot(of: journal, base: 600, head: 650)
        try await body(journal, folder)
        await journal.close()
      }
    }

    func code(_ body: () async throws -> Void) async -> JournalError.Code? {
      do { try await body() } catch { return (error as? JournalError)?.code }
      return nil
    }

    var options: StoreOptions {
      var options = StoreOptions()
      options.keepsJournalOpen = true
      return options
    }
  }
#endif
