public import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A journal in memory: the reference implementation, and the journal for tests and previews.
///
/// Several stores may share one instance, as processes share a file. Its entries exist as long as the instance.
///
/// Complexity: appending and looking up cost O(1) expected per entry, reading O(entries read).
public final class MemoryJournal: Journal {
  struct Contents {
    let id: JournalID
    /// The entries above the floor.
    var entries: [Entry] = []
    /// The revision of each entry, also of those that a compaction has removed.
    var places: [EntryID: Revision] = [:]
    /// The state at the floor; nil for a whole journal.
    var pinned: Snapshot?
    var head: Head
    /// The part of a server; nil if each store appends its changes.
    var served: Served?
    var leases: [String: LeaseRecord] = [:]
    /// In ascending order of revision.
    var snapshots: [Snapshot] = []
    var isClosed = false
  }

  /// The name in errors.
  public let name: String
  let contents: Lock<Contents>
  private let turns: TurnQueue
  let waiters: RevisionCount
  private let now: @Sendable () -> Int64

  /// Creates an empty journal.
  ///
  /// - Parameters:
  ///   - name: The name in errors.
  ///   - id: The id of the journal; random by default.
  ///   - now: The clock for leases: microseconds since 1970-01-01 00:00 UTC. The wall clock by default.
  public init(
    name: String = "memory", id: JournalID = .random(), now: @escaping @Sendable () -> Int64 = { Date().microseconds }
  ) {
    self.name = name
    self.now = now
    contents = Lock(Contents(id: id, head: Head(empty: id)))
    turns = TurnQueue(journal: name)
    waiters = RevisionCount(journal: name)
  }

  /// Returns the present end of the journal.
  public func head() async throws(JournalError) -> Head {
    try read { $0.head }
  }

  /// Returns the last entry that a compaction has removed; nil for a whole journal.
  public func floor() async throws(JournalError) -> Head? { try read { $0.pinned?.head } }

  /// Reads consecutive entries.
  public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    try read { contents throws(JournalError) in
      guard limit > 0 else { return [] }
      let first = max(revision, .zero).next
      guard first > contents.floor.revision else { throw .belowFloor(name, at: first, floor: contents.floor.revision) }
      return Array(contents.entries.dropFirst(first - contents.floor.revision - 1).prefix(limit))
    }
  }

  /// Looks up an entry by its id.
  public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
    try read { contents in contents.places[id].flatMap { contents.entry(at: $0) } }
  }

  /// Appends drafts at a head: all of them or none.
  public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
    -> Appended
  {
    if turn == nil {
      // A writer with a turn goes first.
      let own = try await turns.take()
      defer { own.end() }
      return try insert(drafts, after: head, under: leases)
    }
    return try insert(drafts, after: head, under: leases)
  }

  private func insert(_ drafts: [Entry.Draft], after head: Head, under leases: [Lease]) throws(JournalError) -> Appended {
    precondition(!drafts.isEmpty, "An append needs at least one draft.")
    try Entry.Draft.checkAppendable(drafts, in: name)
    let appended: Appended = try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      guard contents.served == nil else { throw .decidedElsewhere(name, .server) }
      if let place = contents.places[drafts[0].id], place > contents.floor.revision {
        let there = contents.entries.dropFirst(place - contents.floor.revision - 1).prefix(drafts.count)
        guard there.map(\.draft) == drafts, let last = there.last else { throw .originCollision(name, drafts[0].id, at: place) }
        return Appended(first: place, head: Head(journal: contents.id, revision: last.revision, checksum: last.checksum))
      }
      // Before the leases: an append that is repeated was made under a lease that was its own.
      try checkCompacted(drafts, after: head, in: contents)
      try contents.check(leases, in: name)
      try check(head, in: contents)
      for draft in drafts { if let place = contents.places[draft.id] { throw .originCollision(name, draft.id, at: place) } }
      for draft in drafts { contents.append(draft, receipt: nil) }
      return Appended(first: head.revision.next, head: contents.head)
    }
    waiters.advance(to: appended.head.revision)
    return appended
  }

  /// Checks that drafts which are not in the journal above its floor were not there below it, and that their undos name no entry from there.
  private func checkCompacted(_ drafts: [Entry.Draft], after head: Head, in contents: Contents) throws(JournalError) {
    let floor = contents.floor.revision
    guard floor > .zero else { return }
    for draft in drafts {
      guard let place = contents.places[draft.id], place <= floor else { continue }
      // A writer that has not read so far finds its draft there. One that has read everything uses an id of another process.
      throw head == contents.head
        ? .originCollision(name, draft.id, at: place) : .conflict(name, at: contents.head.revision, expected: head.revision)
    }
    guard head == contents.head else { return }
    for target in drafts.lazy.compactMap(\.targets).joined() {
      if let place = contents.places[target], place <= floor { throw .undoBelowFloor(name, target, floor: floor) }
    }
  }

  private func check(_ head: Head, in contents: Contents) throws(JournalError) {
    guard head != contents.head else { return }
    // The checksums below the floor are not known any more.
    let isBelow = head.journal == contents.id && head.revision >= .zero && head.revision < contents.floor.revision
    // The caller may present any number, even the smallest one.
    let there =
      head.revision == contents.floor.revision
      ? contents.floor : contents.entry(at: head.revision).map { Head(empty: contents.id).advanced(by: $0) }
    guard isBelow || there == head else { throw .diverged(name, at: head.revision, head: contents.head.revision) }
    throw .conflict(name, at: contents.head.revision, expected: head.revision)
  }

  /// Waits until no other writer may append.
  public func takeTurn() async throws(JournalError) -> Turn { try await turns.take() }

  /// Returns as soon as the journal holds an entry after a revision.
  public func waitForEntry(after revision: Revision) async throws(JournalError) { try await waiters.wait(past: revision) }

  /// Grants a lease, or renews it.
  public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(self.name) }
      let old = contents.leases[name]
      let time = now()
      guard let record = LeaseRecord.granting(old, to: holder, for: duration, at: time) else {
        throw (old ?? LeaseRecord(holder: .none, epoch: 0, granted: 0, expires: 0)).refusal(of: name, at: time, in: self.name)
      }
      contents.leases[name] = record
      return record.lease(name)
    }
  }

  /// Releases a lease. A lease that was already taken over is left alone.
  public func release(_ lease: Lease) async throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      guard let record = contents.leases[lease.name], record.epoch == lease.epoch else { return }
      contents.leases[lease.name]?.expires = record.granted
    }
  }

  /// Returns the leases by name, including expired ones.
  public func leases() async throws(JournalError) -> [Lease] {
    try read { contents in contents.leases.sorted { $0.key < $1.key }.map { $0.value.lease($0.key) } }
  }

  /// Stores a snapshot. It replaces a snapshot of the same revision.
  public func keep(_ snapshot: Snapshot) async throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      // A slow store may have made it before the floor moved.
      guard snapshot.base.revision >= contents.floor.revision else { return }
      contents.snapshots.removeAll { $0.head.revision == snapshot.head.revision }
      let place = contents.snapshots.firstIndex { $0.head.revision > snapshot.head.revision } ?? contents.snapshots.endIndex
      contents.snapshots.insert(snapshot, at: place)
    }
  }

  /// Lists the stored snapshots, newest first.
  public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
    try read { contents in
      guard limit > 0 else { return [] }
      let all = contents.snapshots.reversed().filter { $0.head.revision > contents.floor.revision } + (contents.pinned.map { [$0] } ?? [])
      return all.lazy.filter { $0.head.revision <= revision }.prefix(limit).map(\.place)
    }
  }

  /// Reads a snapshot, as stored.
  public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
    try read { contents in
      if let pinned = contents.pinned, pinned.head.revision == revision { return pinned }
      return contents.snapshots.last { $0.head.revision == revision }
    }
  }

  /// Removes the snapshot of a revision, if there is one.
  public func removeSnapshot(at revision: Revision) async throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      contents.snapshots.removeAll { $0.head.revision == revision }
    }
  }

  /// Closes the journal: waiting and later calls throw `closed`.
  public func close() async {
    contents.withLock { $0.isClosed = true }
    turns.close()
    waiters.finish(.closed(name))
  }

  func read<Result>(_ body: (Contents) throws(JournalError) -> Result) throws(JournalError) -> Result {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      return try body(contents)
    }
  }
}
