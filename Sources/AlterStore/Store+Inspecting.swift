package import AlterCore
package import AlterJournal

// What an inspector asks beyond what apps do.

extension Store {
  /// The journal behind it; nil for a store in memory.
  package var journal: (any Journal)? { backend?.journal }
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
  /// - Returns: Their revisions, and after which revision all of them are told; nil while another call is at it.
  /// - Throws: ``/AlterJournal/JournalError``, as folding does.
  /// - Complexity: O(the newest snapshot + entries since) at first, then O(entries since the last call).
  package func suppressed() async throws(JournalError) -> (after: Revision, revisions: Set<Revision>)? {
    guard !isFolding else { return nil }
    isFolding = true
    defer { isFolding = false }
    var folded: Backend<State>.Folded
    if let known = self.folded, let grown = try await grow(known) {
      folded = grown
    } else {
      folded = try await backend.fold(Backend.Wish(window: StoreOptions().undoWindow))
    }
    folded.report = Replica<State>.Report()
    self.folded = folded
    return (folded.history.base, folded.history.suppressed)
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
    }
    return reachesBeyond ? nil : folded
  }
}
