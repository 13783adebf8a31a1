public import AlterCore

// Compaction: an explicit command gives up the oldest entries of a journal. It never happens by itself.
extension Journal {
  /// Plans a compaction: finds the newest stored snapshot after whose base the journal can begin, and counts the entries up to there.
  ///
  /// ```swift
  /// let plan = try await journal.compactionPlan(keeping: .last(10_000))
  /// if plan.entries > 0 { try await journal.compact(plan) }
  /// ```
  ///
  /// Nothing is changed. The whole journal is read and verified, because a compaction must not hide damage. Journals that stores write and
  /// those that a server decides can be compacted, in SQLite files, in PostgreSQL and in memory. A device's copy is compacted by its store.
  ///
  /// ## The beginning
  ///
  /// Only a snapshot that was already stored can be the new beginning, because a journal does not know the type of the state. Stores make
  /// snapshots by themselves as the journal grows. The base of a snapshot lies an undo window (1,000 entries by default) before its head, so
  /// a young journal has none, and the newest entries always stay. `Store.compact(keeping:)` knows the type, and has neither limit; it does not
  /// compact a server's journal, whose undo window must stay.
  ///
  /// A snapshot can't be the beginning if
  ///
  /// - it is not sound, or not part of this history,
  /// - a later undo or redo names an entry that would go, or
  /// - the journal has an entry or a snapshot of a newer schema: the version of the app that has made it may not read older snapshots, and
  ///   then could not open the journal.
  ///
  /// ``CompactionPlan/limitation`` names the reason.
  ///
  /// - Parameter range: The entries that must stay.
  /// - Returns: The plan. Its ``CompactionPlan/entries`` are 0 if nothing can go, and its ``CompactionPlan/limitation`` is the reason.
  /// - Throws: ``JournalError``: `damaged` at the first entry that is wrong; `failed` if this kind of journal can't be compacted; `readOnly` if
  ///   stores do not write it.
  /// - Complexity: O(bytes of the journal) in time, one page in memory.
  public func compactionPlan(keeping range: CompactionRange) async throws(JournalError) -> CompactionPlan {
    let survey = try await surveyed(keeping: range)
    let (start, limit) = (survey.start, survey.limit)
    var why: String?
    for base in survey.candidates.keys.sorted(by: >) where base <= limit {
      guard let place = survey.candidates[base], let seen = survey.bases[base] else { continue }
      if let span = survey.span(across: base) {
        why = why ?? span.limitation
        continue
      }
      if let newer = survey.newer, newer.schema == place.schema, !place.hasAllNames(of: newer.form) {
        why =
          why
            ?? """
            another build of the app has made the snapshot at revision \(newer.revision), which may have values that the one at revision \
            \(place.revision) lacks
            """
        continue
      }
      if place.schema < survey.schema {
        why =
          why
            ?? """
            the snapshot at revision \(place.revision) has schema \(place.schema), and the journal has \(survey.newest) of schema \
            \(survey.schema), so a newer version of the app may be unable to read it
            """
        continue
      }
      guard let snapshot = try await snapshot(at: place.revision), snapshot.isSound, snapshot.place == place,
        snapshot.base.checksum == seen.checksum, try await head(at: place.revision, of: survey.head.journal) == snapshot.head
      else {
        why = why ?? "the snapshot at revision \(place.revision) is not sound"
        continue
      }
      return CompactionPlan(
        floor: snapshot.base, entries: base - start.revision, bytes: seen.bytes, head: survey.head, limitation: why,
        snapshot: place.revision, schema: place.schema)
    }
    return CompactionPlan(
      floor: start, entries: 0, bytes: 0, head: survey.head,
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
  /// floor. An undo of such an entry is refused. The ids of removed entries stay, so that no change is written twice.
  ///
  /// The state at the floor is converted when it is read, and is never rewritten. After a compaction, every new schema therefore needs
  /// migrations of states, and a `snapshotsFrom` that reaches back to the schema at the floor. A store that can't read the
  /// state throws `undecodable`, and changes nothing.
  ///
  /// A compaction can't be reverted. Make a backup before the first one.
  ///
  /// - Parameter plan: The plan, made for this journal.
  /// - Throws: ``JournalError``: `conflict` if the plan does not fit the journal any more, `readOnly` if it was opened for reading or stores
  ///   do not write it, `failed` if it can't be compacted, `cancelled` if the task was cancelled during the removal.
  /// - Complexity: O(bytes of the entries that go + the state).
  public func compact(_ plan: CompactionPlan) async throws(JournalError) {
    let journal = try await compactable()
    if let revision = plan.snapshot, try await !isCompacted(to: plan.floor) {
      let snapshot = try await snapshot(at: revision)
      if let snapshot, snapshot.isSound, snapshot.base == plan.base, snapshot.schema == plan.schema {
        try await journal.moveFloor(to: snapshot.pinned, seen: plan.head)
      } else if try await !isCompacted(to: plan.floor) {
        // Another command, which may have removed the snapshot, has not moved the floor as far.
        throw .planIsOutdated(name, "the snapshot at revision \(revision) has been removed or replaced", at: revision)
      }
    }
    try await journal.finishRemoval()
  }

  /// Gives up the entries before a revision, as far as a stored snapshot permits: plans a compaction and carries it out.
  ///
  /// ```swift
  /// let done = try await journal.compact(before: 50_000)
  /// if let limitation = done.limitation { print("Kept more than necessary: \(limitation).") }
  /// ```
  ///
  /// Entries from the revision on always stay. If an append outdates the plan, the compaction is planned again.
  ///
  /// - Parameter revision: The first revision that must stay.
  /// - Returns: The plan that was carried out. Its ``CompactionPlan/entries`` are 0 if nothing could go.
  /// - Throws: ``JournalError``, as ``compactionPlan(keeping:)`` and ``compact(_:)`` do; `conflict` only if several plans were
  ///   outdated one after the other.
  /// - Complexity: O(bytes of the journal).
  @discardableResult
  public func compact(before revision: Revision) async throws(JournalError) -> CompactionPlan {
    var attempts = 0
    while true {
      let plan = try await compactionPlan(keeping: .from(revision))
      attempts += 1
      do throws(JournalError) {
        try await compact(plan)
        return plan
      } catch { guard error.code == .conflict, attempts < 5 else { throw error } }
    }
  }

  /// Whether the journal begins at a revision or later.
  private func isCompacted(to revision: Revision) async throws(JournalError) -> Bool {
    try await floor().map { $0.revision >= revision } ?? false
  }

  /// Returns this journal, if it can be compacted.
  ///
  /// - Throws: ``JournalError``: `failed` or `readOnly` if it can't.
  package func compactable() async throws(JournalError) -> any CompactableJournal {
    guard let journal = capabilities.compaction else {
      throw JournalError(
        .failed, journal: name, message: "can't be compacted: this kind of journal has no compaction. Nothing was changed.")
    }
    let role = try await role()
    guard role != .mirror else {
      throw JournalError(
        .readOnly, journal: name,
        message:
          """
          can't be compacted by a command: it is a device's copy of a server's journal, which has no stored snapshots, and only the app can compute the \
          state at a new beginning. Nothing was changed. Use store.compact(keeping:) of a store on the synced journal.
          """
      )
    }
    return journal
  }
}

extension CompactableJournal {
  /// Removes the rows below the floor, and returns the free space of the file.
  package func finishRemoval() async throws(JournalError) {
    while try await removeBelowFloor() { try checkCancellation() }
    while try await shrink() { try checkCancellation() }
  }

  private func checkCancellation() throws(JournalError) {
    guard Task.isCancelled else { return }
    throw JournalError(
      .cancelled, journal: name,
      message: "has moved its floor, and the task was cancelled before all older rows were removed. Compact it again to finish.")
  }
}

extension Snapshot {
  /// The same state as the beginning of a journal. Without an undo across its base, the state is the one at the base.
  package var pinned: Snapshot { Snapshot(head: base, base: base, schema: schema, form: form, written: 0, payload: payload) }
}
