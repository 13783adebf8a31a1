import AlterCore

/// A count of events that only grows, and the tasks that wait for it to pass a number.
///
/// An *eventcount*, after Reed and Kanodia, "Synchronization with Eventcounts and Sequencers" (1979): `advance` and `await` without mutual exclusion. A journal
/// counts revisions with it, and advances it whenever it learns of a new head, from whichever process. A store counts the versions of what it shows.
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

  /// A count of zero, for which no task waits.
  ///
  /// - Parameter journal: The name of the journal in errors.
  @usableFromInline package init(journal: String) { self.journal = journal }

  /// Returns as soon as the count is past a number.
  ///
  /// - Throws: ``JournalError`` `cancelled` when the task was cancelled, or the error that ``finish(_:)`` was given.
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

  /// Whether a task waits.
  package var hasWaiters: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Advances the count, and wakes the tasks that it has passed. A smaller number than the present count changes nothing.
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

/// The revisions of a journal, and the tasks that wait for it to grow past one.
package typealias RevisionCount = EventCount<Revision>
