package import AlterCore
package import AlterJournal

// The operations of a store that rows use.
extension Head {
  init(inMemory origin: Origin, at revision: Revision) {
    let number = UInt64(bitPattern: revision.number)
    self.init(journal: JournalID(origin.uuid), revision: revision, checksum: Checksum(high: 0, low: number))
  }
}

extension Store {
  /// Returns the place at a revision of the history that this store's journal has now; nil if the journal ends before it, or gave it up.
  ///
  /// - Complexity: O(1): one entry is read.
  package func place(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head? {
    guard let upstream else {
      let (origin, last) = core.withLock { ($0.replica.origin, $0.replica.history.revision) }
      return revision <= last && journal.uuid == origin.uuid ? Head(inMemory: origin, at: revision) : nil
    }
    do throws(JournalError) { return try await upstream.head(at: revision, of: journal) } catch {
      if error.code == .noSuchRevision { return nil }
      throw error
    }
  }

  /// Applies the entries and drafts of other writers that the journal has now, whether the store follows others or not.
  package func readOthers() async throws(JournalError) {
    let turn = try await gate.take()
    defer { turn.end() }
    try await upstream?.read(into: self)
  }
}
