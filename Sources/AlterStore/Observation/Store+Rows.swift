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
  /// Whether the journal is synced: its confirmed side may start again, and changes are undecided for days.
  package var isSynced: Bool { mirror != nil }

  /// Returns the place at a revision of the history that this store's journal has now; nil if the journal ends before it, or gave it up.
  ///
  /// - Complexity: O(1): one entry is read.
  package func place(at revision: Revision, of journal: JournalID) async throws(JournalError) -> Head? {
    guard let backend else {
      if let mirror { return try await found { () async throws(JournalError) in try await mirror.head(at: revision, of: journal) } }
      let (origin, last) = core.withLock { ($0.replica.origin, $0.replica.history.revision) }
      return revision <= last && journal.uuid == origin.uuid ? Head(inMemory: origin, at: revision) : nil
    }
    return try await found { () async throws(JournalError) in try await backend.journal.head(at: revision, of: journal) }
  }

  private func found(_ find: () async throws(JournalError) -> Head?) async throws(JournalError) -> Head? {
    do throws(JournalError) { return try await find() } catch {
      if error.code == .noSuchRevision { return nil }
      throw error
    }
  }

  /// Applies the entries and drafts of other writers that the journal has now, whether the store follows others or not.
  package func readOthers() async throws(JournalError) {
    let turn = try await gate.take()
    defer { turn.end() }
    if let mirror { try await absorb(from: mirror) } else { try await catchUp() }
  }
}
