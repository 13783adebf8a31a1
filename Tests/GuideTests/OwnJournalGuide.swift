import Alter
import AlterSQLite
import AlterTesting
import ProcessTesting
import Testing

/// The guide "A journal of your own". It uses public declarations alone.
enum OwnJournalGuide {
  // snippet: own-journal
  actor ListJournal: Journal {
    nonisolated let name = "list"
    private let id = JournalID.random()
    private var all: [Entry] = []
    private var end: Head
    private var isClosed = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init() { end = Head(empty: id) }

    func head() async throws(JournalError) -> Head {
      try checkOpen()
      return end
    }

    func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      try checkOpen()
      return Array(all.drop { $0.revision <= revision }.prefix(max(limit, 0)))
    }

    func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
      try checkOpen()
      return all.first { $0.id == id }
    }

    func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
      try checkOpen()
      try Entry.Draft.checkAppendable(drafts, in: name)
      // An append may be repeated after a lost answer: the same drafts are found, and not written again.
      if let place = all.firstIndex(where: { entry in drafts.contains { $0.id == entry.id } }) {
        let found = all[place...].prefix(drafts.count)
        guard found.map(\.draft) == drafts, let last = found.last else {
          let (taken, revision) = (all[place].id, all[place].revision)
          throw JournalError(
            .originCollision, journal: name, revision: revision, message: "has other content under \(taken), at revision \(revision).")
        }
        return Appended(first: all[place].revision, head: Head(journal: id, revision: last.revision, checksum: last.checksum))
      }
      guard head == end else {
        let isKnown = head == Head(empty: id) || all.contains { Head(journal: id, revision: $0.revision, checksum: $0.checksum) == head }
        guard isKnown else {
          throw JournalError(.diverged, journal: name, revision: head.revision, message: "has a history without \(head).")
        }
        throw JournalError(
          .conflict, journal: name, revision: end.revision,
          message: "is at revision \(end.revision), but this append expected \(head.revision): another writer committed first.")
      }
      for draft in drafts {
        let entry = Entry(draft, after: end)
        all.append(entry)
        end = end.advanced(by: entry)
      }
      wake()
      return Appended(first: head.revision.next, head: end)
    }

    func waitForEntry(after revision: Revision) async throws(JournalError) {
      try checkOpen()
      while end.revision <= revision {
        if Task.isCancelled { throw JournalError(.cancelled, journal: name, message: "is no longer waited for.") }
        await withTaskCancellationHandler {
          await withCheckedContinuation { waiting.append($0) }
        } onCancel: {
          Task { await self.wake() }
        }
        try checkOpen()
      }
    }

    func close() async {
      isClosed = true
      wake()
    }

    private func wake() {
      for continuation in waiting { continuation.resume() }
      waiting = []
    }

    private func checkOpen() throws(JournalError) {
      if isClosed { throw JournalError(.closed, journal: name, message: "was closed.") }
    }
  }
  // end

  #if SQLite
    // snippet: own-wrapper
    struct CountingJournal: Journal {
      let base: SQLiteJournal
      let count: @Sendable (_ drafts: Int) -> Void

      var name: String { base.name }
      /// Compaction, leases, free space and sync are those of the wrapped journal. Without groups each append passes through here.
      var capabilities: JournalCapabilities { base.capabilities.withoutGroups }

      func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
        count(drafts.count)
        return try await base.append(drafts, after: head, in: turn, under: leases)
      }

      func head() async throws(JournalError) -> Head { try await base.head() }
      func role() async throws(JournalError) -> JournalRole { try await base.role() }
      func floor() async throws(JournalError) -> Head? { try await base.floor() }
      func entry(_ id: EntryID) async throws(JournalError) -> Entry? { try await base.entry(id) }
      func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
        try await base.entries(after: revision, limit: limit)
      }
      func takeTurn() async throws(JournalError) -> Turn { try await base.takeTurn() }
      func waitForEntry(after revision: Revision) async throws(JournalError) { try await base.waitForEntry(after: revision) }
      func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
        try await base.lease(name, for: holder, lasting: duration)
      }
      func release(_ lease: Lease) async throws(JournalError) { try await base.release(lease) }
      func leases() async throws(JournalError) -> [Lease] { try await base.leases() }
      func keep(_ snapshot: Snapshot) async throws(JournalError) { try await base.keep(snapshot) }
      func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
        try await base.snapshots(upTo: revision, limit: limit)
      }
      func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { try await base.snapshot(at: revision) }
      func removeSnapshot(at revision: Revision) async throws(JournalError) { try await base.removeSnapshot(at: revision) }
      func verifyStorage() async throws(JournalError) { try await base.verifyStorage() }
      func close() async { await base.close() }
    }
  // end
  #endif

  @Suite("The guide A journal of your own", .timeLimit(.minutes(20)))
  struct Tests {
    // snippet: own-conformance
    @Test("keeps every promise of the simplest journal", arguments: JournalConformance.required)
    func conforms(_ check: JournalConformance.Check) async throws {
      let journal = ListJournal()
      try await JournalConformance { journal }.run(check)
    }
    // end

    #if SQLite
      @Test("keeps every promise behind a wrapper", arguments: JournalConformance.checks)
      func wrapperConforms(_ check: JournalConformance.Check) async throws {
        let folder = try Folder()
        let path = folder.path("wrapped.alter")
        // On a machine at work, a turn may have to wait for longer than the default.
        let journals = JournalConformance { CountingJournal(base: try await SQLiteJournal(at: path, lockTimeout: .seconds(600))) { _ in } }
        try await journals.run(check)
      }

      @Test("counts the appends of a store, and compacts through the wrapper")
      func wrapped() async throws {
        let folder = try Folder()
        let counted = Lock(0)
        let base = try await SQLiteJournal(at: folder.path("counted.alter"))
        var options = StoreOptions()
        options.undoWindow = 0
        let journal = CountingJournal(base: base) { drafts in counted.withLock { $0 += drafts } }
        let store = try await Store.open(HistoryGuide.Sheet(), in: journal, options: options)
        for number in 1...20 { try await store.change(.set("a", number)).durable() }
        #expect(counted.withLock { $0 } == 21)
        try await store.compact(keeping: .last(5))
        #expect(try await base.floor() != nil)
        await store.close()
      }
    #endif
  }
}
