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
  private let journal: any Journal
  private var folded: FoldedJournal<State>?
  private var isFolding = false

  /// Creates a fold of a journal. Nothing is read yet.
  package init(_ journal: any Journal) { self.journal = journal }

  /// Reads the journal to its end and returns the active entries that the state has refused.
  ///
  /// - Returns: nil while another call is in progress.
  /// - Throws: ``/AlterJournal/JournalError``, as folding does.
  /// - Complexity: O(the newest snapshot + entries since) at first, then O(entries since the last call).
  package func suppressed() async throws(JournalError) -> Suppressed? {
    guard !isFolding else { return nil }
    isFolding = true
    defer { isFolding = false }
    let head = try await journal.head()
    // Takes the kept fold: with two references, each change would copy the state.
    var next = try await folded.take()?.followed(to: head) ?? nil
    if next == nil {
      var options = StoreOptions()
      options.refusedAtReplay = .skip
      next = try await FoldedJournal(journal, options: options)
    }
    folded = next
    return next.map { Suppressed(after: $0.history.base, through: $0.history.revision, revisions: $0.history.suppressed) }
  }
}
