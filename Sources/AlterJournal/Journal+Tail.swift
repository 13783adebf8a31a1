package import AlterCore

extension Journal {
  /// Returns every entry after a revision, then each new one as it is appended by any process. None is skipped or repeated.
  ///
  /// The sequence ends only by throwing: `closed`, `cancelled`, or the error of a failed read.
  ///
  /// - Parameter revision: The revision before the first entry to read.
  package func tail(after revision: Revision = .zero) -> JournalTail<Self> { JournalTail(journal: self, revision: revision) }
}

/// The sequence of a journal's entries after a revision, including future ones.
package struct JournalTail<Base: Journal>: AsyncSequence, Sendable {
  let journal: Base
  let revision: Revision

  /// Iterates over the entries. It reads up to 1,000 at a time.
  package struct AsyncIterator: AsyncIteratorProtocol {
    let journal: Base
    var revision: Revision
    var page: ArraySlice<Entry> = []

    /// Waits for the next entry. It never returns nil.
    package mutating func next() async throws(JournalError) -> Entry? { try await next(isolation: nil) }

    /// Waits for the next entry. It never returns nil.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws(JournalError) -> Entry? {
      while page.isEmpty {
        try await journal.waitForEntry(after: revision)
        page = try await journal.entries(after: revision, limit: 1_000)[...]
        if page.isEmpty {
          // The journal grew past the revision, but the entry is not there: the journal was replaced or lost rows. Waiting again would
          // spin.
          let head = try await journal.head().revision
          throw head > revision
            ? .damaged(journal.name, at: revision.next, "the entry is missing, although the journal's head says it ends at \(head)")
            : .diverged(journal.name, at: revision, head: head)
        }
      }
      let entry = page.removeFirst()
      revision = entry.revision
      return entry
    }
  }

  /// Creates an iterator that begins after the revision.
  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(journal: journal, revision: revision) }
}
