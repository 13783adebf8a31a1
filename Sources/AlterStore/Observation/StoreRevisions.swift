public import AlterCore
import AlterJournal

extension Store {
  /// The newest confirmed revision: the present one, then the newest whenever the store has applied more of the journal.
  ///
  /// Use it as the signal for a view that reads the store by itself, or for code that follows the journal without its entries. Unlike
  /// ``observe(_:file:line:)`` it does not make the store apply its own changes again.
  ///
  /// ```swift
  /// for await _ in store.revisions { await page.show(store.confirmed) }
  /// ```
  ///
  /// - **Order**: each revision is greater than the one before. ``revision`` is at least the one that is delivered.
  /// - **Backpressure**: revisions that are confirmed while the loop's body runs are coalesced into one, the newest. Nothing is buffered,
  ///   and the store never waits. Use ``entries(after:)`` to receive every entry.
  /// - **End**: the sequence ends when the task is cancelled. It also ends, after the last revision, when the store has failed, was closed
  ///   or is gone; ``status`` states the reason. Iterating does not keep the store alive.
  ///
  /// - Complexity: a change costs one task switch for each task that waits for it.
  public var revisions: StoreValues<State, Revision> {
    // Pending changes also advance the version, but have no revision yet.
    StoreValues(self, present: { $0.presentRevision() }, isNews: { $0 > $1 })
  }
}
