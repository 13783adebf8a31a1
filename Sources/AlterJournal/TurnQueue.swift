import AlterCore

/// A queue in which tasks wait for their turn, first come, first served.
package final class TurnQueue: Sendable {
  private struct Waiting {
    let owner: ObjectIdentifier?
    /// Receives true if the turn is granted, false if the queue is closed or the owner is dismissed.
    let waiter: Waiter<Bool>
  }

  private struct State {
    var isTaken = false
    var isClosed = false
    var waiting: [Waiting] = []
  }

  private let journal: String
  private let state = Lock(State())

  /// The writers that wait together for one turn, by the durability of their appends.
  package let groups = (full: AppendGroup(), relaxed: AppendGroup())

  /// Creates an empty queue.
  ///
  /// - Parameter journal: The name of the journal in errors.
  package init(journal: String) { self.journal = journal }

  /// Whether no task has the turn.
  package var isFree: Bool { state.withLock { !$0.isTaken } }

  /// Whether a task waits for its turn.
  package var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Takes a turn if no other task has it; otherwise nil, as in a closed queue or a cancelled task: ``take(for:)`` tells.
  package func takeIfFree() -> Turn? {
    let isTaken = state.withLock { state in
      guard !state.isTaken, !state.isClosed, !Task.isCancelled else { return false }
      state.isTaken = true
      return true
    }
    return isTaken ? Turn { [self] in handOver() } : nil
  }

  /// Waits for a turn. The queue continues with the next task when the returned turn ends.
  ///
  /// - Parameter owner: The handle that waits, if several handles share the queue; see ``dismiss(_:)``.
  /// - Throws: ``JournalError`` `closed` if the queue is closed; `cancelled` if the task was cancelled or the owner was dismissed.
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
      // A task that was cancelled while waiting does not take the turn; the next one does.
      guard let next, !next.waiter.finish(true) else { return }
    }
  }

  /// Ends the waits of an owner. They throw `cancelled`.
  package func dismiss(_ owner: ObjectIdentifier) {
    let dismissed = state.withLock { state in
      defer { state.waiting.removeAll { $0.owner == owner } }
      return state.waiting.filter { $0.owner == owner }
    }
    dismissed.map(\.waiter).finish(false)
  }

  /// Ends all waits, and every later one. They throw `closed`.
  package func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.map(\.waiter).finish(false)
  }
}
