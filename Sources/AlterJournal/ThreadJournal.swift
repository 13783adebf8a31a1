package import AlterCore

/// A journal that appends on a thread of its own, and lends it to a store. The store then encodes, appends and confirms a small flight there without
/// a change of threads.
///
/// A store asks the journal itself for this ability, not for its ``Journal/capabilities``: a journal that wraps another one shall see each append.
package protocol ThreadJournal: Journal {
  /// Runs work on the thread of the appends, after all earlier work. Other handles' appends wait for it, so it must not call foreign code that may
  /// block.
  func enqueue(_ work: @escaping @Sendable () -> Void)

  /// Appends drafts as ``Journal/append(_:after:in:under:)`` does, unless it would have to wait. Call it on the thread of the appends.
  ///
  /// - Parameters:
  ///   - drafts: The drafts.
  ///   - head: The head that the writer expects.
  ///   - leases: The leases under which the drafts were made.
  ///   - landed: Receives the position before the tasks are woken that wait for an entry in this process. Nothing throws after it.
  /// - Returns: The position; nil if another writer appends, or waits for its turn. Then nothing was written.
  func appendAtOnce(
    _ drafts: [Entry.Draft], after head: Head, under leases: [Lease], landed: (Appended) -> Void
  ) throws(JournalError) -> Appended?

  /// Waits as ``Journal/waitForEntry(after:)`` does, for a reader whose revision may grow meanwhile: it is not woken for entries that it has by then.
  ///
  /// - Parameters:
  ///   - revision: The reader's revision.
  ///   - present: Returns its revision now.
  func waitForEntry(after revision: Revision, growing present: (@Sendable () -> Revision)?) async throws(JournalError)
}
