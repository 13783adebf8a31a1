import AlterCore
import AlterJournal

/// Reads other writers' entries into a store: pages of the journal are folded into a copy of the replica, and the pending work is replayed
/// once, at the end.
///
/// A catch-up ends at the journal's end, or when it has read as many entries as pieces of work are pending (at least one page), or 64 MiB.
/// All catch-ups together therefore take O(entries + pending work), and each holds no more than that. Only one that looks for work which may be in
/// the journal reads to its end.
///
/// ```
///             ┌──────────── not the end, and not a batch ───────────┐
///             ▼                                                     │
///   start ──▶ read a page ──▶ fold it into the copy ────────────────┴──▶ replay the pending work ──▶ exchange the replica
///             │                 └── an undo reaches beyond: fold the journal again, or give up if that may not be
///             └── below the floor: begin again there ───────────────────────▶
/// ```
struct CatchUp<State: Alterable>: Sendable {
  private var replica: Replica<State>
  private var report = Replica<State>.Report()
  private let hasSteps: Bool
  /// Whether the journal may have some of the pending work. Until the journal's end is read, it must not be replayed without the entries that
  /// are perhaps its own: it could be dropped.
  let isDoubtful: Bool
  private let backend: Backend<State>
  private let skipsRefused: Bool
  /// The number of pages that were read.
  private(set) var pages = 0
  /// The number of entries that were applied, and their bytes.
  private var taken = (entries: 0, bytes: Int64(0))

  /// The maximum number of entries in a page.
  static var pageSize: Int { 1_000 }
  /// The bytes after which a page ends; it may exceed them by one page of the journal's own. A catch-up ends after ``batchBytes``.
  static var pageBytes: Int64 { 8 << 20 }
  private static var batchBytes: Int64 { 64 << 20 }

  /// Creates a catch-up from the known head; nil if the store has ended.
  init?(_ store: Store<State>, _ backend: Backend<State>, hasSteps: Bool) {
    guard let (replica, wantsSteps) = store.copyReplica(), replica.head != nil else { return nil }
    self.replica = replica
    isDoubtful = replica.writing.doubtful > 0
    self.hasSteps = hasSteps || wantsSteps
    self.backend = backend
    skipsRefused = store.options.refusedAtReplay == .skip
  }

  /// Reads pages until the journal's end, or until the pending work must be replayed.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of pages. If there is one, the journal is not folded again either, however short it is.
  ///   - reading: The entries that were read with a turn, if any.
  ///   - store: The store.
  /// - Returns: Whether the end was reached.
  mutating func read(pages limit: Int, from reading: TurnReading?, of store: Store<State>) async throws(JournalError) -> Bool {
    while pages < limit, store.isOpen, let start = replica.head {
      let isBatch = taken.entries >= max(Self.pageSize, replica.pendingCount) || taken.bytes >= Self.batchBytes
      if isBatch, !isDoubtful { return false }
      pages += 1
      var records: [Record<State>] = []
      var isCopied = false
      var bytes: Int64 = 0
      var head = start
      var isEnd = false
      var isCompacted = false
      do throws(JournalError) {
        (head, isEnd) = try await backend.journal.readVerified(
          after: start, through: start.revision + Self.pageSize, bytes: Self.pageBytes, from: reading
        ) { entry throws(JournalError) in
          bytes += entry.size
          store.snapshots.withLock { $0.rule.count(entry.revision, entry.size, as: entry.id) }
          if let record = try backend.coding.record(entry, backend.journal.name) { records.append(record) }
          // An entry with an id of this replica and other content: a copy of this process writes, too.
          if let own = replica.pending(entry.id), (try? backend.coding.draft(own)) != entry.draft { isCopied = true }
        }
        guard head != start else { return isEnd }
        if isCopied { replica.rename(store.options.environment.origin()) }
        guard try await takeIn(records, from: start, to: head, of: store, mayFold: limit == .max) else { return false }
      } catch {
        guard error.code == .noSuchRevision, let floor = try await backend.journal.floor(), floor.revision > start.revision else {
          throw error
        }
        isCompacted = true
      }
      if isCompacted {
        // The journal was compacted beyond this store's head.
        guard limit == .max else { return false }
        try await beginAgain(of: store, after: start)
        return true
      }
      taken = (taken.entries + (head.revision - start.revision), taken.bytes + bytes)
      if isEnd { return true }
    }
    return false
  }

  /// Folds in a page.
  ///
  /// - Returns: False if the journal must be folded again for that, and may not be: nothing has changed.
  private mutating func takeIn(
    _ records: [Record<State>], from start: Head, to head: Head, of store: Store<State>, mayFold: Bool
  ) async throws(JournalError) -> Bool {
    var absent: Set<EntryID> = []
    while true {
      do throws(Replica<State>.Obstacle) {
        try replica.takeIn(records, to: head, ignoring: absent, wantsSteps: hasSteps, into: &report)
        return true
      } catch {
        guard case .reachesBeyond(let ids) = error else { return true }
        let isFirst = absent.isEmpty
        guard isFirst, try await !backend.absent(ids, after: start.revision, before: head.revision.next).isEmpty else { break }
        // Look up all ids at once that the page names and does not contain.
        let own = Set(records.lazy.map(\.id))
        let named = Set(records.lazy.flatMap(\.targets)).union(ids).subtracting(own)
        absent = try await backend.absent(named, after: start.revision, before: head.revision.next)
      }
    }
    guard mayFold else { return false }
    let folded = try await backend.fold(
      Backend.FoldRequest(window: store.options.undoWindow, stepsAfter: start.revision, refused: store.options.refusedAtReplay))
    // If the floor has risen meanwhile, the steps may not begin at the known head.
    if let floor = try await backend.journal.floor(), floor.revision > start.revision {
      throw .belowFloor(backend.journal.name, at: start.revision.next, floor: floor.revision)
    }
    store.snapshots.withLock { $0.rule.count(through: folded.rule) }
    report.refusals += folded.report.refusals.filter { $0.revision > start.revision }
    replica.takeIn(folded.history, steps: folded.report.steps, head: folded.head, into: &report)
    return true
  }

  /// Folds the journal again from its floor, which lies above the store's head.
  private mutating func beginAgain(of store: Store<State>, after start: Head) async throws(JournalError) {
    while true {
      let folded = try await backend.fold(
        Backend.FoldRequest(window: store.options.undoWindow, stepsAfter: start.revision, refused: store.options.refusedAtReplay))
      // Another compaction may have moved the floor since, even beyond the head that was reached.
      guard let risen = try await backend.journal.floor()?.revision else {
        throw .damaged(backend.journal.name, at: start.revision, "its floor is missing")
      }
      guard risen <= folded.head.revision, let ground = try await backend.floorStart(through: folded.head.revision) else { continue }
      let floor = ground.snapshot.head.revision
      // The steps begin after the floor that the fold has seen.
      guard floor == risen, folded.report.steps.allSatisfy({ $0.record.revision > floor }) else { continue }
      let own = try await backend.journal.compactedRevisions(of: replica.pendingIDs)
      store.snapshots.withLock { $0.rule.begin(again: folded.rule) }
      report.refusals += folded.report.refusals
      replica.begin(
        at: floor, ground.state, folded.history, steps: folded.report.steps, own: own, head: folded.head, into: &report)
      taken.entries += folded.head.revision - start.revision
      return
    }
  }

  /// Replays the pending work, and replaces the store's replica by the result.
  mutating func end(in store: Store<State>) async throws(JournalError) -> Store<State>.Exchange {
    do throws(Replica<State>.Obstacle) { try replica.judge(report, skipsRefused: skipsRefused) } catch {
      guard case .refused(let revision, let failure) = error else { return .done }
      throw .refusedAtReplay(backend.journal.name, at: revision, reason: "\(failure)")
    }
    replica.history.forgetReleased()
    // No new entry was read: the store's replica is still valid.
    guard replica.pending.hasNewGround || taken.entries > 0 else { return .done }
    report = await store.options.longWork.run(ifMore: replica.pendingCount > Store<State>.shortWork, on: &replica) { [report] replica in
      var report = report
      replica.rebase(into: &report)
      return report
    }
    return store.exchange(&replica, report, hasSteps: hasSteps)
  }
}
