import AlterCore
import AlterJournal
import AlterStore

// One process at a time performs a durable feedback: the holder of its lease.
extension Runner {
  /// Holds the lease from now on while there is work.
  func keepLease() {
    core.withLock { core in
      if core.keeper == nil, core.hasWork { core.keeper = context.options.task { [self] in await hold() } }
    }
  }

  private func hold() async {
    repeat {
      guard context.store() != nil else { return cancel() }
      // After a permanent failure nothing begins any more, so that no other keeper follows.
      guard await holdLease() else { return cancel() }
      let lease = core.withLock { core -> Lease? in
        // Work that has come at this moment has begun under it.
        guard !core.hasWork || Task.isCancelled else { return nil }
        defer { (core.term, core.isClear) = (nil, false) }
        return core.term?.lease
      }
      guard let lease else { continue }
      record(.released)
      // In a task of its own, which nothing cancels.
      if let store = context.store() { await Task { try? await store.release(lease) }.value }
    } while !isDone()
  }

  /// Stops holding the lease unless there is work again. This is one step, so that work that arrives at this moment is not missed.
  private func isDone() -> Bool {
    core.withLock { core in
      if core.hasWork, !Task.isCancelled { return false }
      core.keeper = nil
      return true
    }
  }

  /// Holds the lease while there is work. Each turn waits for the journal.
  ///
  /// - Returns: False after a permanent failure.
  private func holdLease() async -> Bool {
    // The run of one store keeps it until the lease is released. `Stores` closes each of its stores, which ends the wait for the next round;
    // an idle store that were kept until then would keep its place for as long.
    let kept = context.isOneOfMany ? nil : context.store()
    defer { withExtendedLifetime(kept) {} }
    var failures = 0
    var refusals = 0
    var isFirst = true
    while !Task.isCancelled, core.withLock({ $0.hasWork }) {
      do throws(JournalError) {
        // The origin of the store may be another one since.
        guard let request = context.store()?.leaseRequest("feedback/\(name)", lasting: context.options.lease) else { return false }
        let rounds = context.options.leaseRounds
        // A refused request waits for a round, too.
        defer { isFirst = false }
        let term = isFirst ? try await rounds.take(request) : try await rounds.renew(request) { [core] in core.withLock { $0.hasWork } }
        guard let term else { return true }
        try await begin(term)
        (failures, refusals) = (0, 0)
        startWaiting()
      } catch {
        failures += 1
        switch error.code {
        case .leased:
          loseLease()
          refusals += 1
          // A holder that gives it back within a renewal is the usual case, and no news. A longer wait is reported once.
          if refusals == 2, let lease = error.lease {
            let reason = """
              it waits for the lease '\(lease.name)', which replica \(lease.holder) holds (epoch \(lease.epoch)) until \(lease.end) by the journal's \
              clock, or longer if that replica renews it. Its effects start when that replica releases the lease or stops renewing it. Nothing is lost.
              """
            context.store()?.report(.feedback(name, reason: reason))
          }
        case .closed: return false
        case .cancelled: return true
        default:
          // Others may take over when as much time has passed as the lease lasts.
          if failures >= 3 { loseLease() }
          if !error.isTransient {
            loseLease()
            context.store()?.report(.feedback(name, reason: "its lease can't be held, so it has stopped. \(error)"))
            return false
          }
        }
      }
    }
    return true
  }

  /// Begins a term of the lease.
  private func begin(_ term: LeaseRounds.Term) async throws(JournalError) {
    guard let store = context.store() else { return }
    let isNew = core.withLock { core in
      defer { core.term = term }
      let isNew = core.term?.lease.epoch != term.lease.epoch
      if isNew { core.isClear = false }
      return isNew
    }
    if isNew { record(.taken) }
    guard core.withLock({ !$0.isClear }) else { return }
    // The answers could not be appended.
    guard try await store.isDecider() else {
      store.report(.feedback(name, reason: "\(FeedbackError.decidedByServer([name]))"))
      return cancel()
    }
    // The former holder may have answered a request that this store still sees. Without this barrier the effect would be done again.
    try await store.readOthers()
    startWaiting()
    core.withLock { $0.isClear = true }
  }

  /// Handles a takeover: another replica has the lease after the performance began.
  func loseLease(of work: Work) {
    if core.withLock({ $0.term?.lease.epoch == work.lease?.epoch }) { loseLease() }
  }

  /// Cancels the running effects. They begin again if this replica gets the lease again.
  private func loseLease() {
    let (isHeld, todos): (Bool, [Todo]) = core.withLock { core in
      let isHeld = core.term != nil
      (core.term, core.isClear) = (nil, false)
      return (isHeld, core.atWork.flatMap { key in event(&core, key) { $0.lost() } })
    }
    if isHeld { record(.lost) }
    for todo in todos { todo() }
  }

  private func record(_ step: StoreEvent.LeaseStep) { context.store()?.record(.lease(feedback: name, step)) }
}
