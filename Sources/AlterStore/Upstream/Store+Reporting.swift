import AlterCore
import AlterJournal

// The consequences of an event: commits are resolved, observers notified, and waiting tasks woken.
extension Store {
  /// Passes an event to the replica, and reports its consequences.
  ///
  /// - Parameters:
  ///   - isFinal: Whether the event counts even after the store has failed or was closed. Commits are resolved then, and the pending work
  ///     must stay unchanged, because `close` returns it.
  ///   - isPatient: Whether to wait for the lock, under which `apply` runs. Otherwise the event has no effect while the lock is taken.
  ///   - event: Applies the event to the replica; returns nil if the replica ignores it.
  /// - Returns: Whether the replica accepted the event.
  @discardableResult
  func report<Failure: Error>(
    evenAtTheEnd isFinal: Bool = false, waiting isPatient: Bool = true,
    _ event: (inout Replica<State>, _ wantsSteps: Bool) throws(Failure) -> Replica<State>.Report?
  ) throws(Failure) -> Bool {
    func take(_ core: inout Core) throws(Failure) -> (Replica<State>.Report, [Settling], News)? {
      guard isFinal || core.status == .open else { return nil }
      guard let report = try event(&core.replica, core.wantsSteps) else { return nil }
      core.version += 1
      // With the verdicts, so that whoever learns of a refusal finds it in the list.
      if let listed = report.listed {
        core.synced.list(listed, unwritten: core.synced.retrying.keys.filter { core.replica.isUnwritten($0) })
      }
      if let start = report.start { core.announce(start) }
      for step in report.steps {
        core.notifications.append(Notification<State>(record: step.record, state: step.state, observers: core.observers))
        core.announce(.confirmed(step.record))
      }
      if report.isRebased { core.announce(.rebased(core.replica.state)) }
      if core.wantsLooks { core.look(at: report) }
      var settlings: [Settling] = []
      settlings.reserveCapacity(report.resolutions.count)
      for id in report.stored {
        if let promise = core.synced.stored.remove(id.sequence) {
          settlings.append(.kept(promise, .success(core.replica.history.revision)))
        }
      }
      for resolution in report.resolutions {
        // An outbox has work of other origins, too. Its callers are elsewhere.
        guard !core.replica.isSynced || resolution.id.origin == core.replica.origin else {
          if case .failure(let error) = resolution.result { core.announce(.dropped(resolution.id, error)) }
          continue
        }
        let promise = core.promises.remove(resolution.sequence)
        if let stored = core.synced.stored.remove(resolution.sequence) { settlings.append(.kept(stored, resolution.result)) }
        core.unweigh(resolution.sequence)
        guard case .failure(let error) = resolution.result else {
          if let promise { settlings.append(.kept(promise, resolution.result)) }
          continue
        }
        core.announce(.dropped(resolution.id, error))
        // A retry that never reached the outbox: the refused change is listed again.
        if !core.synced.retrying.isEmpty { core.synced.retrying[resolution.id] = nil }
        // Under the lock, so that a change that requires this one sees the failure.
        if let promise { settlings.append(.dropped(promise.settle(resolution.result), resolution)) }
      }
      return (
        report, settlings,
        News(
          wantsDelivery: !core.notifications.isEmpty && !core.isDelivering, looks: core.looks,
          version: core.watchers > 0 ? core.version : nil)
      )
    }
    guard let (report, settlings, news) = try core.withLock(waiting: isPatient, take) ?? nil else { return false }
    tellMonitor(report.resolutions.lazy.map { if case .success = $0.result { .confirmed } else { .dropped } })
    for settling in settlings { settle(settling) }
    tell(report, news)
    return true
  }

  /// Those who are to be notified of an event, so that no other look under the lock is needed.
  struct News {
    /// Whether notifications wait, and no thread delivers them.
    let wantsDelivery: Bool
    let looks: [Looks<State>]
    /// The version of the visible state if a task waits for it.
    let version: Int64?
  }

  /// The remaining work for a commit, outside the lock.
  private enum Settling {
    case kept(Promise<Result<Revision, CommitError<State.Failure>>>, Result<Revision, CommitError<State.Failure>>)
    case dropped([Waiter<Result<Revision, CommitError<State.Failure>>>], Replica<State>.Resolution)
  }

  /// Resolves a commit, and reports a lost change for which no task waits. Call it outside the lock.
  private func settle(_ settling: Settling) {
    switch settling {
    case .kept(let promise, let result): promise.resolve(result)
    case .dropped(let waiters, let resolution):
      let isHeard = waiters.finish(resolution.result)
      if !isHeard, case .failure(let error) = resolution.result, !error.isOnlyUnasked, !error.isListed {
        self.report(.lost(resolution.id, reason: "\(error)"))
      }
    }
  }

  /// Reports problems, delivers notifications, and wakes waiting tasks. Call it outside the lock.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - news: Those who are to be told, as of the moment of the report; nil at the opening.
  func tell(_ report: Replica<State>.Report, _ news: News? = nil) {
    for (revision, failure) in report.refusals { self.report(.refusedAtReplay(revision, reason: "\(failure)")) }
    tellMonitor()
    guard let news else { return }
    if news.wantsDelivery { deliver() }
    for looks in news.looks { looks.wake() }
    if let version = news.version { visible.advance(to: version) }
  }

  /// Delivers the waiting notifications, unless another thread is delivering: that thread then delivers them.
  func deliver() {
    let startsWatching: Bool? = core.withLock { core in
      core.notifications.isEmpty || core.isDelivering ? nil : core.beginDelivering()
    }
    guard let startsWatching else { return }
    if startsWatching { watchDeliveries() }
    deliverAll()
  }

  /// Reports a problem in the store's `problems`. Call it outside the lock.
  package func report(_ problem: StoreProblem) {
    core.withLock { $0.problems.add(problem) }
    tellMonitor()
    #if DEBUG
      printUnreadProblemsSoon()
    #endif
  }

  /// Wakes the tasks that wait for a change of the visible state.
  func showChange() {
    let version = core.withLock { $0.watchers > 0 ? $0.version : nil }
    if let version { visible.advance(to: version) }
  }

  /// Ends the store because the journal has failed permanently: commits fail, pending work stays in memory, and every stream of states and
  /// entries ends.
  package func fail(_ error: JournalError) {
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
    tellMonitor()
    #if DEBUG
      printUnreadProblemsSoon()
    #endif
    endOutageTimer()
    abandonCommits(because: error)
    endUndoWindowLoading(with: .failed(error))
    // The state changes no more, so nothing more is read.
    reader.withLock { $0 }?.cancel()
    visible.finish(error)
  }

  /// Gives a store in memory a status, for a preview.
  package func show(_ status: StoreStatus) {
    switch status {
    case .open: break
    case .waiting(let wait):
      core.withLock { core in
        _ = core.outages.begin(.writer, wait.reason, now: wait.since)
        core.tellStatus()
      }
    case .failed(let error): fail(error)
    case .closed:
      core.withLock { $0.status = .closed }
      visible.finish(.closed("store"))
    }
  }

  /// Fails every commit that is not known to be in the journal.
  func abandonCommits(because error: JournalError) {
    resolve(core.withLock { $0.abandonCommits() }, because: error)
  }

  /// Resolves abandoned commits. Call it outside the lock.
  func resolve(_ abandoned: Core.Abandoned, because error: JournalError) {
    func isStored(_ sequence: Int64) -> Bool { isSynced && !abandoned.unstored.contains(sequence) }
    tellMonitor(
      abandoned.promises.lazy.filter { !isStored($0.sequence) }
        .map { abandoned.doubtful.contains($0.sequence) ? .unknown : .failed })
    for (sequence, promise) in abandoned.promises {
      if isStored(sequence) {
        // The outbox has it: the server's verdict will come.
        promise.resolve(.failure(.notYet(error)))
      } else {
        promise.resolve(.failure(abandoned.doubtful.contains(sequence) ? .unknown(error) : .failed(error)))
      }
    }
  }
}

// What a store tells its monitor. Nothing of this is called under a lock.
extension Store {
  /// Sends an event to the monitor, if there is one.
  package func record(_ event: @autoclosure () -> StoreEvent) {
    if let monitor = options.monitor { monitor.record(event(), of: journalName) }
  }

  /// Runs an effect, by way of the monitor if there is one.
  package func perform<Result: Sendable>(
    _ effect: @autoclosure () -> MonitoredEffect, _ body: () async -> Result
  ) async -> Result {
    guard let monitor = options.monitor else { return await body() }
    return await monitor.perform(effect(), of: journalName, body)
  }

  /// Tells the monitor the status, the problems and the number of pending changes, as far as it has not heard of them.
  ///
  /// - Parameter isReleased: Whether nothing refers to the store any more.
  func tellMonitor(isReleased: Bool = false) {
    guard options.monitor != nil else { return }
    let events = core.withLock { core in
      var events = core.problems.takeUntold().map { StoreEvent.problem($0) }
      let status = isReleased ? .closed : core.shownStatus
      if status.name != core.monitored.status?.name {
        events.append(.status(core.monitored.status, status))
        core.monitored.status = status
      }
      // Closing returns the pending changes to its caller.
      let pending = status == .closed || !isJournaled ? 0 : core.replica.pendingCount
      if pending != core.monitored.pending {
        events.append(.pending(pending - core.monitored.pending))
        core.monitored.pending = pending
      }
      return events
    }
    for event in events { record(event) }
  }

  /// Tells the monitor the outcomes of changes.
  func tellMonitor(_ outcomes: some Sequence<CommitOutcome>) {
    guard options.monitor != nil else { return }
    var counts: [CommitOutcome: Int] = [:]
    for outcome in outcomes { counts[outcome, default: 0] += 1 }
    for (outcome, count) in counts { record(.commits(outcome, count: count)) }
  }

  /// Opens a store, and tells the monitor of the options how long it took.
  static func monitoring<Failure: Error>(
    _ options: StoreOptions, _ journal: any Journal, _ body: () async throws(Failure) -> Store,
    error journalError: (Failure) -> JournalError?
  ) async throws(Failure) -> Store {
    guard let monitor = options.monitor else { return try await body() }
    let start = ContinuousClock.now
    do throws(Failure) {
      let store = try await body()
      monitor.record(.opening(ContinuousClock.now - start, nil), of: journal.name)
      return store
    } catch {
      if let error = journalError(error) { monitor.record(.opening(ContinuousClock.now - start, error), of: journal.name) }
      throw error
    }
  }
}
