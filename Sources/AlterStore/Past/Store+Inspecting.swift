package import AlterCore
package import AlterJournal

// The queries of an inspector that apps do not need.

extension Store {
  /// The store's journal; nil for a store in memory.
  package var journal: (any Journal)? { backend?.journal }
}

/// The entries that a state has refused, in a range of revisions.
package struct Suppressed: Sendable, Hashable {
  /// Entries up to this revision are not known.
  package let after: Revision
  /// Entries after this revision are not known.
  package let through: Revision
  /// The revisions of active entries that the state has refused.
  package let revisions: Set<Revision>

  /// Returns whether the state has refused an active entry; nil if that is not known.
  package func contains(_ revision: Revision) -> Bool? {
    revision > after && revision <= through ? revisions.contains(revision) : nil
  }
}

/// A journal folded to its end, and folded further as it grows. It finds the entries that the state has refused.
package actor JournalFold<State: Journaled> {
  private let backend: Backend<State>
  private var folded: Backend<State>.Folded?
  private var isFolding = false

  /// Creates a fold of a journal. Nothing is read yet.
  package init(_ journal: any Journal) { backend = Backend(journal: journal, coding: .json) }

  /// Reads the journal to its end and returns the active entries that the state has refused.
  ///
  /// - Returns: nil while another call is in progress.
  /// - Throws: ``/AlterJournal/JournalError``, as folding does.
  /// - Complexity: O(the newest snapshot + entries since) at first, then O(entries since the last call).
  package func suppressed() async throws(JournalError) -> Suppressed? {
    guard !isFolding else { return nil }
    isFolding = true
    defer { isFolding = false }
    var folded: Backend<State>.Folded
    if let known = self.folded, let grown = try await grow(known) {
      folded = grown
    } else {
      folded = try await backend.fold(Backend.FoldRequest(window: StoreOptions().undoWindow, refused: .skip))
    }
    folded.report = Replica<State>.Report()
    self.folded = folded
    return Suppressed(after: folded.history.base, through: folded.history.revision, revisions: folded.history.suppressed)
  }

  /// Folds in the entries since the last call.
  ///
  /// - Returns: nil if an undo reaches beyond the kept records.
  private func grow(_ known: Backend<State>.Folded) async throws(JournalError) -> Backend<State>.Folded? {
    var folded = known
    // Release the other reference: with two, each change would copy the state.
    self.folded = nil
    var reachesBeyond = false
    let (journal, coding) = (backend.journal, backend.coding)
    folded.head = try await journal.readVerified(after: known.head) { entry throws(JournalError) in
      guard !reachesBeyond, let record = try coding.record(entry, journal.name) else { return }
      if case .reachesBeyond = folded.history.append(record) { reachesBeyond = true }
    }.head
    folded.history.skip(to: folded.head.revision)
    return reachesBeyond ? nil : folded
  }
}
