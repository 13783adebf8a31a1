public import AlterCore

/// Tasks that wait for a journal to grow past a revision.
///
/// The journal calls ``advance(to:)`` whenever it learns of a new head, from whichever process.
@usableFromInline
package final class RevisionWaiters: Sendable {
  private struct Waiter {
    let revision: Revision
    let continuation: CheckedContinuation<JournalError?, Never>
  }

  private struct State {
    var head: Revision = .zero
    var nextID = 0
    var waiters: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
    var end: JournalError?
  }

  private let journal: String
  private let state = Lock(State())

  /// Nobody waits yet.
  ///
  /// - Parameter journal: What errors call the journal.
  @usableFromInline package init(journal: String) { self.journal = journal }

  /// Whether anybody waits: what decides if a slow poll is worth its while.
  package var isEmpty: Bool { state.withLock { $0.waiters.isEmpty } }

  /// Returns as soon as the head is past a revision.
  ///
  /// - Throws: ``JournalError`` `cancelled` when the task was cancelled, or what ``finish(_:)`` was given.
  package func wait(past revision: Revision) async throws(JournalError) {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<JournalError?, Never>) in
        let answer: JournalError?? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return .some(.cancelled(journal)) }
          if let end = state.end { return .some(end) }
          if state.head > revision { return .some(nil) }
          state.waiters[id] = Waiter(revision: revision, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
        state.cancelled.insert(id)
        return nil
      }
      waiter?.continuation.resume(returning: .cancelled(journal))
    }
    _ = state.withLock { $0.cancelled.remove(id) }
    if let error { throw error }
  }

  /// Tells that the journal has grown to a revision, and wakes those it concerns.
  @usableFromInline
  package func advance(to head: Revision) {
    let woken: [Waiter] = state.withLock { state in
      guard head > state.head else { return [] }
      state.head = head
      let ids = state.waiters.filter { $0.value.revision < head }.keys
      return ids.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in woken { waiter.continuation.resume(returning: nil) }
  }

  /// Ends every wait, and every later one, with an error.
  package func finish(_ error: JournalError) {
    let woken = state.withLock { state in
      if state.end == nil { state.end = error }
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume(returning: error) }
  }
}
