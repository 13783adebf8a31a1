import AlterCore
import AlterJournal

/// Decides when a snapshot is due: a pure value. `Design/0007-snapshots.md` states the rule with its bounds.
///
/// A *lasting* snapshot is due when at least ``spacing`` entries were written since the last one, and their bytes are at least those of the
/// snapshot itself. All lasting snapshots together therefore never take more space than the entries, whatever the size of the state.
///
/// A *passing* snapshot is due when reading the entries since the last one again and again, in the stores that were opened and wrote since,
/// has cost more than a snapshot costs. Only the newest one is kept. At an orderly close, a smaller part of the snapshot's size suffices.
struct SnapshotRule: Sendable {
  /// The minimum number of entries between two lasting snapshots; `.max` for no snapshots.
  private(set) var spacing: Int
  /// The last revision that was counted.
  private(set) var revision: Revision = .zero
  /// The bytes of the entries up to ``revision``, since the journal's beginning when the counting began. A compaction gives a journal a later
  /// beginning, so other stores may count less, or more.
  private(set) var written: Int64 = 0
  /// The newest snapshot.
  private(set) var last: (revision: Revision, written: Int64) = (.zero, 0)
  /// The bytes that must be written after the newest snapshot before the next lasting one: the newest one's size, if that is known.
  private(set) var size: Int64 = 0
  /// The bytes of the entries since the newest snapshot that the stores which were opened and wrote since have read.
  private(set) var reread: Int64 = 0

  /// Whether the store closes, so that the next opening is near.
  private(set) var isClosing = false

  init(spacing: Int) { self.spacing = max(1, spacing) }

  /// Returns the same rule with another spacing.
  func spaced(_ spacing: Int) -> SnapshotRule {
    var rule = self
    rule.spacing = max(1, spacing)
    return rule
  }

  /// Whether snapshots are made at all.
  var isOn: Bool { spacing < .max }

  /// Counts an entry that was written or read. An entry that was counted already is ignored.
  ///
  /// - Parameters:
  ///   - revision: Its revision.
  ///   - size: Its size in bytes.
  ///   - id: Its id. A store is counted as having read all entries since the newest snapshot with its own first entry, whose sequence is 2
  ///     (1 is an initial entry). A store that is open when a snapshot is made reads nothing again, however many such stores there are.
  mutating func count(_ revision: Revision, _ size: Int64, as id: EntryID) {
    guard revision > self.revision else { return }
    if id.sequence <= 2 { reread = reread.saturatingAdding(since) }
    self.revision = revision
    written = written.saturatingAdding(size)
  }

  /// Adopts the count of another fold of the same journal, if that has counted more.
  mutating func count(through other: SnapshotRule) {
    guard other.revision > revision else { return }
    (revision, written) = (other.revision, other.written)
  }

  /// Begins again with the count of a fold from a new floor of the journal.
  mutating func begin(again other: SnapshotRule) { self = other.spaced(spacing) }

  /// Starts counting at an existing snapshot.
  mutating func start(from place: Snapshot.Place) {
    revision = place.revision
    written = place.written
    see(place)
  }

  /// Records that a snapshot exists, made by this store or another.
  mutating func see(_ place: Snapshot.Place) {
    guard place.revision > last.revision else { return }
    begin(after: place.revision, known(place.written, at: place.revision))
    size = Int64(place.size)
  }

  /// Converts another store's count to this store's. Another store may have counted from another floor, and the row of a snapshot may hold
  /// any number.
  ///
  /// - Returns: The count itself if it is plausible: near an estimate between this store's counts at the last snapshot and now, as if all
  ///   entries had the same size. Otherwise the estimate.
  private func known(_ other: Int64, at revision: Revision) -> Int64 {
    guard revision <= self.revision else { return other }
    let (part, all) = (revision - last.revision, self.revision - last.revision)
    guard since > 0, part < all else { return written }
    let estimate = min(written, last.written.saturatingAdding(Int64(Double(since) * (Double(part) / Double(all)))))
    let isPlausible = (last.written...written).contains(other) && other.saturatingSubtracting(estimate).magnitude <= since.magnitude / 2
    return isPlausible ? other : estimate
  }

  /// Adopts the result of making a snapshot, while the counting has continued.
  mutating func adopt(_ other: SnapshotRule) {
    guard other.last != last else {
      size = other.size
      return
    }
    // The store may have begun again meanwhile, from a later snapshot or floor.
    guard other.last.revision > last.revision else { return }
    begin(after: other.last.revision, known(other.last.written, at: other.last.revision))
    size = other.size
  }

  private mutating func begin(after revision: Revision, _ written: Int64) {
    last = (revision, written)
    reread = 0
  }

  /// Records that the store closes.
  mutating func close() { isClosing = true }

  /// Returns whether a snapshot of the counted entries may be kept.
  ///
  /// - Parameter size: The size of its payload in bytes.
  func permits(size: Int64) -> Bool { since >= size || isWorthClosing(size: size) || reread >= size.saturatingAdding(effort) }

  /// Whether the entries since the newest snapshot are so many that the next opening should not read them: 16 KB, and a quarter of the snapshot.
  private func isWorthClosing(size: Int64) -> Bool { isClosing && since >= max(16_384, size / 4) }

  /// Records that a snapshot of this size would be too large for the bytes written and read so far.
  ///
  /// A state that grows with every entry may stay ahead of the bytes written. The next attempt therefore waits for twice as many bytes. A
  /// state is encoded a number of times that is at most logarithmic in the bytes written, however it grows.
  mutating func postpone(size: Int64) { self.size = max(size, since.saturatingAdding(since)) }

  /// Records that no snapshot could be made now. The next attempt follows after ``spacing`` entries.
  mutating func skip() { begin(after: revision, written) }

  /// Whether a snapshot of the counted entries is due.
  var isDue: Bool {
    guard isOn else { return false }
    if revision - last.revision >= spacing, since >= size { return true }
    if isWorthClosing(size: size) { return true }
    // The state has grown by all entries since, at most, unless it is unusual. An attempt in vain costs as much as one that succeeds.
    return reread >= size.saturatingAdding(since).saturatingAdding(effort)
  }

  /// The bytes of the entries since the newest snapshot. The row of another store's snapshot may hold any number.
  private var since: Int64 { written.saturatingSubtracting(last.written) }

  /// The cost of a snapshot apart from its size, as bytes to read: that of 64 small entries. It takes a transaction.
  private var effort: Int64 { Int64(min(spacing, 64)) * 200 }

  /// Returns the snapshots that folds with an undo window need, if newer ones lie at the end: the newest one from which such a fold can
  /// start now, and the one from which it can start next. Without the second, each would be removed before it is a window old.
  ///
  /// - Parameters:
  ///   - places: The newest snapshots, newest first.
  ///   - window: The undo window. A fold with an unlimited one, `.max`, starts from no snapshot.
  ///   - end: The end of the journal.
  static func spared(among places: [Snapshot.Place], for window: Int, before end: Revision) -> Set<Revision> {
    guard window < .max else { return [] }
    let start = end + -window
    return Set([places.first { $0.base <= start }, places.last { $0.base > start }].compactMap(\.?.revision))
  }

  /// Returns the passing ones of some snapshots: those larger than the bytes written since the lasting one before them.
  ///
  /// - Parameters:
  ///   - places: The newest snapshots, newest first.
  ///   - isAll: Whether there is no older one.
  static func passing(among places: [Snapshot.Place], isAll: Bool) -> [Snapshot.Place] {
    var passing: [Snapshot.Place] = []
    var lasting: Int64? = isAll ? 0 : nil
    for place in places.reversed() {
      // Only the row of a damaged snapshot holds more than a later one.
      if let written = lasting, place.written >= written, place.written.saturatingSubtracting(written) < Int64(place.size) {
        passing.append(place)
      } else {
        lasting = place.written
      }
    }
    return passing
  }
}

/// The state of a store's snapshots.
struct SnapshotMaker: Sendable {
  /// Decides when the next snapshot is due.
  var rule: SnapshotRule
  /// The snapshot from which the store was opened; revision 0 for none.
  var openedFrom: Revision = .zero
  /// The task that makes a snapshot; nil if none is being made.
  var task: Task<Void, Never>?
}

/// The store whose append makes a snapshot due makes it in the background, from a value that it holds. No caller waits for it.
extension Store {
  /// Adopts the snapshots and problems that were found when the journal was folded.
  func begin(_ folded: Backend<State>.Folded) {
    snapshots.withLock { maker in
      maker.rule = folded.rule.spaced(options.snapshotSpacing)
      maker.openedFrom = folded.rule.last.revision
    }
    core.withLock { core in
      for problem in folded.problems { core.problems.add(problem) }
    }
    tell(folded.report)
    #if DEBUG
      printUnreadProblemsSoon()
    #endif
  }

  /// Counts appended entries.
  func count(_ drafts: [Entry.Draft], from first: Revision) {
    snapshots.withLock { maker in
      for (offset, draft) in drafts.enumerated() { maker.rule.count(first + offset, draft.size, as: draft.id) }
    }
  }

  /// Starts a snapshot of the confirmed state, if one is due and none is being made.
  ///
  /// The caller holds the gate, or no other task has the store yet: the rule has then counted up to the head.
  ///
  /// - Parameter isPatient: Whether to wait for the store's lock. Otherwise a later append starts the snapshot if the lock is taken.
  func startSnapshotIfDue(waiting isPatient: Bool = true) {
    guard let backend else { return }
    snapshots.withLock { maker in
      guard maker.task == nil, maker.rule.isDue else { return }
      let found: (head: Head?, base: History<State>.Base?, otherWindow: Int)? = core.withLock(waiting: isPatient) { core in
        let (history, start) = (core.replica.history, core.replica.history.windowStart)
        // Until the window is full there is nothing to keep, and a base would be looked for after each append.
        return (core.replica.head, start > 1 ? history.base(at: start) : nil, lacksUndoWindow(core) ? options.undoWindow : 0)
      }
      guard let found, let head = found.head, let base = found.base else { return }
      let otherWindow = found.otherWindow
      // With the undo window in memory, the base lies a window before the end: then the next opening may have to read the same entries.
      guard !maker.rule.isClosing || base.revision > maker.rule.last.revision else { return }
      var rule = maker.rule
      // The task holds the store, like the writer's: a store that is released without `close` still finishes the snapshot. Encoding takes
      // long, so it runs outside of Swift's few threads and of the task that made the change.
      let longWork = options.longWork
      maker.task = Task.detached {
        let start = ContinuousClock.now
        switch await backend.keep(base, at: head, sparing: otherWindow, rule: &rule, longWork) {
        case .nothing: break
        case .kept(let bytes): self.record(.snapshot(bytes: bytes, ContinuousClock.now - start))
        case .failed(let error): self.record(.snapshotFailed("\(error)"))
        case .another(let place): await self.compare(place, in: backend)
        }
        self.snapshots.withLock { maker in
          maker.task = nil
          maker.rule.adopt(rule)
        }
      }
    }
  }

  /// Starts a snapshot at the store's orderly end, if the entries since the last one are worth it. A store that has only read makes none.
  func startClosingSnapshot() async {
    func isOrderly() -> Bool { core.withLock { $0.status == .open && $0.outages.wait == nil && $0.replica.unwrittenCount == 0 } }
    let isOn = snapshots.withLock { $0.rule.isOn }
    guard isOn, backend != nil, core.withLock({ $0.replica.hasMade }), isOrderly() else { return }
    // The reader may have the gate for long: others' entries are of no use any more, and a snapshot is not worth waiting for a call that hangs.
    reader.withLock { $0 }?.cancel()
    guard let turn = try? await gate.take() else { return }
    defer { turn.end() }
    // The writer, which had the gate, has counted its entries.
    guard isOrderly() else { return }
    snapshots.withLock { $0.rule.close() }
    startSnapshotIfDue()
  }

  /// Compares the state in another store's snapshot with this store's own: `apply` must be deterministic.
  private func compare(_ place: Snapshot.Place, in backend: Backend<State>) async {
    let base: History<State>.Base? = core.withLock { core in
      let history = core.replica.history
      // The marks must be those of the snapshot's head: no record since may have changed them.
      let since = history.records[history.records.place(after: place.revision)...]
      guard place.base >= history.base, !since.contains(where: { !$0.targets.isEmpty }) else { return nil }
      return history.base(at: place.base)
    }
    guard let base, let problem = await backend.compare(place, with: base, options.longWork) else { return }
    report(problem)
  }

  /// Waits for a snapshot that is being made.
  func finishSnapshot() async {
    await snapshots.withLock { $0.task }?.value
  }
}
