package import AlterCore
package import AlterJournal

// What an inspector asks beyond what apps do.

extension Store {
  /// The journal behind it; nil for a store in memory.
  package var journal: (any Journal)? { backend?.journal }
}

/// What a state has refused, as far as a fold has come.
package struct Suppressed: Sendable, Hashable {
  /// Nothing is known of the entries up to here.
  package let after: Revision
  /// Nor of those behind this one.
  package let through: Revision
  /// The entries that are in force, and yet no part of the state.
  package let revisions: Set<Revision>

  /// Whether an entry is; nil when that is not known.
  package func contains(_ revision: Revision) -> Bool? {
    revision > after && revision <= through ? revisions.contains(revision) : nil
  }
}

/// A journal folded to its end, and on from there as it grows: tells which entries the state has refused.
package actor JournalFold<State: Journaled> {
  private let backend: Backend<State>
  private var folded: Backend<State>.Folded?
  private var isFolding = false

  /// Nothing is read yet.
  package init(_ journal: any Journal) { backend = Backend(journal: journal, coding: .json) }

  /// The entries that are in force, and yet no part of the state.
  ///
  /// - Returns: nil while another call is at it.
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

  /// - Returns: nil when an undo reaches beyond what is kept.
  private func grow(_ known: Backend<State>.Folded) async throws(JournalError) -> Backend<State>.Folded? {
    var folded = known
    // Not kept twice, or each change would copy.
    self.folded = nil
    var reachesBeyond = false
    let (journal, coding) = (backend.journal, backend.coding)
    folded.head = try await journal.readVerified(after: known.head) { entry throws(JournalError) in
      guard !reachesBeyond else { return }
      if case .reachesBeyond = folded.history.append(try coding.record(entry, journal.name)) { reachesBeyond = true }
    }.head
    return reachesBeyond ? nil : folded
  }
}
