import AlterCore

/// A line in which tasks wait for their turn, first come, first served.
package final class TurnQueue: Sendable {
  private struct Waiting {
    let owner: ObjectIdentifier?
    /// Receives whether the turn is granted.
    let waiter: Waiter<Bool>
  }

  private struct State {
    var isTaken = false
    var isClosed = false
    var waiting: [Waiting] = []
  }

  private let journal: String
  private let state = Lock(State())

  /// An empty line.
  ///
  /// - Parameter journal: What errors call the journal.
  package init(journal: String) { self.journal = journal }

  /// Whether nobody has the turn.
  package var isFree: Bool { state.withLock { !$0.isTaken } }

  /// Waits for its turn.
  ///
  /// - Parameter owner: Who waits: one of several handles that share the line, so that it can leave alone.
  /// - Throws: ``JournalError`` `cancelled` when the task was cancelled, `closed` when the line was, or the owner has left.
  package func take(for owner: ObjectIdentifier? = nil) async throws(JournalError) -> Turn {
    let waiter = Waiter<Bool>()
    let answer: Bool? = state.withLock { state in
      if state.isClosed || Task.isCancelled { return false }
      if !state.isTaken {
        state.isTaken = true
        return true
      }
      state.waiting.append(Waiting(owner: owner, waiter: waiter))
      return nil
    }
    let isGranted = if let answer { answer } else { await waiter.value() ?? false }
    guard isGranted else {
      let isClosed = state.withLock { state in
        state.waiting.removeAll { $0.waiter === waiter }
        return state.isClosed
      }
      throw isClosed ? .closed(journal) : .cancelled(journal)
    }
    return Turn { [self] in handOver() }
  }

  private func handOver() {
    while true {
      let next: Waiting? = state.withLock { state in
        guard !state.waiting.isEmpty else {
          state.isTaken = false
          return nil
        }
        return state.waiting.removeFirst()
      }
      // A task that was cancelled in line does not take its turn: the one behind it does.
      guard let next, !next.waiter.finish(true) else { return }
    }
  }

  /// Sends those in line away who wait for an owner.
  package func dismiss(_ owner: ObjectIdentifier) {
    let dismissed = state.withLock { state in
      defer { state.waiting.removeAll { $0.owner == owner } }
      return state.waiting.filter { $0.owner == owner }
    }
    dismissed.map(\.waiter).finish(false)
  }

  /// Sends everybody in line away.
  package func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.map(\.waiter).finish(false)
  }
}
