import AlterCore
import AlterJournal

/// A journal that forwards every call to another one, except those that the adopting type implements itself.
package protocol ForwardingJournal: ForwardingCompaction {}

extension ForwardingJournal {
  package var name: String { base.name }
  package func head() async throws(JournalError) -> Head { try await base.head() }
  package func role() async throws(JournalError) -> JournalRole { try await base.role() }
  package func floor() async throws(JournalError) -> Head? { try await base.floor() }
  package func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try await base.entries(after: revision, limit: limit)
  }
  package func entry(_ id: EntryID) async throws(JournalError) -> Entry? { try await base.entry(id) }
  package func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
    -> Appended
  {
    try await base.append(drafts, after: head, in: turn, under: leases)
  }
  package func takeTurn() async throws(JournalError) -> Turn { try await base.takeTurn() }
  package func waitForEntry(after revision: Revision) async throws(JournalError) { try await base.waitForEntry(after: revision) }
  package func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try await base.lease(name, for: holder, lasting: duration)
  }
  package func release(_ lease: Lease) async throws(JournalError) { try await base.release(lease) }
  package func leases() async throws(JournalError) -> [Lease] { try await base.leases() }
  package func keep(_ snapshot: Snapshot) async throws(JournalError) { try await base.keep(snapshot) }
  package func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try await base.snapshots(upTo: revision, limit: limit)
  }
  package func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { try await base.snapshot(at: revision) }
  package func removeSnapshot(at revision: Revision) async throws(JournalError) { try await base.removeSnapshot(at: revision) }
  package func verifyStorage() async throws(JournalError) { try await base.verifyStorage() }
  package func close() async { await base.close() }
}

/// A journal that forwards the calls of a compaction to another one.
package protocol ForwardingCompaction: CompactableJournal {
  var base: any Journal { get }
}

extension ForwardingCompaction {
  package func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
    try await base.compactedRevisions(of: ids)
  }
  package func moveFloor(to pinned: Snapshot, seen: Head) async throws(JournalError) {
    try await base.compactable().moveFloor(to: pinned, seen: seen)
  }
  package func removeBelowFloor() async throws(JournalError) -> Bool { try await base.compactable().removeBelowFloor() }
  package func shrink() async throws(JournalError) -> Bool { try await base.compactable().shrink() }
  package func vacuum() async throws(JournalError) { try await base.compactable().vacuum() }
}
