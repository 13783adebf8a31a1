import AlterCore
import AlterJournal

/// Those who wait for a value of the state to differ. One task looks after all of them: after a change it compares for each, and wakes only those whose
/// value is another. Were each woken to compare for itself, a change would cost a switch of tasks for everybody who follows anything.
///
/// The task runs while somebody waits, and ends when it wakes for nobody. It does not keep the store alive.
final class Followers<State: Alterable>: Sendable {
  private struct Follower {
    let differs: @Sendable (State) -> Bool
    /// Receives whether to look again.
    let waiter: Waiter<Bool>
  }

  private struct Contents {
    var waiting: [Int: Follower] = [:]
    var lastID = 0
    /// The newest version that those who waited were compared with.
    var compared: Int64 = -1
    var isLooking = false
    var isEnded = false
  }

  private let contents = Lock(Contents())

  /// Waits until something differs, or may: then the one who waits looks again.
  ///
  /// - Parameters:
  ///   - version: The version that it has seen.
  ///   - store: Where to wait for later ones.
  ///   - differs: Whether a state has what it waits for. Called without a lock, by the task that looks after all.
  /// - Returns: No when the store was closed or is gone, or the task was cancelled.
  func wait(past version: Int64, in store: StoreWatch<State>, until differs: @escaping @Sendable (State) -> Bool) async -> Bool {
    let waiter = Waiter<Bool>()
    let (id, answer, starts): (Int, Bool?, Bool) = contents.withLock { contents in
      if Task.isCancelled || contents.isEnded { return (0, false, false) }
      // A change came between its own look and now, and the others were compared without it.
      if contents.compared > version { return (0, true, false) }
      contents.lastID += 1
      contents.waiting[contents.lastID] = Follower(differs: differs, waiter: waiter)
      guard !contents.isLooking else { return (contents.lastID, nil, false) }
      contents.isLooking = true
      // The look begins after this version: a follower that has seen an older one must look again by itself.
      contents.compared = version
      return (contents.lastID, nil, true)
    }
    if starts { Task.detached { await self.look(after: version, in: store) } }
    if let answer { return answer }
    if let goesOn = await waiter.value() { return goesOn }
    contents.withLock { $0.waiting[id] = nil }
    return false
  }

  /// Compares after each change, or once for several that come fast.
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
  /// Whether the task that looks after all is at work. For tests.
  var isLooking: Bool { contents.withLock { $0.isLooking } }
}
