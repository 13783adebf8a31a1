import AlterCore
import AlterJournal
import AlterStore

// Of all replicas one performs a durable feedback at a time: who holds its lease.
extension Runner {
  /// Takes the lease, renews it while there is work, and gives it back.
  func keepLease() async {
    repeat {
      await holdLease()
      let lease = core.withLock { core in
        defer { core.lease = nil }
        return core.lease
      }
      // In a task of its own, which nobody cancels.
      if let lease { await Task { [context] in try? await context.store.release(lease) }.value }
    } while !leave()
  }

  /// Returns when there is no work left, or nothing can be done about it.
  private func holdLease() async {
    var failures = 0
    while !Task.isCancelled, core.withLock({ $0.hasWork }) {
      do throws(JournalError) {
        guard let lease = try await context.store.lease("feedback/\(context.name)", lasting: context.options.lease) else { return }
        failures = 0
        core.withLock { $0.lease = lease }
        try await findCauses()
        startWaiting()
      } catch {
        failures += 1
        switch error.code {
        case .leased: loseLease()
        case .closed, .cancelled: return core.withLock { $0.isStopped = true }
        default:
          // Others may take over when as much time has passed as the lease lasts.
          if failures >= 3 { loseLease() }
          if !error.isTransient {
            loseLease()
            context.store.report(.feedback(context.name, reason: "its lease can't be held, so it has stopped. \(error)"))
            return core.withLock { $0.isStopped = true }
          }
        }
      }
      try? await context.options.clock.sleep(for: context.options.lease / 3)
    }
  }

  /// Ends the keeping unless there is work again; in one step, so that work which comes at this moment is not forgotten.
  private func leave() -> Bool {
    core.withLock { core in
      if core.hasWork { return false }
      core.keeper = nil
      return true
    }
  }

  /// Somebody else has taken over, after this lease.
  func lose(_ lease: Lease) {
    if core.withLock({ $0.lease?.epoch == lease.epoch }) { loseLease() }
  }

  /// Cancels what is being performed. It is begun again if the lease comes back.
  private func loseLease() {
    let cancelled: [Task<Void, Never>] = core.withLock { core in
      core.lease = nil
      var cancelled: [Task<Void, Never>] = []
      for activation in core.activations.values.sorted(by: { $0.id < $1.id }) where activation.phase == .running {
        if let task = core.tasks[activation.id] { cancelled.append(task) }
        core.lastID += 1
        let id = core.lastID
        core.change(activation.key) { again in
          again.id = id
          again.phase = .waiting
        }
      }
      return cancelled
    }
    for task in cancelled { task.cancel() }
  }

  // MARK: - What was there at the start

  /// Finds the entries with which the requests appeared that were there when the loop began, looking back from the present.
  ///
  /// - Complexity: O(entries since the oldest of them appeared).
  private func findCauses() async throws(JournalError) {
    var sought: [Key: Activation] = core.withLock { $0.activations.filter { $0.value.cause == nil && $0.value.phase == .waiting } }
    var last = context.store.revision
    var length = 256
    while !sought.isEmpty, last >= 1 {
      let first = max(Revision(1), last + -length)
      let (start, steps) = try await context.store.steps(after: first, through: last)
      for (key, activation) in sought {
        // The last entry that it appeared with; at the journal's beginning that is the initial one.
        var isThere = isAsked(activation, start)
        var cause: EntryID?
        for (record, state) in steps {
          let isAskedNow = isAsked(activation, state)
          if isAskedNow, !isThere { cause = record.id }
          if !isAskedNow { cause = nil }
          isThere = isAskedNow
        }
        if cause == nil, first == 1 { cause = try await context.store.entries(in: 1...1).first?.id }
        guard let cause else { continue }
        sought[key] = nil
        core.withLock { core in
          if core.activations[key]?.id == activation.id { core.change(key) { $0.cause = cause } }
        }
      }
      if first == 1 { return }
      last = first
      length *= 4
    }
  }

  private func isAsked(_ activation: Activation, _ state: State) -> Bool { request(activation.key, in: state) == activation.request }
}
