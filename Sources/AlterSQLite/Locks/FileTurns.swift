#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  /// The queue in which the handles of one open file take turns to write, first come, first served. The handle with the turn waits for the
  /// file's lock, so that only one handle of a process does, and no handle blocks a thread.
  final class FileTurns: Sendable {
    private struct State {
      var isTaken = false
      var waiting: [LockWait] = []
      /// The last moment at which a handle took or released the file's lock.
      var progress = DispatchTime.now()
    }

    private let state = Lock(State())

    /// Takes the turn, once no other handle has it.
    ///
    /// - Parameters:
    ///   - wait: The wait of the call. It is ready for its next wait afterwards.
    ///   - timeout: The longest time to wait while no handle takes or releases the lock.
    ///   - work: Receives whether the turn was taken. If not, the wait's outcome is the reason. It runs on the thread that passes the turn, so
    ///     it must return at once.
    func take(_ wait: LockWait, timeout: Duration, _ work: @escaping @Sendable (Bool) -> Void) {
      guard wait.current == nil else { return work(false) }
      let isTaken = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(wait)
        return false
      }
      if isTaken { return work(true) }
      wait.whenEnded(by: { self.deadline(of: wait, timeout: timeout) }) { [self] in
        if case .granted = wait.current {
          wait.next()
          return work(true)
        }
        state.withLock { $0.waiting.removeAll { $0 === wait } }
        work(false)
      }
    }

    /// Takes the turn. The task is suspended while another handle has it.
    func take(_ wait: LockWait, timeout: Duration) async -> Bool {
      await withCheckedContinuation { continuation in take(wait, timeout: timeout) { continuation.resume(returning: $0) } }
    }

    /// Passes the turn to the next waiting handle.
    func pass() {
      while true {
        let next: LockWait? = state.withLock { state in
          guard !state.waiting.isEmpty else {
            state.isTaken = false
            return nil
          }
          return state.waiting.removeFirst()
        }
        // A wait that has ended does not take the turn; the next one does.
        guard let next, !next.settle(.granted) else { return }
      }
    }

    /// Records that the lock was taken or released.
    func progress() { state.withLock { $0.progress = .now() } }

    /// The moment at which a wait times out. While the handles of the file take the lock one after the other, the file is not in use for
    /// long, however many of them wait.
    func deadline(of wait: LockWait, timeout: Duration) -> DispatchTime {
      max(wait.start, state.withLock { $0.progress }) + timeout.interval
    }
  }
#endif
