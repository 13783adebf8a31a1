import AlterCore

/// A line in which tasks wait for their turn, first come, first served.
package final class TurnQueue: Sendable {
  private struct Waiting {
    let id: Int
    let owner: ObjectIdentifier?
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var isTaken = false
    var isClosed = false
    var nextID = 0
    var waiting: [Waiting] = []
    /// Tasks cancelled between asking for a number and standing in line.
    var cancelled: Set<Int> = []
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
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let granted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.isClosed || state.cancelled.remove(id) != nil { return false }
          if !state.isTaken {
            state.isTaken = true
            return true
          }
          state.waiting.append(Waiting(id: id, owner: owner, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting: Waiting? = state.withLock { state in
        if let place = state.waiting.firstIndex(where: { $0.id == id }) { return state.waiting.remove(at: place) }
        state.cancelled.insert(id)
        return nil
      }
      waiting?.continuation.resume(returning: false)
    }
    let isClosed = state.withLock { state in
      state.cancelled.remove(id)
      return state.isClosed
    }
    guard granted else { throw isClosed ? .closed(journal) : .cancelled(journal) }
    return Turn { [self] in handOver() }
  }

  private func handOver() {
    let next: Waiting? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }

  /// Sends those in line away who wait for an owner.
  package func dismiss(_ owner: ObjectIdentifier) {
    let dismissed = state.withLock { state in
      defer { state.waiting.removeAll { $0.owner == owner } }
      return state.waiting.filter { $0.owner == owner }
    }
    for waiter in dismissed { waiter.continuation.resume(returning: false) }
  }

  /// Sends everybody in line away.
  package func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume(returning: false) }
  }
}
