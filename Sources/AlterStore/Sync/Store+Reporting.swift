import AlterCore
import AlterJournal

// What follows from an event: commits are resolved, observers notified, and waiting tasks woken.
extension Store {
  /// Lets the replica take in an event, and tells what follows from it.
  ///
  /// - Parameters:
  ///   - isFinal: Whether the event counts also after the store has failed or was closed: then commits are resolved already, and what is pending must stay
  ///     as it is, to be handed back.
  ///   - event: What happens.
  /// - Returns: Whether the replica took it.
  @discardableResult
  func report<Failure: Error>(
    evenAtTheEnd isFinal: Bool = false, _ event: (inout Replica<State>, _ wantsSteps: Bool) throws(Failure) -> Replica<State>.Report?
  ) throws(Failure) -> Bool {
    let told: (Replica<State>.Report, [Settling])? = try core.withLock { core throws(Failure) in
      guard isFinal || core.status == .open else { return nil }
      guard let report = try event(&core.replica, core.wantsSteps) else { return nil }
      core.version += 1
      for step in report.steps {
        core.notifications.append(Notification<State>(record: step.record, state: step.state, observers: core.observers))
        core.announce(.confirmed(step.record))
      }
      if report.isRebased { core.announce(.rebased(core.replica.state)) }
      var settlings: [Settling] = []
      settlings.reserveCapacity(report.resolutions.count)
      for resolution in report.resolutions {
        let promise = core.promises.remove(resolution.sequence)
        core.unweigh(resolution.sequence)
        guard case .failure(let error) = resolution.result else {
          if let promise { settlings.append(.kept(promise, resolution.result)) }
          continue
        }
        core.announce(.dropped(resolution.id, error))
        // Under the lock, so that a change that requires it learns of it.
        if let promise { settlings.append(.dropped(promise.settle(resolution.result), resolution)) }
      }
      return (report, settlings)
    }
    guard let (report, settlings) = told else { return false }
    for settling in settlings { settle(settling) }
    tell(report)
    return true
  }

  /// What is to be done about a commit outside the lock.
  private enum Settling {
    case kept(Promise<Result<Revision, CommitError<State.Failure>>>, Result<Revision, CommitError<State.Failure>>)
    case dropped([Waiter<Result<Revision, CommitError<State.Failure>>>], Replica<State>.Resolution)
  }

  /// Resolves a commit, and reports one that was lost and that nobody awaits. Outside the lock.
  private func settle(_ settling: Settling) {
    switch settling {
    case .kept(let promise, let result): promise.resolve(result)
    case .dropped(let waiters, let resolution):
      let isHeard = waiters.finish(resolution.result)
      if !isHeard, case .failure(let error) = resolution.result, !error.isOnlyUnasked {
        core.withLock { $0.problems.add(.lost(resolution.id, reason: "\(error)")) }
      }
    }
  }

  /// Reports problems, delivers notifications, and wakes who waits. Outside the lock.
  func tell(_ report: Replica<State>.Report) {
    for (revision, failure) in report.refusals {
      core.withLock { $0.problems.add(.refusedAtReplay(revision, reason: "\(failure)")) }
    }
    deliver()
    showChange()
  }

  /// Wakes those who wait for what is seen to change.
  func showChange() {
    let version = core.withLock { $0.watchers > 0 ? $0.version : nil }
    if let version { visible.advance(to: version) }
  }

  /// The journal has failed for good: nothing is acknowledged, everything pending stays in memory, and every stream ends.
  func fail(_ error: JournalError) {
    let hasFailed = core.withLock { core in
      core.isWriting = false
      guard core.status == .open else { return false }
      core.status = .failed(error)
      core.version += 1
      core.problems.add(.failed(error))
      core.announce(.failed(error))
      core.endTransitions()
      return true
    }
    guard hasFailed else { return }
    endOutageTimer()
    abandonCommits(because: error)
    // Nothing more is shown, so nothing more is read.
    reader.withLock { $0 }?.cancel()
    visible.finish(error)
  }

  /// Resolves every commit that is not in the journal, as far as is known.
  func abandonCommits(because error: JournalError) {
    resolve(core.withLock { $0.abandonCommits() }, because: error)
  }

  /// Resolves abandoned commits. Outside the lock.
  func resolve(_ abandoned: Core.Abandoned, because error: JournalError) {
    for (sequence, promise) in abandoned.promises {
      promise.resolve(.failure(abandoned.doubtful.contains(sequence) ? .unknown(error) : .failed(error)))
    }
  }
}
