import AlterCore
public import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Compaction by a program that knows the type of the state.
extension Store where State: Journaled {
  /// Gives up the oldest entries of this store's journal. The state there is made from the entries, so no stored snapshot is needed.
  ///
  /// ```swift
  /// try await store.compact(keeping: .last(10_000))
  /// ```
  ///
  /// The journal then begins after a *floor*, with the state there. All entries to keep stay, and so does every entry after the oldest one
  /// that a later undo or redo names. ``/AlterJournal/Journal/compact(_:)`` describes the consequences. The most important ones:
  ///
  /// - Entries and states below the floor can't be read any more, and an undo of such an entry fails. Keep at least as many entries as
  ///   ``StoreOptions/undoWindow`` if every undo is to work as before.
  /// - After a compaction, every new schema needs migrations of states, and a `snapshotsFrom` that reaches back to the present one.
  ///
  /// ## A device's copy of a server's journal
  ///
  /// A store of a synced journal compacts the device's copy, without contact to the server. The journal on the server stays as it is. At least an
  /// undo window of entries (``StoreOptions/undoWindow``, which must be that of the server's stores) stays. Changes that the server has not decided,
  /// refused changes and their order stay. If the server's journal is restored from a backup, the device can only list those of its changes
  /// as lost whose entries it still has.
  ///
  /// ## Cost
  ///
  /// The journal is read and verified first, and the state is computed by the present `apply` and migrations, from the newest snapshot before
  /// it. ``verify(_:)`` checks snapshots. A compaction can't be reverted: verify the journal and make a backup before.
  ///
  /// - Parameter range: The entries that must stay.
  /// - Returns: The plan that was carried out. Its ``/AlterJournal/CompactionPlan/entries`` are 0 if nothing could go, and its
  ///   ``/AlterJournal/CompactionPlan/limitation`` tells why.
  /// - Throws: ``/AlterJournal/JournalError``: `failed` if the store has no journal or this kind of journal can't be compacted; `readOnly` if it
  ///   was opened for reading, a server decides it, or a device's file belongs to another user than the one who is signed in; `damaged`, `undecodable` or `refusedAtReplay` with the revision; `unencodable` if the state at the new floor could not be read
  ///   again; `newerSchema` if a newer version of the app has written to it, or another build of the same schema version a name that this one
  ///   does not know; `conflict` if other writers' undos outdated several plans; `cancelled` if the task was cancelled
  ///   during the removal: call it again to finish.
  /// - Complexity: O(bytes of the journal); in memory a page of entries and two states.
  @discardableResult
  public func compact(keeping range: CompactionRange) async throws(JournalError) -> CompactionPlan {
    guard let upstream else {
      throw JournalError(
        .failed, journal: "memory",
        message: "can't be compacted: the store has no journal that stores write. Nothing was changed.")
    }
    return try await upstream.compact(keeping: range, leaving: options.undoWindow, refused: options.refusedAtReplay)
  }

  /// Gives up the oldest entries of a journal, without opening a store on it: see ``compact(keeping:)``.
  ///
  /// - Parameters:
  ///   - journal: The journal. Stores may have it open, in this process and in others.
  ///   - range: The entries that must stay.
  ///   - refused: The treatment of an entry that this version of the app refuses.
  /// - Returns: The plan that was carried out.
  /// - Throws: ``/AlterJournal/JournalError``, as ``compact(keeping:)`` does.
  /// - Complexity: O(bytes of the journal).
  @discardableResult
  public static func compact(
    _ journal: any Journal, keeping range: CompactionRange, refusedAtReplay refused: RefusedAtReplay = .fail
  ) async throws(JournalError) -> CompactionPlan {
    try await Backend<State>(journal: journal, coding: .json).compact(keeping: range, refused: refused)
  }
}

extension Backend {
  func compact(
    keeping range: CompactionRange, refused: RefusedAtReplay
  ) async throws(JournalError) -> CompactionPlan {
    let target = try await journal.compactable()
    guard try await journal.role() == .plain else {
      throw JournalError(
        .readOnly, journal: journal.name,
        message: """
          was not compacted: a server decides its entries, and undos of its window must stay possible. Nothing was changed. Use Journal.compact(_:) \
          with a plan, or 'alter compact'.
          """)
    }
    return try await JournalError.replanning { () async throws(JournalError) in
      let (plan, pinned) = try await plan(keeping: range, refused: refused)
      if let pinned { try await target.moveFloor(to: pinned, seen: plan.head) }
      try await target.finishRemoval()
      return plan
    }
  }

  /// Plans a compaction, and computes the state at the new floor.
  fileprivate func plan(
    keeping range: CompactionRange, leaving window: Int = 0, ofMirror isMirror: Bool = false, refused: RefusedAtReplay
  ) async throws(JournalError) -> (CompactionPlan, pinned: Snapshot?) {
    let survey = try await journal.surveyed(keeping: range, leaving: window, ofMirror: isMirror)
    guard survey.schema <= coding.schema else {
      throw .newerSchema(journal.name, at: survey.head.revision, found: survey.schema, known: coding.schema)
    }
    if let newer = survey.newer, newer.schema == coding.schema,
      !Snapshot.Place(revision: 0, base: 0, schema: coding.schema, form: coding.form, written: 0, size: 0).hasAllNames(of: newer.form)
    {
      throw .planHasFewerNames(journal.name, at: survey.head.revision)
    }
    var base = survey.limit
    var limitation: String?
    while base > survey.start.revision, let span = survey.span(across: base) {
      limitation = limitation ?? span.limitation
      base = max(span.oldest, 1).previous
    }
    guard base > survey.start.revision else {
      let plan = CompactionPlan(
        floor: survey.start, entries: 0, bytes: 0, head: survey.head,
        limitation: limitation ?? "the journal has no entries before the ones to keep", snapshot: nil)
      return (plan, nil)
    }
    // No undo reaches across the base, so the state there is the one under all later undos, too.
    let folded = try await fold(FoldRequest(last: base, window: 0, isForReading: true, refused: refused))
    let payload: Data
    do { payload = try coding.encodeFloor(folded.history.state) } catch {
      throw JournalError(
        .unencodable, journal: journal.name, revision: base,
        message: "was not compacted: the state at revision \(base) can't be encoded: \(JournalCoding.explain(error)). Nothing was changed.")
    }
    let pinned = Snapshot(head: folded.head, base: folded.head, schema: coding.schema, form: coding.form, written: 0, payload: payload)
    var bytes: Int64 = 0
    let start = survey.start.revision > .zero ? survey.start : nil
    if let floor = try await floorStart(through: base)?.snapshot, coding.hasUnknownName(floor.payload, .reset, floor.schema) {
      throw .planHasUnknownName(journal.name, at: floor.head.revision)
    }
    try await journal.readVerified(after: start, through: base) { entry throws(JournalError) in
      bytes = bytes.saturatingAdding(entry.size)
      guard !coding.hasUnknownName(entry.payload, entry.kind, entry.schema) else {
        throw .planHasUnknownName(journal.name, at: entry.revision)
      }
    }
    let plan = CompactionPlan(
      floor: folded.head, entries: base - survey.start.revision, bytes: bytes, head: survey.head, limitation: limitation,
      snapshot: base, schema: coding.schema)
    return (plan, pinned)
  }
}

extension Snapshot {
  /// Plans the compaction of a device's copy of a server's journal, and computes the state at its new beginning.
  ///
  /// - Parameters:
  ///   - type: The type of the state.
  ///   - mirror: The copy.
  ///   - range: The entries that must stay.
  ///   - window: The undo window: the number of newest entries, without refusals, that must stay in any case.
  /// - Returns: The plan, and the state at its floor; nil if nothing can go.
  /// - Complexity: O(bytes of the copy).
  package static func pinned<State: Journaled>(
    of type: State.Type, in mirror: any Journal, keeping range: CompactionRange, leaving window: Int
  ) async throws(JournalError) -> (CompactionPlan, pinned: Snapshot?) {
    // A store of a synced journal skips an entry that the state refuses, too.
    try await Backend<State>(journal: mirror, coding: .json).plan(keeping: range, leaving: window, ofMirror: true, refused: .skip)
  }
}

extension JournalError {
  /// Plans and carries out a compaction, again if an undo was appended meanwhile or another command has moved the floor.
  package static func replanning<Answer>(
    _ body: () async throws(JournalError) -> Answer
  ) async throws(JournalError) -> Answer {
    var attempts = 0
    while true {
      attempts += 1
      do throws(JournalError) { return try await body() } catch {
        guard error.code == .conflict || error.code == .noSuchRevision, attempts < 5 else { throw error }
      }
    }
  }
}
