import AlterCore
package import AlterJournal

/// A journal folded up to a head, without a store: the state on which a server decides drafts, and that an inspector examines.
///
/// It follows the journal from head to head, and can make the journal's snapshots. A value: a failed step leaves the earlier fold.
package struct FoldedJournal<State: Journaled>: Sendable {
  private let backend: Backend<State>
  private let refused: RefusedAtReplay
  /// The kept records and states at ``head``.
  package private(set) var history: History<State>
  /// The head after the last folded entry.
  package private(set) var head: Head
  private var rule: SnapshotRule

  /// The id under which entries are counted. A store that was opened reads the entries since the last snapshot, and the rule recognises it by
  /// its first sequences; a device's first draft is no sign of an opening, so a server counts its reading under this id.
  private static var reader: EntryID { EntryID(origin: .none, sequence: .max) }

  /// Folds a journal to its present end, from the newest usable snapshot.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - options: The options of the journal's stores: the undo window, the spacing of snapshots, and the treatment of refused entries.
  ///   - removesUseless: Whether to remove snapshots that can never be used again. If false, nothing is written.
  /// - Throws: ``JournalError``; `damaged`, `newerSchema` and `undecodable` name the revision.
  /// - Complexity: O(the snapshot + entries since its base).
  package init(
    _ journal: any Journal, options: StoreOptions, removesUseless: Bool = false
  ) async throws(JournalError) {
    backend = Backend(journal: journal, coding: .json)
    refused = options.refusedAtReplay
    let folded = try await backend.fold(
      Backend.FoldRequest(window: options.undoWindow, removesUseless: removesUseless, refused: refused))
    (history, head, rule) = (folded.history, folded.head, folded.rule.spaced(options.snapshotSpacing))
  }

  /// Returns the fold of the journal at a later head; nil if it must be folded again: the journal has another history, or an undo reverts an
  /// entry that is not kept.
  ///
  /// - Throws: ``JournalError``; `newerSchema`, `undecodable` and `damaged` name the revision.
  /// - Complexity: O(entries since ``head``).
  package consuming func followed(to wanted: Head) async throws(JournalError) -> FoldedJournal? {
    guard wanted != head else { return self }
    guard wanted.journal == head.journal, wanted.revision > head.revision else { return nil }
    let (backend, start, refused) = (backend, head, refused)
    var folded = self
    var records: [Record<State>] = []
    let reached: Head
    do throws(JournalError) {
      reached = try await backend.journal.readVerified(after: start, through: wanted.revision) { entry throws(JournalError) in
        folded.rule.count(entry.revision, entry.size, as: Self.reader)
        if let record = try backend.coding.record(entry, backend.journal.name) { records.append(record) }
      }.head
    } catch {
      // After a restore, the journal may have another history, or have been compacted above this head.
      guard error.code == .diverged || error.code == .noSuchRevision else { throw error }
      return nil
    }
    guard reached == wanted else { return nil }
    var refusals: [History<State>.Refused] = []
    for record in records {
      let outcome: History<State>.Effect
      do throws(JournalError) { outcome = try await backend.append(record, to: &folded.history) } catch {
        // Compacted meanwhile.
        guard error.code == .noSuchRevision else { throw error }
        return nil
      }
      switch outcome {
      case .applied: break
      case .suppressed(let failure): refusals.append((record.revision, failure))
      case .reachesBeyond: return nil
      }
    }
    if refused == .fail, let (revision, failure) = folded.history.stillRefused(refusals).first {
      throw .refusedAtReplay(backend.journal.name, at: revision, reason: "\(failure)")
    }
    folded.history.forgetReleased()
    folded.history.skip(to: reached.revision)
    folded.head = reached
    return folded
  }

  /// Adopts a history that the caller has continued to the head of its own append.
  ///
  /// - Parameters:
  ///   - history: The history at the new head.
  ///   - head: The new head.
  ///   - drafts: The appended drafts, in order.
  package mutating func adopt(_ history: History<State>, at head: Head, appended drafts: [Entry.Draft]) {
    count(drafts)
    (self.history, self.head) = (history, head)
  }

  /// Adopts changes that the caller has appended.
  ///
  /// - Parameters:
  ///   - records: The changes among the drafts, without an undo or a redo.
  ///   - state: The state after them.
  ///   - head: The new head.
  ///   - drafts: The appended drafts, in order.
  /// - Complexity: O(drafts), if nothing else holds the history.
  package mutating func adopt(_ records: [Record<State>], to state: State, at head: Head, appended drafts: [Entry.Draft]) {
    count(drafts)
    if !records.isEmpty { history.promote(records, to: state) }
    history.skip(to: head.revision)
    self.head = head
  }

  private mutating func count(_ drafts: [Entry.Draft]) {
    for (offset, draft) in drafts.enumerated() { rule.count(head.revision + (offset + 1), draft.size, as: Self.reader) }
  }

  /// The snapshot that is due; nil if none is. Making it takes a while, so a background task does it.
  package var dueSnapshot: DueSnapshot? {
    guard rule.isDue, let base = history.base(at: history.windowStart) else { return nil }
    return DueSnapshot(backend: backend, base: base, head: head, rule: rule)
  }

  /// A snapshot to make.
  package struct DueSnapshot: Sendable {
    fileprivate let backend: Backend<State>
    fileprivate let base: History<State>.Base
    fileprivate let head: Head
    fileprivate var rule: SnapshotRule

    /// Makes and keeps the snapshot. A snapshot is only a cache: if it cannot be kept, the next one is tried when it is due.
    ///
    /// - Returns: The counting to continue with, for ``FoldedJournal/adopt(_:)``, and the reason for which no snapshot was kept.
    package consuming func keep() async -> (Counted, failure: (any Error)?) {
      var due = self
      let making = await due.backend.keep(due.base, at: due.head, rule: &due.rule, LongWork.dispatched)
      if case .failed(let error) = making { return (Counted(rule: due.rule), error) }
      return (Counted(rule: due.rule), nil)
    }
  }

  /// The result of making a snapshot.
  package struct Counted: Sendable {
    fileprivate let rule: SnapshotRule
  }

  /// Continues the counting of entries after a snapshot was made.
  package mutating func adopt(_ counted: Counted) { rule.adopt(counted.rule) }
}
