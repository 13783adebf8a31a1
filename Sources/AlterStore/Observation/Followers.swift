import AlterCore
import AlterJournal

/// Those who wait for a value of the state to differ. One task looks after all of them: after a change it compares for each, and wakes only those whose
/// value is another. Were each woken to compare for itself, a change would cost a switch of tasks for everybody who follows anything.
///
/// The task runs while somebody waits, and ends when it wakes for nobody. It does not keep the store alive.
final class Followers<State: Alterable>: Sendable {
  private struct Follower {
    let differs: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Contents {
    var waiting: [Int: Follower] = [:]
    var lastID = 0
    var cancelled: Set<Int> = []
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
    let id = contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
    let goesOn = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let (answer, starts): (Bool?, Bool) = contents.withLock { contents in
          if contents.cancelled.remove(id) != nil || contents.isEnded { return (false, false) }
          // A change came between its own look and now, and the others were compared without it.
          if contents.compared > version { return (true, false) }
          contents.waiting[id] = Follower(differs: differs, continuation: continuation)
          guard !contents.isLooking else { return (nil, false) }
          contents.isLooking = true
          // The look begins after this version: a follower that has seen an older one must look again by itself.
          contents.compared = version
          return (nil, true)
        }
        if let answer { continuation.resume(returning: answer) }
        if starts { Task.detached { await self.look(after: version, in: store) } }
      }
    } onCancel: {
      let follower: Follower? = contents.withLock { contents in
        if let follower = contents.waiting.removeValue(forKey: id) { return follower }
        contents.cancelled.insert(id)
        return nil
      }
      follower?.continuation.resume(returning: false)
    }
    _ = contents.withLock { $0.cancelled.remove(id) }
    return goesOn
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
        // Who was cancelled meanwhile is gone already.
        let woken = differing.compactMap { contents.waiting.removeValue(forKey: $0) }
        if waiting.isEmpty, contents.waiting.isEmpty { contents.isLooking = false }
        return (woken, !contents.isLooking)
      }
      for follower in woken { follower.continuation.resume(returning: true) }
      if isDone { return }
    }
  }

  private func end() {
    let woken = contents.withLock { contents in
      contents.isEnded = true
      contents.isLooking = false
      defer { contents.waiting = [:] }
      return contents.waiting.values
    }
    for follower in woken { follower.continuation.resume(returning: false) }
  }
}

extension Followers {
  /// Whether the task that looks after all is at work. For tests.
  var isLooking: Bool { contents.withLock { $0.isLooking } }
}
