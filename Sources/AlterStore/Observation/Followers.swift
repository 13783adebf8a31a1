import AlterCore
import AlterJournal

/// The tasks that wait until a value of the state changes. One follower task compares the values for all of them after each change, and
/// wakes only those whose value differs. Waking every task to compare for itself would cost one task switch per waiting task and change.
///
/// The follower task runs while tasks wait, and ends after a change for which none waits. It does not keep the store alive.
final class Followers<State: Alterable>: Sendable {
  private struct Follower {
    let differs: @Sendable (State) -> Bool
    /// Receives true if the task is to compare again, false at the end.
    let waiter: Waiter<Bool>
  }

  private struct Contents {
    var waiting: [Int: Follower] = [:]
    var lastID = 0
    /// The newest version that the waiting values were compared with.
    var compared: Int64 = -1
    var isLooking = false
    var isEnded = false
  }

  private let contents = Lock(Contents())

  /// Waits until a value differs, or may differ: the caller then compares again.
  ///
  /// - Parameters:
  ///   - version: The version that the caller has seen.
  ///   - store: The store to watch.
  ///   - differs: Returns whether a state has another value. It is called without a lock, by the follower task.
  /// - Returns: False if the store was closed, has failed or is gone, or if the task was cancelled.
  func wait(past version: Int64, in store: StoreWatch<State>, until differs: @escaping @Sendable (State) -> Bool) async -> Bool {
    let waiter = Waiter<Bool>()
    let (id, answer, starts): (Int, Bool?, Bool) = contents.withLock { contents in
      if Task.isCancelled || contents.isEnded { return (0, false, false) }
      // A change came after the caller's comparison, and the others were compared without it.
      if contents.compared > version { return (0, true, false) }
      contents.lastID += 1
      contents.waiting[contents.lastID] = Follower(differs: differs, waiter: waiter)
      guard !contents.isLooking else { return (contents.lastID, nil, false) }
      contents.isLooking = true
      // The comparison begins after this version: a caller that has seen an older one must compare again by itself.
      contents.compared = version
      return (contents.lastID, nil, true)
    }
    if starts { Task.detached { await self.look(after: version, in: store) } }
    if let answer { return answer }
    if let goesOn = await waiter.value() { return goesOn }
    contents.withLock { $0.waiting[id] = nil }
    return false
  }

  /// Compares after each change, or once for several changes in quick succession.
  private func look(after version: Int64, in store: StoreWatch<State>) async {
    var version = version
    while true {
      do throws(JournalError) { try await store.wait(past: version) } catch { return end() }
      guard let (now, state) = store.present() else { return end() }
      version = now
      let waiting = contents.withLock { contents in
        contents.compared = now
        return contents.waiting
      }
      let differing = waiting.filter { $0.value.differs(state) }.keys
      let (woken, isDone) = contents.withLock { contents in
        let woken = differing.compactMap { contents.waiting.removeValue(forKey: $0)?.waiter }
        if waiting.isEmpty, contents.waiting.isEmpty { contents.isLooking = false }
        return (woken, !contents.isLooking)
      }
      woken.finish(true)
      if isDone { return }
    }
  }

  private func end() {
    let woken = contents.withLock { contents in
      contents.isEnded = true
      contents.isLooking = false
      defer { contents.waiting = [:] }
      return contents.waiting.values.map(\.waiter)
    }
    woken.finish(false)
  }
}

extension Followers {
  /// Whether the follower task runs. For tests.
  var isLooking: Bool { contents.withLock { $0.isLooking } }
}
