#if SQLite
  import AlterCore
  import AlterJournal
  // Its timers may be used on any thread.
  @preconcurrency import Dispatch

  /// The waits of one call: first for the other handles of the file in this process, then for other processes. Cancelling the call's task,
  /// or closing its handle, ends them.
  final class LockWait: Sendable {
    /// The ways in which a wait ends. The first one counts.
    enum Outcome: Sendable {
      case granted
      case failed(Int32)
      case givenUp(JournalError)
      case timedOut
    }

    private struct State {
      var outcome: Outcome?
      /// The error that ends every later wait of the call, too.
      var end: JournalError?
      /// Continues the waiting thread or task.
      var wake: (@Sendable () -> Void)?
    }

    /// The moment at which the call began.
    let start = DispatchTime.now()
    private let state = Lock(State())

    /// Ends the present wait, unless it has already ended.
    ///
    /// - Returns: Whether this call ended it.
    @discardableResult
    func settle(_ outcome: Outcome) -> Bool {
      let (isFirst, wake): (Bool, (@Sendable () -> Void)?) = state.withLock { state in
        guard state.outcome == nil else { return (false, nil) }
        state.outcome = outcome
        defer { state.wake = nil }
        return (true, state.wake)
      }
      wake?()
      return isFirst
    }

    /// Ends the present wait with an error, unless it has already ended, and every later one.
    func giveUp(_ error: JournalError) {
      state.withLock { if $0.end == nil { $0.end = error } }
      settle(.givenUp(error))
    }

    /// Begins the next wait.
    func next() { state.withLock { $0.outcome = $0.end.map(Outcome.givenUp) } }

    /// The outcome; nil while the wait continues.
    var current: Outcome? { state.withLock { $0.outcome } }

    /// The error with which the call was ended; nil while it may wait.
    var end: JournalError? { state.withLock { $0.end } }

    /// Calls a closure once the wait has ended; at once if it already has.
    private func onEnd(_ wake: @escaping @Sendable () -> Void) {
      let hasEnded = state.withLock { state in
        if state.outcome == nil { state.wake = wake }
        return state.outcome != nil
      }
      if hasEnded { wake() }
    }

    /// Blocks the thread until the wait has ended, or the time has passed.
    func block(for time: Duration) {
      let ended = DispatchSemaphore(value: 0)
      onEnd { ended.signal() }
      if ended.wait(timeout: .now() + time.interval) == .timedOut { settle(.timedOut) }
    }

    /// Suspends the task until the wait has ended, or a moment has passed.
    ///
    /// - Parameter deadline: The moment. It is read again when it has passed, because it may be later by then.
    func suspend(until deadline: @escaping @Sendable () -> DispatchTime) async {
      guard current == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.setEventHandler { @Sendable [weak self] in
        let next = deadline()
        if next <= .now() { self?.settle(.timedOut) } else { timer.schedule(deadline: next) }
      }
      timer.schedule(deadline: deadline())
      timer.resume()
      // This releases the handler, too, which holds the timer.
      defer { timer.cancel() }
      await withCheckedContinuation { continuation in onEnd { continuation.resume() } }
    }
  }

  extension Duration {
    /// The same time for Dispatch: at most 100 years, so that the number of nanoseconds does not overflow.
    var interval: DispatchTimeInterval {
      let (seconds, attoseconds) = components
      return .nanoseconds(Int(min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
  }
#endif
