import AlterCore

/// The right to append while other writers wait. It ends with ``end()``, or when it is released.
public final class Turn: Sendable {
  private let onEnd: Lock<(@Sendable () -> Void)?>

  /// Creates a turn that runs a closure when it ends. Journals create turns.
  public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = Lock(onEnd) }

  /// Ends the turn: the next waiting writer continues. Ending twice is harmless.
  public func end() {
    let action = onEnd.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  deinit { end() }
}

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

/// A count of events that only grows, and the tasks that wait until it exceeds a number.
///
/// An *eventcount* after Reed and Kanodia, "Synchronization with Eventcounts and Sequencers" (1979): `advance` and `await` without mutual
/// exclusion. A journal counts revisions: it advances the count whenever it learns of a new head, from any process. A store counts the
/// versions of its visible state.
@usableFromInline
package final class EventCount<Count: Comparable & Sendable & ExpressibleByIntegerLiteral>: Sendable {
  private struct Waiting {
    let count: Count
    /// Returns the number now, if it may have grown; nil if it stays.
    let present: (@Sendable () -> Count)?
    let waiter: Waiter<Result<Void, JournalError>>
  }

  private struct State {
    var count: Count = 0
    var lastID = 0
    var waiting: [Int: Waiting] = [:]
    var end: JournalError?
  }

  private let journal: String
  private let state = Lock(State())

  /// Creates a count of zero.
  ///
  /// - Parameter journal: The name of the journal in errors.
  @usableFromInline package init(journal: String) { self.journal = journal }

  /// Returns as soon as the count exceeds a number; at once if it already does.
  ///
  /// - Parameters:
  ///   - count: The number.
  ///   - present: Returns the number now, if it may grow during the wait: an advance up to it does not wake the task. It is called without a lock.
  /// - Throws: ``JournalError`` `cancelled` if the task was cancelled; the error of ``finish(_:)`` once that was called.
  package func wait(past count: Count, growing present: (@Sendable () -> Count)? = nil) async throws(JournalError) {
    if Task.isCancelled { throw .cancelled(journal) }
    let waiter = Waiter<Result<Void, JournalError>>()
    let (id, answer): (Int, Result<Void, JournalError>?) = state.withLock { state in
      if let end = state.end { return (0, .failure(end)) }
      if state.count > count { return (0, .success(())) }
      state.lastID += 1
      state.waiting[state.lastID] = Waiting(count: count, present: present, waiter: waiter)
      return (state.lastID, nil)
    }
    if let answer { return try answer.get() }
    if let result = await waiter.value() { return try result.get() }
    state.withLock { $0.waiting[id] = nil }
    throw .cancelled(journal)
  }

  /// Whether a task is waiting.
  package var hasWaiters: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Advances the count, and wakes the tasks whose number it now exceeds. A number that is not higher than the present count has no effect.
  ///
  /// - Complexity: O(waiting tasks).
  @usableFromInline
  package func advance(to count: Count) {
    let behind: [Int: Waiting] = state.withLock { state in
      guard count > state.count else { return [:] }
      state.count = count
      let behind = state.waiting.filter { $0.value.count < count }
      for (id, waiting) in behind where waiting.present == nil { state.waiting[id] = nil }
      return behind
    }
    for (id, waiting) in behind {
      if let present = waiting.present {
        guard present() < count else { continue }
        state.withLock { $0.waiting[id] = nil }
      }
      waiting.waiter.finish(.success(()))
    }
  }

  /// Ends every wait, and every later one, with an error.
  package func finish(_ error: JournalError) {
    let woken = state.withLock { state in
      if state.end == nil { state.end = error }
      defer { state.waiting = [:] }
      return state.waiting.values.map(\.waiter)
    }
    woken.finish(.failure(error))
  }
}

/// A count of a journal's revisions.
package typealias RevisionCount = EventCount<Revision>
