package import AlterCore
package import AlterJournal

// The operations of a store that only feedback loops use.
extension Store {
  /// The id of this store's replica.
  package var origin: Origin { core.withLock { $0.replica.origin } }

  /// The store's wall clock: microseconds since 1970 UTC.
  package var now: Int64 { options.now() }

  /// Makes changes only while the state meets a condition: now, and at each replay on top of other writers' entries.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order: one atomic batch.
  ///   - cause: The entry that the changes answer.
  ///   - lease: The lease that they are made under.
  ///   - condition: A pure function of the state. It may be called under the store's lock, and again whenever the work is replayed.
  /// - Throws: ``ChangeError``; `conditionFailed` if the state does not meet the condition. Then nothing has changed.
  package func change(
    _ changes: [State.Change], cause: Cause, under lease: Lease?, if condition: @escaping @Sendable (State) -> Bool
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(Record.Content(changes), cause: cause, requires: nil, under: lease, if: condition)
  }

  /// The request for a lease of the journal under this store's present replica; nil without a journal.
  package func leaseRequest(_ name: String, lasting duration: Duration) -> LeaseRequest? {
    backend.map { LeaseRequest(journal: $0.journal, name: name, holder: origin, duration: duration) }
  }

  /// Releases a lease.
  package func release(_ lease: Lease) async throws(JournalError) { try await backend?.journal.release(lease) }

  /// Visits confirmed entries in order, each with the state that it led to, under the undos up to it. Without a journal it visits nothing.
  ///
  /// - Parameters:
  ///   - revision: The revision of the first state.
  ///   - last: The last entry to visit.
  ///   - goesOn: Called between two pages of entries; false ends the walk.
  ///   - visit: Receives an entry's id and the state after it; nil for the first state. A state that it does not keep is then changed in
  ///     place.
  /// - Complexity: O(the nearest snapshot before the revision + entries from there) in time; in memory one page of entries, and the states
  ///   that an undo window needs.
  package func walk(
    after revision: Revision, through last: Revision, while goesOn: () -> Bool, _ visit: (EntryID?, State) -> Void
  ) async throws(JournalError) {
    try await backend?.walk(after: revision, through: last, options, while: goesOn, visit)
  }

  /// The floor of the journal; nil for a whole journal, and without a journal.
  package func floor() async throws(JournalError) -> Head? { try await backend?.journal.floor() }

  // MARK: - Attachments

  /// Registers a closure that ends a feedback loop or the like before the store is closed.
  ///
  /// - Parameter end: Ends the attachment and waits for its end.
  /// - Returns: The id for ``detach(_:)``.
  package func attach(_ end: @escaping @Sendable () async -> Void) -> Int {
    core.withLock { core in
      core.lastAttachment += 1
      core.attachments.append((core.lastAttachment, end))
      return core.lastAttachment
    }
  }

  /// Removes an attachment.
  package func detach(_ id: Int) { core.withLock { $0.attachments.removeAll { $0.id == id } } }

  /// Ends all attachments.
  func endAttachments() async {
    let attachments = core.withLock { core in
      defer { core.attachments = [] }
      return core.attachments
    }
    for attachment in attachments { await attachment.end() }
  }
}

extension Backend {
  fileprivate func walk(
    after revision: Revision, through last: Revision, _ options: StoreOptions, while goesOn: () -> Bool,
    _ visit: (EntryID?, State) -> Void
  ) async throws(JournalError) {
    let (window, refused) = (options.undoWindow, options.refusedAtReplay)
    var folded = try await fold(FoldRequest(last: revision, window: window, refused: refused))
    visit(nil, folded.history.state)
    while folded.head.revision < last, goesOn() {
      var records: [Record<State>] = []
      let head = folded.head
      folded.head = try await journal.readVerified(after: head, through: min(last, head.revision + 500)) { entry throws(JournalError) in
        if let record = try coding.record(entry, journal.name) { records.append(record) }
      }.head
      for record in records {
        if case .reachesBeyond = try await append(record, to: &folded.history) {
          folded = try await fold(FoldRequest(last: record.revision, window: window, refused: refused))
        }
        visit(record.id, folded.history.state)
        // The journal was folded again up to this revision: read on from here.
        if folded.head.revision == record.revision { break }
      }
    }
  }
}

extension CommitError {
  /// Whether the only reason is that a condition failed: a feedback's request was withdrawn before its answer.
  var isOnlyUnasked: Bool { if case .conditionFailed = self { true } else { false } }

  /// Whether the change is kept in the list of refusals.
  var isListed: Bool { if case .refused = self { true } else { false } }
}

extension Commit {
  /// Waits for the outcome without throwing.
  package func outcome() async -> Result<Revision, CommitError<State.Failure>> { await result() }
}
