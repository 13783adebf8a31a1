import AlterCore

// Not public yet: Design/0022-compaction.md lists the known faults.
// Compaction: an explicit command gives up the oldest entries of a journal. It never happens by itself.
extension Journal {
  /// Plans a compaction: finds the newest stored snapshot after whose base the journal can begin, and counts the entries up to there.
  ///
  /// ```swift
  /// let plan = try await journal.compactionPlan(keeping: .last(10_000))
  /// if plan.entries > 0 { try await journal.compact(plan) }
  /// ```
  ///
  /// Nothing is changed. The whole journal is read and verified, because a compaction must not hide damage. Only a snapshot that was already
  /// stored can be the beginning: the journal does not know the type of the state. A store, or the server, makes snapshots by itself as the journal grows.
  /// Those of a server have their base at the start of the undo window, so that a window of entries stays.
  ///
  /// A snapshot can't be the beginning if a later undo or redo names an entry that would go.
  ///
  /// - Parameter range: The entries that must stay.
  /// - Returns: The plan. Its ``CompactionPlan/entries`` are 0 if nothing can go, and its ``CompactionPlan/limitation`` is the reason.
  /// - Throws: ``JournalError``: `damaged` at the first entry that is wrong; `failed` if this journal can't be compacted.
  /// - Complexity: O(bytes of the journal) in time, one page in memory.
  package func compactionPlan(keeping range: CompactionRange) async throws(JournalError) -> CompactionPlan {
    _ = try await compactable()
    let bottom = try await floor()
    let end = try await head()
    let start = bottom ?? Head(empty: end.journal)
    var candidates: [Revision: Snapshot.Place] = [:]
    var newest = end.revision
    while newest > .zero {
      let places = try await snapshots(upTo: newest, limit: 64)
      guard let oldest = places.last else { break }
      for place in places where place.base > start.revision && place.base <= place.revision {
        // Of several snapshots with one base, the newest schema.
        if let known = candidates[place.base], known.schema >= place.schema { continue }
        candidates[place.base] = place
      }
      newest = oldest.revision.previous
    }
    var survey = Survey(candidates: Set(candidates.keys), range: range)
    let reached = try await readVerified(after: bottom, through: end.revision) { entry throws(JournalError) in survey.see(entry) }.head
    let limit = min(survey.limit(below: reached.revision), reached.revision)
    // Each mark must lie on the same side of the floor as the entries that it names.
    var spans: [(oldest: Revision, mark: Revision)] = []
    for mark in survey.marks {
      for target in mark.targets {
        guard let entry = try await self.entry(target), entry.revision < mark.revision else { continue }
        spans.append((entry.revision, mark.revision))
      }
    }
    var why: String?
    for base in candidates.keys.sorted(by: >) where base <= limit {
      guard let place = candidates[base], let seen = survey.bases[base] else { continue }
      if let span = spans.first(where: { $0.oldest <= base && $0.mark > base }) {
        why = "the undo at revision \(span.mark) names revision \(span.oldest), so the journal can't begin between them"
        continue
      }
      guard let snapshot = try await snapshot(at: place.revision), snapshot.isSound, snapshot.base.checksum == seen.checksum,
        try await head(at: place.revision, of: end.journal) == snapshot.head
      else {
        why = "the snapshot at revision \(place.revision) is not sound"
        continue
      }
      return CompactionPlan(
        floor: snapshot.base, entries: base - start.revision, bytes: seen.bytes, head: reached, limitation: why, snapshot: place.revision)
    }
    return CompactionPlan(
      floor: start, entries: 0, bytes: 0, head: reached,
      limitation: why
        ?? (limit <= start.revision
          ? "the journal has no entries before the ones to keep"
          : "no stored snapshot has its base in revisions \(start.revision.next) to \(limit)"),
      snapshot: nil)
  }

  /// Carries out a plan: the journal begins after ``CompactionPlan/floor``, with the state there, and its older entries go.
  ///
  /// One transaction moves the floor, then bounded transactions remove the older rows and return the space, so that other writers never
  /// wait long. A call that was interrupted has moved the floor or not. The next call with any plan, even one without entries, finishes
  /// the removal.
  ///
  /// Stores on the journal continue, in this process and in others. One whose head lies below the floor begins again at the state there, and
  /// its observers receive `skipped`. Entries below the floor, and states before it, can't be read any more: `noSuchRevision` names the
  /// floor. An undo of such an entry is refused.
  ///
  /// - Parameter plan: The plan, made for this journal.
  /// - Throws: ``JournalError``: `conflict` if the plan does not fit the journal any more, `readOnly` if it was opened for reading or stores
  ///   do not write it, `failed` if it can't be compacted, `cancelled` if the task was cancelled during the removal.
  /// - Complexity: O(bytes of the entries that go + the state).
  package func compact(_ plan: CompactionPlan) async throws(JournalError) {
    let journal = try await compactable()
    if let revision = plan.snapshot {
      let isDone = try await floor().map { $0.revision >= plan.floor } ?? false
      if !isDone {
        guard let snapshot = try await snapshot(at: revision), snapshot.isSound, snapshot.base == plan.base else {
          throw .planIsOutdated(name, "the snapshot at revision \(revision) has been removed or replaced", at: revision)
        }
        // Without an undo across its base, the state is the one at the base.
        let pinned = Snapshot(
          head: snapshot.base, base: snapshot.base, schema: snapshot.schema, written: 0, payload: snapshot.payload)
        try await journal.moveFloor(to: pinned, seen: plan.head)
      }
    }
    while try await journal.removeBelowFloor() { try checkCancellation() }
    while try await journal.shrink() { try checkCancellation() }
  }

  private func checkCancellation() throws(JournalError) {
    guard Task.isCancelled else { return }
    throw JournalError(
      .cancelled, journal: name,
      message: "has moved its floor, and the task was cancelled before all older rows were removed. Compact it again to finish.")
  }

  private func compactable() async throws(JournalError) -> any CompactableJournal {
    guard let journal = self as? any CompactableJournal else {
      throw JournalError(
        .failed, journal: name, message: "can't be compacted: this kind of journal has no compaction. Nothing was changed.")
    }
    let role = try await role()
    guard role != .mirror else {
      throw JournalError(
        .readOnly, journal: name,
        message:
          "can't be compacted: it is a device's copy of a server's journal, and begins where the server lets it begin. Nothing was changed."
      )
    }
    return journal
  }
}

/// The facts about a journal that decide where it can begin.
private struct Survey {
  let candidates: Set<Revision>
  let range: CompactionRange
  /// The checksum at each candidate, and the bytes of the entries up to it.
  private(set) var bases: [Revision: (checksum: Checksum, bytes: Int64)] = [:]
  /// The undos and redos, with the ids that they name.
  private(set) var marks: [(revision: Revision, targets: [EntryID])] = []
  private var bytes: Int64 = 0
  private var firstToKeep: Revision?

  init(candidates: Set<Revision>, range: CompactionRange) { (self.candidates, self.range) = (candidates, range) }

  mutating func see(_ entry: Entry) {
    bytes = bytes.saturatingAdding(entry.size)
    if candidates.contains(entry.revision) { bases[entry.revision] = (entry.checksum, bytes) }
    if case .since(let time) = range, firstToKeep == nil, entry.time >= time { firstToKeep = entry.revision }
    if let targets = entry.draft.targets { marks.append((entry.revision, targets)) }
  }

  /// The last revision that may go.
  func limit(below head: Revision) -> Revision {
    switch range {
    case .last(let count): head.number > Int64(max(count, 0)) ? head + -max(count, 0) : .zero
    case .since: firstToKeep?.previous ?? head
    }
  }
}

extension Entry.Draft {
  /// The ids that an undo or a redo names; nil for another kind, or if its payload is not valid.
  package var targets: [EntryID]? {
    guard kind == .undo || kind == .redo else { return nil }
    return (try? JournalCoding.decode(Entry.Targets.self, from: payload))?.targets
  }
}
