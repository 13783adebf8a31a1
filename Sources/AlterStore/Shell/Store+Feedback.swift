package import AlterCore
package import AlterJournal

// What a feedback loop needs of its store, beyond what everybody may do.
extension Store {
  /// Who this store's replica is.
  package var origin: Origin { core.withLock { $0.replica.origin } }

  /// The store's wall clock: microseconds since 1970 UTC.
  package var now: Int64 { options.now() }

  /// Makes a change that holds only where the state meets a condition: now, and whenever it is made again on top of others' work.
  ///
  /// - Parameters:
  ///   - changes: What happens, in order: one atomic batch.
  ///   - cause: What it answers.
  ///   - lease: The lease that it is made under.
  ///   - condition: Pure.
  /// - Throws: ``ChangeError``; `conditionFailed` where the state is another one. Then nothing has changed.
  package func change(
    _ changes: [State.Change], cause: Cause, under lease: Lease?, if condition: @escaping @Sendable (State) -> Bool
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(Record.Content(changes), cause: cause, requires: nil, under: lease, if: condition)
  }

  /// Tells what went wrong in the store's `problems`.
  package func report(_ problem: StoreProblem) { core.withLock { $0.problems.add(problem) } }

  /// Takes a lease of the journal, or renews it.
  ///
  /// - Returns: nil when there is no journal.
  /// - Throws: ``JournalError``: `leased` while somebody else has it.
  package func lease(_ name: String, lasting duration: Duration) async throws(JournalError) -> Lease? {
    guard let backend else { return nil }
    return try await backend.journal.lease(name, for: origin, lasting: duration)
  }

  /// Gives a lease back.
  package func release(_ lease: Lease) async throws(JournalError) { try await backend?.journal.release(lease) }

  /// Walks through confirmed entries in order, with the state that each led to, as it was at the time. Without a journal there is nothing to walk through.
  ///
  /// - Parameters:
  ///   - revision: Where to begin: the first state is the one there.
  ///   - last: The last entry.
  ///   - goesOn: Asked between two pages of entries: false ends the walk.
  ///   - visit: Takes an entry's id and the state after it; nil for the state at the beginning. A state that it doesn't keep is changed in place.
  /// - Complexity: O(the nearest snapshot before the revision + entries from there) in time; in memory a page of entries, and the states that an undo window needs.
  package func walk(
    after revision: Revision, through last: Revision, while goesOn: () -> Bool, _ visit: (EntryID?, State) -> Void
  ) async throws(JournalError) {
    try await backend?.walk(after: revision, through: last, options, while: goesOn, visit)
  }

  // MARK: - Attachments

  /// Attaches something that ends before the store does.
  ///
  /// - Parameter end: Ends it, and returns when it has.
  /// - Returns: What to detach it by.
  package func attach(_ end: @escaping @Sendable () async -> Void) -> Int {
    core.withLock { core in
      core.lastAttachment += 1
      core.attachments.append((core.lastAttachment, end))
      return core.lastAttachment
    }
  }

  /// Forgets an attachment.
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
        records.append(try coding.record(entry, journal.name))
      }.head
      for record in records {
        if case .reachesBeyond = try await append(record, to: &folded.history) {
          folded = try await fold(FoldRequest(last: record.revision, window: window, refused: refused))
        }
        visit(record.id, folded.history.state)
        // Folded anew up to here: read on from here.
        if folded.head.revision == record.revision { break }
      }
    }
  }
}

extension CommitError {
  /// Whether nothing went wrong: a feedback's answer came when its request was gone.
  var isOnlyUnasked: Bool { if case .conditionFailed = self { true } else { false } }
}

extension Commit {
  /// Waits for what becomes of it, without throwing.
  package func outcome() async -> Result<Revision, CommitError<State.Failure>> { await result() }
}
