public import AlterCore
public import AlterJournal

/// The reason for which a refused change was not made again. It stays in the list.
public enum RetryError<Failure: Error>: Error, CustomStringConvertible {
  /// The visible state refuses the change, too.
  case refused(Failure)
  /// The undo or redo is not possible now, or the store takes no changes.
  case failed(CommitError<Failure>)

  /// Names a commit's error in the terms of a retry: no other writer was first.
  init(_ error: CommitError<Failure>) { self = if case .dropped(let failure) = error { .refused(failure) } else { .failed(error) } }

  /// Describes the reason and a remedy.
  public var description: String {
    switch self {
    case .refused(let failure):
      "The visible state refuses the change, too. Retry the change after the state has changed, or dismiss it: \(failure)"
    case .failed(let error): "The change was not made again. \(error)"
    }
  }
}

// The changes that the server has not decided, and those that it has refused.
extension Store {
  /// The changes of this device that the server has not decided, in the order of the outbox; empty for a journal that is not synced.
  ///
  /// - Complexity: O(their number).
  public var unconfirmed: [UnconfirmedChange<State>] {
    guard isSynced else { return [] }
    return core.withLock { $0.unconfirmed }
  }

  /// The changes of this device that the server has refused, in order, until they are retried or dismissed.
  public var refusals: [RefusedChange<State>] {
    core.withLock { $0.listedRefusals }
  }

  /// Makes refused changes again, in the order of ``refusals``, each under a fresh id. A change that the present state refuses stays in the
  /// list. If another process of the device has retried or dismissed a change at the same time, its commit fails with the code `conflict`, and
  /// the store removes it from the state: the change is not made twice.
  ///
  /// - Parameter changes: Refused changes. Those that are no longer in the list are ignored.
  /// - Returns: The commit of each new attempt, or the reason why there is none, by the id of the refused change.
  @discardableResult
  public func retry(_ changes: some Sequence<RefusedChange<State>>) -> [EntryID: Result<Commit<State>, RetryError<State.Failure>>] {
    let wanted = Set(changes.lazy.map(\.id))
    let (results, errand) = core.withLock { core in
      var results: [EntryID: Result<Commit<State>, RetryError<State.Failure>>] = [:]
      var errand = Errand()
      let retried = Set(core.synced.retrying.values)
      for refused in core.synced.refusals where wanted.contains(refused.record.id) && !retried.contains(refused.record.id) {
        guard core.takesChanges else {
          results[refused.record.id] = .failure(.failed(.failed(.closed(journalName))))
          continue
        }
        do throws(CommitError<State.Failure>) {
          let record = try core.replica.retry(refused.record, requires: refused.requirement, keepsStamp: refused.keepsStamp)
          core.synced.retrying[record.id] = refused.record.id
          results[refused.record.id] = .success(committed(in: &core))
          let next = errands(in: &core)
          errand.startsWriting = errand.startsWriting || next.startsWriting
          errand.version = max(errand.version, next.version)
        } catch {
          results[refused.record.id] = .failure(RetryError(error))
        }
      }
      return (results, errand)
    }
    if errand.isSomething { run(errand) }
    return results
  }

  /// Makes a refused change again, under a fresh id.
  ///
  /// - Parameter change: The refused change.
  /// - Returns: The commit of the new attempt; nil if the change is no longer in the list.
  /// - Throws: ``RetryError``; then the change stays in the list.
  @discardableResult
  public func retry(_ change: RefusedChange<State>) throws(RetryError<State.Failure>) -> Commit<State>? {
    try retry(CollectionOfOne(change))[change.id]?.get()
  }

  /// Gives refused changes up. Those that are no longer in the list are ignored.
  ///
  /// - Throws: ``/AlterJournal/JournalError``; then they are still listed.
  public func dismiss(_ changes: some Sequence<RefusedChange<State>>) async throws(JournalError) {
    guard let upstream else { return }
    let retried = core.withLock { Set($0.synced.retrying.values) }
    try await upstream.dismiss(changes.map(\.id).filter { !retried.contains($0) })
    let turn = try await gate.take()
    defer { turn.end() }
    try await upstream.read(into: self)
  }

  /// Gives a refused change up.
  ///
  /// - Throws: ``/AlterJournal/JournalError``; then it is still listed.
  public func dismiss(_ change: RefusedChange<State>) async throws(JournalError) { try await dismiss(CollectionOfOne(change)) }
}

extension Store.Core {
  /// The changes of the device that the server has not decided.
  var unconfirmed: [UnconfirmedChange<State>] {
    replica.undecided.map { UnconfirmedChange($0.record, isHidden: $0.isHidden) }
  }

  /// The refused changes that no pending work repeats.
  var listedRefusals: [RefusedChange<State>] {
    let retried = Set(synced.retrying.values)
    return synced.refusals.filter { !retried.contains($0.record.id) }
  }
}
