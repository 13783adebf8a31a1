import AlterCore
import AlterJournal

// Writes the changes that another store has left over.
extension Store {
  /// Writes left-over work under its own ids, so that the journal recognises the entries that it has already.
  ///
  /// - Parameters:
  ///   - leftOver: The work, in order.
  ///   - origin: The origin under which the replica continues.
  func resume(_ leftOver: [Unwritten<State>], then origin: Origin) async throws(JournalError) {
    guard !leftOver.isEmpty, let backend else { return }
    let journal = try await backend.journal.head().journal
    guard leftOver.allSatisfy({ $0.journal == nil || $0.journal == journal }) else { throw .otherJournal(backend.journal.name) }
    var rest = leftOver[...]
    while let first = rest.first {
      // An append has one origin.
      let run = rest.prefix { $0.record.id.origin == first.record.id.origin }
      rest = rest.dropFirst(run.count)
      try await bringIn(run.sorted { $0.record.id.sequence < $1.record.id.sequence })
    }
    core.withLock { $0.replica.becomes(origin, lastSequence: 1) }
    ahead.reset()
  }

  /// Returns whether an entry is this work. An entry with its id and other content belongs to a copy of the process: the append detects
  /// that, and the work receives another id.
  private func isSame(_ entry: Entry, _ record: Record<State>, by coding: RecordCoding<State>) -> Bool {
    guard let draft = try? coding.draft(record) else { return false }
    guard entry.draft != draft else { return true }
    // A rebase may have given an undo other targets.
    guard draft.kind == .undo || draft.kind == .redo else { return false }
    return draft.kind == entry.kind && draft.time == entry.time && draft.scope == entry.scope
  }

  /// Ends a store that could not be opened: its writer stops. The journal stays open.
  func abandon() {
    core.withLock { $0.status = .closed }
    endOutageTimer()
    visible.finish(.closed("store"))
  }

  private func bringIn(_ run: [Unwritten<State>]) async throws(JournalError) {
    guard let backend else { return }
    var missing: [Unwritten<State>] = []
    for work in run {
      if let entry = try await backend.journal.entry(work.record.id), isSame(entry, work.record, by: backend.coding) { continue }
      missing.append(work)
    }
    // A compaction has removed the entries of these. It moves an id only after it has been an entry, so it is looked for there last.
    let gone = try await backend.journal.compactedRevisions(of: missing.map(\.record.id))
    missing.removeAll { gone[$0.record.id] != nil }
    guard !missing.isEmpty else { return }
    core.withLock { core in
      core.promises = PromiseLine()
      // One promise for each, so that a dropped change is reported.
      for work in missing { core.promises.append(Promise(), for: work.record.id.sequence) }
    }
    report { replica, _ in replica.resume(missing) }
    let starts = core.withLock { core in
      guard core.replica.pendingCount > 0, !core.isWriting else { return false }
      core.isWriting = true
      return true
    }
    if starts { startWriting() }
    await flush(isPatient: false)
    let (status, delay, isDone) = core.withLock { core in (core.status, core.delay, core.replica.pendingCount == 0) }
    if case .failed(let error) = status { throw error }
    if !isDone { throw delay ?? .cancelled(backend.journal.name) }
    core.withLock { $0.promises = PromiseLine() }
  }
}
