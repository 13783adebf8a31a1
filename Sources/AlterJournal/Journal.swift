public import AlterCore

/// An append-only log of entries with compare-and-append.
///
/// A store keeps its changes in a journal: in a SQLite file (`SQLiteJournal`), in a PostgreSQL database (`PostgresJournal`) or in memory
/// (``MemoryJournal``). Use a journal directly to inspect, verify, export or copy it:
///
/// ```swift
/// let journal = MemoryJournal()
/// let draft = Entry.Draft(
///   kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: 0, payload: Data(#"{"count":0}"#.utf8))
/// let appended = try await journal.append([draft], after: journal.head())
/// try await journal.entries(after: .zero, limit: 10).count  // 1
/// try await journal.verify() == appended.head               // true
/// ```
///
/// ## Implementing
///
/// The simplest journal has seven members: ``name``, ``head()``, ``entries(after:limit:)``, ``entry(_:)``, ``append(_:after:in:under:)``,
/// ``waitForEntry(after:)`` and ``close()``. The others have defaults, and each brings a capability: turns (less work under contention), leases
/// (durable feedbacks on one of several processes), snapshots (shorter openings), a floor, a part in sync, a check of the storage.
///
/// ## Invariants
///
/// `JournalConformance` in AlterTesting checks these invariants for every implementation:
///
/// - Entries are numbered 1, 2, 3 … without gaps, and never change. A compaction alone removes entries, and only the oldest ones: those up
///   to the ``floor()``. See ``compact(_:)``.
/// - An append is atomic, and succeeds only at the head that it presents. Once it has returned, the entries survive the failures that the
///   journal's durability promises, and every reader sees them.
/// - Appends are idempotent: if the journal already holds the drafts, under the same ids with the same content, an append finds them and
///   writes nothing.
///
/// ## Synced journals
///
/// A synced journal is decided by a server (``JournalRole/server``), and copied to devices (``JournalRole/mirror``). Its entries have receipts,
/// and some of them are refusals (``Entry/Kind-swift.enum/refused``). An ``append(_:after:in:under:)`` to it throws `readOnly`, because a server
/// writes decided entries alone, and so does the append of a refusal to any journal. An implementation without a part in sync therefore stores
/// neither receipts nor refusals; it calls ``Entry/Draft/checkAppendable(_:in:)`` in its append.
///
/// ## Appending
///
/// A writer presents the head that it has read. If another writer appended first, the append throws `conflict`. The writer then reads the
/// new entries, replays its own changes on top, and appends again. A writer that loses several races takes a turn
/// (``takeTurn()``), which keeps other writers from appending meanwhile. If the outcome of an append is unknown, appending the same drafts
/// again is safe.
///
/// ## Reading and following
///
/// ``entries(after:limit:)`` reads pages and does not verify checksums. ``verify()`` reads and verifies the whole journal.
/// ``waitForEntry(after:)`` waits for new entries.
///
/// ## Errors
///
/// Every call throws ``JournalError``. Compare its ``JournalError/code-swift.property``. If ``JournalError/isTransient`` is true, the same
/// call may succeed later.
///
/// ## Concurrency
///
/// Any task may call any method at any time, and several processes may share one journal. A call that waits suspends its task and blocks
/// no thread of the cooperative pool. Cancelling the task ends a wait with `cancelled`; closing the journal ends it with `closed`.
///
/// ## Units and complexity
///
/// Revisions count from 1; ``/AlterCore/Revision/zero`` is the position before the first entry. Times are microseconds since 1970-01-01
/// 00:00 UTC, and sizes are bytes. Reading costs O(entries read). Appending and looking up cost O(log n) per entry or less, in a journal of
/// n entries.
public protocol Journal: Sendable {
  /// The name in errors: a path, a key, or a URL without its password.
  var name: String { get }

  /// The capabilities beyond this protocol. By default those of its type; a type that wraps a journal returns the capabilities of that.
  var capabilities: JournalCapabilities { get }

  /// Returns the present end of the journal.
  ///
  /// - Throws: ``JournalError`` if the journal cannot be read.
  func head() async throws(JournalError) -> Head

  /// Returns who decides the entries: the journal's writers (the default), a server of sync, or the server that a device's copy follows.
  ///
  /// - Throws: ``JournalError`` if the journal cannot be read.
  func role() async throws(JournalError) -> JournalRole

  /// Returns the journal's floor: the last entry that it does not have. By default there is none.
  ///
  /// A compacted journal begins after a floor, with the state there, and so may a device's copy of a server's journal. ``snapshot(at:)``
  /// returns that state for the floor's revision, and it is listed among the ``snapshots(upTo:limit:)``. Unlike other snapshots it is no
  /// cache, and can't be removed. Reading entries up to the floor throws `noSuchRevision`.
  ///
  /// - Returns: The head at the floor; nil for a journal that begins with revision 1.
  /// - Throws: ``JournalError`` if the journal cannot be read.
  func floor() async throws(JournalError) -> Head?

  /// Reads consecutive entries.
  ///
  /// - Parameters:
  ///   - revision: The revision before the first entry to read.
  ///   - limit: The maximum number of entries; 0 or less reads none. An implementation may return fewer, to bound a page in bytes: a SQLite journal ends a page
  ///     with the entry that reaches 4 MiB, a PostgreSQL journal before the entry that exceeds 8 MiB. A page has at least one entry unless
  ///     the journal ends here, so only an empty result shows the end.
  /// - Returns: Consecutive entries, as stored. Their checksums are not verified; see ``verify()``.
  /// - Throws: ``JournalError`` if the entries cannot be read; `noSuchRevision` below the ``floor()``.
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry]

  /// Looks up an entry by its id.
  ///
  /// - Returns: The entry, or nil if the journal has no entry of that id.
  /// - Throws: ``JournalError`` if the journal cannot be read.
  func entry(_ id: EntryID) async throws(JournalError) -> Entry?

  /// Appends drafts at a head: all of them or none.
  ///
  /// The journal first looks for the drafts. If it already holds them, under the same ids with the same content, the call writes nothing
  /// and returns their position, even if `head` or a lease is outdated.
  ///
  /// - Parameters:
  ///   - drafts: At least one draft. The drafts have consecutive sequences of one origin.
  ///   - head: The head that the writer expects.
  ///   - turn: The writer's turn, if it took one.
  ///   - leases: The leases under which the drafts were made.
  /// - Returns: The position of the drafts.
  /// - Throws: ``JournalError``: `conflict`, with the revision of the journal's end, if it has grown; `diverged` if `head` is not in its history;
  ///   `originCollision`, with the revision of the entry, if an id is used for other content; `staleLease` if a lease was taken over, `readOnly` if a draft is a refusal or if a server decides the
  ///   journal's entries, `noSuchRevision` if an undo or redo names an entry that a compaction has removed. After these errors nothing was
  ///   written. `unknownOutcome` if it is unknown whether the drafts were written.
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended

  /// Waits until no other writer may append. During the turn no writer can win a race against this one, so it can read, rebase and append.
  /// The default implementation does not wait, and its turn stops no other writer: writers that conflict repeat their appends.
  ///
  /// Take a turn after a conflict, not before, because other writers wait meanwhile. End it soon.
  ///
  /// - Returns: The turn. It ends when it is released, at the latest.
  /// - Throws: ``JournalError``: `locked` if the wait is too long, `cancelled` if the task was cancelled.
  func takeTurn() async throws(JournalError) -> Turn

  /// Returns as soon as the journal holds an entry after a revision; at once if it already does.
  ///
  /// - Throws: ``JournalError``: `cancelled` if the task was cancelled, `closed` if the journal was closed.
  func waitForEntry(after revision: Revision) async throws(JournalError)

  /// Grants a lease, or renews it. By default it throws `failed`: the journal has no leases, and durable feedbacks need them.
  ///
  /// - Parameters:
  ///   - name: The name of the lease.
  ///   - holder: The replica that requests it.
  ///   - duration: The time until the lease expires, from now by the journal's clock; at most a day, and shortened to it.
  /// - Returns: The lease. Its epoch is higher than the epochs of all earlier holders.
  /// - Throws: ``JournalError``: `leased` while another replica holds it; `damaged` if its stored epoch is the highest possible number.
  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease

  /// Releases a lease, so that other replicas need not wait until it expires. A lease that was already taken over is left alone.
  func release(_ lease: Lease) async throws(JournalError)

  /// Returns the leases by name, including expired ones: one for each name that was ever requested.
  ///
  /// The list is for inspection. A journal without a list of leases returns none.
  ///
  /// - Throws: ``JournalError`` if the leases cannot be read.
  func leases() async throws(JournalError) -> [Lease]

  /// Stores a snapshot. It replaces a snapshot of the same revision. A snapshot is only a cache: the journal may lose it, and by default it keeps
  /// none.
  ///
  /// - Throws: ``JournalError`` if the snapshot cannot be written.
  func keep(_ snapshot: Snapshot) async throws(JournalError)

  /// Lists the stored snapshots, newest first.
  ///
  /// - Parameters:
  ///   - revision: The highest revision to list.
  ///   - limit: The maximum number of snapshots.
  /// - Throws: ``JournalError`` if the list cannot be read.
  func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place]

  /// Reads a snapshot, as stored. The store checks its checksum.
  ///
  /// - Parameter revision: The revision of its head.
  /// - Returns: The snapshot, or nil if there is none of that revision.
  /// - Throws: ``JournalError`` if it cannot be read; `damaged` if the stored data is not a snapshot.
  func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot?

  /// Removes the snapshot of a revision, if there is one.
  ///
  /// - Throws: ``JournalError`` if the snapshot cannot be removed.
  func removeSnapshot(at revision: Revision) async throws(JournalError)

  /// Checks the storage apart from the entries, such as indexes and pages. ``Journal/verify()`` calls this method. By default it does
  /// nothing.
  ///
  /// - Throws: ``JournalError`` `damaged`.
  func verifyStorage() async throws(JournalError)

  /// Releases files, connections and locks. Waiting and later calls throw `closed`. Closing twice is harmless.
  func close() async
}

/// The position of appended drafts.
public struct Appended: Sendable, Hashable {
  /// The revision of the first draft.
  public let first: Revision
  /// The head after the last draft. The journal may have grown since.
  public let head: Head

  /// Creates a position. Journals create it.
  public init(first: Revision, head: Head) {
    self.first = first
    self.head = head
  }
}

extension Journal {
  /// Appends drafts at a head, under no lease.
  ///
  /// - Parameters:
  ///   - drafts: At least one draft. The drafts have consecutive sequences of one origin.
  ///   - head: The head that the writer expects.
  ///   - turn: The writer's turn, if it took one.
  /// - Returns: The position of the drafts.
  /// - Throws: ``JournalError``; see ``append(_:after:in:under:)``.
  public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn? = nil) async throws(JournalError) -> Appended {
    try await append(drafts, after: head, in: turn, under: [])
  }

  /// Returns the head at a revision: that of its entry, or the floor; nil beyond the end.
  ///
  /// - Parameter journal: The id of this journal.
  /// - Throws: ``JournalError``; `noSuchRevision` below the floor.
  package func head(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head? {
    do throws(JournalError) {
      guard let entry = try await entries(after: revision.previous, limit: 1).first, entry.revision == revision else { return nil }
      return Head(journal: journal, revision: revision, checksum: entry.checksum)
    } catch {
      guard error.code == .noSuchRevision, let floor = try await floor(), floor.revision == revision else { throw error }
      return floor
    }
  }

  /// Reads the whole journal and verifies every entry, the chain of checksums, the head, and then the storage. A journal with a floor is
  /// verified from there.
  ///
  /// - Returns: The verified head.
  /// - Throws: ``JournalError`` `damaged` at the first entry that is wrong or missing.
  /// - Complexity: O(bytes of the journal) in time, one page in memory.
  @discardableResult
  public func verify() async throws(JournalError) -> Head {
    let head = try await whileFloorStays { floor throws(JournalError) in
      do throws(JournalError) { return try await readVerified(after: floor) { _ throws(JournalError) in }.head } catch {
        // Without entries above the floor, the two checksums in the journal's row must agree.
        guard error.code == .diverged, let floor, try await self.floor() == floor else { throw error }
        throw .damaged(name, at: floor.revision, "the checksum of its floor is not that of its head")
      }
    }
    try await verifyStorage()
    return head
  }

  /// Runs a reading, and runs it again if it fails because a compaction has moved the floor meanwhile.
  ///
  /// - Parameter reading: Receives the floor when it begins; nil for a whole journal.
  /// - Throws: the error of a reading during which the floor has stayed.
  package func whileFloorStays<Result>(
    _ reading: (Head?) async throws(JournalError) -> Result
  ) async throws(JournalError) -> Result {
    var floor = try await floor()
    while true {
      do throws(JournalError) { return try await reading(floor) } catch {
        var now = floor
        // If it can't be read, the first error tells more.
        do throws(JournalError) { now = try await self.floor() } catch _ { throw error }
        guard now != floor else { throw error }
        floor = now
      }
    }
  }

  /// The capabilities of the type: the default.
  public var capabilities: JournalCapabilities { JournalCapabilities(of: self) }

  /// Returns a turn at once, which stops no other writer: the default.
  public func takeTurn() async throws(JournalError) -> Turn {
    // A closed journal throws.
    _ = try await head()
    return Turn {}
  }

  /// Throws `failed`: the default.
  public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    throw JournalError(
      .failed, journal: self.name,
      message: "grants no leases, so it can't hold '\(name)'. Implement Journal.lease(_:for:lasting:), or use a journal of Alter.")
  }

  /// Does nothing: the default.
  public func release(_ lease: Lease) async throws(JournalError) {}

  /// Keeps nothing: the default.
  public func keep(_ snapshot: Snapshot) async throws(JournalError) {}

  /// Returns no snapshots: the default.
  public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] { [] }

  /// Returns nil: the default.
  public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? { nil }

  /// Does nothing: the default.
  public func removeSnapshot(at revision: Revision) async throws(JournalError) {}

  /// Returns ``JournalRole/plain``: the default.
  public func role() async throws(JournalError) -> JournalRole { .plain }

  /// Returns nil: the default.
  public func floor() async throws(JournalError) -> Head? { nil }

  /// Returns no leases: the default.
  public func leases() async throws(JournalError) -> [Lease] { [] }

  /// Does nothing: the default.
  public func verifyStorage() async throws(JournalError) {}

  /// Reads and verifies the journal in pages, up to its present head, and passes each entry to a closure, in order.
  ///
  /// - Parameters:
  ///   - start: The head to begin after; nil for the beginning of the journal.
  ///   - last: The last revision to read; nil for the present head.
  ///   - limit: The number of bytes after which reading stops, at the end of a page. At least one page is read.
  ///   - reading: The head and the first page, if they were read before; used if it begins at `start`.
  ///   - body: Receives one verified entry.
  /// - Returns: The head after the last entry, and whether the journal ends there.
  /// - Throws: ``JournalError`` `damaged` at the first entry that is wrong or missing, `diverged` if `start` is not in the journal's
  ///   history; any error of the closure.
  /// - Complexity: O(bytes read) in time, one page in memory.
  @discardableResult
  package func readVerified(
    after start: Head? = nil, through last: Revision? = nil, bytes limit: Int64 = .max, from reading: TurnReading? = nil,
    _ body: (Entry) throws(JournalError) -> Void
  ) async throws(JournalError) -> (head: Head, isEnd: Bool) {
    try await readVerifiedPages(after: start, through: last, bytes: limit, from: reading) { page throws(JournalError) in
      for entry in page { try body(entry) }
    }
  }

  /// ``readVerified(after:through:bytes:from:_:)`` for a closure that receives the entries in pages, the last one before a damaged entry included.
  package func readVerifiedPages(
    after start: Head? = nil, through last: Revision? = nil, bytes limit: Int64 = .max, from reading: TurnReading? = nil,
    _ body: (ArraySlice<Entry>) throws(JournalError) -> Void
  ) async throws(JournalError) -> (head: Head, isEnd: Bool) {
    let reading = reading?.start == start ? reading : nil
    let end = if let reading { reading.head } else { try await head() }
    var known = reading?.entries
    var bytes: Int64 = 0
    var position = start ?? Head(empty: end.journal)
    let last = min(last ?? end.revision, end.revision)
    if let start { try checkPlace(start, of: end) }
    var ancestor = start.flatMap { $0.revision > .zero && $0.revision < end.revision ? $0 : nil }
    while (position.revision < last && bytes < limit) || ancestor != nil {
      // The entry at the start confirms the history. It is read together with the entries that follow.
      let before = ancestor?.revision.previous ?? position.revision
      var page: ArraySlice<Entry>
      do throws(JournalError) {
        if let first = known, !first.isEmpty {
          page = first[...]
          known = nil
        } else {
          page = try await entries(after: before, limit: min(1_000, max(last - before, 1)))[...]
        }
      } catch {
        // The floor has no entry. Its checksum is in the journal's row.
        guard error.code == .noSuchRevision, let known = ancestor, try await floor() == known else { throw error }
        ancestor = nil
        continue
      }
      if let known = ancestor {
        guard let entry = page.popFirst(), entry.checksum == known.checksum else {
          throw .diverged(name, at: known.revision, head: end.revision)
        }
        ancestor = nil
        // A page may be short. The next page shows whether an entry is missing.
        if page.isEmpty { continue }
      }
      guard !page.isEmpty else {
        throw .damaged(
          name, at: position.revision.next, "the entry is missing, although the journal's head says it ends at \(end.revision)")
      }
      let (count, size, damage) = position.verify(page, in: name)
      bytes = bytes.saturatingAdding(size)
      try body(page.prefix(count))
      if let damage { throw damage }
    }
    if position.revision == end.revision, position.checksum != end.checksum {
      if position == start { throw .diverged(name, at: position.revision, head: end.revision) }
      throw .damaged(name, at: end.revision, "the journal's head does not match its last entry")
    }
    return (position, position.revision == end.revision)
  }

  /// Checks that a head that was seen earlier can be in this journal's history, judged by the journal's end alone.
  private func checkPlace(_ start: Head, of end: Head) throws(JournalError) {
    guard start.journal == end.journal, start.revision <= end.revision else {
      throw .diverged(name, at: start.revision, head: end.revision)
    }
  }
}

/// The capabilities of a journal beyond ``Journal``: compaction, appends of several stores at once, renewal of many leases, and its part in sync.
///
/// Alter's own journals have capabilities. A type that wraps one of them keeps them by returning those of the journal that it wraps:
///
/// ```swift
/// struct LoggingJournal: Journal {
///   let base: SQLiteJournal
///   var capabilities: JournalCapabilities { base.capabilities.withoutGroups }
///   // and the requirements of Journal, each forwarded to `base`
/// }
/// ```
///
/// A store then calls them on the wrapped journal. Without groups, each append still passes through the wrapper.
public struct JournalCapabilities: Sendable {
  private let journal: any Journal
  private var hasGroups = true

  /// Creates the capabilities that the type of a journal has: the default of ``Journal/capabilities``.
  ///
  /// - Parameter journal: The journal.
  package init(of journal: any Journal) { self.journal = journal }

  /// The same capabilities, but for appends of several stores at once.
  public var withoutGroups: JournalCapabilities {
    var capabilities = self
    capabilities.hasGroups = false
    return capabilities
  }

  /// Gives up the oldest entries; nil if it can't.
  package var compaction: (any CompactableJournal)? { journal as? any CompactableJournal }
  /// Knows the ids of entries below its floor; nil if it does not.
  package var compacted: (any CompactedJournal)? { journal as? any CompactedJournal }
  /// Reads as it grants a turn, and appends for several stores at once; nil if it does not.
  package var groups: (any TurnReadingJournal)? { hasGroups ? journal as? any TurnReadingJournal : nil }
  /// Renews many leases at once; nil if it does not.
  package var leases: (any LeaseRenewing)? { journal as? any LeaseRenewing }
  /// Knows the free space of its file; nil if it does not.
  package var space: (any FileSpaceJournal)? { journal as? any FileSpaceJournal }
  /// Can be a device's file; nil if it can't.
  package var device: (any DeviceJournal)? { journal as? any DeviceJournal }
  /// Can be a server's journal; nil if it can't.
  package var server: (any ServerJournal)? { journal as? any ServerJournal }
}
