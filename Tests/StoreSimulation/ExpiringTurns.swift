import AlterCore
import AlterJournal

/// A journal whose turns may end before their time, as a server's do that has lost patience.
struct ExpiringTurns: Journal {
  let base: MemoryJournal
  /// Told of each turn.
  let onTurn: @Sendable (Turn) -> Void

  func takeTurn() async throws(JournalError) -> Turn {
    let turn = try await base.takeTurn()
    onTurn(turn)
    return turn
  }

  var name: String { base.name }
  func head() async throws(JournalError) -> Head { try await base.head() }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try await base.entries(after: revision, limit: limit)
  }
  func entry(_ id: EntryID) async throws(JournalError) -> Entry? { try await base.entry(id) }
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    try await base.append(drafts, after: head, in: turn, under: leases)
  }
  func waitForEntry(after revision: Revision) async throws(JournalError) { try await base.waitForEntry(after: revision) }
  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await base.lease(name, for: holder, lasting: duration)
  }
  func release(_ lease: Lease) async throws(JournalError) { try await base.release(lease) }
  func keep(_ snapshot: Snapshot) async throws(JournalError) { try await base.keep(snapshot) }
  func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try await base.snapshots(upTo: revision, limit: limit)
  }
  func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { try await base.snapshot(at: revision) }
  func removeSnapshot(at revision: Revision) async throws(JournalError) { try await base.removeSnapshot(at: revision) }
  func close() async { await base.close() }
}

/// A turn that somebody else holds.
struct HeldTurn {
  private(set) weak var turn: Turn?
}
