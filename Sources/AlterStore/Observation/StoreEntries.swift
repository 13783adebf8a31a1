public import AlterCore
public import AlterJournal

extension Store {
  /// Returns every confirmed entry after a revision, then each new one, of all writers: none is skipped or repeated.
  ///
  /// Unlike an observation, the sequence can begin anywhere in the past, and runs at the reader's pace. The entries are checked against the
  /// checksum chain as they are read. The sequence ends when the store is closed, and throws when the store has failed.
  ///
  /// - Parameter revision: The revision before the first entry; 0 by default. A store in memory keeps only the entries of its undo window, and
  ///   throws `noSuchRevision` for older ones.
  public func entries(after revision: Revision = .zero) -> StoreEntries<State> { StoreEntries(store: self, revision: revision) }
}

/// The confirmed entries of a store after a revision, and all later ones.
public struct StoreEntries<State: Alterable>: AsyncSequence, Sendable {
  fileprivate let backend: Backend<State>?
  fileprivate let upstream: (any Upstream<State>)?
  /// The name of the journal.
  fileprivate let name: String
  fileprivate let watch: StoreWatch<State>
  fileprivate let kept: @Sendable () -> (version: Int64, history: History<State>)?
  fileprivate let revision: Revision
  /// Shows that the store is observed.
  private let use: StoreUsage.Token

  init(store: Store<State>, revision: Revision) {
    (backend, upstream, name) = (store.backend, store.upstream, store.journalName)
    watch = store.watch
    kept = { [weak store] in store?.core.withLock { ($0.version, $0.replica.history) } }
    self.revision = revision
    use = store.usage.token()
  }

  /// Iterates over the entries.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let entries: StoreEntries
    private var revision: Revision
    private var head: Head?
    private var page: ArraySlice<Record<State>> = []

    fileprivate init(_ entries: StoreEntries) {
      self.entries = entries
      revision = entries.revision
    }

    /// Waits for the next entry; returns nil when the store is closed.
    public mutating func next() async throws(JournalError) -> Record<State>? { try await next(isolation: nil) }

    /// Waits for the next entry; returns nil when the store is closed.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(JournalError) -> Record<State>? {
      while page.isEmpty {
        do throws(JournalError) {
          if let backend = entries.backend { try await read(backend, isolation: actor) } else { try await readMemory(isolation: actor) }
        } catch {
          if error.code == .closed { return nil }
          guard error.code == .cancelled else { throw error }
          throw JournalError(
            .cancelled, journal: entries.name,
            message: "has ended the loop over its entries, because the task was cancelled. Nothing was changed.")
        }
      }
      let record = page.removeFirst()
      revision = record.revision
      return record
    }

    private mutating func read(_ backend: Backend<State>, isolation actor: isolated (any Actor)?) async throws(JournalError) {
      let journal = backend.journal
      if head == nil { head = try await anchor(in: journal, isolation: actor) }
      try await entries.wait(after: revision, in: journal)
      var records: [Record<State>] = []
      let start = head
      head = try await journal.readVerified(after: start, through: revision + 1_000) { entry throws(JournalError) in
        if let record = try backend.coding.record(entry, journal.name) { records.append(record) }
      }.head
      // A page may consist of refusals alone, which have no record.
      if records.isEmpty, let head { revision = head.revision }
      page = records[...]
    }

    /// The head at the revision to begin after. The checksum of that entry authenticates the following ones.
    private func anchor(in journal: any Journal, isolation actor: isolated (any Actor)?) async throws(JournalError) -> Head {
      let end = try await journal.head()
      guard revision > .zero else { return Head(empty: end.journal) }
      guard revision <= end.revision, let head = try await journal.head(at: revision, of: end.journal) else {
        throw .noSuchRevision(journal.name, revision, head: end.revision)
      }
      return head
    }

    /// In memory the entries are those of the undo window. A synced journal has older ones in the device's file.
    private mutating func readMemory(isolation actor: isolated (any Actor)?) async throws(JournalError) {
      var version: Int64 = -1
      while page.isEmpty {
        try await entries.watch.wait(past: version)
        guard let kept = entries.kept() else { throw .closed(entries.name) }
        version = kept.version
        let (base, head) = (kept.history.base, kept.history.revision)
        if let upstream = entries.upstream, revision < base {
          let end = Swift.min(revision + 1_000, base)
          page = ArraySlice(try await upstream.entries(in: revision.next...end))
          // A page may consist of refusals alone, which have no record.
          if page.isEmpty { (revision, version) = (end, -1) }
          continue
        }
        guard revision >= base else { throw .notKept(entries.name, revision.next, "the entries", base.next, head) }
        page = ArraySlice(kept.history.records[kept.history.records.place(after: revision)...])
      }
    }
  }

  /// Waits for the journal to have an entry after a revision, or for the store to end.
  private func wait(after revision: Revision, in journal: any Journal) async throws(JournalError) {
    let error = await withTaskGroup(of: JournalError?.self) { group in
      group.addTask {
        do throws(JournalError) { try await journal.waitForEntry(after: revision) } catch { return error }
        return nil
      }
      group.addTask { await watch.end() }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let error { throw error }
  }

  /// Creates an iterator that begins after the revision.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
