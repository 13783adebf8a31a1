import AlterCore
import AlterJournal

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
