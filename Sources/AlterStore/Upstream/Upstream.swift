import AlterCore
package import AlterJournal

/// The place to which a store's work goes, and from which others' entries come: a journal (`Backend`), or a device's file (``MirrorJournal``). A store in
/// memory has none.
///
/// The loops are the store's, once for both: `Store.write()`, `Store.follow(isLater:isAway:)`, `Store.retrying(_:)`, and the report of an outage.
/// An upstream does one step of a loop, with the store's gate, so that one step at a time changes the store's replica:
///
/// | loop | waits for | step | after a transient error |
/// |---|---|---|---|
/// | writer | the gate | ``write(of:alone:)``, until there is no work | a pause, then the same drafts again |
/// | reader | ``wait(past:)`` | ``read(into:)`` | a pause, then ``probe()``, until it succeeds |
///
/// A permanent error ends the store in both.
package protocol Upstream<State>: Sendable {
  associatedtype State: Alterable

  /// The name of the journal, for errors.
  var name: String { get }

  /// Whether a server decides the changes after the upstream has them.
  var isSynced: Bool { get }

  // MARK: Loops

  /// The number up to which a store has read: a revision of a journal, or a transaction of a device's file.
  func position(of store: Store<State>) -> Int64

  /// Returns as soon as the upstream can be reached. There may be no news for a long time, so waiting for them does not detect the end of an
  /// outage.
  func probe() async throws(JournalError)

  /// Waits until the upstream has news after a position.
  ///
  /// - Parameters:
  ///   - position: The store's position.
  ///   - store: Returns the store, while it is there. An upstream that uses it does not wake the reader for what the store's own writer has applied.
  func wait(past position: Int64, of store: @escaping @Sendable () -> Store<State>?) async throws(JournalError)

  /// Reads all news into a store. The caller holds the store's gate.
  func read(into store: Store<State>) async throws(JournalError)

  /// Carries a part of a store's pending work to the upstream. The caller holds the store's gate.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - alone: Whether the next append is this store's alone, because its work can't be appended by another store of the group. False at first;
  ///     it belongs to the loop.
  /// - Returns: Whether there may be more work. If not, the writer has been reported as ended.
  func write(of store: Store<State>, alone: inout Bool) async throws(JournalError) -> Bool

  // MARK: Past

  /// Returns the confirmed entries of a range of revisions.
  ///
  /// - Throws: ``JournalError`` `noSuchRevision` for revisions below the start, or beyond the head.
  func entries(in range: ClosedRange<Revision>) async throws(JournalError) -> [Record<State>]

  /// Returns the confirmed state at a revision.
  func state(at revision: Revision, refused: RefusedAtReplay) async throws(JournalError) -> State

  /// Returns the confirmed head at a revision; nil beyond the last head.
  ///
  /// - Throws: ``JournalError`` `noSuchRevision` below the start.
  func head(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head?

  /// Returns the revision up to which there are no entries; nil if there are all. Another program may have compacted them.
  func floor() async throws(JournalError) -> Revision?

  /// Gives up the oldest entries.
  ///
  /// - Parameters:
  ///   - range: The entries that must stay.
  ///   - window: The undo window of a synced journal: the number of newest entries, without refusals, that stay in any case.
  ///   - refused: The treatment of an entry that the state refuses.
  /// - Returns: The plan that was carried out.
  func compact(
    keeping range: CompactionRange, leaving window: Int, refused: RefusedAtReplay
  ) async throws(JournalError) -> CompactionPlan

  /// Removes refused drafts from the list; without a server there is none.
  func dismiss(_ ids: [EntryID]) async throws(JournalError)

  /// Releases the handle.
  func close() async
}

extension Backend: Upstream {
  var name: String { journal.name }
  var isSynced: Bool { false }

  func position(of store: Store<State>) -> Int64 { store.revision.number }
  func probe() async throws(JournalError) { _ = try await journal.head() }

  func wait(past position: Int64, of store: @escaping @Sendable () -> Store<State>?) async throws(JournalError) {
    guard let journal = journal as? any ThreadJournal else { return try await journal.waitForEntry(after: Revision(position)) }
    // On the thread of the appends, which waits for no change of a store: that would stop the other stores of the file.
    try await journal.waitForEntry(after: Revision(position)) {
      store()?.core.withLock(waiting: false) { $0.replica.history.revision } ?? Revision(position)
    }
  }

  func read(into store: Store<State>) async throws(JournalError) { try await store.catchUp(endsAtClose: true) }

  func write(of store: Store<State>, alone: inout Bool) async throws(JournalError) -> Bool {
    try await store.write(to: self, alone: &alone)
  }

  func head(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head? {
    try await self.journal.head(at: revision, of: journal)
  }

  func floor() async throws(JournalError) -> Revision? { try await journal.floor()?.revision }

  func compact(
    keeping range: CompactionRange, leaving window: Int, refused: RefusedAtReplay
  ) async throws(JournalError) -> CompactionPlan {
    try await compact(keeping: range, refused: refused)
  }

  func dismiss(_ ids: [EntryID]) async throws(JournalError) {}
  func close() async { await journal.close() }
}

extension MirrorJournal {
  package var isSynced: Bool { true }

  package func position(of store: Store<State>) -> Int64 { store.core.withLock { $0.synced.transaction } }
  package func probe() async throws(JournalError) { _ = try await floor() }
  package func read(into store: Store<State>) async throws(JournalError) { try await store.absorb(from: self) }

  package func write(of store: Store<State>, alone: inout Bool) async throws(JournalError) -> Bool { try await store.write(to: self) }
}

extension Store {
  /// Whether a server decides the changes: the confirmed side may start again, and changes are undecided for days.
  package var isSynced: Bool { upstream?.isSynced ?? false }

  /// The name of the journal, for errors and the monitor.
  var journalName: String { upstream?.name ?? "memory" }
}
