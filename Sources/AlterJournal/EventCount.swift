import AlterCore

/// A count of events that only grows, and the tasks that wait until it exceeds a number.
///
/// An *eventcount* after Reed and Kanodia, "Synchronization with Eventcounts and Sequencers" (1979): `advance` and `await` without mutual
/// exclusion. A journal counts revisions: it advances the count whenever it learns of a new head, from any process. A store counts the
/// versions of its visible state.
@usableFromInline
package final class EventCount<Count: Comparable & Sendable & ExpressibleByIntegerLiteral>: Sendable {
  private struct Waiting {
    let count: Count
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
  /// - Throws: ``JournalError`` `cancelled` if the task was cancelled; the error of ``finish(_:)`` once that was called.
  package func wait(past count: Count) async throws(JournalError) {
    if Task.isCancelled { throw .cancelled(journal) }
    let waiter = Waiter<Result<Void, JournalError>>()
    let (id, answer): (Int, Result<Void, JournalError>?) = state.withLock { state in
      if let end = state.end { return (0, .failure(end)) }
      if state.count > count { return (0, .success(())) }
      state.lastID += 1
      state.waiting[state.lastID] = Waiting(count: count, waiter: waiter)
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
    let woken: [Waiting] = state.withLock { state in
      guard count > state.count else { return [] }
      state.count = count
      let ids = state.waiting.filter { $0.value.count < count }.keys
      return ids.compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for waiting in woken { waiting.waiter.finish(.success(())) }
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
